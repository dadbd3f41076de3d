// Attention: what each position of a sequence takes from the others. Heads are the axis in front of
// the positions.

/// Turns pairs of x by angles that grow with the position, so that a product of two depends on how
/// far they are apart (Su et al., 2021, section 3.2). Element i of the last axis makes a pair with
/// i + D / 2. `at`, the positions, are 0 to T - 1 if left out; `at: i32[B, T]` serves x of `[B, T,
/// D]` and, the same for all heads, of `[B, heads, T, D]`.
fn rope(x: float[..., T, D], at = none, base = 10_000) {
  require D % 2 == 0, "rope turns pairs of elements: the last axis has an even size"
  let places = if at == none { iota(T) } else { at }
  require places.rank < x.rank, "positions have at least one axis less than x"
  let by_head = fold(places, 0..x.rank - 1 - places.rank, fn(p, _) { p[..., new, :] })
  let speed = exp(cast(iota(D / 2), f32) * (-2 / D * log(base)))
  let speeds = fold(speed, 0..x.rank - 1, fn(s, _) { s[new, ...] })
  let angle = cast(by_head[..., new], f32) * speeds
  let (c, s) = (cast(cos(angle), x.dtype), cast(sin(angle), x.dtype))
  let (a, b) = split(x, parts = 2, over = -1)
  concat([a * c - b * s, b * c + a * s], over = -1)
}

fn both(a, b) {
  if a == none {
    b
  } else if b == none {
    a
  } else {
    a and b
  }
}

/// Scaled dot-product attention (Vaswani et al., 2017, section 3.2.1): each query of `q: [..., H,
/// T, D]` is answered by an average of `v: [..., G, S, E]`, weighted by how well it meets the keys
/// `k: [..., G, S, D]`. H is a multiple of G: that many heads of queries share one of keys (Ainslie
/// et al., 2023).
///
/// `causal` lets a position see itself and those before it; `mask`, a bool for each query and key,
/// those it holds for; `segments: i32[..., T]` those of its own segment. At least one has to be
/// left.
fn attention(
  q: float[..., H, T, D],
  k: float[..., G, S, D],
  v: float[..., G, S, E],
  causal: bool = false,
  mask = none,
  segments = none,
) {
  require H % G == 0, "the heads of queries are a multiple of those of keys"
  require not causal or T <= S, "causal attention has no more queries than keys"
  let order = if causal { iota(T)[:, new] + (S - T) >= iota(S)[new, :] } else { none }
  let same = if segments == none {
    none
  } else {
    segments[..., new, :, new] == segments[..., new, new, :]
  }
  let seen = both(both(order, mask), same)
  let grouped = rearrange(q, "... (g n) t d -> ... g n t d", g = G)
  let products = einsum(grouped, k, "... g n t d, ... g s d -> ... g n t s") * D ** -0.5
  let scores = rearrange(products, "... g n t s -> ... (g n) t s")
  let share = if seen == none {
    softmax(scores, over = -1)
  } else {
    softmax(scores, over = -1, where = seen)
  }
  let shares = rearrange(share, "... (g n) t s -> ... g n t s", g = G)
  let answers = einsum(shares, v, "... g n t s, ... g s e -> ... g n t e")
  rearrange(answers, "... g n t e -> ... (g n) t e")
}

test "rope keeps the shape" {
  let x = ones([2, 3, 5, 4])
  expect rope(x).shape == [2, 3, 5, 4]
  expect rope(x[0, 0], base = 100).shape == [5, 4]
  let at = zeros([2, 5], i32)
  expect rope(x, at).shape == [2, 3, 5, 4]
  expect rope(x[:, 0], at).shape == [2, 5, 4]
}

test "attention has the positions of its queries and the width of its values" {
  let (q, k, v) = (ones([2, 4, 3, 8]), ones([2, 2, 5, 8]), ones([2, 2, 5, 6]))
  expect attention(q, k, v).shape == [2, 4, 3, 6]
  expect attention(q, k, v, causal = true).shape == [2, 4, 3, 6]
  expect attention(q, k, v, mask = ones([3, 5], bool)).shape == [2, 4, 3, 6]
  expect attention(q[:, 0], k[:, 0], v[:, 0]).shape == [2, 3, 6]
  let seen = attention(q, q, q, segments = zeros([2, 3], i32), causal = true)
  expect seen.shape == [2, 4, 3, 8]
}

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
