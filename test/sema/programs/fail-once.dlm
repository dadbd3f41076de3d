// flags: --every-train
// One cause is one error, however many instances, train blocks and tests reach it.
use nn, optim, data

let digits = data.idx("tiny")

model Gate(inputs: int, outputs: int) {
  param weight: f32[inputs, outputs] = xavier
  fn forward(x: f32[B, inputs]) { x @ weight.T }
}

fn column(x) { x.unsqueeze(1) }

fn flat(batch) { reshape(cast(batch.image, f32) / 255, [batch.size, 6]) }

fn squared(y, labels) { mse(y, cast(labels, f32)) }

train one {
  let (first, second) = (Gate(6, 5), Gate(6, 4))
  let net = nn.Linear(6, 3)
  data = digits
  batch = 2
  fn loss(batch) {
    let (a, b) = (first(flat(batch)), second(flat(batch)))
    let (c, d) = (column(flat(batch)), column(batch.label))
    squared(net(flat(batch)), batch.label) + squared(flat(batch), batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}

train other {
  let gate = Gate(6, 7)
  data = digits
  batch = 2
  fn loss(batch) { mean(gate(flat(batch))) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}

test "the same again" {
  let gate = Gate(3, 2)
  expect gate(zeros([1, 3])) == 0
  expect column(ones([2, 3, 4])) == 1
}
