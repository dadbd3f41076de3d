use nn, optim, data
optimizer Odd(lr) for p: f32[..., R, C] {
  state row: f32[..., Q] = zeros
  state sum: f32[..., R] = ones([R, 2])
  state kind: odd[R] = 0
  fn update(g: f32[..., R, C]) -> f32[..., R, C] {
    next sum = g
    mean(p, over = C)
  }
}
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  fn optimizer(p) { Odd(lr = 0.1) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
