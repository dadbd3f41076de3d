// flags: --train=square
use nn, optim, data
optimizer Square(lr) for p: f32[N, N] {
  fn update(g: f32[N, N]) -> f32[N, N] { p - lr * g }
}
optimizer Matrix(lr) for p: f32[M, N] {
  fn update(g: f32[M, N]) -> f32[M, N] { p - lr * g }
}
train square {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  fn optimizer(p) { if p.rank == 2 { Square(lr = 0.1) } else { optim.SGD(lr = 0.1) } }
  duration = 1 epochs
}
train matrix {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = Matrix(lr = 0.1)
  duration = 1 epochs
}
