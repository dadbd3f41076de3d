use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  let norm = nn.RMSNorm(6)
  data = data.idx("tiny")
  batch = 2
  update a {
    of = norm
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 6]))) }
  }
  duration = 1 epochs
}
