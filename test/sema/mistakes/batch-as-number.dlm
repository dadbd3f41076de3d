use nn, optim, data

let digits = data.idx("tiny")

train t {
  let net = nn.Linear(6, digits.classes)
  let neighbours = ones([4, 4])
  data = digits
  batch = 4
  fn loss(batch) {
    let x = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    cross_entropy(neighbours @ x, batch.label)
  }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 5 epochs
}
