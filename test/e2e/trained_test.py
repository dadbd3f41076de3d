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


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
