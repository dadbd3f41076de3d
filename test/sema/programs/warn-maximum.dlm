use nn, optim, data
option lr = 0.1
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let y = net(reshape(cast(batch.image, f32), [batch.size, 6]))
    (fit = cross_entropy(y, batch.label), small = mean(y ** 2))
  }
  fn metrics(batch) { (bright = mean(cast(batch.image, f32))) }
  optimizer = optim.SGD(lr = lr)
  duration = 1 epochs
  evaluate { keep_best = maximum(validation.loss) }
}
search worst of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.fit
}
search brightest of t {
  space { lr = [0.1, 0.2] }
  maximize = validation.bright
}
