// Updates without models, with models that the loss does not depend on, and named like a metric.
use nn, optim, data
train t {
  let maker = nn.Linear(6, 3)
  let judge = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 4
  fn of_judge(batch) { mean(judge(reshape(cast(batch.image, f32), [batch.size, 6])) ** 2) }
  update first {
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { of_judge(batch) }
  }
  update second {
    of = maker
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { of_judge(batch) }
  }
  fn metrics(batch) { (second = of_judge(batch)) }
  duration = 1 epochs
}
