// flags: --every-train
use nn, optim, data
fn flat(batch) { reshape(cast(batch.image, f32), [batch.size, 6]) }
train means {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  fn predict(batch) { (mean = mean(net(flat(batch))), bias = net.bias, word = "x") }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train others {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  fn predict(batch) {
    let y = net(flat(batch))
    (centred = y - mean(y, over = 0))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train counted {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  fn predict(batch) { net(flat(batch)) / batch.size }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train unnamed {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  fn predict(batch) { (net(flat(batch)), argmax(net(flat(batch)), over = -1)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
train nothing {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { cross_entropy(net(flat(batch)), batch.label) }
  fn predict(image, label) { (x = image) }
  command predict() -> f32[] { 1 }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
