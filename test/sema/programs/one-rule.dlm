// One rule for every parameter, whichever way it is said: the same typed program as `optimizer = `.
use nn, optim, data, schedule
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    cross_entropy(net(x), batch.label) * (1 + epoch + seed)
  }
  fn optimizer(p) { if p.rank == 2 { optim.SGD(lr = 0.1) } else { optim.SGD(lr = 1 / 10) } }
  duration = 1 epochs
}
