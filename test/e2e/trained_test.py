"""A run that starts from what another run of its file left: `trained`."""
import program as p

SOURCE = """
use nn, optim, data
option width = 16
option lr = 1e-2
let digits = data.idx("%s", validation = 5%%)

model Classifier(width: int) {
  let hidden = nn.Linear(784, width)
  let output = nn.Linear(width, 10)
  buffer seen: i32[] = 0
  fn forward(image: u8[B, H, W]) -> f32[B, 10] {
    next seen = seen + 1
    reshape(cast(image, f32) / 255, [B, 784]) |> hidden |> relu |> output
  }
}

/// What a frozen model says, and a small correction of it.
model Adapted(net: model) {
  param scale: f32[10] = ones
  fn forward(image: u8[B, H, W]) -> f32[B, 10] { net(image) * scale }
}

train base {
  let net = Classifier(width)
  let unused = nn.Linear(3, 3)
  data = digits
  batch = 50
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) + 0 * sum(unused.weight) }
  optimizer = optim.SGD(lr = lr)
  duration = 20 steps
  checkpoint { to = "left/base" }
}

train further {
  let net = trained(base).net
  data = digits
  batch = 50
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  optimizer = optim.SGD(lr = lr)
  duration = 5 steps
}

train adapted {
  let net = Adapted(frozen(trained(base).net))
  data = digits
  batch = 50
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  optimizer = optim.SGD(lr = lr)
  duration = 5 steps
  command ones(scale: f32 = 1) { (said = net(cast(zeros([1, 28, 28]) + scale, u8))) }
}

train third {
  let net = trained(further).net
  data = digits
  batch = 50
  fn loss(batch) { cross_entropy(net(batch.image), batch.label) }
  optimizer = optim.SGD(lr = lr)
  duration = 5 steps
}
"""

# %s: a `let` of the second run, and what its loss calls.
MADE = """
use nn, optim, data
let digits = data.idx("%s", validation = 5%%)
fn flat(image) { reshape(cast(image, f32) / 255, [image.shape[0], 784]) }
train base {
  let net = nn.Linear(784, 10)
  let avg = ema(net, decay = 0.5)
  let first = copy(net)
  data = digits
  batch = 50
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  fn metrics(batch) { (far = mean(abs(avg(flat(batch.image)) - first(flat(batch.image))))) }
  optimizer = optim.SGD(lr = 1e-2)
  duration = 5 steps
}
train next_run {
  let old = trained(base)
  let net = %s
  data = digits
  batch = 50
  fn loss(batch) { cross_entropy(net(flat(batch.image)), batch.label) }
  fn metrics(batch) { (far = mean(%s(flat(batch.image)))) }
  optimizer = optim.SGD(lr = 1e-2)
  duration = 5 steps
}
"""


def compiled(folder, train, *flags):
    return p.run(p.BIN / "dlmc", folder / "prog.dlm", "--train", train, "-o", folder / train,
                 *flags)


def left(folder):
    return p.tensors(p.checkpoints(folder)[-1])


def test_what_a_run_left(folder):
    (folder / "prog.dlm").write_text(SOURCE % p.small_data(folder))
    result = p.run(p.BIN / "dlmc", "check", folder / "prog.dlm")
    assert result.returncode == 0, result.stderr
    result = compiled(folder, "further")
    assert result.returncode == 1, result.stderr
    for words in ("there is nothing that the run `base` left", "left/base", "train it first",
                  "--train base"):
        assert words in result.stderr, (words, result.stderr)
    assert compiled(folder, "base").returncode == 0
    result = p.run(folder / "base", "train")
    assert result.returncode == 0, result.stderr
    base = left(folder / "left/base")
    assert "net.hidden.weight" in base, base.keys()

    result = compiled(folder, "further")
    assert result.returncode == 0, result.stderr
    p.train(folder / "further", folder / "same", "--lr", 1e-30)
    same = left(folder / "same")
    names = {n for n in base if n.startswith("net.")}
    assert {n for n in same if n.startswith("base.")} == {"base." + n for n in names}, same.keys()
    for name in names - {"net.seen"}:
        assert same["base." + name] == base[name], name
    count = [int.from_bytes(x, "little") for x in (base["net.seen"], same["base.net.seen"])]
    assert count == [20, 25], count
    p.train(folder / "further", folder / "other")
    other = left(folder / "other")
    assert other["base.net.output.bias"] != base["net.output.bias"]

    result = compiled(folder, "adapted")
    assert result.returncode == 0, result.stderr
    p.train(folder / "adapted", folder / "adapted-run")
    adapted = left(folder / "adapted-run")
    for name in names:
        assert adapted["base." + name] == base[name], name
    assert adapted["net.scale"] != b"\0\0\x80?" * 10, adapted["net.scale"]
    # the executable carries what it starts from
    for path in (folder / "left/base").iterdir():
        path.unlink()
    p.train(folder / "adapted", folder / "again")
    assert left(folder / "again") == adapted
    assert compiled(folder, "adapted").returncode == 1


def test_what_is_of_another_program(folder):
    (folder / "prog.dlm").write_text(SOURCE % p.small_data(folder))
    assert compiled(folder, "base", "-D", "width=8").returncode == 0
    assert p.run(folder / "base", "train").returncode == 0
    result = compiled(folder, "further")
    assert result.returncode == 1, result.stderr
    for words in ("the checkpoint of `base` has no `f32[784, 16]` of the name `net.hidden.weight`",
                  "with the same options"):
        assert words in result.stderr, (words, result.stderr)
    assert compiled(folder, "further", "-D", "width=8").returncode == 0


def test_three_stages(folder):
    """Each run starts from the one it names, and what that one started from is passed by."""
    (folder / "prog.dlm").write_text(SOURCE % p.small_data(folder))
    paths = {"base": "net", "further": "base.net", "third": "further.base.net"}
    made = {}
    for name, path in paths.items():
        result = compiled(folder, name)
        assert result.returncode == 0, result.stderr
        assert p.run(folder / name, "train").returncode == 0
        to = folder / ("left/base" if name == "base" else f"runs/{name}")
        names = {n for n in left(to) if n.startswith(path + ".")}
        made[name] = {n[len(path) + 1:]: left(to)[n] for n in names}
        assert set(made[name]) >= {"hidden.weight", "output.bias", "seen"}, left(to).keys()
    counts = [int.from_bytes(made[name]["seen"], "little") for name in paths]
    assert counts == [20, 25, 30], counts
    p.train(folder / "third", folder / "same", "--lr", 1e-30)
    same = left(folder / "same")
    for name in ("hidden.weight", "output.bias"):
        assert same["further.base.net." + name] == made["further"][name], name
        assert made["further"][name] != made["base"][name], name


def test_a_file_where_the_first_run_started(folder):
    """What a run read of a file is behind it when another goes on from it."""
    source = SOURCE % p.small_data(folder)
    (folder / "prog.dlm").write_text(source)
    assert compiled(folder, "base").returncode == 0
    assert p.run(folder / "base", "train").returncode == 0
    first = p.checkpoints(folder / "left/base")[-1]
    (folder / "old.safetensors").write_bytes(first.read_bytes())
    (folder / "prog.dlm").write_text(source.replace(
        "let net = Classifier(width)",
        'let net = weights(Classifier(width), "old.safetensors", names = ["" => "net"])'))
    assert compiled(folder, "base").returncode == 0
    for path in (folder / "left/base").iterdir():
        path.unlink()
    assert p.run(folder / "base", "train").returncode == 0
    (folder / "old.safetensors").unlink()
    result = compiled(folder, "further")
    assert result.returncode == 0, result.stderr
    p.train(folder / "further", folder / "same", "--lr", 1e-30)
    name = "net.hidden.weight"
    assert left(folder / "same")["base." + name] == left(folder / "left/base")[name]


def test_damaged_checkpoints(folder):
    source = SOURCE % p.small_data(folder)
    source = source.replace('to = "left/base"', 'to = "left/base"; every = 10 steps; keep = 2')
    (folder / "prog.dlm").write_text(source)
    assert compiled(folder, "base").returncode == 0
    assert p.run(folder / "base", "train").returncode == 0
    older, newer = p.checkpoints(folder / "left/base")
    newer.write_bytes(newer.read_bytes()[:-7])
    result = compiled(folder, "further")
    assert result.returncode == 0, result.stderr
    for words in ("warning[weight-file]", "a checkpoint is passed over", newer.name,
                  "trained(base)"):
        assert words in result.stderr, (words, result.stderr)
    p.train(folder / "further", folder / "same", "--lr", 1e-30)
    name = "net.hidden.weight"
    assert left(folder / "same")["base." + name] == p.tensors(older)[name]
    older.write_bytes(b"")
    result = compiled(folder, "further")
    assert result.returncode == 1, result.stderr
    for words in ("what the run `base` left cannot be used: none of the 2 checkpoints",
                  newer.name, older.name, "train it again"):
        assert words in result.stderr, (words, result.stderr)
    assert "there is nothing" not in result.stderr, result.stderr


def test_what_a_run_made_of_its_models(folder):
    """A copy and an average of another run are refused, and never its model in their place."""
    data = p.small_data(folder)
    for net, other, words in (
            ("nn.Linear(784, 10)", "old.avg", "error[not-yet]: what the run `base` made by `ema`"),
            ("nn.Linear(784, 10)", "old.first",
             "error[not-yet]: what the run `base` made by `copy`"),
            ("old.avg", "net", "what the run `base` made by `ema` is not trained: go on with the "
                               "model it is made of, `trained(base).net`"),
            ("old.net", "net", ""), ("old.net", "ema(net, decay = 0.5)", "")):
        (folder / "prog.dlm").write_text(MADE % (data, net, other))
        if not (folder / "runs/base").exists():
            result = compiled(folder, "base")
            assert result.returncode == 0, result.stderr
            assert p.run(folder / "base", "train").returncode == 0
        result = compiled(folder, "next_run")
        assert result.returncode == (1 if words else 0), (net, other, result.stderr)
        assert words in result.stderr, (words, result.stderr)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
