// flags: --train=learn
use nn, optim, data
let poems = data.text("poems.txt", tokenizer = data.chars(), window = 5, order = streams)
model Reader() {
  buffer kept: f32[batch, 5] = zeros
  let step = nn.Linear(5, 5)
  fn forward(x: f32[batch, 5]) -> f32[batch, 5] {
    let h = tanh(step(x) + kept)
    next kept = h
    h
  }
}
train teach {
  let net = Reader()
  data = poems
  batch = 4
  fn loss(batch) { mean(net(cast(batch.ids, f32)) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train learn {
  let taught = frozen(trained(teach).net)
  let net = nn.Linear(5, 5)
  data = poems
  batch = 2
  fn loss(batch) {
    let x = cast(batch.ids, f32)
    mse(net(x), taught(x))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
