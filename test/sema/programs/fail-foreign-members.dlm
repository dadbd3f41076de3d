// flags: --every-train
// Members that models, data sources, lists and modules have in other libraries.
use nn, optim, data

let digits = data.idx("tiny")

model Net(classes: int) {
  let first = nn.Dense(6, 16)
  let flatten = nn.Flatten()
  let second = nn.Linear(6, classes)
  fn forward(x) {
    let hs = []
    let more = hs.append(x)
    x |> nn.functional.relu |> second
  }
}

model Small(classes: int) {
  let layer = nn.Linear(6, classes)
  fn forward(x) { layer(x) }
}

train first {
  let net = Net(digits.classes)
  let small = Small(digits.classes)
  let moved = small.to("cuda")
  let judged = small.eval()
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(batch.image), digits.label) + small.predict(batch.image) }
}

train second {
  let net = Small(digits.num_classes)
  data = digits.train
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { 1 }
}
