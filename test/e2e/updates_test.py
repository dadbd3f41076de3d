"""Several updates in a step: their order, batches, random numbers, guards, and what goes on after a
stop, against arithmetic that is done here once more."""
import struct

import program as p

# Each update adds to its number what its loss's gradient says: a sees the batch, b sees a's result.
TWO = """
use optim, data
let digits = data.idx("%(data)s", validation = 10%%)
model Number() { param value: f32[1] = %(start)s; fn forward() { value[0] } }
train two {
  let a = Number()
  let b = Number()
  data = digits
  batch = 40
  micro = %(micro)s
  update first {
    of = a
    repeat = %(repeat)s
    %(clip)s
    optimizer = optim.SGD(lr = 1)
    fn loss(batch) { (%(first)s) }
  }
  update second {
    of = %(second_of)s
    every = %(every)s
    optimizer = %(rule)s
    fn loss(batch) { (%(second)s) }
  }
  fn metrics(batch) { (sum_of_both = mean(ones([batch.size])) * (a() + b())) }
  duration = %(steps)d steps
  seed = 3
  evaluate { every = 1 steps }
  checkpoint { every = 1 steps; keep = 99 }
}
"""
PLAIN = dict(start="zeros", micro="auto", repeat=1, every=1, clip="", steps=4,
             first="main = mean(cast(batch.label, f32)) * a()", second="main = a() * b()",
             rule="optim.SGD(lr = 1)", second_of="b")


def compiled(folder, name="two", **changes):
    data = folder / "data"
    if not data.exists():
        p.small_data(folder, 400, 100)
    return p.compile_source(folder, TWO % {**PLAIN, "data": data, **changes}, name)


def numbers(folder):
    """Of each checkpoint the values of a and b."""
    return [tuple(struct.unpack("<f", p.tensors(path)[f"{name}.value"])[0] for name in "ab")
            for path in p.checkpoints(folder)]


def test_a_later_update_sees_what_an_earlier_one_changed(folder):
    events = p.train(compiled(folder), folder / "out")
    steps = [line for line in events if "first.main" in line]
    assert len(steps) == 4, events
    a = b = 0.0
    sums = []
    for step, (now_a, now_b) in zip(steps, numbers(folder / "out")):
        assert abs(step["second.main"] - now_a * b) < 1e-4 * (1 + abs(now_a * b)), step
        assert abs(step["loss"] - step["first.main"] - step["second.main"]) < 1e-3, step
        b -= now_a
        assert abs(now_b - b) < 1e-4, (now_b, b)
        assert now_a < a, "the mean of labels is above 0"
        a = now_a
        sums.append(a + b)
    measured = [line for line in events if "validation" in line and "final" not in line]
    assert abs(measured[-1]["validation"]["sum_of_both"] - sums[2]) < 1e-3, measured
    assert "first.main" in measured[-1]["validation"] and "loss" in measured[-1]["validation"]


def test_repetitions_see_batches_of_their_own(folder):
    """One step of two repetitions moves a as two steps do; the step after sees the third batch."""
    once = numbers_of(folder, "once")
    twice = numbers_of(folder, "twice", repeat=2, steps=2)
    assert [round(a, 4) for a, _ in twice] == [round(a, 4) for a, _ in once[1::2]], (once, twice)


def numbers_of(folder, name, *flags, **changes):
    p.train(compiled(folder, name, **changes), folder / f"{name}.out", *flags)
    return numbers(folder / f"{name}.out")


def test_an_update_may_be_made_in_every_other_step(folder):
    found = numbers_of(folder, "every", every=2)
    bs = [b for _, b in found]
    assert bs[0] == bs[1] != bs[2] == bs[3], found


def test_a_gradient_of_one_update_is_shortened_alone(folder):
    found = numbers_of(folder, "clip", clip="clip_norm = 0.5")
    assert [round(a, 5) for a, _ in found] == [-0.5, -1.0, -1.5, -2.0], found
    assert abs(found[1][1] - 1.5) < 1e-5, found


def test_threads_and_micro_batches_decide_nothing(folder):
    drawn = dict(first="main = mean(random.normal([batch.size])) * a()", repeat=3,
                 second="main = mean(random.normal([batch.size])) * b()")
    alone = numbers_of(folder, "alone", "--threads", "1", **drawn)
    assert alone == numbers_of(folder, "team", "--threads", "2", **drawn)
    cut = numbers_of(folder, "cut", micro="8", **drawn)
    assert all(abs(x - y) < 1e-5 for one, other in zip(alone, cut) for x, y in zip(one, other))
    moves = [alone[0][0], alone[0][1]] + [now[0] - then[0] for then, now in zip(alone, alone[1:])]
    assert len(set(round(move, 5) for move in moves)) == len(moves), "each draw is another"


def test_a_stopped_run_goes_on_as_if_it_had_not_been(folder):
    drawn = dict(first="main = mean(random.normal([batch.size]) + cast(batch.label, f32)) * a()",
                 repeat=2, every=2, rule="optim.Adam(lr = 0.1)", second="main = (b() - a()) ** 2")
    program = compiled(folder, "whole", **drawn)
    p.train(program, folder / "whole.out")
    p.train(program, folder / "parts.out", "--steps", "2")
    p.train(program, folder / "parts.out", "--resume", "--steps", "4")
    last = [p.tensors(p.checkpoints(folder / name)[-1]) for name in ("whole.out", "parts.out")]
    assert last[0] == last[1]


def test_an_update_that_is_not_finite_is_left_out_and_its_step_is_skipped(folder):
    """b's loss is NaN at the start of its second step: a goes on, b stays, and the run ends."""
    program = compiled(folder, "skips", start="ones", second="main = log(b()) * 1.0",
                       rule="optim.SGD(lr = 3)", first="main = a()", steps=20)
    events = p.train(program, folder / "skips.out", expect=1)
    skipped = [line for line in events if line.get("skipped")]
    assert len(skipped) >= 3, events
    assert [line["step"] for line in skipped] == [1] * len(skipped), skipped
    values = [line["first.main"] for line in events if "first.main" in line]
    assert values[1] - values[2] == 1, "the first update is made all the same"


def test_two_updates_of_the_same_parameters_wait(folder):
    path = folder / "same.dlm"
    data = p.small_data(folder, 400, 100)
    path.write_text(TWO % {**PLAIN, "data": data, "second_of": "[a, b]"})
    result = p.run(p.BIN / "dlmc", path, "-o", folder / "same")
    assert result.returncode == 1
    assert "the update `second` cannot be compiled yet: " in result.stderr, result.stderr


def test_info_and_bench_show_each_update(folder):
    program = compiled(folder, repeat=2)
    info = p.run(program, "info")
    assert info.returncode == 0, info.stderr
    assert "grad_first" in info.stdout and "update_second" in info.stdout, info.stdout
    bench = p.run(program, "bench", "--steps", "2")
    assert bench.returncode == 0, bench.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
