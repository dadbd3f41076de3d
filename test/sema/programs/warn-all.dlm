use nn, optim, data
option depth = 2
let images = data.idx("tiny")
train t {
  let net = nn.Linear(6, 3)
  let idle = nn.RMSNorm(3)
  data = images
  batch = 9
  fn loss(batch) {
    sum(net(reshape(cast(batch.image, f32), [batch.size, 6])))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
