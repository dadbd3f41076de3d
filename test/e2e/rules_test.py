"""Which parameters a step changes, by which rule, and from where they start: `fn optimizer(p)`,
rules that look at a parameter as a whole, `frozen`, `copy`, `ema` and `weights`."""
import json
import struct

import program as p

SOURCE = """
use nn, optim, data
let digits = data.idx("%(data)s", validation = 10%%)

/// Its states are of other shapes than the parameter, and the first starts from it.
optimizer Rows(lr) for p: f32[M, N] {
  state start: f32[M] = sum(p, over = -1)
  state count: i32[] = 0
  fn update(g: f32[M, N]) -> f32[M, N] {
    next count = count + 1
    p - lr * g / (1 + norm(g))
  }
}

model Net(width: int) {
  let body = nn.Linear(784, width)
  let head = nn.Linear(width, 10)
  fn forward(image: u8[B, 28, 28]) -> f32[B, 10] {
    reshape(cast(image, f32) / 255, [B, 784]) |> body |> relu |> head
  }
}

train small {
  %(lets)s
  data = digits
  batch = 32
  %(settings)s
  fn loss(batch) { %(loss)s }
  fn metrics(batch) { %(metrics)s }
  %(optimizer)s
  duration = 24 steps
  seed = 1
  evaluate { every = 8 steps }
  checkpoint { every = 8 steps; keep = 9 }
}
"""
LOSS = "cross_entropy(net(batch.image), batch.label)"


def compiled(folder, optimizer, name="prog", lets="let net = Net(16)", settings="", loss=LOSS,
             metrics="(accuracy = accuracy(net(batch.image), batch.label))"):
    data = folder / "data"
    if not data.exists():
        p.small_data(folder, 400, 100)
    text = SOURCE % dict(data=data, lets=lets, optimizer=optimizer, loss=loss, settings=settings,
                         metrics=metrics)
    return p.compile_source(folder, text, name)


def trained(folder, program, name, *flags):
    events = p.train(program, folder / name, *flags)
    return [p.tensors(path) for path in p.checkpoints(folder / name)], events


def newest(folder):
    return p.tensors(p.checkpoints(folder / "runs")[-1])


def f32(raw):
    return [x[0] for x in struct.iter_unpack("<f", raw)]


def rounded(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def moved(before, after, name):
    return f32(before[name]) != f32(after[name])


def without_moments(tensors):
    return {name: raw for name, raw in tensors.items() if not name.startswith("opt.")}


def test_two_rules_are_each_what_one_is_alone(folder):
    """With one rate for matrices and none for biases, biases stay and the loss falls."""
    two = compiled(folder, """
  fn optimizer(p) { if p.rank == 2 { optim.SGD(lr = 0.5, momentum = 0.9) } else { none } }""",
                   "two")
    steps, events = trained(folder, two, "runs-two")
    assert moved(steps[0], steps[-1], "net.body.weight")
    assert not moved(steps[0], steps[-1], "net.body.bias")
    assert set(n for n in steps[0] if n.startswith("opt.")) == {
        "opt.velocity.net.body.weight", "opt.velocity.net.head.weight"}
    losses = [e["loss"] for e in events if "loss" in e]
    assert losses[-1] < 0.7 * losses[0], losses
    # Both rules are the same, told apart by a number that does nothing to a parameter of zeros:
    # the bits are those of one rule for all.
    one = compiled(folder, "optimizer = optim.SGD(lr = 0.5)", "one")
    split = compiled(folder, """
  fn optimizer(p) { optim.SGD(lr = 0.5, momentum = if p.rank == 2 { 0.0 } else { 0.5 }) }""",
                     "split")
    a, _ = trained(folder, one, "runs-one", "--steps", "1")
    b, _ = trained(folder, split, "runs-split", "--steps", "1")
    assert without_moments(a[-1]) == without_moments(b[-1]), "the first step has no velocity yet"


def test_rules_of_whole_parameters_train_and_resume_exactly(folder):
    rules = {
        "muon": "fn optimizer(p) { if p.rank == 2 { optim.Muon(lr = 0.02) } "
                "else { optim.Adam(lr = 0.01) } }",
        "adafactor": "fn optimizer(p) { if p.rank == 2 { optim.Adafactor(lr = 0.02) } "
                     "else { optim.Adam(lr = 0.01) } }",
        "rows": "fn optimizer(p) { if p.rank == 2 { Rows(lr = 1.0) } "
                "else { optim.Adam(lr = 0.01) } }",
    }
    for name, optimizer in rules.items():
        program = compiled(folder, optimizer, name, settings="clip_norm = 1.0")
        steps, events = trained(folder, program, f"runs-{name}")
        losses = [e["loss"] for e in events if "loss" in e]
        assert losses[-1] < 0.7 * losses[0], (name, losses)
        p.train(program, folder / f"cut-{name}", "--steps", "16", "--threads", "1")
        p.train(program, folder / f"cut-{name}", "--resume", "--steps", "24", "--threads", "2")
        assert p.tensors(p.checkpoints(folder / f"cut-{name}")[-1]) == steps[-1], name
        if name == "rows":
            for part, size in (("body", 784), ("head", 16)):
                assert struct.unpack("<i", steps[-1][f"opt.count.net.{part}.weight"]) == (24,)
                assert len(f32(steps[0][f"opt.start.net.{part}.weight"])) == size


def test_clip_norm_is_of_all_rules_together(folder):
    still = "fn optimizer(p) { optim.SGD(lr = if p.rank == 2 { 1e-30 } else { 2e-30 }) }"
    free = "fn optimizer(p) { optim.SGD(lr = if p.rank == 2 { 1.0 } else { 2.0 }) }"
    before, _ = trained(folder, compiled(folder, still, "still"), "still-runs", "--steps", "1")
    program = compiled(folder, free, "free")
    moved_free, events = trained(folder, program, "free-runs", "--steps", "1")
    names = [n for n in before[-1] if n.startswith("net.")]
    rate = {n: 1.0 if n.endswith("weight") else 2.0 for n in names}
    gradient = {n: [(a - b) / rate[n] for a, b in zip(f32(before[-1][n]), f32(moved_free[-1][n]))]
                for n in names}
    norm = sum(g * g for n in names for g in gradient[n]) ** 0.5
    told = [e["grad_norm"] for e in events if "grad_norm" in e][0]
    assert abs(told - norm) < 1e-3 * norm, (told, norm)
    limit = round(norm / 4, 3)
    clipped = compiled(folder, free, "clipped", settings=f"clip_norm = {limit}")
    after, _ = trained(folder, clipped, "clipped-runs", "--steps", "1")
    for n in names:
        for a, g, b in zip(f32(before[-1][n]), gradient[n], f32(after[-1][n])):
            assert abs(a - rate[n] * g * limit / norm - b) < 1e-6, (n, a, g, b)


def test_scalars_are_not_mixed_by_a_rule_that_reduces(folder):
    """`norm` of a scalar is its size; of a row of scalars it would be another number."""
    data = p.small_data(folder, 40, 10)
    program = p.compile_source(folder, """
use data
let digits = data.idx("%s")
optimizer Unit(lr) for p: f32[...] {
  fn update(g: f32[...]) -> f32[...] { p - lr * g / norm(g) }
}
model Line() {
  param slope: f32[] = ones
  param offset: f32[] = ones
  fn forward(x: f32[B]) -> f32[B] { 3 * slope * x + offset }
}
train line {
  let net = Line()
  data = digits
  batch = 10
  fn loss(batch) { mean(net(cast(batch.label, f32))) }
  optimizer = Unit(lr = 0.25)
  duration = 1 steps
}
""" % data)
    p.train(program, folder / "runs")
    last = p.tensors(p.checkpoints(folder / "runs")[-1])
    assert f32(last["net.slope"]) == [0.75] and f32(last["net.offset"]) == [0.75], last


def test_a_state_starts_from_the_parameter(folder):
    program = compiled(folder, "fn optimizer(p) { if p.rank == 2 { Rows(lr = 1e-30) } "
                               "else { none } }")
    steps, _ = trained(folder, program, "runs")
    weight = f32(steps[-1]["net.head.weight"])
    for row, start in enumerate(f32(steps[-1]["opt.start.net.head.weight"])):
        assert abs(start - sum(weight[row * 10:row * 10 + 10])) < 1e-5


def test_what_is_frozen_never_changes(folder):
    program = compiled(folder, "optimizer = optim.Adam(lr = 0.01)",
                       lets="let fixed = frozen(nn.Linear(784, 16))\n  let net = nn.Linear(16, 10)",
                       loss="cross_entropy(net(relu(fixed(reshape(cast(batch.image, f32) / 255, "
                            "[batch.size, 784])))), batch.label)", metrics="()")
    steps, events = trained(folder, program, "runs")
    assert not moved(steps[0], steps[-1], "fixed.weight") and any(f32(steps[0]["fixed.weight"]))
    assert moved(steps[0], steps[-1], "net.weight")
    assert not [n for n in steps[0] if n.startswith("opt.") and "fixed" in n]
    losses = [e["loss"] for e in events if "loss" in e]
    assert losses[-1] < losses[0]


def test_a_copy_is_the_start_and_an_average_follows(folder):
    program = compiled(
        folder, "optimizer = optim.SGD(lr = 0.1)",
        lets="let net = Net(16)\n  let start = copy(net)",
        loss=f"(fit = {LOSS}, near = 1e-3 * sum((net.head.weight - start.head.weight) ** 2))",
        metrics="(slow = accuracy(ema(net, decay = 0.75)(batch.image), batch.label))")
    p.train(program, folder / "runs", "--steps", "1")
    first = p.tensors(p.checkpoints(folder / "runs")[-1])
    slow = "ema(net, decay = 0.75).head.weight"
    # After one step: a quarter of the way from the start to where the parameter is.
    for start, now, average in zip(f32(first["start.head.weight"]), f32(first["net.head.weight"]),
                                   f32(first[slow])):
        way = rounded(rounded(now - start) * 0.25)
        assert average == rounded(start + way), (start, now, average)
    p.train(program, folder / "runs", "--steps", "2", "--resume")
    second = p.tensors(p.checkpoints(folder / "runs")[-1])
    assert second["start.head.weight"] == first["start.head.weight"]
    for before, now, average in zip(f32(first[slow]), f32(second["net.head.weight"]),
                                    f32(second[slow])):
        assert average == rounded(before + rounded(rounded(now - before) * 0.25))


def test_averages_follow_every_kind_of_rule_and_buffers(folder):
    program = compiled(
        folder, "fn optimizer(p) { if p.rank == 2 { optim.Muon(lr = 0.1) } else { none } }",
        lets="let net = Net(16)\n  let norm = nn.BatchNorm(10)",
        loss="cross_entropy(norm(net(batch.image)), batch.label)",
        metrics="(slow = accuracy(ema(norm, decay = 0.5)(ema(net, decay = 0.5)(batch.image)), "
                "batch.label))")
    p.train(program, folder / "runs", "--steps", "1")
    start = newest(folder)
    p.train(program, folder / "runs", "--steps", "2", "--resume")
    after = newest(folder)
    checked = [n for n in after if n.startswith("ema(")]
    for name in checked:
        of = name.replace("ema(net, decay = 0.5)", "net").replace("ema(norm, decay = 0.5)", "norm")
        for before, now, average in zip(f32(start[name]), f32(after[of]), f32(after[name])):
            assert average == rounded(before + rounded(rounded(now - before) * 0.5)), (name, of)
    assert any("running_mean" in n for n in checked) and any("head.weight" in n for n in checked)
    assert any("head.bias" in n for n in checked), checked


def write_safetensors(path, entries):
    """Writes a file of (name, dtype, shape, bytes)."""
    header, data = {}, b""
    for name, dtype, shape, raw in entries:
        header[name] = {"dtype": dtype, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def test_weights_start_a_model_from_a_file(folder):
    none = "fn optimizer(p) { if p.rank == 2 { optim.SGD(lr = 1e-30) } else { none } }"
    teacher = compiled(folder, "optimizer = optim.Adam(lr = 0.01)", "teacher")
    steps, _ = trained(folder, teacher, "runs")
    # A checkpoint has the model below its name in that run.
    (folder / "old.safetensors").write_bytes(p.checkpoints(folder / "runs")[-1].read_bytes())
    student = compiled(folder, none, "student", lets=
                       'let net = weights(Net(16), "old.safetensors", names = ["" => "net"])')
    (folder / "old.safetensors").unlink()  # the executable carries what it needs
    started, _ = trained(folder, student, "student-runs", "--steps", "1")
    told = p.run(student, "info", "--json").stdout
    assert json.loads(told)["fitted"] == [], "weights are of a file, and no statistics"
    for name in ("net.body.weight", "net.body.bias", "net.head.weight", "net.head.bias"):
        assert started[-1][name] == steps[-1][name], name
    # Elements of 16 bits, and a matrix that lies transposed.
    weight = [x / 8 for x in range(160)]
    turned = [weight[row * 10 + column] for column in range(10) for row in range(16)]
    write_safetensors(folder / "half.safetensors", [
        ("out.w", "BF16", [10, 16], b"".join(struct.pack("<f", x)[2:] for x in turned)),
        ("out.b", "F16", [10], struct.pack("<10e", *weight[:10])),
        ("body.weight", "F32", [784, 16], bytes(784 * 16 * 4)),
        ("body.bias", "F32", [16], bytes(64))])
    text = 'let net = weights(Net(16), "half.safetensors", names = [%s])'
    half = compiled(folder, none, "half", lets=text %
                    '"head.weight" => transpose("out.w"), "head.bias" => "out.b"')
    started, _ = trained(folder, half, "half-runs", "--steps", "1")
    assert f32(started[-1]["net.head.weight"]) == weight
    assert f32(started[-1]["net.head.bias"]) == weight[:10]


def test_weights_that_do_not_fit_are_named(folder):
    p.small_data(folder, 40, 10)
    write_safetensors(folder / "f.safetensors", [
        ("m.body.weight", "F32", [784, 16], bytes(784 * 16 * 4)),
        ("m.body.bias", "F32", [16], bytes(64)),
        ("m.head.weight", "F32", [10, 16], bytes(640)), ("m.head.bias", "F64", [10], bytes(80))])
    (folder / "cut.safetensors").write_bytes((folder / "f.safetensors").read_bytes()[:100])
    (folder / "short.safetensors").write_bytes((folder / "f.safetensors").read_bytes()[:-1])
    cases = [
        ('"f.safetensors"', ["no tensor `body.weight`", "none for 3 others",
                             'names = ["" => "m"]']),
        ('"f.safetensors", names = ["" => "m"]', [
            "`head.weight` is `f32[16, 10]`, and `m.head.weight` in the file is F32 [10, 16]",
            'names = ["head.weight" => transpose("m.head.weight")]',
            "`m.head.bias` in the file is F64 [10]"]),
        ('"f.safetensors", names = ["" => "m", "body.wieght" => "m.body.weight"]', [
            "the model has no `body.wieght`"]),
        ('"gone.safetensors"', ["gone.safetensors", "No such file",
                                "relative to the program's file"]),
        ('"cut.safetensors"', ["not a safetensors file, or cut off"]),
        ('"short.safetensors"', ["`m.head.bias`: bytes"]),
        ('"data"', ["Is a directory"])]
    for number, (arguments, said) in enumerate(cases):
        path = folder / f"c{number}.dlm"
        path.write_text(SOURCE % dict(data=folder / "data", settings="", loss=LOSS, metrics="()",
                                      lets=f"let net = weights(Net(16), {arguments})",
                                      optimizer="optimizer = optim.SGD(lr = 1)"))
        for command in (["check", path], [path, "-o", folder / "x"]):
            result = p.run(p.BIN / "dlmc", *command)
            assert result.returncode == 1, (arguments, result.stderr)
            assert "error[weight-file]" in result.stderr, (arguments, result.stderr)
            for text in said:
                assert text in result.stderr, (arguments, text, result.stderr)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
