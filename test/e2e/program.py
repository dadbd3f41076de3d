"""What the end-to-end tests share: compiling a program, running it, reading what it prints."""
import gzip
import json
import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("DLM_BIN", ROOT / "build/release/bin"))
FASHION = "/usr/share/datasets/fashion-mnist"

SOURCE = """
use nn, optim, data
option width = 32
option lr = 1e-3
option batch_size = %(batch)s
let fashion = data.idx("%(data)s", validation = 5%%)
model Classifier(inputs: int, width: int, classes: int) {
  let hidden = nn.Linear(inputs, width)
  let output = nn.Linear(width, classes)
  fn forward(image: u8[B, H, W]) -> f32[B, classes] {
    let x = reshape(cast(image, f32) / 255, [B, inputs])
    x |> hidden |> relu |> output
  }
}
train small {
  let net = Classifier(28 * 28, width, fashion.classes)
  data  = fashion
  batch = batch_size
  micro = %(micro)s
  fn loss(batch)    { cross_entropy(net(batch.image), batch.label) }
  fn metrics(batch) { (accuracy = mean(argmax(net(batch.image), over = -1) == batch.label)) }
  optimizer = optim.AdamW(lr = lr)
  duration  = %(duration)s
  seed      = 1
  evaluate { every = 1 epochs }
  checkpoint { every = %(every)s }
}
"""


def source(batch=64, micro="auto", duration="1 epochs", every="50 steps", data=FASHION):
    return SOURCE % dict(batch=batch, micro=micro, duration=duration, every=every, data=data)


def run(*command, timeout=300, **options):
    """Runs a command to its end; the result has returncode, stdout and stderr as text."""
    return subprocess.run([str(c) for c in command], text=True, capture_output=True,
                          timeout=timeout, stdin=subprocess.DEVNULL, **options)


def compile_source(folder, text, name="prog", flags=()):
    """Compiles a program given as text; returns the path of the executable."""
    folder = pathlib.Path(folder)
    path = folder / f"{name}.dlm"
    path.write_text(text)
    result = run(BIN / "dlmc", path, "-o", folder / name, *flags)
    assert result.returncode == 0, result.stderr
    return folder / name


def train(program, to, *flags, expect=0, **options):
    """Trains with --json, into a folder or, with None, that of the program; returns the objects
    printed."""
    place = ["--to", to] if to else []
    result = run(program, "train", "--json", *place, *flags, **options)
    assert result.returncode == expect, (result.returncode, result.stdout[-500:], result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()]


def checkpoints(folder):
    return sorted(pathlib.Path(folder).glob("*.safetensors"))


def tensors(path):
    """The tensors of a safetensors file as raw bytes by name, without the metadata."""
    raw = path.read_bytes()
    size, = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    data = raw[8 + size:]
    return {n: data[slice(*t["data_offsets"])] for n, t in header.items()}


def write_idx(folder, prefix, count, side=28, classes=10, squeeze=True):
    """Writes a small labelled data set in the IDX format: class c is a bright row c."""
    folder = pathlib.Path(folder)
    folder.mkdir(exist_ok=True)
    images = bytearray()
    labels = bytearray()
    for i in range(count):
        c = i * 7 % classes
        image = bytearray((i * 31 + p * 17) % 50 for p in range(side * side))
        image[c * side:(c + 1) * side] = bytes([200 + i % 50]) * side
        images += image
        labels.append(c)
    files = {
        f"{prefix}-images-idx3-ubyte": struct.pack(">IIII", 0x803, count, side, side) + images,
        f"{prefix}-labels-idx1-ubyte": struct.pack(">II", 0x801, count) + labels,
    }
    for name, content in files.items():
        if squeeze:
            (folder / f"{name}.gz").write_bytes(gzip.compress(bytes(content)))
        else:
            (folder / name).write_bytes(bytes(content))
    return folder


def small_data(folder, train_count=1000, test_count=100):
    folder = pathlib.Path(folder) / "data"
    write_idx(folder, "train", train_count)
    write_idx(folder, "t10k", test_count)
    return folder


def main(tests):
    """Runs every function of `tests` in a folder of its own and prints what gtest would."""
    failed = []
    wanted = sys.argv[1:]
    for name, test in tests.items():
        if wanted and name not in wanted:
            continue
        print(f"[ RUN      ] {name}", flush=True)
        try:
            with tempfile.TemporaryDirectory(prefix="dlm-e2e-") as folder:
                test(pathlib.Path(folder))
            print(f"[       OK ] {name}", flush=True)
        except Exception:
            import traceback
            traceback.print_exc(file=sys.stdout)
            failed.append(name)
            print(f"[     FAIL ] {name}", flush=True)
    passed = len([n for n in tests if not wanted or n in wanted]) - len(failed)
    print(f"[  PASSED  ] {passed} tests")
    if failed:
        print(f"[  FAILED  ] {len(failed)} tests: {' '.join(failed)}")
    sys.exit(1 if failed else 0)


def tests_of(module):
    """The functions of a module whose names begin with `test_`, in the order written."""
    return {n[5:]: f for n, f in vars(module).items() if n.startswith("test_")}


__all__ = [n for n in dir() if not n.startswith("_")] + ["signal"]
