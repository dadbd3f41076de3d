use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

train digits_run {
  let net = nn.Linear(6, digits.classes)
  data = digits
  batch = 2
  duration = 5 epochs
  optimizer = optim.Adam(lr = 1e-3)
  fn loss(batch) { -mean(log_softmax(net(flat(batch.image)), over = 1)[batch.label]) }
}
