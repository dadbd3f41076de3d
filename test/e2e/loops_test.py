"""Loops along an axis and over ranges: what they compute, and that programs learn through them."""
import program as p

VALUES = """
test "states and outputs along an axis" {
  let x = reshape(cast(iota(24), f32), [2, 3, 4])
  let (last, seen) = scan(zeros([2, 4]), x, over = 1, body = fn(s, row) { (s + row, 2 * s) })
  expect last == sum(x, over = 1)
  expect seen.shape == [2, 3, 4]
  expect seen[:, 0] == 0 and seen[:, 1] == 2 * x[:, 0] and seen[:, 2] == 2 * (x[:, 0] + x[:, 1])
}

test "the last axis, and outputs of fewer axes" {
  let x = reshape(cast(iota(6), f32), [2, 3])
  let (last, seen) = scan(zeros([2]), x, over = 1, body = fn(s, each) { (s + each, max(each)) })
  expect last == tensor([3.0, 12.0])
  expect seen == tensor([3.0, 4.0, 5.0])
}

test "records, whole numbers and what is around" {
  let scale = tensor([1.0, 10.0])
  let start = (sum = zeros([2]), count = 0)
  let end = fold(start, ones([4, 2]), over = 0, body = fn(s, row) {
    (sum = s.sum + scale * row, count = s.count + 2)
  })
  expect end.sum == tensor([4.0, 40.0]) and end.count == 8
}

test "a number counts" {
  expect fold(0, iota(5), over = 0, body = fn(s, t) { 10 * s + t }) == 1234
  expect fold(0, flip(iota(5), over = 0), over = 0, body = fn(s, t) { 10 * s + t }) == 43210
}

test "an end that a tensor decides" {
  let half = fold(tensor(100.0), 3..9, body = fn(s, t) { s / 2 }, until = fn(s) { s < 20 })
  expect half == 12.5
  let (last, seen) = scan(tensor(0), 3..9, until = fn(s) { s >= 7 }, body = fn(s, t) { (s + t, t) })
  expect last == 7 and seen == tensor([3, 4, 0, 0, 0, 0])
}

test "loops in loops" {
  let x = reshape(cast(iota(6), f32), [2, 3])
  let deep = fold(tensor(0.0), x, over = 0, body = fn(s, row) {
    fold(2 * s, row, over = 0, body = fn(t, each) { t + each })
  })
  expect deep == 2 * (0 + 1 + 2) + 3 + 4 + 5
}

test "running sums" {
  expect cumsum(tensor([1, 2, 3]), over = 0) == tensor([1, 3, 6])
  let x = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
  expect cumsum(x, over = 1) == tensor([[1.0, 3.0, 6.0], [4.0, 9.0, 15.0]])
  expect cumsum(x, over = 0) == tensor([[1.0, 2.0, 3.0], [5.0, 7.0, 9.0]])
}
"""

DRAWS = """
use random
test "each trip draws by itself" {
  let (last, seen) = scan(tensor(0.0), iota(3), over = 0, body = fn(s, t) {
    let (inner, each) = scan(s, iota(2), over = 0, body = fn(s, t) {
      (s, random.uniform([4]))
    })
    (s, each)
  })
  let rows = reshape(seen, [6, 4])
  let apart = max(abs(rows[:, new] - rows[new]), over = -1)
  expect sum(cast(apart == 0, i32)) == 6
}
"""


def test_values(folder):
    path = folder / "values.dlm"
    path.write_text(VALUES)
    result = p.run(p.BIN / "dlmc", "test", path)
    assert result.returncode == 0 and "7 passed" in result.stdout, result.stdout + result.stderr


def test_each_trip_draws_by_itself(folder):
    path = folder / "draws.dlm"
    path.write_text(DRAWS)
    result = p.run(p.BIN / "dlmc", "test", path)
    assert result.returncode == 0 and "1 passed" in result.stdout, result.stdout + result.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
