use nn, data, optim
model Net() {
  let layer = nn.Linear(6, 3)
  fn forward(self, x) { layer(x) }
}
train t {
  let net = Net()
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) { mean(net(full([2, 6], 1))) }
  optimizer = optim.Adam(lr = 0.1)
  duration = 3 steps
}
