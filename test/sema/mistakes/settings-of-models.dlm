use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

train digits_run {
  let net = nn.Linear(6, digits.classes)
  let pool = nn.MaxPool2d(2)
  let conv = nn.Conv2d(1, 4, 3, padding = "same")
  data = digits
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  dropout = 0.1
  ema = 0.99
}
