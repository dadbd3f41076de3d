use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  command shrinks(m: int = -3) {
    require m <= 10
    ones([20 - m])
  }
  command picks(i: int = -1) {
    require i < 6
    ones([6])[i]
  }
}
