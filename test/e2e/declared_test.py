"""Commands that a program declares with sizes that are arguments, and with texts."""
import math

import program as p

SIZED = """
  /// What the net makes of plain grey.
  command grey(count: int = 4, level: f32 = 0.5) -> f32[count, 10] {
    require count <= 9, "nine are enough"
    net(cast(zeros([count, 28, 28]) + 255 * level, u8))
  }
  command nine(level: f32 = 0.5) { net(cast(zeros([9, 28, 28]) + 255 * level, u8)) }
  command ramp(k: int = -3) {
    require k <= 4
    (steps = cast(iota(k + 4), f32) + k)
  }

  /// Reductions and products along a size; what stands behind it is no number.
  command sums(n: int, m: int = 2) {
    require n <= 9 and m <= 5
    let logs = log(cast(n - iota(n), f32))
    let x = cast(iota(n), f32) + 1
    let y = cast(iota(m), f32) + max(logs)
    let column = reshape(x, [n, 1])
    let row = reshape(y, [1, m])
    (
      total = sum(logs),
      mean = mean(x),
      low = min(-x),
      high = max(logs),
      first = argmax(-x, over = 0),
      any = any(x > 8),
      all = all(x > 0),
      product = reshape(x, [1, n]) @ column,
      table = column * row,
      turned = (column * row).T @ column,
      shares = softmax(logs, over = 0),
      count = n,
      twice = 2 * n - 1,
    )
  }
"""


def sized(folder, commands=SIZED, *flags, name="prog"):
    text = p.source(data=p.small_data(folder)).replace("  seed      = 1\n",
                                                       "  seed      = 1\n" + commands)
    return p.compile_source(folder, text, name, flags)


def call(prog, run, command, *flags):
    result = p.run(prog, command, "--json", "--from", run, *flags)
    assert result.returncode == 0, (result.stdout, result.stderr)
    return p.json.loads(result.stdout)


def close(a, b):
    if isinstance(b, list):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    return abs(a - b) <= 1e-5 * max(1, abs(b))


def test_sizes_are_arguments(folder):
    prog = sized(folder)
    run = folder / "run"
    p.train(prog, run, "--steps", 20)
    nine = call(prog, run, "nine")["value"]
    for count in (1, 4, 9):
        assert call(prog, run, "grey", "--count", count)["value"] == nine[:count], count
    assert len(call(prog, run, "grey")["value"]) == 4
    text = p.run(prog, "grey", "--count", 2, "--from", run).stdout
    assert len(text.splitlines()) == 2, text
    for k in (-3, -1, 4):  # a size that an argument below 0 is a part of
        wanted = [k + i for i in range(k + 4)]
        assert call(prog, run, "ramp", "--k", k)["steps"] == wanted, k
    assert call(prog, run, "ramp")["steps"] == [-3]
    result = p.run(prog, "ramp", "--from", run, "--k", -4)
    assert result.returncode == 1 and "a whole number from -3 to 4" in result.stderr, result.stderr
    for count in ("0", "10", "-1", "2.5"):
        result = p.run(prog, "grey", "--from", run, "--count", count)
        assert result.returncode == 1 and "from 1 to 9" in result.stderr, result.stderr


def test_what_stands_behind_a_size_is_not_seen(folder):
    prog = sized(folder)
    run = folder / "run"
    p.train(prog, run, "--steps", 1)
    for n, m in ((1, 1), (2, 5), (5, 3), (9, 5)):
        x = [i + 1 for i in range(n)]
        logs = [math.log(n - i) for i in range(n)]
        y = [i + max(logs) for i in range(m)]
        table = [[a * b for b in y] for a in x]
        got = call(prog, run, "sums", "--n", n, "--m", m)
        expected = {
            "total": sum(logs), "mean": sum(x) / n, "low": -n, "high": logs[0], "first": 0,
            "any": n > 8, "all": True, "product": [[sum(a * a for a in x)]], "table": table,
            "turned": [[sum(x[i] * table[i][j] for i in range(n))] for j in range(m)],
            "shares": [(n - i) / sum(x) for i in range(n)], "count": n, "twice": 2 * n - 1}
        assert got.keys() == expected.keys(), got
        for name, value in expected.items():
            assert close(got[name], value), (n, m, name, got[name], value)


def test_sizes_that_would_move_inwards_wait(folder):
    for body, words in (
            ("reshape(zeros([2 * n]), [2, n])", "a reshape that moves a size that a call decides"),
            ("reshape(zeros([2, n]), [2 * n])", "a reshape that moves a size that a call decides"),
            ("flip(zeros([n, 2]), over = 0)", "`flip` along a size that a call decides"),
            ("concat([zeros([n, 2]), zeros([n, 2])], over = 0)", "`concat` along a size")):
        (folder / "prog.dlm").write_text(p.source(data=p.small_data(folder)).replace(
            "  seed      = 1\n", f"  command c(n: int) {{ require n <= 9; {body} }}\n"))
        result = p.run(p.BIN / "dlmc", folder / "prog.dlm", "-o", folder / "prog")
        assert result.returncode == 1 and words in result.stderr, (body, result.stderr)
        assert "cannot be compiled yet" in result.stderr, (body, result.stderr)


TEXTS = """
use nn, optim, data
let text = data.%s
train t {
  let net = nn.Linear(text.vocab, text.vocab)
  data = text
  batch = 4
  fn loss(batch) {
    let x = mean(cast(one_hot(batch.ids, text.vocab), f32), over = 1)
    mse(net(x), mean(cast(one_hot(batch.next, text.vocab), f32), over = 1))
  }
  optimizer = optim.Adam(lr = 1e-2)
  duration = 10 steps

  /// The text itself, by way of its tokens.
  command same(prompt: string = "10 \\"green\\"\\n", times: f32 = 1) -> string {
    let ids = text.encode(prompt)
    require ids.shape[0] <= 12, "a dozen tokens are enough"
    text.decode(cast(times * cast(ids, f32), i32))
  }
  /// How often each token stands in a text.
  command counts(prompt: string) {
    let ids = text.encode(prompt)
    let rows = cast(one_hot(ids, text.vocab), f32)
    (length = ids.shape[0], ids = ids, counts = sum(rows, over = 0), last = max(ids))
  }
}
"""
BOTTLES = "".join(f'{i} "green" bottles.\n' for i in range(40, 9, -1))


def test_texts_come_in_and_go_out(folder):
    (folder / "a.txt").write_text(BOTTLES)
    result = p.run(p.BIN / "dlmc", "pack", folder / "a.txt", "--tokenizer", "chars", "-o",
                   folder / "a.tokens")
    assert result.returncode == 0, result.stderr
    for name, source in (("text", 'text("a.txt", tokenizer = data.chars(), window = 16)'),
                         ("tokens", 'tokens("a.tokens", window = 16)')):
        prog = p.compile_source(folder, TEXTS % source, name)
        run = folder / f"run-{name}"
        p.train(prog, run)
        assert p.run(prog, "same", "--from", run).stdout == '10 "green"\n\n'
        assert call(prog, run, "same", "--prompt", "bottles")["value"] == "bottles"
        assert call(prog, run, "same", "--prompt=")["value"] == ""
        letters = sorted(set(BOTTLES))
        for text in ("bottles", "b", "11 \"green\" bottl"):
            got = call(prog, run, "counts", "--prompt", text)
            assert got["length"] == len(text) and got["counts"] == [
                text.count(c) for c in letters], got
            assert got["ids"] == [letters.index(c) for c in text], got
            assert got["last"] == max(got["ids"]), got
        for flags, words in (
                (["same", "--prompt", "x" * 3], "--prompt: byte 0: the character `x`"),
                (["same", "--prompt", "b\udcff"], "--prompt is not UTF-8: byte 1 is 0xFF"),
                (["same", "--prompt", "b" * 13],
                 "the number of tokens of --prompt has to be <= 12, and this is 13: a dozen"),
                (["counts", "--prompt", "b" * 17],
                 "--prompt has 17 tokens, and `counts` takes up to 16"),
                (["counts"], "`counts` needs --prompt TEXT"),
                (["same", "--times", "1000"], "`value` is no text: it has the id")):
            result = p.run(prog, *flags, "--from", run)
            assert result.returncode == 1 and words in result.stderr, (flags, result.stderr)
        text = p.run(prog, "same", "--help").stdout
        for words in ("--prompt TEXT", "at most 12 tokens", 'default "10 \\"green\\"\\n"'):
            assert words in text, (words, text)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
