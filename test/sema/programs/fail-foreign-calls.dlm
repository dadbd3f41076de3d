// flags: --every-train
// Calls as other libraries have them.
use nn, optim, data

let digits = data.idx("tiny")

let mean = 3

fn flat(image) { reshape(f32(image) / 255, [batch, 6]) }

model Called(classes: int) {
  let first = nn.Linear(6, classes, bias = False)
  let second = nn.Linear(6, classes, activation = relu)
  fn call(x) { second(x) }
}

model Misspelt(classes: int) {
  let layer = nn.Linear(6, classes)
  fn half(x) { 0.5 * x }
  fn forwrad(x) { layer(x) }
}

model Silent(classes: int) {
  let layer = nn.Linear(6, classes)
}

model Net(classes: int) {
  let layer = nn.Linear(6, classes)
  fn forward(x) { layer(x) }
}

train first {
  let called = Called(digits.classes)
  let misspelt = Misspelt(digits.classes)
  let silent = Silent(digits.classes)
  let net = Net(digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(net.parameters(), lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let a = called(x)
    let b = misspelt(x)
    let c = silent(x)
    let d = Net(x)
    let e = flat(batch.image)
    let f = batch.image |> f32
    mean(cross_entropy(net(x), batch.label))
  }
}

train second {
  let net = Net(digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 0,001)
  duration = 5 epochs
  fn loss(image, label) { cross_entropy(net(image), label) }
}
