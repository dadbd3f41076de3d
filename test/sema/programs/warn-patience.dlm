// flags: --every-train
// A patience is not over before the next evaluation.
use nn, optim, data

let cut = data.idx("tiny", validation = 2)
fn loss_of(net, batch) {
  cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
}

train impatient {
  let net = nn.Linear(6, 3)
  data = cut
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 30 epochs
  evaluate { every = 5 epochs; keep_best = minimum(validation.loss); patience = 9 steps }
}

train patient {
  let net = nn.Linear(6, 3)
  data = cut
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 30 epochs
  evaluate { every = 5 epochs; keep_best = minimum(validation.loss); patience = 10 steps }
}

train not_comparable {
  let net = nn.Linear(6, 3)
  data = cut
  batch = 2
  fn loss(batch) { loss_of(net, batch) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 30 epochs
  evaluate { every = 5 epochs; keep_best = minimum(validation.loss); patience = 1min }
}
