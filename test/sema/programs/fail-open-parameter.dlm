use optim, data
let images = data.idx("tiny")
model Rows(count: int) {
  param w: f32[count, 6] = normal(std = 0.02)
  fn forward(x: f32[B, 6]) -> f32[B, 6] { x * w }
}
train t {
  let net = Rows(batch)
  data = images
  batch = 2
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 6]))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
