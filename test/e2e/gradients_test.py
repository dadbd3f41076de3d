"""`grad` inside of programs: against closed forms, in tests, a loss, metrics and a rule; and that
the gradient of a sum over samples is each sample's own."""
import math
import struct

import program as p

CLOSED = """
use nn
let x = tensor([-1.5, 0.0, 0.5, 2.0])
test "a cube" { expect grad(fn(y) { sum(y * y * y) })(x) == 3 * x * x }
test "a power" { expect close(grad(fn(y) { sum(y ** 3) })(x), 3 * x * x, 1e-5) }
test "what else is used is constant" { expect grad(fn(y) { sum(y * x) })(x) == x }
test "twice at one point" {
  let both = grad(fn(y) { sum(y * y) })(x) + grad(fn(y) { sum(3 * y) })(x)
  expect both == 2 * x + 3
}
test "a second derivative" { expect grad(grad(fn(y) { y * y * y }))(2.0) == 12.0 }
test "of a norm" {
  let slope = grad(fn(y) { sqrt(sum(y * y)) })(tensor([3.0, 4.0]))
  expect close(slope, tensor([0.6, 0.8]), 1e-6)
}
test "of a gradient's norm" {
  let g = fn(y) { sum(grad(fn(z) { sum(z * z * z) })(y)) }
  expect grad(g)(x) == 6 * x
}
test "of a maximum" { expect grad(fn(y) { max(y) })(x) == tensor([0.0, 0.0, 0.0, 1.0]) }
test "of a layer" {
  let layer = nn.Linear(4, 3)
  let slope = grad(fn(y) { sum(layer(y)) })(reshape(x, [1, 4]))
  expect close(slope[0], sum(layer.weight, over = 1), 1e-5)
}
test "through what is not smooth" { expect grad(fn(y) { sum(floor(y) * y) })(x) == floor(x) }
"""


def test_agree_with_closed_forms(folder):
    path = folder / "closed.dlm"
    path.write_text(CLOSED)
    result = p.run(p.BIN / "dlmc", "test", path)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "10 passed, 0 failed" in result.stdout, result.stdout


# The slope of the critic is weight / 20 at each sample, of norm s: the penalty is (s - 1) ** 2, and
# a step of SGD shortens the weights by 2 (s - 1) / 20 in their direction.
PENALTY = """
use optim, data
let digits = data.idx("%(data)s", validation = 10%%)

optimizer Halve(lr) for p: f32[N] {
  fn update(g: f32[N]) -> f32[N] { p - lr * grad(fn(q) { sum(q ** 2) / 2 })(p) }
}

model Critic() {
  param weight: f32[784] = ones
  fn forward(x: f32[B, 784]) -> f32[B] { sum(x * weight, over = -1) / 20 }
}

fn flat(batch) { reshape(cast(batch.image, f32) / 255, [batch.size, 784]) }

train slopes {
  let critic = Critic()
  data = digits
  batch = 32
  micro = %(micro)s
  fn slope(batch) { grad(fn(y) { sum(critic(y)) })(flat(batch)) }
  fn bent(batch) { grad(fn(y) { sum(tanh(critic(y)) ** 2) })(flat(batch)) }
  fn loss(batch) {
    (penalty = mean((norm(slope(batch), over = -1) - 1) ** 2),
     bent = %(bent)s * mean(sum(bent(batch) ** 2, over = -1)))
  }
  fn metrics(batch) {
    (slope = mean(norm(slope(batch), over = -1)), bend = mean(norm(bent(batch), over = -1)))
  }
  optimizer = %(rule)s
  duration = 4 steps
  seed = 1
  evaluate { every = 1 steps }
  checkpoint { every = 1 steps; keep = 9 }
}
"""


def trained(folder, name, *flags, micro="auto", bent="0", rule="optim.SGD(lr = 1)"):
    data = folder / "data"
    if not data.exists():
        p.small_data(folder, 400, 100)
    text = PENALTY % dict(data=data, micro=micro, bent=bent, rule=rule)
    program = p.compile_source(folder, text, name)
    events = p.train(program, folder / (name + ".out"), *flags)
    weights = [struct.unpack("<784f", p.tensors(path)["critic.weight"])
               for path in p.checkpoints(folder / (name + ".out"))]
    return weights, events, program


def length(weight):
    return math.sqrt(sum(w * w for w in weight)) / 20


def test_a_penalty_of_gradients_is_trained_by_its_closed_form(folder):
    weights, events, _ = trained(folder, "closed")
    before = [1.0] * 784
    steps = [event for event in events if "penalty" in event]
    assert len(weights) == 4 and len(steps) == 4, events
    for weight, step in zip(weights, steps):
        s = length(before)
        assert abs(step["penalty"] - (s - 1) ** 2) < 1e-5, (step, s)
        for now, then in zip(weight, before):
            assert abs(now - (then - 2 * (s - 1) * then / (20 * 20 * s))) < 1e-5
        before = weight
    measured = [event for event in events if "validation" in event and "final" not in event]
    assert abs(measured[-1]["validation"]["slope"] - length(weights[-2])) < 1e-5, measured


def test_no_bit_depends_on_threads_and_little_on_micro_batches(folder):
    settings = dict(bent="1", rule="optim.Adam(lr = 0.01)")
    alone = trained(folder, "alone", "--threads", "1", **settings)[0]
    assert alone == trained(folder, "team", "--threads", "2", **settings)[0]
    cut = trained(folder, "cut", micro="8", **settings)[0]
    for one, other in zip(alone, cut):
        assert max(abs(a - b) for a, b in zip(one, other)) < 1e-4


def test_a_rule_may_take_gradients(folder):
    weights = trained(folder, "ruled", rule="Halve(lr = 0.5)")[0]
    assert [set(weight) for weight in weights] == [{0.5}, {0.25}, {0.125}, {0.0625}], weights


WAITS = """
use optim, data
let digits = data.idx("%s", validation = 10%%)
model Line() {
  param weight: f32[784] = ones
  fn forward(x: f32[B, 784]) -> f32[B] { sum(x * weight, over = -1) / 20 }
}
train slopes {
  let line = Line()
  data = digits
  batch = 32
  fn loss(batch) {
    let x = reshape(cast(batch.image, f32) / 255, [batch.size, 784])
    sum(grad(fn(w) { mean(sum(x * w, over = -1)) })(line.weight) ** 2) + mean(line(x))
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 steps
}
"""


def test_what_all_samples_have_a_part_in_waits_in_an_evaluation(folder):
    path = folder / "waits.dlm"
    path.write_text(WAITS % p.small_data(folder, 400, 100))
    result = p.run(p.BIN / "dlmc", path, "-o", folder / "waits")
    assert result.returncode == 1
    assert "an evaluation of a gradient that all samples have a part in cannot be compiled" in \
        result.stderr, result.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
