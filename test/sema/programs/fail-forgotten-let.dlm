use nn, optim, data
model Net() {
  let fit = nn.Linear(6, 3)
  fn forward(x: f32[B, 6]) { fit(x) }
}
train t {
  net = Net()
  let both = [net, nn.Linear(6, 3)]
  layers = [nn.Linear(6, 6) for _ in 0..2]
  old = copy(net)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let x = layers(reshape(cast(batch.image, f32), [batch.size, 6]))
    cross_entropy(both[0](x) + both[1](x) + old(x), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
