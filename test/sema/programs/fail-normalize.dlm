use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 4
  micro = 2
  fn code(batch) {
    normalize(net(reshape(cast(batch.image, f32), [batch.size, 6])), over = 0)
  }
  fn loss(batch) { mean(code(batch) ** 4) }
  fn metrics(batch) { (fourth = mean(code(batch) ** 4)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
