use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

model Net(inputs: int, outputs: int) {
  param weight: f32[outputs, inputs] = xavier
  fn forward(x: f32[B, inputs]) -> f32[B, outputs] { x @ weight }
}

train digits_run {
  let net = Net(6, digits.classes)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
}
