"""`recompute`: what is computed again for gradients has the same bits, and takes less memory."""
import json
import struct

import program as p

SOURCE = """
use nn, optim, data
let fashion = data.idx("%(data)s", validation = 10%%)
model Net() {
  let first = nn.Linear(784, 48)
  let blocks = [nn.MLP([48, 192, 192, 48]) for _ in 0..8]
  let drop = nn.Dropout(0.2)
  let last = nn.Linear(48, fashion.classes)
  let listed = recompute(blocks)
  fn one(block, x) { x + drop(tanh(block(x))) }
  fn forward(image: u8[B, 28, 28]) -> f32[B, 10] {
    let x = first(reshape(cast(image, f32) / 255, [B, 784]))
    last(%(body)s)
  }
}
train t {
  let net = Net()
  data = fashion
  batch = 768
  micro = 768
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) { (accuracy = accuracy(net(batch.image), batch.label)) }
  optimizer = optim.Adam(lr = 1e-3)
  duration = 4 steps
  seed = 3
}
"""

PLAIN = "fold(x, blocks, fn(x, block) { one(block, x) })"
EACH = "fold(x, blocks, fn(x, block) { recompute(fn(x) { one(block, x) })(x) })"
NESTED = ("fold(x, blocks, fn(x, block) { "
          "recompute(fn(x) { recompute(fn(y) { one(block, y) })(x) })(x) })")
WHOLE = "recompute(fn(x) { fold(x, blocks, fn(x, block) { one(block, x) }) })(x)"


def compiled(folder, name, body):
    data = folder / "data"
    if not data.exists():
        p.small_data(folder, 1024, 100)
    return p.compile_source(folder, SOURCE % dict(data=data, body=body), name)


def bits(folder, prog, name, *flags):
    p.train(prog, folder / name, *flags)
    return p.tensors(p.checkpoints(folder / name)[-1])


def transient(prog):
    """The bytes of what a step keeps on the way."""
    result = p.run(prog, "info", "--json")
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)["memory"]
    return next(row["bytes"] for row in rows if row["what"] == "intermediate values")


def test_the_bits_stay_and_the_memory_falls(folder):
    plain = compiled(folder, "plain", PLAIN)
    expected, needed = bits(folder, plain, "runs-plain"), transient(plain)
    found = {}
    for name, body in dict(each=EACH, nested=NESTED, whole=WHOLE).items():
        prog = compiled(folder, name, body)
        for threads in (1, 2):
            again = bits(folder, prog, f"runs-{name}{threads}", "--threads", threads)
            assert again == expected, name
        found[name] = transient(prog)
    assert found["each"] < 0.75 * needed, (found, needed)
    assert found["nested"] == found["each"], found
    assert found["each"] < found["whole"] <= 1.2 * needed, (found, needed)


def test_a_list_is_recomputed_one_by_one(folder):
    listed = compiled(folder, "listed", "x |> listed")
    plain = compiled(folder, "unlisted", "x |> blocks")
    assert bits(folder, listed, "runs-listed") == bits(folder, plain, "runs-unlisted")
    assert transient(listed) < 0.75 * transient(plain), (transient(listed), transient(plain))


def test_equal_calls_of_one_value_stay_two(folder):
    """Without `recompute` they are one: forward the bits are the same, and gradients, which are
    added up before it or behind both, agree to rounding."""
    runs = []
    for name, call in (("once", "blocks[0](x)"), ("twice", "recompute(blocks[0])(x)")):
        prog = compiled(folder, name, f"tanh({call}) + {call}")
        events = p.train(prog, folder / f"runs-{name}")
        weights = p.tensors(p.checkpoints(folder / f"runs-{name}")[-1])["net.first.weight"]
        runs.append((next(line["loss"] for line in events if "loss" in line),
                     struct.unpack(f"<{len(weights) // 4}f", weights)))
    (loss, one), (same, two) = runs
    assert loss == same, (loss, same)
    assert sum(abs(x - y) for x, y in zip(one, two)) / len(one) < 1e-5


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
