use nn, optim, data

let digits = data.idx("tiny")

train t {
  let net = nn.BiLSTM(3, 4)
  let head = nn.Linear(8, digits.classes)
  data = digits
  batch = 4
  fn loss(batch) { cross_entropy(head(net(cast(batch.image, f32))[:, -1]), batch.label) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}
