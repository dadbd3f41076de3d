use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  let idle = nn.Linear(6, 3)
  let stray = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  update u {
    of = [net, stray]
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) {
      let x = reshape(cast(batch.image, f32), [batch.size, 6])
      cross_entropy(net(x) + idle(x), batch.label)
    }
  }
  duration = 1 epochs
}
