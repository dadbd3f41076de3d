// What is said of a condition: the sides of the comparisons that failed, and nothing that is known.
use nn, optim, data
fn first(a: int, b: int) {
  require a < b and a + 1 == b
  a
}
fn second(a: int, b: int) {
  require a + 1 < b and a * 2 == b, "the second of two"
  a
}
fn neither(a: int, b: int) {
  require a == 3 or not (b == 4 and a < b) or b < 0
  a
}
fn named(a: int, kind: string) {
  let is_small = a < 10
  require is_small and kind in ["sum", "mean"] and 2 + 2 == 4
  a
}
fn flag(a: int) {
  let is_small = a < 10
  require is_small and a == 3
  a
}
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = first(3, 2)
  micro = second(1, 4)
  seed = neither(2, 4)
  duration = named(2, "max")
  fn loss(batch) { mean(net(reshape(cast(batch.image, f32), [flag(12), 6]))) }
  optimizer = optim.SGD(lr = 0.1)
}
