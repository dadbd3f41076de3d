use nn, optim, data

let digits = data.idx("tiny")

fn flat(image) { reshape(cast(image, f32) / 255, [batch, 6]) }

train digits_run {
  let net = nn.Linear(6, 10)
  data = digits
  batch = 2
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  fn metrics(batch) {
    let target = cast(one_hot(batch.label, 3), f32)
    (error = mean((net(flat(batch.image)) - target) ** 2))
  }
}
