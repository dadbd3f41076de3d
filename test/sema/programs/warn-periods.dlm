use nn, optim, data, schedule
let rise = 20 steps
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny", validation = 2)
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(
    lr = schedule.cosine(0.1, warmup = rise) * schedule.linear(1, 0, over = 6 steps))
  duration = 3 epochs
  evaluate { every = 10 steps; keep_best = minimum(validation.loss); patience = 7 epochs }
  checkpoint { every = 100 steps }
}
