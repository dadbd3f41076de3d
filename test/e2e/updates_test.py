"""Several updates in a step: their order, batches, random numbers, guards, and what goes on after a
stop, against arithmetic that is done here once more."""
import json
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


def test_each_update_reports_its_gradient_and_rate(folder):
    program = compiled(folder, "told", first="main = 3 * a()", rule="optim.SGD(lr = 0.25)",
                       second="main = 2 * b() * a()", clip="clip_norm = 0.5")
    steps = [line for line in p.train(program, folder / "told.out") if "first.main" in line]
    assert [line["first.grad_norm"] for line in steps] == [3.0] * 4, steps
    assert [line["second.grad_norm"] for line in steps] == [1.0, 2.0, 3.0, 4.0], steps
    assert {(line["first.lr"], line["second.lr"]) for line in steps} == {(1.0, 0.25)}, steps
    assert "grad_norm" not in steps[0] and "lr" not in steps[0], steps[0]
    final = p.run(program, "train", "--to", folder / "text.out")
    assert final.returncode == 0, final.stderr
    assert "first.grad_norm 3" in final.stdout and "second.lr 0.25" in final.stdout, final.stdout


def test_a_rate_below_zero_is_told_with_its_update(folder):
    program = compiled(folder, "below", rule="optim.SGD(lr = 1.0 - step)")
    result = p.run(program, "train", "--to", folder / "below.out")
    assert result.returncode == 1
    assert "the learning rate of `second` in step " in result.stderr, result.stderr


def test_info_and_bench_show_each_update(folder):
    program = compiled(folder, repeat=2)
    info = p.run(program, "info")
    assert info.returncode == 0, info.stderr
    assert "grad_first" in info.stdout and "update_second" in info.stdout, info.stdout
    settings = json.loads(p.run(program, "info", "--json").stdout)["settings"]
    said = {each["name"]: each for each in settings}
    assert said["first.of"]["value"] == "a, with 1 parameters", said
    assert said["second.optimizer"]["value"] == "optim.SGD(lr = 1)", said
    assert said["first.repeat"]["value"] == "2" and said["first.every"]["origin"] == "default", said
    assert said["first.repeat"]["origin"].split(":")[-1] == "13", said
    bench = p.run(program, "bench", "--steps", "2")
    assert bench.returncode == 0, bench.stderr


# `first` gives a.seen a value in each of its repetitions, `second` two; each is half of what it was
# and the mean of labels, or of twice the labels.
BUFFERS = """
use optim, data
let digits = data.idx("%(data)s", validation = 10%%)
fn labels(batch) { cast(batch.label, f32) }
model Number() {
  param value: f32[1] = zeros
  buffer seen: f32[2] = 8
  buffer steps: i32[] = 0
  fn forward(x) {
    next seen = seen / 2 + mean(x)
    value[0]
  }
  fn counted() {
    next steps = steps + 1
    value[0]
  }
}
train two {
  let a = Number()
  let b = Number()
  data = digits
  batch = 40
  micro = %(micro)s
  update first {
    of = a
    repeat = %(repeat)s
    optimizer = optim.SGD(lr = 1)
    fn loss(batch) { (main = a(labels(batch)) * %(first)s, mean = mean(labels(batch))) }
  }
  update second {
    of = b
    every = %(every)s
    optimizer = optim.SGD(lr = 1)
    fn loss(batch) {
      let both = a(labels(batch)) + a(2 * labels(batch))
      (main = both * b.counted(), mean = mean(labels(batch)))
    }
  }
  duration = 4 steps
  guard { nonfinite = skip(limit = 99) }
  checkpoint { every = 1 steps; keep = 99 }
}
"""
KEPT = dict(micro="auto", repeat=1, every=1, first="1")


def kept(folder, name, *flags, **changes):
    """The steps of a run, and of each checkpoint the buffers of a, and how often b was counted."""
    data = folder / "data"
    if not data.exists():
        p.small_data(folder, 400, 100)
    program = p.compile_source(folder, BUFFERS % {**KEPT, "data": data, **changes}, name)
    events = p.train(program, folder / f"{name}.out", *flags)
    found = []
    for path in p.checkpoints(folder / f"{name}.out"):
        values = p.tensors(path)
        assert struct.unpack("<2f", values["b.seen"]) == (8, 8), "nobody calls b like that"
        found.append((struct.unpack("<2f", values["a.seen"]),
                      struct.unpack("<i", values["b.steps"])[0]))
    return [line for line in events if "first.main" in line], found


def follow(steps, given):
    """The buffer after each step, by the means of what a step gives, which `given` says."""
    seen, after = (8.0, 8.0), []
    for number, step in enumerate(steps):
        values = given(number, step)
        if values:
            seen = tuple(x / 2 + sum(values) / len(values) for x in seen)
        after.append(seen)
    return after


def agree(found, expected):
    assert len(found) == len(expected) > 0, (found, expected)
    for (seen, _), other in zip(found, expected):
        assert all(abs(x - y) < 1e-4 for x, y in zip(seen, other)), (found, expected)


def test_a_buffer_gets_the_mean_of_what_all_updates_give(folder):
    """The second sees the batch of the first's first repetition; the first tells its last one."""
    steps, found = kept(folder, "mean", repeat=2)
    agree(found, follow(steps, lambda _, step: [
        step["second.mean"], step["first.mean"], step["second.mean"], 2 * step["second.mean"]]))
    assert steps[0]["first.mean"] != steps[0]["second.mean"], steps
    assert [count for _, count in found] == [1, 2, 3, 4], found


def test_an_update_that_is_not_made_gives_a_buffer_nothing(folder):
    steps, found = kept(folder, "other", every=2)
    agree(found, follow(steps, lambda number, step: [step["first.mean"]] + (
        [] if number % 2 else [step["first.mean"], 2 * step["first.mean"]])))
    assert [count for _, count in found] == [1, 1, 2, 2], found


def test_an_update_that_is_not_finite_gives_a_buffer_nothing(folder):
    """The first is none where labels are small: what the second gives counts all the same."""
    steps, found = kept(folder, "skips", first="log(mean(labels(batch)) - 4.5)")
    skipped = [line for line in steps if line.get("skipped")]
    assert skipped and len(steps) - len(skipped) == 4, steps
    assert all(line["first.mean"] < 4.5 for line in skipped), skipped
    after = follow(steps, lambda _, step: [step["second.mean"], 2 * step["second.mean"]] + (
        [] if step.get("skipped") else [step["first.mean"]]))
    taken = [i for i, line in enumerate(steps) if not line.get("skipped")]
    agree(found, [after[i] for i in taken])
    assert [count for _, count in found] == [i + 1 for i in taken], found


def test_micro_batches_and_threads_do_not_show_in_a_buffer(folder):
    _, whole = kept(folder, "whole", "--threads", "1", repeat=3)
    assert whole == kept(folder, "team", "--threads", "2", repeat=3)[1]
    _, cut = kept(folder, "cut", micro="8", repeat=3)
    agree(cut, [seen for seen, _ in whole])
    assert [count for _, count in cut] == [1, 2, 3, 4], cut


def test_a_stopped_run_goes_on_with_its_buffers(folder):
    kept(folder, "straight", repeat=2, every=2)
    kept(folder, "bent", "--steps", "2", repeat=2, every=2)
    kept(folder, "bent", "--resume", "--steps", "4", repeat=2, every=2)
    last = [p.tensors(p.checkpoints(folder / name)[-1]) for name in ("straight.out", "bent.out")]
    assert last[0] == last[1]


def test_a_buffer_over_the_batch_waits(folder):
    path = folder / "rows.dlm"
    text = BUFFERS.replace("buffer seen: f32[2] = 8", "buffer seen: f32[batch] = 0")
    path.write_text(text % {**KEPT, "data": p.small_data(folder, 400, 100)})
    result = p.run(p.BIN / "dlmc", path, "-o", folder / "rows")
    assert result.returncode == 1
    assert "a buffer over the batch in an update cannot be compiled yet: " in result.stderr, result


NORMALISED = """
use nn, optim, data
let digits = data.idx("%(data)s", validation = 10%%)
fn flat(batch) { reshape(cast(batch.image, f32) / 255, [batch.size, 784]) }
train players {
  let maker = nn.Chain([nn.Linear(784, 12), nn.BatchNorm(12), nn.Linear(12, 784)])
  let judge = nn.Linear(784, 1)
  data = digits
  batch = 40
  update judge_step {
    of = judge
    repeat = 2
    optimizer = optim.SGD(lr = 0.01)
    fn loss(batch) { mean(judge(maker(flat(batch)))) - mean(judge(flat(batch))) }
  }
  update maker_step {
    of = maker
    optimizer = optim.SGD(lr = 1e-30)
    fn loss(batch) { -mean(judge(maker(flat(batch)))) }
  }
  duration = 1 steps
}
train alone {
  let maker = nn.Chain([nn.Linear(784, 12), nn.BatchNorm(12), nn.Linear(12, 784)])
  data = digits
  batch = 40
  optimizer = optim.SGD(lr = 1e-30)
  fn loss(batch) { mean(maker(flat(batch))) }
  duration = %(steps)d steps
  checkpoint { every = 1 steps; keep = 9 }
}
"""


def test_a_normalised_model_is_trained_in_several_updates(folder):
    """Its averages after a step that sees batch 0, 1 and 0 again: from what single batches give."""
    data = p.small_data(folder, 400, 100)
    means = {}
    for name in ("players", "alone"):
        program = p.compile_source(folder, NORMALISED % dict(data=data, steps=2), name,
                                   ["--train", name])
        p.train(program, folder / f"{name}.out")
        means[name] = [struct.unpack("<12f", p.tensors(path)["maker.1.running_mean"])
                       for path in p.checkpoints(folder / f"{name}.out")]
    first, both = means["alone"]
    for now, one, two in zip(means["players"][-1], first, both):
        other = two - 0.9 * one  # of batch 1 alone, times 0.1
        assert one != 0 and abs(now - (2 * one + other) / 3) < 1e-5, means


# Rules that correct averages by how many updates have gone into them: of a gradient that is 1 each
# of them moves by its rate, however often it is made.
CORRECTED = """
use optim, data
let digits = data.idx("%(data)s", validation = 10%%)
model Number(count: int) {
  param value: f32[count, count] = ones
  fn forward() { sum(value) / 1024 }
}
fn one(batch) { mean(ones([batch.size])) %(doubt)s }
train corrected {
  let a = Number(32)
  let b = Number(32)
  let c = Number(32)
  data = digits
  batch = 40
  update often {
    of = a
    repeat = 5
    optimizer = optim.Adam(lr = 1)
    fn loss(batch) { 1024 * a() * mean(ones([batch.size])) }
  }
  update seldom {
    of = b
    every = 4
    optimizer = optim.AdamW(lr = 1, weight_decay = 0)
    fn loss(batch) { 1024 * b() * one(batch) }
  }
  update rows {
    of = c
    every = 3
    optimizer = optim.Adafactor(lr = 1)
    fn loss(batch) { 1024 * c() * one(batch) }
  }
  duration = 9 steps
  checkpoint { every = 1 steps; keep = 99 }
}
"""


def moved(folder, name, doubt=""):
    """Of each checkpoint how far the three have come, and how often they were made."""
    text = CORRECTED % dict(data=p.small_data(folder, 400, 100), doubt=doubt)
    events = p.train(p.compile_source(folder, text, name), folder / f"{name}.out")
    found = []
    for path in p.checkpoints(folder / f"{name}.out"):
        held = p.tensors(path)
        ways = [1 - struct.unpack_from("<f", held[f"{model}.value"])[0] for model in "abc"]
        counts = [struct.unpack("<q", held[f"state.made.{update}"])[0]
                  for update in ("often", "seldom", "rows")]
        found.append((ways, counts))
    return events, found


def test_rules_correct_by_the_updates_that_were_made(folder):
    _, found = moved(folder, "corrected")
    assert [counts for _, counts in found] == [
        [5 * step, (step + 3) // 4, (step + 2) // 3] for step in range(1, 10)], found
    for ways, counts in found:
        assert all(abs(way - count) < 1e-3 for way, count in zip(ways, counts)), found


def test_updates_that_are_left_out_do_not_count(folder):
    events, found = moved(folder, "doubted", "+ 0 * log(mean(cast(batch.label, f32)) - 4.3)")
    assert any(line.get("skipped") for line in events), events
    for ways, counts in found:
        assert all(abs(way - count) < 1e-3 for way, count in zip(ways, counts)), found
    assert found[-1][1][0] > 5 * 9, "the first is made in steps that are skipped, too"


# One sample has a number that the second update cannot take; the first reads other fields.
SPOILT = """
use nn, optim, data
let table = data.csv("%(data)s", validation = 80)
model Line() {
  param w: f32[2] = zeros
  param b: f32[1] = ones
  fn forward(x: f32[B, 2]) -> f32[B] { sum(x * w, over = 1) + b }
}
train spoilt {
  let a = Line()
  let b = Line()
  data = table
  batch = %(batch)s
  micro = 20
  update first {
    of = a
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { %(first)s }
  }
  update second {
    of = b
    repeat = %(repeat)s
    optimizer = optim.SGD(lr = 0.1)
    fn loss(batch) { mean(log(batch.number[:, 2] + 1000) * b(batch.number[:, 0:2])) }
  }
  duration = 30 steps
  seed = %(seed)s
}
"""


def spoilt(folder, name, **changes):
    """What a run says that ends by numbers that are not finite."""
    table = folder / "spoilt.csv"
    rows = [f"{i % 7}.5,{i % 5}.25,{-1e6 if i == 37 else i}" for i in range(400)]
    table.write_text("a,b,c\n" + "\n".join(rows) + "\n")
    text = SPOILT % {**dict(batch=320, repeat=1, seed=3), "data": table, **changes}
    program = p.compile_source(folder, text, name)
    result = p.run(program, "train", "--to", folder / f"{name}.out")
    assert result.returncode == 1, result
    return result.stderr


def test_of_several_updates_it_is_said_where_a_number_is_not_finite(folder):
    """The first update reads another field than the one that fails."""
    first = "mean(a(cast(batch.present[:, 0:2], f32)) ** 2)"
    said = spoilt(folder, "fields", first=first)
    assert "for sample 37 of the training part" in said and "nan" in said.lower(), said
    assert "spoilt" not in said or "fields.dlm:" in said, said
    assert "Nothing was trained yet" not in said, said


def test_each_batch_of_a_step_is_searched(folder):
    """Of four repetitions any may be the one, and it is its numbers that are shown."""
    first = "mean(a(batch.number[:, 0:2]) ** 2)"
    for seed in range(1, 5):
        said = spoilt(folder, f"seed{seed}", first=first, batch=80, repeat=4, seed=seed)
        assert "second.loss nan" in said, said
        assert "for sample 37 of the training part" in said, said


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
