"""Random numbers in a loss and in metrics: they follow from seed, step, place and sample, and from
nothing else. What is drawn is computed here once more, in Python."""
import struct

import program as p

DRAWN = """
use nn, optim, data, random
let fashion = data.idx("%(data)s", validation = 5%%)
model Small(classes: int, rate: f32) {
  let hidden = nn.Linear(784, 32)
  let drop = nn.Dropout(rate)
  let output = nn.Linear(32, classes)
  fn forward(image: u8[B, H, W]) -> f32[B, classes] {
    output(drop(relu(hidden(reshape(cast(image, f32) / 255, [B, 784])))))
  }
}
train small {
  let net = Small(fashion.classes, rate = %(rate)s)
  data = fashion
  batch = 64
  micro = %(micro)s
  fn loss(batch) {
    let drawn = random.uniform([batch.size, 3])
    let whole = random.int(-2, 5, [batch.size])
    (main = cross_entropy(net(batch.image), batch.label),
     drawn = 0 * mean(net.output.bias) + mean(drawn[:, 1]),
     turned = mean(random.uniform([3, batch.size])[1]),
     whole = mean(cast(whole, f32)),
     number = mean(cast(iota(batch.size), f32)))
  }
  fn metrics(batch) {
    (noise = mean(random.uniform([batch.size])),
     kept = mean(dropout(ones([batch.size, 4]), 0.5)),
     low = min(random.int(-2, 5, [batch.size])),
     high = max(random.int(-2, 5, [batch.size])),
     first = min(iota(batch.size)),
     last = max(iota(batch.size)))
  }
  optimizer = optim.AdamW(lr = 1e-3)
  duration = 2 epochs
  seed = 7
  evaluate { every = 1 epochs }
  checkpoint { every = 10 steps }
}
"""


def drawn(data, micro="auto", rate=0.25):
    return DRAWN % dict(data=data, micro=micro, rate=rate)


def philox(counter, key):
    low, mask = list(counter), 0xFFFFFFFF
    for _ in range(10):
        a, b = 0xD2511F53 * low[0], 0xCD9E8D57 * low[2]
        low = [(b >> 32) ^ low[1] ^ key[0], b & mask, (a >> 32) ^ low[3] ^ key[1], a & mask]
        key = [(key[0] + 0x9E3779B9) & mask, (key[1] + 0xBB67AE85) & mask]
    return low


def site(path):
    value = 2166136261
    for byte in path.encode():
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def uniform(path, attempt, index, seed=7):
    block = philox([index // 4, 0, attempt, site(path)], [seed, 0])
    return (block[index % 4] >> 8) * 2.0 ** -24


def steps(prog, to, *flags):
    return [line for line in p.train(prog, to, *flags) if "step" in line]


def final_bits(prog, to, *flags):
    p.train(prog, to, *flags)
    return p.tensors(p.checkpoints(to)[-1])


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def test_a_step_draws_what_the_formula_says(folder):
    data = p.small_data(folder)
    for micro in ("auto", 16, 8):
        prog = p.compile_source(folder, drawn(data, micro), f"micro{micro}")
        for attempt, line in enumerate(steps(prog, folder / f"m{micro}", "--steps", 3)):
            expected = {
                "drawn": mean(uniform("loss#0", attempt, 3 * row + 1) for row in range(64)),
                "turned": mean(uniform("loss#2", attempt, 3 * row + 1) for row in range(64)),
                "whole": mean(int(7 * uniform("loss#1", attempt, row)) - 2 for row in range(64)),
                "number": 31.5}
            for name, value in expected.items():
                assert abs(line[name] - value) < 2e-6 * max(1, value), (micro, attempt, name, line)


def test_dropout_drops_the_same_however_the_batch_is_cut(folder):
    data = p.small_data(folder)
    found = {}
    for micro in ("auto", 16):
        prog = p.compile_source(folder, drawn(data, micro), f"micro{micro}")
        found[micro] = [line["main"] for line in steps(prog, folder / f"m{micro}", "--steps", 8)]
    assert all(abs(a - b) < 1e-4 for a, b in zip(found["auto"], found[16])), found
    plain = p.compile_source(folder, drawn(data, rate=0), "plain")
    undropped = [line["main"] for line in steps(plain, folder / "undropped", "--steps", 8)]
    assert abs(undropped[0] - found[16][0]) > 1e-4, (undropped, found)


def test_bits_depend_on_the_seed_and_not_on_threads_or_stops(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, drawn(data, 16))
    whole = final_bits(prog, folder / "whole", "--steps", 20, "--threads", 1)
    assert final_bits(prog, folder / "two", "--steps", 20, "--threads", 2) == whole
    final_bits(prog, folder / "cut", "--steps", 10)
    assert final_bits(prog, folder / "cut", "--steps", 20, "--resume") == whole
    assert final_bits(prog, folder / "other", "--steps", 20, "--seed", 8) != whole


def test_evaluations_draw_the_same_each_time(folder):
    data = p.small_data(folder, test_count=2500) # more than one batch of an evaluation
    lines = p.train(p.compile_source(folder, drawn(data)), folder / "a")
    found = [line["validation"] for line in lines if "validation" in line and "final" not in line]
    final = next(line["final"] for line in lines if "final" in line)
    assert found, lines
    never = 2 ** 32 - 1
    for count, values in [(50, one) for one in found] + [(50, final["validation"]),
                                                         (2500, final["test"])]:
        expected = mean(uniform("metrics#0", never, row) for row in range(count))
        assert abs(values["noise"] - expected) < 1e-5, (values, expected)
        assert values["kept"] == 1, values # nothing is dropped
        assert (values["low"], values["high"]) == (-2, 4), values
        assert (values["first"], values["last"]) == (0, count - 1), values


def test_the_emulator_draws_the_same(folder):
    text = drawn(p.small_data(folder), 16)
    cpu = steps(p.compile_source(folder, text, "cpu"), folder / "cpu-run", "--steps", 3)
    gpu = p.compile_source(folder, text, "gpu", ("--target=cuda:sm_80", "--emulate"))
    found = steps(gpu, folder / "gpu-run", "--steps", 3)
    for name in ("loss", "main", "drawn", "turned", "whole"):
        assert [line[name] for line in cpu] == [line[name] for line in found], name


RULE = """
use nn, optim, data
let fashion = data.idx("%(data)s", validation = 5%%)
optimizer Drawn(lr) for p: f32[...] {
  state start: f32[...] = random.uniform(p.shape)
  state last: f32[...] = 0
  fn update(g: f32[...]) -> f32[...] {
    next last = random.uniform(p.shape)
    p - lr * g
  }
}
train small {
  let net = nn.Linear(784, fashion.classes)
  data = fashion
  batch = 64
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 784])), batch.label)
  }
  fn predict(batch) { (row = iota(batch.size), noise = random.uniform([batch.size, 2])) }
  optimizer = Drawn(lr = 1e-3)
  duration = 3 steps
  seed = 7
}
"""


def floats(raw):
    return [x[0] for x in struct.iter_unpack("<f", raw)]


def test_a_rule_draws_for_each_parameter_and_step(folder):
    prog = p.compile_source(folder, RULE % dict(data=p.small_data(folder)))
    for steps in (1, 3):
        found = final_bits(prog, folder / f"runs{steps}", "--steps", steps)
        for name in ("weight", "bias"):
            path = "net." + name
            last, start = (floats(found[f"opt.{state}.{path}"]) for state in ("last", "start"))
            for index in (0, 5, len(last) - 1):
                assert last[index] == uniform(f"update#0/{path}", steps - 1, index), (path, index)
                assert start[index] == uniform(f"state.start#0/{path}", 0, index), (path, index)


def test_a_prediction_draws_for_each_row(folder):
    prog = p.compile_source(folder, RULE % dict(data=p.small_data(folder, 3000)))
    p.train(prog, folder / "run")
    result = p.run(prog, "predict", "--from", folder / "run", "--split", "train")
    assert result.returncode == 0, result.stderr
    rows = [line.split(",") for line in result.stdout.splitlines()[1:]]
    assert len(rows) > 2000, len(rows)
    for number, (row, first, second) in enumerate(rows):
        assert int(row) == number, (row, number)
        for column, found in enumerate((first, second)):
            expected = uniform("command.predict#0", 0xFFFFFFFF, 2 * number + column)
            assert abs(float(found) - expected) < 1e-6, (number, column, found, expected)


GROUPS = """
use nn, optim, data
let fashion = data.idx("%(data)s", validation = 5%%)
train small {
  let net = nn.Linear(784, fashion.classes)
  data = fashion
  batch = 64
  micro = %(micro)s
  fn loss(batch) {
    let x = net(reshape(cast(batch.image, f32) / 255, [batch.size, 784]))
    let main = cross_entropy(x, batch.label)
    if training {
      let groups = rearrange(x, "(g n) c -> g n c", n = 8)
      let count = groups.shape[0]
      (main = main, drawn = mean(random.uniform([count, 3])[:, 1]) + 0 * mean(groups),
       number = mean(cast(iota(count), f32)))
    } else {
      (main = main, drawn = main, number = main)
    }
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 steps
  seed = 7
}
"""


def test_groups_of_samples_are_numbered_across_micro_batches(folder):
    data = p.small_data(folder)
    for micro in ("auto", 32, 8):
        prog = p.compile_source(folder, GROUPS % dict(data=data, micro=micro), f"groups{micro}")
        for attempt, line in enumerate(steps(prog, folder / f"g{micro}")):
            drawn = mean(uniform("loss#0", attempt, 3 * group + 1) for group in range(8))
            assert abs(line["drawn"] - drawn) < 2e-6, (micro, line)
            assert line["number"] == 3.5, (micro, line)


FITTED = """
use nn, optim, data
let fashion = data.idx("%(data)s", validation = 5%%)
model Net() {
  let layer = nn.Linear(784, fashion.classes)
  buffer noise: f32[3] = data.fit(fashion, fn(d) {
    random.uniform([3]) + 0 * mean(cast(d.label, f32))
  })
  fn forward(x) { layer(x) + 0 * mean(noise) }
}
train small {
  let net = Net()
  data = fashion
  batch = 64
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 784])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 1 steps
  seed = 7
}
"""


def test_what_is_fitted_draws_by_the_seed_of_the_program(folder):
    prog = p.compile_source(folder, FITTED % dict(data=p.small_data(folder)))
    for flags in ((), ("--seed", 8)):
        noise = floats(final_bits(prog, folder / f"runs{len(flags)}", *flags)["net.noise"])
        assert noise == [uniform("fit.net.noise#0", 0, index) for index in range(3)], noise


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
