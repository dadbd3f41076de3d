// Models, functions and numbers in tests; no train block is needed.
use nn, schedule
option width = 4
option lr = 0.5
fn double(x: f32[B, N]) -> f32[B, N] { x + x }
model Counted(n: int) {
  param w: f32[n] = ones
  buffer seen: i64[] = 3
  fn forward(x: f32[batch, n]) -> f32[batch, n] {
    next seen = seen + 1
    x * w
  }
}
test "known at once" {
  expect width == 4, "the default"
  expect nn.Linear(3, width).weight.shape == [3, 4]
  if width > 100 { expect false }
}
test "computed" {
  let net = Counted(3)
  let x = ones([2, 3])
  expect double(net(x)) == 2, "each is doubled"
  expect abs(net(x) - x) <= 1e-6 and net.seen == 3
  expect net(x).shape[0] == batch and not training
  expect lr < 1
}
test "at the first step" {
  expect schedule.linear(from = 1.0, to = 0.0) == 1
}
