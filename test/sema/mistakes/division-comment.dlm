use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

model Net(classes: int, width: int = 32) {
  let hidden = 32  // 2
  let half = width  // hidden
  let first = nn.Linear(6, hidden)
  let second = nn.Linear(half, classes)
  fn forward(x) { x |> first |> relu |> second }
}

train digits_run {
  let net = Net(digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
}
