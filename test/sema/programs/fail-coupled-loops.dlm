use optim, data
let images = data.idx("tiny")
model Gain() {
  param gain: f32[] = ones
  fn forward(x) { gain * x }
}
train t {
  let net = Gain()
  data = images
  batch = 4
  micro = 2
  fn loss(batch) {
    let rows = net(cast(batch.image, f32))
    let start = zeros([batch.size, 3])
    mean(if training {
      fold(start, rows, over = 1, body = fn(s, row) {
        let spread = row - mean(row, over = 0, keep = true)
        s + spread
      })
    } else { start })
  }
  fn metrics(batch) {
    let start = zeros([2, 3])
    (last = mean(fold(start, cast(batch.image, f32), over = 0, body = fn(s, x) { 0.5 * s + x })))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
