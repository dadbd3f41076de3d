"""What is checked and cannot be compiled yet: `dlmc check` warns of it, compiling says what and
where, and says each thing once."""
import program as p

SOURCE = """
use nn, optim, data
let images = data.idx("%(data)s")
model Net() {
  let fit = nn.Linear(28, 10)
  %(member)s
  fn forward(x: f32[batch, T, 28]) -> f32[batch, 10] { %(body)s }
}
train t {
  let net = Net()
  data = images
  batch = 64
  fn loss(batch) { cross_entropy(%(net)s(cast(batch.image, f32)), batch.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
}
"""

PLAIN = dict(data=p.FASHION, member="", body="fit(mean(x, over = T))", net="net")

CASES = {
    "a buffer over the batch, such as `net.last`,": dict(
        member="buffer last: f32[10, batch] = 0",
        body="let y = fit(mean(x, over = T)) + last.T; next last = y.T; y"),
    "the buffer `net.seen`": dict(member="buffer seen: bool = false",
                                  body="next seen = true; fit(mean(x, over = T))"),
    "a loop in a loop in a loop, and of more than 1000 operations,": dict(
        body="fit(fold(zeros([batch, 28]), x, over = T, body = fn(s, row) { "
             "fold(s, x, over = T, body = fn(s, row) { "
             "fold(row, iota(600), over = 0, body = fn(s, t) { s / 2 }) }) }))"),
    "a sum over samples in a loop": dict(
        body="fit(fold(zeros([batch, 28]), x, over = T, body = fn(s, row) { "
             "s + row - (if training { mean(row) } else { 0.0 }) }))"),
    "a loop over a range that only the run knows": dict(
        body="let y = mean(x, over = T); fit(if training { "
             "fold(y, 0..x.shape[0], fn(s, t) { s / 2 }) } else { y })"),
    "`sort` of more than 4096 elements": dict(
        body="fit(mean(x, over = T)) * max(sort(random.uniform([5000]), over = 0))"),
}


DRAW = "cast(random.int(0, 100_000_000, [10]), f32)"
TWICE = dict(body=f"fit(mean(x, over = T)) + {DRAW} + {DRAW} + {DRAW} * {DRAW}")


def check(folder, changes):
    path = folder / "later.dlm"
    path.write_text(SOURCE % {**PLAIN, **changes})
    return p.run(p.BIN / "dlmc", "check", path), p.run(p.BIN / "dlmc", path, "--emit=pin")


def test_each_is_said_once(folder):
    for what, changes in CASES.items():
        checked, compiled = check(folder, changes)
        assert checked.returncode == 0, (what, checked.stderr)
        warning = f"warning[not-yet]: {what} cannot be compiled yet: "
        assert warning in checked.stderr, checked.stderr
        assert "note: the program is right, and cannot be compiled yet" in checked.stderr, what
        assert compiled.returncode == 1, what
        assert compiled.stderr.count("error[not-yet]") == 1, (what, compiled.stderr)
        assert f"error[not-yet]: {what} cannot be compiled yet" in compiled.stderr, compiled.stderr


def test_check_warns_of_all_blocks(folder):
    """Of two train blocks the first waits: `check` says why, at its line."""
    long_sort = "sort(random.uniform([5000]), over = 0)"
    waiting = SOURCE % {**PLAIN, "net": f"max({long_sort}) * net"}
    path = folder / "blocks.dlm"
    blocks = (SOURCE % PLAIN).split("train t")
    path.write_text(waiting.replace("train t", "train first") + "train second" + blocks[1])
    checked = p.run(p.BIN / "dlmc", "check", path)
    assert checked.stderr.count("warning[not-yet]: `sort`") == 1, checked.stderr
    line = 1 + waiting[:waiting.index(long_sort)].count("\n")
    assert f"blocks.dlm:{line}:" in checked.stderr, checked.stderr
    assert p.run(p.BIN / "dlmc", "check", path, "--werror").returncode == 1
    second = p.run(p.BIN / "dlmc", "--train", "second", path, "--emit=pin")
    assert second.returncode == 0, second.stderr


def test_a_kind_is_said_once_with_its_count(folder):
    compiled = check(folder, TWICE)[1]
    said = "`random.int` of so many numbers cannot be compiled yet"
    assert compiled.stderr.count(said) == 1, compiled.stderr
    assert "note: the same holds at 3 other places" in compiled.stderr, compiled.stderr


def test_the_plain_program_compiles(folder):
    checked, compiled = check(folder, {})
    assert checked.returncode == 0 and compiled.returncode == 0, compiled.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
