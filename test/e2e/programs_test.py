"""The programs that the design of the language was made with (test/sema/library): each trains for
three steps, on small data that is made up.

`LATER` lists what of them this compiler leaves out, as `dlmc check` names it, with the lines that
are cut for it. Where something of it begins to be compiled the test fails: its row goes then.
`SMALLER` makes sizes small that a test has no time for.
"""
import random
import re
import struct
import zlib

import program as p

LIBRARY = p.ROOT / "test/sema/library"

# What `dlmc check` says is not compiled yet: the pattern that is cut from the program.
LATER = {
    "the setting `precision`": r"^ *precision .*\n",
    "the setting `memory.budget`": r"^ *memory .*\n",
    "the setting `parallel.shard`": r"^ *parallel *\{[^}]*\}\n",
    "the setting `parallel.tensor`": r"^ *parallel *\{[^}]*\}\n",
    "the setting `parallel.split`": r"^ *parallel *\{[^}]*\}\n",
    "the setting `guard.spike`": r"; spike = \w+\(sigma = 6\)",
    "the setting `report.tensorboard`": r"^ *report .*\n",
    "the setting `report.prometheus`": r"^ *report .*\n",
    "the setting `report.mlflow`": r"^ *report .*\n",
    "the search `lr_sweep`": r"^search (?s:.*?)^}\n",
    "the export `char_gpt_int8`": r"^export .*\n",
    "the export `vit_ema`": r"^export .*\n",
}

SMALLER = {
    "char_gpt": {"option width   = 128": "option width   = 16", "= 128 ": "= 16 "},
    "houses": {"batch = 256": "batch = 32"},
    "llama": {
        "tensor = 8": "tensor = 2",
        "window = 4096": "window = 32",
        "batch = 512": "batch = 4",
        "width = 2048, heads = 32, kv_heads = 8, hidden = 5632, layers = 22":
            "width = 16, heads = 4, kv_heads = 2, hidden = 24, layers = 2",
    },
    "muon": {
        "batch = 512": "batch = 4",
        "width = 768, heads = 12, kv_heads = 12, hidden = 2048, layers = 12":
            "width = 16, heads = 2, kv_heads = 2, hidden = 24, layers = 2",
    },
    "lstm_lm": {"option width = 512": "option width = 16"},
    "resnet18": {"224": "32", "256": "40", "batch = 40": "batch = 32"},
    "vae": {},
    "vit": {
        "size = 224": "size = 32",
        "width = 384": "width = 24",
        "depth = 12": "depth = 2",
        "heads = 6": "heads = 2",
        "batch = 1024": "batch = 8",
    },
    "wgan_gp": {},
    "batch_norm": {},
}

# Commands that are called after training.
CALLS = {
    "char_gpt": ["sample", "--prompt", "the fox", "--limit", 8],
    "llama": ["sample", "--prompt", "the fox", "--max_tokens", 8, "--top_k", 3],
}

# What the programs lack that are modules only.
TRAINED = {
    "batch_norm": """
use nn, optim, data
let digits = data.idx("mnist")
train normalised {
  let norm = BatchNorm(1)
  let fit = nn.Linear(784, digits.classes)
  data = digits
  batch = 32
  fn loss(batch) {
    let x = norm(cast(batch.image, f32)[..., new])
    cross_entropy(fit(reshape(x, [batch.size, 784])), batch.label)
  }
  optimizer = optim.SGD(lr = 0.1)
  duration = 3 steps
}
""",
}


def png(side, shade):
    """A square picture with a gradient in three colours."""
    rows = b"".join(b"\0" + bytes((shade * 40 + x * 5 + y * 3 * c) % 256
                                  for x in range(side) for c in range(3)) for y in range(side))

    def chunk(kind, body):
        size, check = (struct.pack(">I", n) for n in (len(body), zlib.crc32(kind + body)))
        return size + kind + body + check
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) +
            chunk(b"IEND", b""))


def photos(folder, parts):
    for part in parts:
        for label in ("cat", "dog"):
            place = folder / part / label
            place.mkdir(parents=True)
            for i in range(40 if "train" in part else 6):
                (place / f"{i}.png").write_bytes(png(40, i + (7 if label == "dog" else 0)))


def words(count, seed):
    """Text of a few words."""
    draw = random.Random(seed)
    vocabulary = "the quick brown fox sees a lazy dog run and why N".split()
    return "".join(draw.choice(vocabulary) + draw.choice([" ", " ", " ", "\n"])
                   for _ in range(count))


def make_data(folder):
    """Small files under the names that the programs use."""
    mnist = folder / "mnist"
    p.write_idx(mnist, "train", 300)
    p.write_idx(mnist, "t10k", 60)
    photos(folder, ("imagenet/train", "imagenet/val", "in1k/train", "in1k/val"))
    (folder / "shakespeare.txt").write_text(words(2000, 1))
    (folder / "ptb.train.txt").write_text(words(6000, 2))
    (folder / "ptb.valid.txt").write_text(words(2000, 3))
    (folder / "corpus").mkdir()
    result = p.run(p.BIN / "dlmc", "pack", folder / "shakespeare.txt", "--tokenizer", "words",
                   "--end", "N", "-o", folder / "corpus/part.bin")
    assert result.returncode == 0, result.stderr
    draw = random.Random(4)
    rows = ["area,rooms,zip,price"]
    for i in range(400):
        area = "" if i % 11 == 0 else draw.randrange(40, 200)
        rows.append(f"{area},{draw.randrange(1, 7)},{i % 7},{draw.randrange(1, 9) * 100000}")
    (folder / "houses.csv").write_text("\n".join(rows) + "\n")


def program_text(name):
    text = (LIBRARY / f"{name}.dlm").read_text() + TRAINED.get(name, "")
    for large, small in SMALLER[name].items():
        assert large in text, f"{name}.dlm has no `{large}`"
        text = text.replace(large, small)
    return text


def said_not_yet(path):
    """What `dlmc check` says of a program that cannot be compiled yet."""
    result = p.run(p.BIN / "dlmc", "check", path)
    assert result.returncode == 0, result.stderr
    return set(re.findall(r"warning\[not-yet\]: (.*?) cannot be compiled yet", result.stderr))


def trains(name):
    def test(folder):
        make_data(folder)
        for module in ("llama",):  # which another program uses
            (folder / f"{module}.dlm").write_text(program_text(module))
        path = folder / f"{name}.dlm"
        path.write_text(program_text(name))
        missing = said_not_yet(path)
        unknown = missing - set(LATER)
        assert not unknown, f"{name}.dlm: no line of LATER cuts {sorted(unknown)}"
        for file in (path, folder / "llama.dlm"):
            text = file.read_text()
            for what in missing:
                text = re.sub(LATER[what], "", text, flags=re.M)
            file.write_text(text)
        assert not said_not_yet(path), said_not_yet(path)
        built = p.run(p.BIN / "dlmc", path, "-o", folder / name)
        assert built.returncode == 0, built.stderr
        lines = p.train(folder / name, folder / "run", "--steps", 3)
        losses = [line["loss"] for line in lines if "attempt" in line]
        assert len(losses) == 3 and all(abs(loss) < 1e6 for loss in losses), losses
        if name in CALLS:
            said = p.run(folder / name, *CALLS[name], "--from", folder / "run")
            assert said.returncode == 0 and said.stdout.strip(), (said.stdout, said.stderr)
    return test


def test_each_program_is_run(folder):
    found = {path.stem for path in LIBRARY.glob("*.dlm")} - {"layers", "images"}  # lists of layers
    assert found == set(SMALLER), found ^ set(SMALLER)


def test_what_is_cut_is_said_somewhere(folder):
    """A row of LATER that no program needs any more is taken out."""
    make_data(folder)
    said = set()
    for name in SMALLER:
        (folder / f"{name}.dlm").write_text(program_text(name))
    for name in SMALLER:
        said |= said_not_yet(folder / f"{name}.dlm")
    idle = set(LATER) - said
    assert not idle, f"all programs compile with these, so they go from LATER: {sorted(idle)}"


if __name__ == "__main__":
    tests = p.tests_of(p.sys.modules[__name__]) | {name: trains(name) for name in SMALLER}
    p.main(tests)
