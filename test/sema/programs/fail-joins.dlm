use nn, optim, data
let images = data.idx("tiny")
model Net(context: int) {
  param rows: f32[7, 4] = normal(std = 0.02)
  fn forward(ids: i32[B], x: f32[B, H, W]) -> f32[B] {
    let k = split(x, parts = 2, over = W)
    let l = split(x, parts = [1, 1], over = W)
    let m = concat([x, rows], over = 0)
    let n = concat(x, over = 0)
    let o = concat([x, cast(x, i32)], over = W)
    let p = gather(x, rows, over = W)
    let q = gather(x, x, over = H)
    let r = top_k(x, 4)
    let s = sort(x, over = (H, W))
    let t = expand(x, [4, 4])
    let u = expand_like(rows, x)
    let v = pad(x, (1, 2, 3), over = W)
    let w = dynamic_slice(x, [0, 0], [1, 1, 1])
    let y = stack([x, x], over = 5)
    rows[ids, 0]
  }
}
train t {
  let net = Net(context = 5)
  data = images
  batch = 2
  fn loss(batch) { mean(net(batch.label, cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
