// A vector is a matrix of one row on the left of `@`, of one column on its right.
use data, nn, optim

let digits = data.idx("tiny")

model Mix() {
  param query: f32[4] = normal(std = 1)
  param table: f32[4, 3] = normal(std = 1)
  param cube: f32[2, 3, 4] = normal(std = 1)
  let lift = nn.Linear(1, 2)

  fn forward(x: f32[B, 3]) -> f32[B] {
    let row = query @ table
    let column = table @ row
    let stacked = cube @ query
    let bias = query @ column + sum(stacked) + sum(lift(tensor([1.0])))
    x @ row + bias
  }
}

train mix {
  let net = Mix()
  data = digits
  batch = 2
  fn loss(batch) { mean(net(reshape(cast(batch.image[:, 0, 0:3], f32), [batch.size, 3]))) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 steps
}
