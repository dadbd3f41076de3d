"""Products of more than two axes: `einsum`, `@` with a batch, attention and the layers made of it.
Values are compared with what Python computes in f64; training has the same bits for any number of
threads and on the emulator."""
import math
import random

import program as p

VALUES = """
let a = reshape(cast(iota(24), f32), [2, 3, 4]) / 10
let b = reshape(cast(iota(40), f32), [2, 4, 5]) / 20 - 1
let m = reshape(cast(iota(12), f32), [4, 3])

fn by_hand(x, y) { stack([x[i] @ y[i] for i in 0..2], over = 0) }

test "matrices side by side" {
  expect a @ b == by_hand(a, b)
  expect einsum(a, b, "n i k, n k j -> n i j") == by_hand(a, b)
  expect einsum(a, b, "n i k, n k j -> n j i")[1] == (a[1] @ b[1]).T
  expect einsum(a, b, "n i k, n k j -> i n j")[:, 1] == a[1] @ b[1]
  expect einsum(a, b, "n i k, n k j -> n i")[0] == einsum(a[0], sum(b[0], over = 1), "i k, k -> i")
  expect close(einsum(a, a, "n i k, n j k -> n i j")[1], a[1] @ a[1].T)
  expect (a @ b[:, :, 0:1]).shape == [2, 3, 1]
}

test "what lacks a batch is the same for all" {
  expect a @ m == stack([a[i] @ m for i in 0..2], over = 0)
  expect (m @ a)[1] == m @ a[1]
  expect einsum(m, a, "k d, n d k -> n") .shape == [2]
  expect close(einsum(m, a, "k d, n d k -> n")[0], sum(m * a[0].T))
  expect einsum(a, m, "n i k, k d -> d i n")[2, 1, 1] == (a[1] @ m)[1, 2]
}

test "products of whole numbers" {
  let i = tensor([[1, -2], [3, 4]])
  expect i @ i == tensor([[-5, -10], [15, 10]])
  expect i.T @ i == tensor([[10, 10], [10, 20]])
  expect einsum(i, i, "a b, a c -> c b")[1, 0] == 10
  expect einsum(stack([i, i + 1], over = 0), i, "n a b, b c -> n c a")[1, 1, 0] == -8
  let bytes = cast(tensor([[200, 100]]), u8)
  expect einsum(bytes, bytes, "a b, c b -> a c") == cast(tensor([[80]]), u8)
}

test "several axes in front, and several summed" {
  let x = reshape(cast(iota(48), f32), [2, 2, 3, 4])
  expect (x @ m)[1, 0] == x[1, 0] @ m
  expect einsum(x, x, "p q i k, p q j k -> p q i j")[0, 1] == x[0, 1] @ x[0, 1].T
  expect einsum(x, x, "p q i k, p r i k -> p q r")[1, 0, 1] == sum(x[1, 0] * x[1, 1])
  expect einsum(x, x, "p q i k, q r i k -> q p r")[1, 0, 1] == sum(x[0, 1] * x[1, 1])
}
"""

ATTENTION = """
option batch_size = 2
let q = reshape(cast(iota(%(q)d), f32) * 0.37, [1, %(heads)d, 3, 4])
fn wave(x, f) { sin(x * f) }

test "values" {
  let (a, k, v) = (wave(q, 1), wave(q[:, :%(groups)d], 2), cos(q[:, :%(groups)d]))
  let seen = attention(a, k, v, causal = true)
  expect close(seen[0], tensor(%(causal)s), 1e-5)
  expect close(attention(a, k, v)[0], tensor(%(whole)s), 1e-5)
}
"""

GPT = """
use nn, optim, data

let text = data.text("a.txt", tokenizer = data.chars(), window = 12, validation = 10%%%%)

model GPT(vocab: int, width: int, heads: int, layers: int, context: int) {
  param tok: f32[vocab, width] = normal(std = 0.02)
  param pos: f32[context, width] = normal(std = 0.02)
  let blocks = [nn.Block(width, heads, causal = true%(more)s) for _ in 0..layers]
  let norm = nn.LayerNorm(width)
  fn forward(ids: i32[B, T]) -> f32[B, T, vocab] {
    require T <= context
    let x = tok[ids] + pos[:T]
    (x |> blocks |> norm) @ tok.T
  }
}

train gpt {
  let net = GPT(text.vocab, 16, heads = 4, layers = 2, context = 12)
  data = text
  batch = 16
  micro = %(micro)s
  fn loss(batch) { cross_entropy(net(batch.ids), batch.next) }
  fn metrics(batch) { (accuracy = mean(argmax(net(batch.ids), over = -1) == batch.next)) }
  optimizer = optim.AdamW(lr = 1e-2)
  duration = %(steps)d steps
  checkpoint { every = 20 steps }
}
"""
TEXT = "".join(f"{i} green bottles hanging on the wall.\n" for i in range(99, 9, -1))


def gpt(more="", micro="auto", steps=60):
    return GPT.replace("%%%%", "%%") % dict(more=more, micro=micro, steps=steps)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def attended(q, k, v, causal):
    """Of one head: lists of lists."""
    rows = []
    for t, query in enumerate(q):
        reach = t + 1 + len(k) - len(q) if causal else len(k)
        scores = [dot(query, key) / math.sqrt(len(query)) for key in k[:reach]]
        weights = [math.exp(s - max(scores)) for s in scores]
        shares = [w / sum(weights) for w in weights]
        rows.append([dot(shares, column) for column in zip(*v[:reach])])
    return rows


def losses(prog, to, *flags):
    return [line["loss"] for line in p.train(prog, to, *flags) if "step" in line]


def test_known_products(folder):
    (folder / "values.dlm").write_text(VALUES)
    result = p.run(p.BIN / "dlmc", "test", folder / "values.dlm")
    assert result.returncode == 0 and "4 passed" in result.stdout, result.stdout + result.stderr


def test_attention_has_the_values_of_its_formula(folder):
    for heads, groups in ((2, 2), (4, 2), (3, 1)):
        flat = [0.37 * i for i in range(heads * 12)]
        head = lambda f, h: [[f(x) for x in flat[12 * h + 4 * t:12 * h + 4 * t + 4]]
                             for t in range(3)]
        every = {}
        for causal in (True, False):
            every[causal] = [attended(head(math.sin, h), head(lambda x: math.sin(2 * x),
                                                              h // (heads // groups)),
                                      head(math.cos, h // (heads // groups)), causal)
                             for h in range(heads)]
        (folder / "a.dlm").write_text(ATTENTION % dict(
            q=heads * 12, heads=heads, groups=groups, causal=every[True], whole=every[False]))
        result = p.run(p.BIN / "dlmc", "test", folder / "a.dlm")
        assert result.returncode == 0, result.stdout + result.stderr


def test_a_small_gpt_learns(folder):
    (folder / "a.txt").write_text(TEXT)
    lines = p.train(p.compile_source(folder, gpt(steps=150)), folder / "run")
    found = [line["loss"] for line in lines if "step" in line]
    final = next(line["final"] for line in lines if "final" in line)
    assert found[0] > 2.5 and max(found[-10:]) < 0.6, (found[0], found[-10:])
    assert final["validation"]["accuracy"] > 0.7, final


def test_char_gpt_begins_to_learn(folder):
    """The quick form of the example: 30 steps on a part of its text."""
    made = p.run("sh", "-c", "bible -f 'Gen1:1-Exo20:1' | sed 's/^[^ ]* //' > kjv.txt", cwd=folder)
    assert made.returncode == 0, made.stderr + "\nthe text is of the package bible-kjv: tools/setup"
    text = (p.ROOT / "examples/char_gpt.dlm").read_text()
    prog = p.compile_source(folder, text, "char_gpt")
    found = losses(prog, folder / "run", "--steps", 30)
    assert len(found) == 30 and found[0] > 3.9 and max(found[-5:]) < 3.3, found


def test_threads_splits_and_the_emulator(folder):
    (folder / "a.txt").write_text(TEXT)
    more = ", kv_heads = 2, rotary = true, drop = 0.1"
    prog = p.compile_source(folder, gpt(more, steps=12))
    one = losses(prog, folder / "one", "--threads", 1)
    assert losses(prog, folder / "two", "--threads", 2) == one and len(one) == 12
    split = losses(p.compile_source(folder, gpt(more, micro=4, steps=12), "split"), folder / "s")
    assert all(abs(a - b) < 2e-3 for a, b in zip(one, split)), (one, split)
    device = p.compile_source(folder, gpt(more, steps=12), "gpu",
                              ("--target=cuda:sm_80", "--emulate"))
    assert losses(device, folder / "gpu-run", "--steps", 2) == one[:2]


def test_products_over_samples(folder):
    """A sum over all samples of products of their fields, in a loss and in metrics."""
    data = p.small_data(folder)
    text = p.source(data=data, duration="3 steps").replace(
        "fn metrics(batch) {",
        "fn product(batch) { einsum(cast(batch.image, f32) / 255, cast(batch.image, f32) / 255,"
        ' "b i j, b i k -> j k") }\n  fn metrics(batch) {').replace(
        "(accuracy = ",
        "(trace = sum(product(batch)) / batch.size, by_hand = mean(sum(sum(cast(batch.image, f32) "
        "/ 255, over = 2) ** 2, over = 1)), accuracy = ")
    final = p.train(p.compile_source(folder, text), folder / "run")[-1]["final"]
    for split in ("validation", "test"):
        trace, expected = final[split]["trace"], final[split]["by_hand"]
        assert abs(trace - expected) < 1e-4 * expected, final


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
