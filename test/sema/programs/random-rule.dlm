// An optimizer that draws random numbers; and a test of an average, which is checked and cannot be
// run yet.
use nn, data
optimizer Langevin(lr: f32) for p: f32[...] {
  fn update(g: f32[...]) -> f32[...] {
    p - lr * g + sqrt(2 * lr) * random.normal(p.shape)
  }
}
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = Langevin(lr = 1e-3)
  duration = 1 steps
}
test "an average starts as its model" {
  let net = nn.Linear(2, 2)
  expect sum(ema(net, decay = 0.9).bias) == 0
}
