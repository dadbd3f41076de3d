// The layer around the function `attention`.

/// Multi-head self-attention (Vaswani et al., 2017, section 3.2.2), without biases. `kv_heads`
/// below `heads` shares keys and values between heads of queries. What a position sees is
/// bounded by `causal`, by a `mask` and by `segments`, as of the function `attention`; `rotary`
/// turns queries and keys by their positions `at`, as `rope` does.
model Attention(
  width: int,
  heads: int,
  causal: bool = false,
  kv_heads: int? = none,
  rotary: bool = false,
) {
  require width % heads == 0, "the width is divided between the heads"
  let groups = if kv_heads == none { heads } else { kv_heads }
  require heads % groups == 0, "heads of queries share heads of keys evenly"
  let part = width / heads
  param query: f32[width, heads, part] = uniform(bound = width ** -0.5)
  param key: f32[width, groups, part] = uniform(bound = width ** -0.5)
  param value: f32[width, groups, part] = uniform(bound = width ** -0.5)
  param out: f32[heads, part, width] = uniform(bound = width ** -0.5)

  fn forward(x: f32[B, T, width], mask = none, segments = none, at = none) -> f32[B, T, width] {
    let q = einsum(x, query, "b t w, w h d -> b h t d")
    let k = einsum(x, key, "b t w, w h d -> b h t d")
    let v = einsum(x, value, "b t w, w h d -> b h t d")
    let (turned_q, turned_k) = if rotary { (rope(q, at), rope(k, at)) } else { (q, k) }
    let seen = attention(turned_q, turned_k, v, causal = causal, mask = mask, segments = segments)
    einsum(seen, out, "b h t d, h d w -> b t w")
  }
}

test "Attention keeps the shape" {
  let x = ones([2, 3, 8])
  expect Attention(8, heads = 2)(x).shape == [2, 3, 8]
  let shared = Attention(8, heads = 4, kv_heads = 2, causal = true, rotary = true)
  expect shared.key.shape == [8, 2, 2]
  expect shared(x, segments = zeros([2, 3], i32)).shape == [2, 3, 8]
}
