use nn, optim, data
let tiny = data.idx("tiny")
model Net() {
  let layer = nn.Linear(6, 3)
  fn forward(x: u8[B, 2, 3]) { layer(reshape(cast(x, f32), [B, 6])) }
}
train t {
  let net = Net()
  data = tiny
  batch = 2
  fn loss(batch) {
    let y = mean(net(batch.image))
    (loss = y, grad_norm = y, rest = y)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
