// What `rope` and `attention` compute.

test "rope keeps lengths, and the first position" {
  let x = reshape(cast(iota(48), f32), [2, 3, 2, 4])
  let y = rope(x)
  expect close(norm(y, over = -1), norm(x, over = -1))
  expect y[:, :, 0] == x[:, :, 0]
}

test "rope turns by the position" {
  let y = rope(tensor([[1.0, 0.0], [1.0, 0.0]]))
  expect close(y[1], tensor([0.5403023, 0.84147096]))
  let x = reshape(cast(iota(32), f32), [2, 2, 2, 4])
  expect close(rope(x, tensor([[0, 1], [0, 1]])), rope(x))
  expect close(rope(x[:, 0], tensor([[0, 1], [0, 1]])), rope(x)[:, 0])
}

test "a product of turned vectors depends on their distance" {
  let q = rope(ones([8, 4]))
  expect close(sum(q[1] * q[3]), sum(q[5] * q[7]))
}

test "attention to equal keys is the mean" {
  let v = reshape(cast(iota(24), f32), [1, 2, 3, 4])
  let y = attention(zeros([1, 2, 3, 4]), ones([1, 2, 3, 4]), v)
  expect close(y, expand(mean(v, over = 2, keep = true), [1, 2, 3, 4]))
}

test "causal attention does not see what follows" {
  let x = reshape(cast(iota(24), f32) / 24, [1, 2, 3, 4])
  let other = concat([x[:, :, :2], 9 * x[:, :, 2:]], over = 2)
  let (a, b) = (attention(x, x, x, causal = true), attention(other, other, other, causal = true))
  expect a[:, :, :2] == b[:, :, :2]
  expect close(a[:, :, 0], x[:, :, 0])
}

test "heads of queries share heads of keys" {
  let q = reshape(cast(iota(32), f32) / 32, [1, 4, 2, 4])
  let k = reshape(cast(iota(16), f32) / 16, [1, 2, 2, 4])
  let shared = repeat(k, "b g s d -> b (g n) s d", n = 2)
  expect close(attention(q, k, k), attention(q, shared, shared))
}

test "a mask and segments bound what is seen" {
  let x = reshape(cast(iota(12), f32) / 12, [1, 1, 3, 4])
  let own = iota(3)[:, new] == iota(3)[new, :]
  expect close(attention(x, x, x, mask = own), x)
  expect close(attention(x, x, x, segments = tensor([[0, 1, 2]])), x)
  let y = attention(x, x, x, segments = tensor([[0, 0, 1]]), causal = true)
  expect close(y[:, :, 2], x[:, :, 2])
}
