// Steps of an optimizer in a test: with its states, for a shape, at a step.
use optim, schedule

option rate = 0.5

optimizer Slow(lr: number, keep = 0.5) for p: f32[..., C] {
  state average: f32[..., C] = zeros
  state row: f32[C] = 2
  state start: f32[..., C] = p
  fn update(g: f32[..., C]) -> f32[..., C] {
    next average = keep * average + g
    next row = row + sum(g, over = -2)
    p - lr * (average + g) + 0 * start * row
  }
}

test "steps" {
  let (p, g) = (reshape(cast(iota(6), f32), [2, 3]), full([2, 3], 4))
  let rule = Slow(lr = rate)
  let a = rule.update(p, g)
  let b = rule.update(a.p, g, a, step = 1)
  expect a.average == 4
  expect a.row == 10
  expect a.start == p
  expect b.average == 6
  expect rule.update(p, g, (average = 1)).average == 4.5
}

test "schedules" {
  let rule = optim.SGD(lr = schedule.linear(1, 0, over = 10 steps))
  let p = zeros([2])
  expect close(rule.update(p, p + 1, step = 5).p, p - 0.5)
}
