use nn, optim, data

let digits = data.idx("tiny")

train digits_run {
  let layer = nn.Conv2d(1, 4, 3)
  let net = nn.Linear(4, digits.classes)
  data = digits
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) {
    let images = full([batch.size, 1, 8, 8], 0.5)
    cross_entropy(net(max(layer(images), over = (1, 2))), batch.label)
  }
}
