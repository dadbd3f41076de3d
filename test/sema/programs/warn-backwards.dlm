use nn, optim, data
option down = 5
option low = 3
let both = [[i for i in 10..0], [i for i in down..low], [i for i in 1..-1]]
let computed = [[i for i in 0..low - 4], [i for i in 1..0 * low], [i for i in 0..0]]
fn back(x: f32[B, T]) -> f32[B, T] {
  let y = [t for t in T..0]
  let z = [t for t in T - 1..-1]
  let pairs = [(i, j) for i in 0..5 for j in i..3]
  require len(y) + len(z) + len(pairs) > 1
  fold(x, B..0, fn(x, t) { x })
}
test "backwards" {
  expect len(both) + len(computed) == 6
}
train t {
  let net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(batch) {
    cross_entropy(net(back(reshape(cast(batch.image, f32), [batch.size, 6]))), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 epochs
}
