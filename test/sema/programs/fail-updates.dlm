use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  let norm = nn.RMSNorm(6)
  data = data.idx("tiny")
  batch = 2
  clip_norm = 1
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 6]))) }
  fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
  update a { off = net; repeat = 0; lr = 0.1 }
  update b {
    of = 3
    optimizer = optim.SGD
    fn loss(batch, x) { 3 }
    fn other(batch) { 3 }
  }
  update a {
    of = norm
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(net(flat(batch))) }
    fn loss(batch) { mean(net(flat(batch))) }
  }
  duration = 1 epochs
}
