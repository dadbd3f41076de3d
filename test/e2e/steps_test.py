"""What holds of a program also holds of what stands in the step of a loop: sizes, options, numbers
of the run, ids and samples are looked for there, too."""
import program as p

import generate_test as generating
import ranges_test as ranges

TESTS = """
use optim
option rate = 0.5
model Seen() {
  buffer seen: f32[2] = ones
  fn forward(x: f32[3, 2]) {
    fold(zeros([2]), x, over = 0, body = fn(s, r) { s + fold(r, iota(2), over = 0, body = fn(t, i) {
      t + seen
    }) })
  }
}
optimizer Slow(lr) for p: f32[...] {
  fn update(g: f32[...]) -> f32[...] {
    fold(p, iota(2), over = 0, body = fn(p, t) { p - lr * g * cast(step, f32) })
  }
}
fn counted(x) { fold(tensor(0.0), x, over = 0, body = fn(s, r) { s + r + cast(step, f32) }) }
test "an option" {
  expect fold(tensor(0.0), iota(3), over = 0, body = fn(s, t) { s + rate }) == 1.5
}
test "a number of the run" { expect counted(ones([3])) == 3 }
test "a buffer" {
  let net = Seen()
  expect net(ones([3, 2])) == 9
}
test "a rule" {
  let rule = Slow(lr = 0.5)
  expect rule.update(ones([2]), ones([2]), step = 3).p == -2
}
"""

ENDED = """
fn down(w) {
  fold(w, iota(4), over = 0, until = fn(s) { s <= 0 }, body = fn(s, t) { s - sqrt(s) })
}
test "of steps behind the end nothing is left, nor of their gradients" {
  expect down(tensor(1.0)) == 0
  expect grad(down)(tensor(1.0)) == 0.5
  let along = fn(x) {
    fold(tensor(1.0), x, over = 0, until = fn(s) { s >= 3 }, body = fn(s, r) { s + sqrt(r) })
  }
  expect grad(along)(tensor([1.0, 1.0, 0.0])) == tensor([0.5, 0.5, 0.0])
  let numbered = fn(w) {
    fold(w, 0..3, until = fn(s) { s >= 2 }, body = fn(s, t) { s + w / (1 - cast(t, f32)) })
  }
  expect grad(numbered)(tensor(1.0)) == 2
}
"""

DEEP = """
let x = reshape(cast(iota(24), f32), [2, 3, 4])
fn product(x) {
  fold(tensor(1.0), x, over = 0, body = fn(s, rows) {
    fold(s, rows, over = 0, body = fn(s, row) {
      fold(s, row, over = 0, body = fn(s, each) { s * (1 + each / 100) })
    })
  })
}
test "three loops in each other" {
  let flat = reshape(x, [24])
  let wanted = fn(x) { fold(tensor(1.0), x, over = 0, body = fn(s, each) { s * (1 + each / 100) }) }
  expect product(x) == wanted(flat)
  expect max(abs(reshape(grad(product)(x), [24]) - grad(wanted)(flat))) < 1e-5
  let last = fold(zeros([4]), x, over = 0, body = fn(s, rows) {
    fold(s, rows, over = 0, body = fn(s, row) { s + cumsum(row, over = 0) })
  })
  expect last == sum(cumsum(x, over = 2), over = (0, 1))
}
"""

TEXT = """
use nn, optim, data, random
let text = data.text("a.txt", tokenizer = data.chars(), window = 16)
model Memory(vocab: int, width: int) {
  param tok: f32[vocab, width] = normal(std = 1.0)
  let memory = nn.LSTM(width, width)
  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] { memory(tok[ids]) @ tok.T }
}
train t {
  let net = Memory(text.vocab, 8)
  data = text
  batch = 8
  seed = 3
  fn loss(batch) { cross_entropy(net(batch.ids), batch.next) }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 40 steps
  command remembered(prompt: string) { (ids = generate(net, text.encode(prompt), limit = 20)) }
  command says(prompt: string) { (next = argmax(net(text.encode(prompt)[new, :]), over = -1)) }
  command drawn(prompt: string = "1", limit: int = 16) {
    require limit <= 16
    (ids = generate(net, text.encode(prompt), limit = limit, pick = fn(logits) {
      let draws = fold(zeros([1]), 0..2, body = fn(s, i) {
        s + fold(zeros([1]), 0..2, body = fn(s, i) { s + random.uniform([1]) })
      })
      cast(floor(draws * 4), i32)
    }))
  }
  command counted(prompt: string) {
    let ids = text.encode(prompt)
    let n = ids.shape[0]
    (thrice = fold(tensor(0.0), iota(3), over = 0, body = fn(s, t) {
      fold(s, 0..1, body = fn(s, i) { s + n })
    }), sum = sum(ids))
  }
  command only_counted(prompt: string) { tensor(0.0) + text.encode(prompt).shape[0] * 3 }
}
"""

ROWS = """
use nn, optim, data
let table = data.csv("a.csv", label = "label", validation = 50%%)
train t {
  let net = nn.Linear(4, 2)
  data = table
  batch = 4
  fn loss(batch) { cross_entropy(net(batch.number), batch.label) + 0 }
  %s
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 steps
  command c(n: int = 4) {
    require %s
    %s
  }
}
"""
COUNTED = """fn predict(batch) {
    (p = fold(net(batch.number), iota(3), over = 0, body = fn(s, t) { s + batch.size }))
  }"""
WEIGHTED = """fn metrics(batch) {
    (m = mean(fold(mean(batch.number, over = 1), iota(3), over = 0, body = fn(s, t) {
      s / batch.size
    })))
  }"""
INSIDE = "fold(tensor(0.0), iota(3), over = 0, body = fn(s, t) { s + sum(zeros([n]) + 1.0) })"
LAST = "fold(tensor(0.0), zeros([n]), over = 0, body = fn(s, x) { s + x })"
RULES = """
use data
let table = data.csv("a.csv", label = "label", validation = 50%)
model Two() {
  param first: f32[2] = zeros
  param second: f32[2] = zeros
  fn forward() { sum(first) + sum(second) }
}
optimizer Often(k) for p: f32[...] {
  fn update(g: f32[...]) -> f32[...] {
    fold(p, iota(2), over = 0, body = fn(p, t) { p - k * g })
  }
}
train t {
  let net = Two()
  data = table
  batch = 4
  fn loss(batch) { net() + 0 * mean(batch.number) }
  fn optimizer(p) { if p.name == "first" { Often(k = 1) } else { Often(k = 5) } }
  duration = 1 steps
  command c() { (first = net.first, second = net.second) }
}
"""
SUMMED = """(if training {
    let middle = mean(net(batch.number), over = 0)
    max(fold(zeros([2]), iota(2), over = 0, body = fn(s, t) { s + (middle + 1) }))
  } else { 0.0 })"""


def tested(folder, name, text, count):
    path = folder / f"{name}.dlm"
    path.write_text(text)
    result = p.run(p.BIN / "dlmc", "test", path)
    said = result.stdout + result.stderr
    assert result.returncode == 0 and f"{count} passed" in result.stdout, said


def test_what_a_test_says_of_a_run(folder):
    tested(folder, "tests", TESTS, 4)


def test_steps_behind_the_end(folder):
    tested(folder, "ended", ENDED, 1)


def test_three_loops_in_each_other(folder):
    tested(folder, "deep", DEEP, 1)


def test_commands_that_read_texts(folder):
    (folder / "a.txt").write_text(generating.BOTTLES)
    prog = p.compile_source(folder, TEXT)
    run = folder / "run"
    p.train(prog, run)
    for prompt in ("1", "40 grüne bott"):
        got = generating.call(prog, run, "remembered", "--prompt", prompt)["ids"]
        assert got == generating.step_by_step(prog, run, "says", prompt, 20), (prompt, got)
    drawn = generating.call(prog, run, "drawn")["ids"]
    assert len(set(drawn)) > 4, drawn  # anew for each
    counted = generating.call(prog, run, "counted", "--prompt", "401")
    assert counted["thrice"] == 9, counted
    only = generating.call(prog, run, "only_counted", "--prompt", "401")
    assert only["value"] == 9, only
    again = generating.call(prog, run, "only_counted", "--prompt", "40")
    assert again["value"] == 6, again


def refused(folder, hook="", bound="n <= 9", command="n * 1.0", term="0"):
    (folder / "a.csv").write_text("a,b,c,d,label\n" + "1,2,3,4,x\n4,3,2,1,y\n" * 8)
    (folder / "rows.dlm").write_text(ROWS.replace("+ 0 }", f"+ {term} }}") % (hook, bound, command))
    result = p.run(p.BIN / "dlmc", folder / "rows.dlm", "-o", folder / "rows")
    assert result.returncode == (1 if result.stderr else 0), result.stderr
    return result.stderr


def test_what_cannot_stand_in_a_step(folder):
    assert refused(folder) == "" and refused(folder, term=SUMMED) == ""
    text = refused(folder, COUNTED)
    assert "a prediction is of one sample alone, and this counts the samples" in text, text
    text = refused(folder, WEIGHTED)
    assert "a sum over samples of what depends on their number cannot be compiled yet" in text, text
    text = refused(folder, command=INSIDE)
    assert "a loop with a size in its step that a call decides cannot be compiled yet" in text, text
    text = refused(folder, command=LAST)
    assert "the last state of a loop along a size that a call decides cannot be" in text, text
    text = refused(folder, command=INSIDE.replace("[n]", "[n + 1]"), bound="n >= 1")
    assert "`n` is a size here, and nothing bounds it" in text, text


def test_loops_of_too_many_steps(folder):
    long = "fold(tensor(0), iota(%d), over = 0, body = fn(s, t) { s + 1 })"
    (folder / "long.dlm").write_text("""test "long" {
  expect fold(zeros([1000]), iota(200000), over = 0, body = fn(s, t) { s + 1 }) == 1
}
""")
    result = p.run(p.BIN / "dlmc", "test", folder / "long.dlm", timeout=60)
    assert "error[work-limit]: the test takes 8" in result.stderr, result.stderr
    text = refused(folder, command=long % 5_000_000)
    assert "a loop of 15000000 operations in all cannot be compiled yet" in text, text


def test_rules_that_differ_in_a_step_are_two(folder):
    refused(folder)
    prog = p.compile_source(folder, RULES)
    p.train(prog, folder / "run")
    got = generating.call(prog, folder / "run", "c")
    assert got == {"first": [-2, -2], "second": [-10, -10]}, got


def test_a_plan_says_where_a_step_is(folder):
    """Instructions are numbered along, and places that move with the trips say how far."""
    command = "fold(tensor(0.0), tensor([1.0, 2.0, 4.0]), over = 0, body = fn(s, x) { s * x + n })"
    assert refused(folder, command=command) == ""
    text = p.run(p.BIN / "dlmc", folder / "rows.dlm", "--emit=plan").stdout
    for program in text.split("\nprogram ")[1:]:
        lines = program.split("\n\n")[0].splitlines()[1:]
        numbers = [int(line.split()[0]) for line in lines if line.split()[0].isdigit()]
        assert numbers == list(range(len(numbers))), program
    loop = text[text.index("loop 3 times"):]
    assert " step 4" in loop.split("\n\n")[0], loop


def test_ids_looked_up_in_a_step(folder):
    rows = """fold(zeros([batch.size, 1, 4]), batch.ids, over = 1, body = fn(s, id) {
    s + table(id)[:, new, :]
  })"""
    kinds = [0, 1, 2, 0, 1, -1]
    assert ranges.outcome(folder, ranges.with_id(0, 0, 9), kinds, rows=rows) == ""
    text = ranges.outcome(folder, ranges.with_id(3, 1, 10), kinds, rows=rows)
    assert "sample 3: element 1 of `ids` is 10, and the table of 10 rows" in text, text
    masked = rows.replace("table(id)", "where(id[:, new] >= 0, table(id), 0)")
    assert ranges.outcome(folder, ranges.with_id(1, 1, -7), [0] * 6, rows=masked) == ""
    behind = """where(batch.ids[:, :, new] >= 0, if 1 > 0 {
    let (last, seen) = scan(zeros([4]), batch.ids, over = 1, body = fn(s, id) { (s, table(id)) })
    seen
  } else { 0.0 }, 0)"""
    assert ranges.outcome(folder, ranges.with_id(1, 1, -7), [0] * 6, rows=behind) == ""


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
