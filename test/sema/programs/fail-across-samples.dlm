use nn, optim, data
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  data = images
  batch = 4
  micro = 2
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    mean((y - roll(y, 1, over = 0)) ** 2)
  }
  fn metrics(batch) {
    (first = mean(net(reshape(cast(batch.image, f32), [batch.size, 6]))[0]))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
