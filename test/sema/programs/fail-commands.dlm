use nn, optim, data
option level = 0.5
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    level * cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  command eval(n) { net }
  command grey(steps: int, level: f32, x: f32[3], size: int = 2.5, size: bool = 3) { (1, 2) }
  command rows(count: int) -> f32[count, 3] { net(zeros([count, 6])) }
  command rows(count: int, step: string, xs: [f32]) -> string {
    require count <= step
    3
  }
}
