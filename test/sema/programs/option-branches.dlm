use nn, optim, data

option smoothing = 0.1
option layers = 4
option share = 10%
option rate: f32 = 1
option scale = 2.5
option most = 8
option weight = 0.5
option periods = 2

let first = if layers > 2 { "deep" } else { "flat" }

model Noisy(rate) {
  require rate >= 0 and rate < 1
  fn forward(x: f32[B, N]) -> f32[B, N] {
    if training and rate > 0 { x * random.uniform([B, N]) } else { x }
  }
}

train branches {
  let net = nn.Linear(6, 3)
  let noisy = Noisy(share)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    require rate > 0.1 and not (rate == layers)
    let x = reshape(cast(batch.image, f32), [batch.size, 6])
    let y = fold(x, 0..10, fn(x, i) { x + i }, until = fn(x) { scale > 2 })
    weight * cross_entropy(net(noisy(y)), batch.label, smoothing = smoothing)
  }
  optimizer = optim.SGD(lr = if first == "deep" { 0.1 } else { 0.2 })
  duration = periods * 3 steps
  command rows(n: int = 2) -> f32[n] {
    require n <= 64
    if n <= 8 * most { ones([n]) } else { zeros([n]) }
  }
}
