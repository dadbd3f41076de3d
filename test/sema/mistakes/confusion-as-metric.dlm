use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

train digits_run {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  fn metrics(batch) {
    let guess = argmax(net(flat(batch.image)), over = -1)
    (confusion = confusion(batch.label, guess, digits.classes))
  }
}
