use nn, optim, data

let digits = data.idx("tiny")

train digits_run {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(reshape(cast(batch.image, f32), [64, 6])), batch.label) }
}
