use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

model Net(classes: int) {
  let first = nn.Linear(6, 16)
  let second = nn.Linear(16, classes)
  fn forward(x) { x |> first |> relu |> second }
}

train digits_run {
  let net = Net(digits.classes)
  data = digits
  batch = 2%
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
}
