use nn, optim, data, schedule

option lr = 1e-3

let digits = data.idx("tiny")

train t {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 4
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.Adam(lr = schedule.cosine(lr, floor = 10 * lr))
  duration = 5 epochs
}
