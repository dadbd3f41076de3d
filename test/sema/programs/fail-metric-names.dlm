use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 2
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    (
      fit = cross_entropy(y, batch.label),
      rating = mean(y ** 2),
    )
  }
  fn metrics(batch) {
    (
      bright = mean(cast(batch.image, f32)),
      rating = mean(net(reshape(cast(batch.image, f32), [batch.size, 6]))),
    )
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
