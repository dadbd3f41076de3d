// `einsum`, `rearrange`, `reduce` and `repeat`, by names.
use nn, optim, data
let images = data.idx("tiny")
model Net(width: int, heads: int) {
  param w: f32[3, heads, width] = normal(std = 0.02)
  param o: f32[heads, width, 3] = normal(std = 0.02)
  fn forward(x: f32[B, T, 3]) -> f32[B, T, 3] {
    let q = einsum(x, w, "b t c, c h d -> b h t d")
    let scores = einsum(q, q, "b h t d, b h s d -> b h t s")
    let y = scores |> softmax(over = -1) |> einsum(q, "... t s, ... s d -> ... t d")
    einsum(y, o, "b h t d, h d w -> b t w")
  }
}
train t {
  let net = Net(width = 4, heads = 2)
  data = images
  batch = 4
  fn loss(batch) {
    let x = cast(batch.image, f32)
    let y = net(x)
    let groups = rearrange(y, "(g n) t c -> g n t c", n = 2)
    let centred = groups - reduce(groups, "g n t c -> g 1 t c", mean)
    let flat = rearrange(centred, "g n t c -> (g n) (t c)")
    let patches = x |> rearrange("b (h p) (w q) -> b (h w) (p q)", p = 2, q = 3)
    let most = reduce(x, "b ... -> b", max)
    let twice = repeat(most, "b -> b (2 n)", n = 3)
    let outer = einsum(most, most, net.w, "b, b, c h d -> c h d")
    let halves = reduce(x, "b (h 2) w -> b h w", mean)
    mean(flat ** 2) + mean(patches) + mean(twice * flat) + mean(outer) / batch.size + mean(halves)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
