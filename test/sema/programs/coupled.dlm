// Batch statistics while training: coupled, and named in the typed program.
use optim, data
let images = data.idx("tiny")
model Gain() {
  param gain: f32[] = ones
  fn forward(x: f32[B, D]) -> f32[B, D] {
    if training { gain * (x - mean(x, over = B, keep = true)) } else { gain * x }
  }
}
train t {
  let net = Gain()
  data = images
  batch = 2
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 6])) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
