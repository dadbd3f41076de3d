option n = 4
option rate = 0.5
option share = 10%
option real: f32 = 1

fn drop(x: f32[N], rate) -> f32[N] { if training or rate > 0 { 2 * x } else { x } }

test "options decide" {
  let y = if n > 0 { 1 } else { 2 }
  require rate > 0.1
  let z = if not (share > 0.5) or real == 3 { ones([3]) } else { zeros([3]) }
  expect drop(z, rate) == 2 * z
  expect y == 2
  expect n in [4, 5] and [1, 2, 3, 4, 5][n] == 5
  let body = fn(a, i) { if rate > 0.4 { a + cast(i, f32) } else { z } }
  expect fold(zeros([3]), iota(3), over = 0, body = body) == 3
  expect [4 => 1, 5 => 2][n] == 2
}

test "a step does not" {
  expect (if n > 0 and step > 3 { 1 } else { 2 }) == 2
}
