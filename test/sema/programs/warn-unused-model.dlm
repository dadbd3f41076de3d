// A model that nothing uses is said once, whatever it is made of.
use nn, optim, data

let digits = data.idx("tiny")

model Net(classes: int) {
  let first = nn.Linear(6, 16)
  let second = nn.Linear(16, classes)
  fn forward(x) { x |> first |> relu |> second }
}

train first {
  let net = Net(digits.classes)
  let other = Net(digits.classes)
  let layer = nn.Linear(6, 6)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    cross_entropy(net(x), batch.label)
  }
}
