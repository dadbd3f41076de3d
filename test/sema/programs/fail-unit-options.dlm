// Settings that take a unit, given options that have none.
use nn, optim, data
option room = 8
option often = 50
option half = 2 * 25
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 4
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [batch.size, 6])) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  memory { budget = room }
  report { every = often }
  evaluate { every = half }
  checkpoint { every = 3 }
}
