// What layers compute, by what is known of them.
use nn

test "a recurrent layer that is stopped goes on from its state" {
  let lstm = nn.LSTM(3, 5)
  let gru = nn.GRU(3, 5)
  let x = reshape(cast(iota(24), f32) / 24, [2, 4, 3])
  let (half, first) = lstm.run(x[:, :2], (h = zeros([2, 5]), c = zeros([2, 5])))
  let (last, second) = lstm.run(x[:, 2:], half)
  expect close(concat([first, second], over = 1), lstm(x))
  expect last.h == second[:, -1]
  let (state, ys) = gru.run(x[:, :2], zeros([2, 5]))
  let (end, more) = gru.run(x[:, 2:], state)
  expect close(concat([ys, more], over = 1), gru(x))
  expect end == more[:, -1]
}

test "an LSTM without input and weights halves its cell" {
  let lstm = nn.LSTM(3, 5)
  let start = (h = zeros([2, 5]), c = ones([2, 5]))
  let (last, ys) = lstm.run(zeros([2, 1, 3]), start)
  expect close(last.c, 0.5)
  expect close(ys[:, 0], 0.5 * tanh(0.5 * ones([2, 5])))
}

test "gradients of layers, by what is known of them" {
  let x = sin(reshape(cast(iota(12), f32), [4, 3]))
  let linear = nn.Linear(3, 2)
  let slope = grad(fn(x) { sum(linear(x)) })(x)
  expect close(slope, expand(sum(linear.weight, over = 1), [4, 3]))
  // What moves all elements by the same, or in proportion, changes nothing.
  let (norm, c) = (nn.LayerNorm(3, eps = 0.0), cos(x))
  let along = grad(fn(x) { sum(c * norm(x)) })(x)
  expect close(sum(along, over = -1), 0)
  expect close(sum(along * x, over = -1), 0)
  let chance = grad(fn(x) { cross_entropy(x, tensor([0, 1, 2, 0])) })(x)
  let target = cast(one_hot(tensor([0, 1, 2, 0]), 3), f32)
  expect close(chance, (softmax(x, over = -1) - target) / 4)
}
