use nn, optim, data
let images = data.idx("tiny")
model Net() {
  param w: f32[3, 4] = normal(std = 0.02)
  fn forward(x: f32[B, T, 3]) {
    let a = einsum(x, w, "b t c, c d")
    let b = einsum(x, w, "btc, cd -> btd")
    let c = einsum(x, w, "b t c -> b t")
    let d = einsum(x, w, "b t c, t d -> b d")
    let e = einsum(x, w, "b t c, c d -> b t e")
    let f = einsum(x, w, "b t t, t d -> b d")
    let g = einsum(x, w, "b t c, (c d) -> b t d")
    let h = rearrange(x, "b (t s c -> b t s c")
    let i = rearrange(x, "b t c) -> b t c")
    let j = rearrange(x, "b t c -> b t")
    let k = rearrange(x, "b t c -> b t c d")
    let l = rearrange(x, "b (h w) c -> b h w c")
    let m = rearrange(x, "b t (h c) -> b t h c", h = 2)
    let n = rearrange(x, "b t c -> b (t c)", q = 2)
    let o = rearrange(x, "b t 1 -> b t")
    let p = rearrange(x, "b t -> t b")
    let q = repeat(x, "b t c -> b t c n")
    let r = reduce(x, "b t c -> b; t", mean)
    let s = reduce(x, "b t c -> b", exp)
    let t = rearrange(x, 3)
    let u = rearrange(x, "b\tt [c] -> b t c")
    mean(x)
  }
}
train t {
  let net = Net()
  data = images
  batch = 4
  fn loss(batch) { net(cast(batch.image, f32)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
