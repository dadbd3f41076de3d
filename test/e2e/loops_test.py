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

GRADIENTS = """
test "the gradient through a loop" {
  let f = fn(x) {
    let (last, seen) = scan(tensor(1.0), x, over = 0, body = fn(s, each) { (s * each, s) })
    last
  }
  let x = tensor([2.0, 3.0, 5.0])
  expect grad(f)(x) == tensor([15.0, 10.0, 6.0])
  let g = fn(x) { sum(cumsum(x, over = 0) ** 2) }
  expect grad(g)(tensor([1.0, 2.0])) == tensor([8.0, 6.0])
  let h = fn(x) { sum(grad(f)(x)) }
  expect grad(h)(x) == tensor([8.0, 7.0, 5.0])
}
test "gradients in a loop" {
  let far = fold(tensor([4.0, 8.0]), 0..10, until = fn(x) { max(abs(x)) < 0.0 }, body = fn(x, t) {
    x - 0.25 * grad(fn(y) { sum(y ** 2) })(x)
  })
  expect far == tensor([4.0, 8.0]) / 1024
}
"""

TRAINED = """
use nn, optim, data, random
let images = data.idx("%(data)s", validation = 10%%)
model Rows(hidden: int) {
  param input: f32[28, hidden] = normal(std = 0.2)
  param carry: f32[hidden, hidden] = normal(std = 0.2)
  fn step(h, row) { tanh(row @ input + h @ carry) }
  fn forward(x: f32[batch, T, 28]) -> f32[batch, hidden] { %(body)s }
}
train t {
  let net = Rows(11)
  let head = nn.Linear(11, images.classes)
  data = images
  batch = 60
  micro = %(micro)s
  fn logits(batch) { head(net(cast(batch.image, f32) / 255)) }
  fn loss(batch) { cross_entropy(logits(batch), batch.label) }
  fn metrics(batch) { (accuracy = mean(argmax(logits(batch), over = -1) == batch.label)) }
  optimizer = optim.Adam(lr = 1e-2)
  duration = %(steps)s steps
  seed = 3
  checkpoint { every = 20 steps }
}
"""

ALONG = "fold(zeros([batch, hidden]), x, over = 1, body = step)"
UNROLLED = "fold(zeros([batch, hidden]), [x[:, t] for t in 0..28], step)"
ENDED = """
    let start = (h = zeros([batch, hidden]), t = 0)
    let end = fold(start, 0..28, until = fn(s) { s.t == cast(sum(zeros([3])), i32) + 14 },
                   body = fn(s, t) { (h = step(s.h, row_of(x, t)), t = s.t + 1) })
    end.h
  }
  fn row_of(x, t) { sum(where(iota(28)[:, new] == t, x, 0.0), over = 1)"""
DEEP = """
    let columns = reshape(x, [batch, 7, 4, 28])
    fold(zeros([batch, hidden]), columns, over = 1, body = fn(h, rows) {
      let (last, all) = scan(h, rows, over = 1, body = fn(h, row) {
        let next = step(h, row)
        (next, next)
      })
      lerp(last, cumsum(mean(all, over = 1), over = 1), 0.1)
    })"""
DROPPED = """
    fold(zeros([batch, hidden]), x, over = 1, body = fn(h, row) {
      step(h * cast(random.uniform([batch, hidden]) > 0.1, f32), row)
    })"""


def trained(folder, body, steps=30, micro="auto", threads=1):
    """The lines of a training, and the bits that it ends with."""
    folder.mkdir(exist_ok=True)
    data = p.small_data(folder)
    text = TRAINED % dict(data=data, body=body, steps=steps, micro=micro)
    prog = p.compile_source(folder, text)
    lines = p.train(prog, folder / f"run{threads}", "--threads", threads)
    losses = [line["loss"] for line in lines if "step" in line and "loss" in line]
    return losses, p.tensors(p.checkpoints(folder / f"run{threads}")[-1])


def test_a_loop_learns_as_its_steps_one_by_one_do(folder):
    along, _ = trained(folder / "along", ALONG)
    unrolled, _ = trained(folder / "unrolled", UNROLLED)
    assert along[0] == unrolled[0]
    assert max(abs(a - b) for a, b in zip(along, unrolled)) < 1e-3, (along, unrolled)
    assert along[-1] < 0.8 * along[0], along


def test_loops_learn_with_the_same_bits_for_any_number_of_threads(folder):
    for name, body in dict(along=ALONG, ended=ENDED, deep=DEEP, dropped=DROPPED).items():
        one, bits = trained(folder / name, body, steps=4)
        more, others = trained(folder / name, body, steps=4, threads=2)
        assert one == more and bits == others, name
        assert len(set(one)) == 4, (name, one)


def test_a_batch_may_be_cut(folder):
    for name, body in dict(along=ALONG, dropped=DROPPED).items():
        whole, _ = trained(folder / name, body, steps=4)
        parts, _ = trained(folder / f"{name}-parts", body, steps=4, micro=20)
        assert max(abs(a - b) for a, b in zip(whole, parts)) < 1e-4, (name, whole, parts)


def test_gradients(folder):
    path = folder / "gradients.dlm"
    path.write_text(GRADIENTS)
    result = p.run(p.BIN / "dlmc", "test", path)
    assert result.returncode == 0 and "2 passed" in result.stdout, result.stdout + result.stderr


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
