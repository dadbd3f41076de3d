// Buffers that nothing changes, and one that is carried over shuffled samples.
use nn, optim, data
let houses = data.csv("houses.csv", target = "price")
model Scale() {
  buffer centre: f32[2] = data.fit(houses.columns, fn(c) { mean(c.number) })
  buffer forgotten: f32[2] = zeros
  buffer kept: f32[batch, 2] = zeros
  fn forward(x: f32[batch, 2]) -> f32[batch, 2] {
    next kept = x
    x - centre - forgotten - kept
  }
}
train t {
  let scale = Scale()
  let net = nn.Linear(2, 1)
  data = houses
  batch = 4
  fn loss(batch) { mean(net(scale(batch.number)) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
