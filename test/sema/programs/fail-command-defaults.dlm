use nn, optim, data
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32), [batch.size, 6])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
  command refused(n: int = 500, level: f32 = -1, shift: int = -1) {
    require n <= 256
    require level >= 0 and level < 3, "level is from 0 to 3"
    (a = ones([n]), b = level + shift)
  }
  command empty(n: int = 0, k: int = -3) {
    require n <= 10 and k <= 10
    (a = ones([n]), b = full([n, k + 4], k))
  }
  command part(k: int = -4, m: int = -3) {
    require k <= 10 and m <= 10
    ones([k + 4, 2 * m + 7])
  }
  command shrinks(k: int = -4, m: int = -3, n: int = 5) {
    require k <= 10 and m <= 10 and k >= -4 and n <= 9
    (a = ones([20 - k]), b = ones([20 - m]), c = ones([k + n + 5]), d = ones([k + n + 3]))
  }
  command tested(g: f32 = -1, s: f32, n: int = 3, k: int = 2) {
    require n <= 8
    (a = g * n * k + s, b = top_k(net(zeros([1, 6])), n).ids)
  }
  command real(g: f32) {
    require abs(g) > 0
    g
  }
  command both(g: f32, s: f32) {
    require s > g
    s - g
  }
}
