// Steps of an optimizer in a test, asked for wrongly.
use nn, optim, data

optimizer OfRows(lr: f32) for p: f32[R, C] {
  state row: f32[R] = zeros
  fn update(g: f32[R, C]) -> f32[R, C] {
    let r = mean(g, over = C)
    next row = r
    p - lr * r
  }
}
optimizer Plain(lr: f32) for p: f32[...] {
  fn update(g: f32[...]) -> f32[...] { p - lr * g }
}

test "arguments" {
  let rule = Plain(lr = 0.1)
  let p = zeros([2, 3])
  expect rule.update(p, zeros([3, 2])).p == 0
  expect rule.update(p).p == 0
  expect rule.update(iota(3), zeros([3])).p == 0
  expect rule.update(p, p, 3).p == 0
  expect rule.update(p, p, (speed = p)).p == 0
  expect rule.update(p, p, step = 0.5).p == 0
  expect rule.step(p, p).p == 0
  expect rule.update(p, p).speed == 0
}

test "shapes" {
  let rule = OfRows(lr = 0.1)
  expect rule.update(zeros([3]), zeros([3])).p == 0
  expect rule.update(zeros([2, 2]), zeros([2, 2]), (row = zeros([3]))).p == 0
}

test "the rule itself" {
  let p = zeros([2, 3])
  expect OfRows(lr = 0.1).update(p, p).p == 0
}

train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    let w = Plain(lr = 0.1).update(net.weight, net.weight).p
    mean(reshape(cast(batch.image, f32), [batch.size, 6]) @ w)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
