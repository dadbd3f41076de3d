// flags: -Dlength=2epochs -Dpause=1min -Drate=5e-2 -Dshare=20%
use nn, data
option length = 1 epochs
option pause = 10 s
option rate = 0.1
option share = 0.5
let images = data.idx("tiny", validation = share)
optimizer Descent(lr) for p: f32[...] {
  fn update(g) { p - lr * g }
}
train t {
  let net = nn.Linear(1, 1)
  data = images
  batch = 2
  fn loss(batch) { mean(net.weight ** 2) + mean(net.bias) }
  optimizer = Descent(lr = rate)
  duration = length
  checkpoint { every = pause }
}
