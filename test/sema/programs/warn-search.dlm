use nn, optim, data
option width = 4
option act = "relu"
option lr = 0.1
train t {
  let net = nn.MLP([6, width, 3], act = if act == "relu" { relu } else { gelu })
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = lr)
  duration = 1 epochs
}
search s of t {
  space { width = [4, 8, 16]; act = ["relu", "gelu"]; lr = uniform(0, 1) }
  minimize = validation.loss
}
