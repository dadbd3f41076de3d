// The layer around the function `attention`.

/// What is added to the four products of `Attention`.
model Shifts(width: int, heads: int, groups: int, part: int) {
  param query: f32[heads, part] = zeros
  param key: f32[groups, part] = zeros
  param value: f32[groups, part] = zeros
  param out: f32[width] = zeros
}

/// Multi-head self-attention (Vaswani et al., 2017, section 3.2.2): from [B, T, width] to the same.
/// `kv_heads` below `heads` shares keys and values between heads of queries (Ainslie et al., 2023).
/// What a position sees is bounded by `causal`, by a `mask` and by `segments`, as of the function
/// `attention`; `rotary` turns queries and keys by their positions `at`, as `rope` does.
///
/// It holds `query key value` of [width, heads, width / heads] and `out` of [heads, width / heads,
/// width], and with `bias = true` a bias for each of them in `shift`.
model Attention(
  width: int,
  heads: int,
  causal: bool = false,
  kv_heads: int? = none,
  rotary: bool = false,
  bias: bool = false,
) {
  require width % heads == 0, "the width is divided between the heads"
  let groups = if kv_heads == none { heads } else { kv_heads }
  require heads % groups == 0, "heads of queries share heads of keys evenly"
  let part = width / heads
  param query: f32[width, heads, part] = uniform(bound = width ** -0.5)
  param key: f32[width, groups, part] = uniform(bound = width ** -0.5)
  param value: f32[width, groups, part] = uniform(bound = width ** -0.5)
  param out: f32[heads, part, width] = uniform(bound = width ** -0.5)
  let shift = if bias { Shifts(width, heads, groups, part) } else { none }

  /// [B, heads, T, part] of x, from weights and what is added for each head.
  fn parts(x, weight, offset) {
    let y = einsum(x, weight, "b t w, w h d -> b h t d")
    if offset == none { y } else { y + offset[:, new, :] }
  }

  fn forward(x: f32[B, T, width], mask = none, segments = none, at = none) -> f32[B, T, width] {
    let q = parts(x, query, if bias { shift.query } else { none })
    let k = parts(x, key, if bias { shift.key } else { none })
    let v = parts(x, value, if bias { shift.value } else { none })
    let (turned_q, turned_k) = if rotary { (rope(q, at), rope(k, at)) } else { (q, k) }
    let seen = attention(turned_q, turned_k, v, causal = causal, mask = mask, segments = segments)
    let y = einsum(seen, out, "b h t d, h d w -> b t w")
    if bias { y + shift.out } else { y }
  }
}

test "Attention keeps the shape" {
  let x = ones([2, 3, 8])
  expect Attention(8, heads = 2)(x).shape == [2, 3, 8]
  let shared = Attention(8, heads = 4, kv_heads = 2, causal = true, rotary = true)
  expect shared.key.shape == [8, 2, 2]
  expect shared(x, segments = zeros([2, 3], i32)).shape == [2, 3, 8]
}

test "Attention starts without what its biases add" {
  let layer = Attention(8, heads = 4, kv_heads = 2, bias = true)
  expect layer.shift.query.shape == [4, 2]
  expect layer.shift.value.shape == [2, 2]
  expect layer.shift.out.shape == [8]
  expect layer(zeros([2, 3, 8])) == 0
}

test "one position alone sees itself" {
  let layer = Attention(8, heads = 2)
  let x = reshape(cast(iota(8), f32) / 8, [1, 1, 8])
  let value = reshape(layer.value, [8, 8])
  expect close(layer(x)[0], x[0] @ value @ reshape(layer.out, [8, 8]))
}
