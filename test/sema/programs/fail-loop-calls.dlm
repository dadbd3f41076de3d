fn step_of(x, i) { tanh(x) * i + sin(x) * cos(x) - exp(x) + x / 3 }
fn steps_of(x, _i) { fold(x, 0..50, step_of) }
test "axes" {
  let x = fold(zeros([2]), flip(iota(7), over = 0), body = fn(x, t) { x + t })
  let y = fold(zeros([2]), zeros([2, 3, 4]), body = fn(x, _t) { x })
  let z = fold(zeros([2]), iota(7), over = 0, fn(x, _t) { x })
  expect x + y + z == 0
}
test "long" {
  let _x = fold(0, 0..20_000, fn(x, i) { x + i })
  expect fold(zeros([3]), 0..1000, steps_of) == 0
}
