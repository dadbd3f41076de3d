use nn, optim, data
let images = data.idx("tiny")
let text = "b t c -> t c"
model Net() {
  param w: f32[3, 4] = normal(std = 0.02)
  fn forward(x: f32[B, T, 3]) {
    let a = rearrange(x, "b\u{20}t [c] -> b t c")
    let b = rearrange(x, "b ((t) c) -> b t c")
    let c = rearrange(x, "b t c -> t b c -> c b t")
    let d = rearrange(x, "b, t, c -> b t c")
    let e = rearrange(x, "b t c -> b, t, c")
    let f = rearrange(x, "b ... -> b")
    let g = rearrange(x, "b t c -> b ...")
    let h = rearrange(x, text)
    let i = rearrange(x, "(2 b) t c -> 2 b t c")
    let j = rearrange(x, "b t 0c -> b t")
    let k = repeat(x, "b t c -> b t c n", n = 0)
    let l = repeat(x, "b t c -> b t c n", 2)
    let m = einsum(x)
    let n = einsum(x, cast(w, i32), "b t c, c d -> b t d")
    let o = einsum(x > 0, w, "b t c, c d -> b t d")
    let p = einsum(x, x, "... c, b ... -> c")
    let q = einsum(x, "b 3 c -> b c")
    let r = reduce(x, "b t c -> b", fn(y, over) { y })
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
