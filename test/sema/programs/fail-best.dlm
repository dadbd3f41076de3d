// flags: --every-train
// What `keep_best` and `patience` need.
use nn, optim, data

let plain = data.idx("tiny")
let cut = data.idx("tiny", validation = 2)
fn loss_of(net, batch) {
  cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
}

train by_test_data {
  let net = nn.Linear(6, 3)
  data = plain
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 epochs
  evaluate { every = 1 epochs; keep_best = minimum(validation.loss); patience = 2 epochs }
}

train at_the_end {
  let net = nn.Linear(6, 3)
  data = cut
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 epochs
  evaluate { keep_best = minimum(validation.loss); patience = 2 epochs }
}

train of_what {
  let net = nn.Linear(6, 3)
  data = cut
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 epochs
  evaluate { every = 1 epochs; patience = 2 epochs }
}

train everything_missing {
  let net = nn.Linear(6, 3)
  data = plain
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 epochs
  evaluate { patience = 2 epochs }
}
