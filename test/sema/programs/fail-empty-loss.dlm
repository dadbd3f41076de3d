use optim, data
train t {
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { () }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
