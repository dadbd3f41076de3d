use nn, optim, data

option depth = 2

train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    require string(3) == "3" and string(0.5) == "0.5" and string(5 epochs) == "5 epochs"
    require string(true) + "." + string(depth) == "true.2"
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
