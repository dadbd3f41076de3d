"""Buffers: statistics of the training samples that `data.fit` computes, and values that training
changes by `next`."""
import gzip
import json
import math
import os
import random
import struct

import program as p

HOUSES = """
use nn, optim, data
let houses = data.csv("houses.csv", target = "price", validation = 25%, columns = [
  "area" => data.number(missing = allowed),
  "rooms" => data.number(),
  "price" => data.number(),
])

/// Numbers with mean 0 and deviation 1 over the training samples, 0 where one is missing.
model Standard(columns: data.Columns) {
  buffer centre: f32[columns.numbers] = data.fit(columns, fn(c) {
    mean(c.number, where = c.present)
  })
  buffer spread: f32[columns.numbers] = data.fit(columns, fn(c) {
    std(c.number, where = c.present)
  })
  buffer level: f32[] = data.fit(houses, fn(all) { mean(log(all.target)) })
  buffer known: i64[] = data.fit(houses, fn(all) { count(all.present) })
  fn forward(number: f32[B, N], present: bool[B, N]) -> f32[B, N] {
    where(present, (number - centre) / spread, 0)
  }
}

train prices {
  let standard = Standard(houses.columns)
  let net = nn.MLP([houses.columns.numbers, 16, 1])
  data = houses
  batch = 30
  fn loss(batch) {
    let guess = net(standard(batch.number, batch.present))
    mse(reshape(guess, [batch.size]), log(batch.target) - standard.level)
  }
  optimizer = optim.Adam(lr = 0.02)
  duration = 20 epochs
  seed = 1
  command guess(area: f32, rooms: f32 = 4) -> f32 {
    let x = (where(iota(2) == 0, area, rooms) - standard.centre) / standard.spread
    exp(sum(net(reshape(x, [1, 2]))) + standard.level)
  }
}
"""

RAW = HOUSES.replace("(number - centre) / spread", "number")


def write_houses(path, train=300, other=100, seed=3, other_scale=50):
    """The validation part is of another kind, so that its numbers would be seen in statistics."""
    chance = random.Random(seed)
    rows = []
    for i in range(train + other):
        scale = 1 if i < train else other_scale
        area = scale * chance.uniform(40, 300)
        rooms = chance.randint(1, 9)
        price = math.exp(0.004 * area / scale + 0.1 * rooms + chance.gauss(0, 0.02)) * 50000
        rows.append(["" if chance.random() < 0.2 else f"{area:.3f}", str(rooms), f"{price:.2f}"])
    path.write_text("area,rooms,price\n" + "\n".join(",".join(row) for row in rows) + "\n")
    return rows[:train]


def f32(raw):
    return list(struct.unpack(f"<{len(raw) // 4}f", raw))


def newest(folder):
    return p.tensors(p.checkpoints(folder)[-1])


def statistics(rows, column):
    numbers = [float(row[column]) for row in rows if row[column]]
    mean = sum(numbers) / len(numbers)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in numbers) / len(numbers)), len(numbers)


def close(a, b, tolerance=1e-5):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def test_statistics_are_of_the_training_samples(folder):
    rows = write_houses(folder / "houses.csv")
    prog = p.compile_source(folder, HOUSES)
    p.train(prog, folder / "a", "--steps", "1")
    state = newest(folder / "a")
    for place, column in enumerate((0, 1)):
        mean, deviation, count = statistics(rows, column)
        assert close(f32(state["standard.centre"])[place], mean), state
        assert close(f32(state["standard.spread"])[place], deviation), state
    level = sum(math.log(float(row[2])) for row in rows) / len(rows)
    assert close(f32(state["standard.level"])[0], level)
    known = statistics(rows, 0)[2] + statistics(rows, 1)[2]
    assert struct.unpack("<q", state["standard.known"])[0] == known


def test_standardised_numbers_train_better(folder):
    write_houses(folder / "houses.csv", other_scale=1)
    values = []
    for name, text in (("fitted", HOUSES), ("raw", RAW)):
        prog = p.compile_source(folder, text, name)
        result = p.run(prog, "train", "--json", "--to", folder / "runs" / name)
        assert result.returncode == 0, result.stderr
        values.append(json.loads(result.stdout.splitlines()[-1]))
    losses = [value["final"]["validation"]["loss"] for value in values]
    assert losses[0] < 0.5 * losses[1], losses


def test_runs_go_on_exactly(folder):
    write_houses(folder / "houses.csv")
    prog = p.compile_source(folder, HOUSES)
    p.train(prog, folder / "whole", "--steps", "50")
    p.train(prog, folder / "parts", "--steps", "20")
    p.train(prog, folder / "parts", "--steps", "50", "--resume")
    assert newest(folder / "whole") == newest(folder / "parts")


def test_info_shows_buffers(folder):
    write_houses(folder / "houses.csv")
    prog = p.compile_source(folder, HOUSES)
    text = p.run(prog, "info").stdout
    assert "buffers, which are stored and not trained" in text, text
    line, *_ = [line for line in text.splitlines() if line.startswith("  standard.level")]
    assert "f32[]" in line and "data.fit(houses" in line and "prog.dlm:17" in line, line
    assert line.endswith("from the training samples"), line
    listed = json.loads(p.run(prog, "info", "--json").stdout)["buffer_list"]
    assert [entry["path"] for entry in listed] == [
        "standard.centre", "standard.spread", "standard.level", "standard.known"]


def test_commands_use_buffers(folder):
    write_houses(folder / "houses.csv", other_scale=1)
    prog = p.compile_source(folder, HOUSES)
    p.train(prog, folder / "runs/prices")
    said = p.run(prog, "guess", "--area", "100", "--rooms", "5", "--from", folder / "runs/prices")
    assert said.returncode == 0, said.stderr
    assert close(float(said.stdout), math.exp(0.4 + 0.5) * 50000, 0.2), said.stdout


def test_other_samples_are_noticed(folder):
    path = folder / "houses.csv"
    write_houses(path)
    prog = p.compile_source(folder, HOUSES)
    lines = path.read_text().splitlines()
    changed = lines[:7] + ["777," + lines[7].split(",", 1)[1]] + lines[8:]
    path.write_text("\n".join(changed) + "\n")
    failed = p.run(prog, "train", "--to", folder / "a")
    assert failed.returncode == 1, failed.stdout
    assert "houses.csv: the training samples are not those" in failed.stderr, failed.stderr
    assert "--accept-changes" in failed.stderr, failed.stderr
    p.train(prog, folder / "a", "--steps", "2", "--accept-changes")
    # What belongs to validation has no part in what was fitted, but the file has changed.
    path.write_text("\n".join(lines[:-1] + ["1,1,1"]) + "\n")
    failed = p.run(prog, "train", "--to", folder / "b")
    assert failed.returncode == 1 and "not those" not in failed.stderr, failed.stderr
    assert "data file `houses.csv` had" in failed.stderr, failed.stderr
    p.train(prog, folder / "b", "--steps", "2", "--accept-changes")


def test_what_gives_no_number_is_an_error(folder):
    path = folder / "houses.csv"
    path.write_text("area,rooms,price\n" + "50,3,0\n" * 40)
    (folder / "bad.dlm").write_text(HOUSES)
    checked = p.run(p.BIN / "dlmc", "check", folder / "bad.dlm")
    assert checked.returncode == 0, checked.stderr  # no sample is looked at
    failed = p.run(p.BIN / "dlmc", folder / "bad.dlm")
    assert failed.returncode == 1, failed.stdout
    assert "`data.fit` gives infinity for `standard.level`" in failed.stderr, failed.stderr
    assert "bad.dlm:17:" in failed.stderr, failed.stderr
    write_houses(path)
    bad = HOUSES.replace("mean(c.number, where = c.present)", "mean(log(c.number - 1.5))")
    (folder / "bad.dlm").write_text(bad)
    failed = p.run(p.BIN / "dlmc", folder / "bad.dlm")
    assert "`data.fit` gives NaN for `standard.centre`, in the column \"area\"" in failed.stderr


IMAGES = """
use nn, optim, data
let images = data.idx("%(data)s", validation = 20%%)
model Centre() {
  buffer mean_image: f32[28, 28] = data.fit(images, fn(all) {
    mean(cast(all.image, f32) / 255, over = 0)
  })
  param scale: f32[10] = data.fit(images, fn(all) {
    sum(cast(one_hot(all.label, 10), f32), over = 0)
  })
  buffer running: f32[28] = zeros
  buffer seen: i32[] = 0
  buffer halves: f32[] = 1
  fn forward(image: u8[B, H, W]) -> f32[B, H * W] {
    let x = cast(image, f32) / 255 - mean_image
    next running = 0.5 * running + 0.5 * mean(x, over = (0, 1))
    next seen = seen + 1
    next halves = halves / 2
    reshape(x, [B, H * W])
  }
}
train t {
  let centre = Centre()
  let net = nn.Linear(784, 10)
  data = images
  batch = 48
  micro = %(micro)s
  fn loss(batch) { cross_entropy(net(centre(batch.image)) + 0 * centre.scale, batch.label) }
  fn metrics(batch) { (seen = cast(centre.seen, f32), running = mean(centre.running)) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
  seed = 1
}
"""


def test_buffers_move_by_next(folder):
    data = p.small_data(folder)
    states = {}
    for micro in (48, 16):
        prog = p.compile_source(folder, IMAGES % dict(data=data, micro=micro), f"m{micro}")
        p.train(prog, folder / f"runs/{micro}")
        states[micro] = newest(folder / f"runs/{micro}")
    for state in states.values():
        assert struct.unpack("<i", state["centre.seen"])[0] == 10
        assert f32(state["centre.halves"]) == [2.0 ** -10]
        assert state["centre.mean_image"] == states[48]["centre.mean_image"]
    pairs = zip(f32(states[48]["centre.running"]), f32(states[16]["centre.running"]))
    assert all(abs(a - b) < 1e-5 for a, b in pairs)
    assert any(abs(a) > 1e-4 for a in f32(states[48]["centre.running"]))


def test_moving_buffers_go_on_exactly(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, IMAGES % dict(data=data, micro=16))
    p.train(prog, folder / "whole")
    p.train(prog, folder / "parts", "--steps", "4", "--threads", "1")
    p.train(prog, folder / "parts", "--steps", "10", "--resume", "--threads", "2")
    assert newest(folder / "whole") == newest(folder / "parts")


def test_a_device_has_the_same_buffers(folder):
    data = p.small_data(folder, train_count=200)
    text = IMAGES % dict(data=data, micro=16)
    p.train(p.compile_source(folder, text, "cpu"), folder / "runs/cpu", "--steps", "2")
    device = p.compile_source(folder, text, "gpu", ["--target=cuda", "--emulate"])
    p.train(device, folder / "runs/gpu", "--steps", "2")
    assert newest(folder / "runs/cpu") == newest(folder / "runs/gpu")


def test_deviations_are_metrics(folder):
    data = p.small_data(folder)
    text = p.source(data=data, duration="1 steps").replace(
        "(accuracy = mean(argmax(net(batch.image), over = -1) == batch.label))",
        "(spread = std(cast(batch.image, f32)), "
        "dark = var(cast(batch.image, f32), where = batch.image < cast(50, u8)))")
    lines = p.train(p.compile_source(folder, text), folder / "a")
    metrics = lines[-1]["final"]["validation"]
    images = gzip.decompress((data / "train-images-idx3-ubyte.gz").read_bytes())[16:][950 * 784:]
    for name, pixels in (("spread", images), ("dark", [x for x in images if x < 50])):
        mean = sum(pixels) / len(pixels)
        squares = sum((x - mean) ** 2 for x in pixels) / len(pixels)
        assert close(metrics[name], math.sqrt(squares) if name == "spread" else squares), metrics


def test_other_images_are_noticed(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, IMAGES % dict(data=data, micro=16))
    path = data / "train-images-idx3-ubyte.gz"
    images = bytearray(gzip.decompress(path.read_bytes()))
    images[-1] ^= 1  # of the validation part
    path.write_bytes(gzip.compress(bytes(images)))
    p.train(prog, folder / "a", "--steps", "1", "--accept-changes")
    images[16] ^= 1
    path.write_bytes(gzip.compress(bytes(images)))
    failed = p.run(prog, "train", "--to", folder / "b")
    assert failed.returncode == 1, failed.stdout
    assert f"{data}: the training samples are not those" in failed.stderr, failed.stderr


def test_a_mean_of_images_is_of_the_training_part(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, IMAGES % dict(data=data, micro=16))
    p.train(prog, folder / "a", "--steps", "1")
    state = newest(folder / "a")
    assert f32(state["centre.scale"]) == [80] * 10, "the first 800 of 1,000, a tenth of each class"


BIG = """
use nn, optim, data
let big = data.npy("big.npy")
model Centre() {
  buffer centre: f32[1024] = data.fit(big, fn(all) { mean(cast(all.value, f32), over = 0) })
  fn forward(x: f32[B, 1024]) -> f32[B, 1024] { x - centre }
}
train t {
  let centre = Centre()
  let net = nn.Linear(1024, 1)
  data = big
  batch = 32
  fn loss(batch) { mean(net(centre(cast(batch.value, f32))) ** 2) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 10 steps
}
"""


def test_too_many_samples_are_refused_before_they_are_read(folder):
    path = folder / "big.npy"
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (5000000, 1024), }\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    os.truncate(path, path.stat().st_size + 5000000 * 1024)  # takes no space
    (folder / "big.dlm").write_text(BIG)
    failed = p.run(p.BIN / "dlmc", folder / "big.dlm")
    assert failed.returncode == 1, failed.stdout
    assert "error[not-yet]: `data.fit` cannot be computed yet over so much data" in failed.stderr
    assert "big.dlm:5:" in failed.stderr and "of at most 4096" in failed.stderr, failed.stderr


OPEN = HOUSES.replace("use nn", "option share = 0.5\nuse nn").replace(
    "mean(log(all.target))", "share * mean(log(all.target))")


def test_an_open_option_waits(folder):
    write_houses(folder / "houses.csv")
    (folder / "open.dlm").write_text(OPEN)
    failed = p.run(p.BIN / "dlmc", folder / "open.dlm")
    assert failed.returncode == 1, failed.stdout
    said = "an option in `data.fit` cannot be compiled yet: it is computed before the run"
    assert said in failed.stderr, failed.stderr


NORMED = """
use nn, optim, data
let images = data.idx("%(data)s", validation = 10%%)
train normed {
  let inner = nn.Linear(784, 32)
  let norm = nn.BatchNorm(32, group = 16)
  let outer = nn.Linear(32, 10)
  data = images
  batch = 64
  micro = %(micro)s
  fn logits(batch) {
    outer(relu(norm(inner(reshape(cast(batch.image, f32) / 255, [batch.size, 784])))))
  }
  fn loss(batch) { cross_entropy(logits(batch), batch.label) }
  fn metrics(batch) { (accuracy = accuracy(logits(batch), batch.label)) }
  optimizer = optim.Adam(lr = 3e-3)
  duration = 3 epochs
  seed = 1
}
"""


def test_groups_are_normalised(folder):
    data = p.small_data(folder)
    states = {}
    for micro in (64, 16):
        prog = p.compile_source(folder, NORMED % dict(data=data, micro=micro), f"n{micro}")
        lines = p.train(prog, folder / f"runs/{micro}")
        losses = [line["loss"] for line in lines if "loss" in line]
        assert losses[-1] < 0.6 * losses[0], losses
        states[micro] = newest(folder / f"runs/{micro}")
    means = [f32(state["norm.running_mean"]) for state in states.values()]
    assert all(abs(a - b) < 0.05 for a, b in zip(*means)), means
    assert any(abs(a) > 0.1 for a in means[0]), means


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
