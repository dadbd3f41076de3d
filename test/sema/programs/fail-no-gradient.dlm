use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { mean(cast(batch.image, f32)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 steps
}
