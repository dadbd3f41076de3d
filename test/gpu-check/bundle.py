"""Puts together the folder that `tools/gpu-check` makes. See README.md.

    python3 test/gpu-check/bundle.py --bin BUILD/bin --out DIR [EXAMPLE...]
"""
import argparse
import gzip
import pathlib
import re
import shutil
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE_MAX = 64 << 20
TRAIN_SAMPLES, TEST_SAMPLES = 6400, 640
DATA = re.compile(r'let\s+(\w+)\s*=\s*data\.idx\("([^"]+)"')

README = """\
Checks and times compiled DLM programs on this machine's GPU. Nothing needs to be installed but the
driver (CUDA 12 or newer). The machine must be x86-64 with AVX2, its C library glibc 2.35 or newer
(Debian 12, Ubuntu 22.04).

    ./dlm-gpu-check                        everything: a summary here, all in gpu-check.json
    ./dlm-gpu-check --emulate --steps 5    the same on the processor, to see that it works
    ./dlm-gpu-check --help                 the flags

Exit status: 0 if every bit agrees, 1 if not, 2 if there is no GPU. It takes about a minute.

With the tools of a CUDA toolkit:

    compute-sanitizer --tool memcheck --error-exitcode 3 ./dlm-gpu-check --only kernels
    compute-sanitizer --tool racecheck --error-exitcode 3 ./dlm-gpu-check --only kernels
    compute-sanitizer --tool synccheck --error-exitcode 3 ./dlm-gpu-check --only kernels

NAME.cuda and NAME.cpu are ordinary programs: ./NAME.cuda --help
"""


def run(*command):
    result = subprocess.run([str(c) for c in command], text=True, capture_output=True)
    if result.returncode:
        sys.exit(f"{' '.join(str(c) for c in command)}\n{result.stdout}{result.stderr}")
    sys.stdout.write(result.stdout)


def read_idx(folder, name):
    """The sizes and the bytes of an IDX file of bytes, squeezed or not."""
    path = folder / name
    raw = path.read_bytes() if path.exists() else gzip.decompress(
        (folder / f"{name}.gz").read_bytes())
    dims = raw[3]
    return list(struct.unpack(f">{dims}I", raw[4:4 + 4 * dims])), raw[4 + 4 * dims:]


def make_subset(source, target):
    """The first samples of a labelled data set: the bundle must stay small."""
    target.mkdir(parents=True)
    for prefix, count in [("train", TRAIN_SAMPLES), ("t10k", TEST_SAMPLES)]:
        for name in (f"{prefix}-images-idx3-ubyte", f"{prefix}-labels-idx1-ubyte"):
            sizes, data = read_idx(source, name)
            stride = len(data) // sizes[0]
            sizes[0] = min(count, sizes[0])
            head = bytes([0, 0, 8, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes)
            (target / f"{name}.gz").write_bytes(
                gzip.compress(head + data[:stride * sizes[0]], mtime=0))


def add_example(source, tools, out):
    """Compiles an example for the GPU and the processor, on data of the bundle's own."""
    text = source.read_text()
    for name, path in DATA.findall(text):
        if not (out / "data" / name).exists():
            make_subset(pathlib.Path(path), out / "data" / name)
        text = text.replace(f'"{path}"', f'"{out / "data" / name}"')
    copy = out / source.name
    copy.write_text(text)
    name = out / source.stem
    run(tools / "dlmc", copy, "-o", f"{name}.cuda", "--target=cuda", "--emulate")
    if b".dlm.device.sm_" not in pathlib.Path(f"{name}.cuda").read_bytes():
        sys.exit("without an assembler no GPU could be tested: tools/setup --cuda installs one")
    run(tools / "dlmc", copy, "-o", f"{name}.cpu", "--cpu=x86-64-v3")
    run(tools / "dlm-gpu-cases", copy, f"{name}.cases")
    copy.unlink()


def strip(path):
    tool = shutil.which("llvm-strip-22") or shutil.which("llvm-strip") or shutil.which("strip")
    if tool:
        run(tool, path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("examples", nargs="*", default=["fashion_mlp"])
    arguments = parser.parse_args()
    tools, out = arguments.bin.resolve(), arguments.out.resolve()
    if out.exists() and not (out / "dlm-gpu-check").exists() and any(out.iterdir()):
        sys.exit(f"{out} holds other files; name an empty folder with --out")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    shutil.copy(tools / "dlm-gpu-check", out)
    (out / "README.txt").write_text(README)
    for example in arguments.examples:
        add_example(ROOT / "examples" / f"{example}.dlm", tools, out)
    for path in [out / "dlm-gpu-check", *out.glob("*.cuda"), *out.glob("*.cpu")]:
        strip(path)
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    if size >= SIZE_MAX:
        sys.exit(f"{out} holds {size} bytes, and {SIZE_MAX} are too many to carry")
    print(f"{out}: {size / 2**20:.1f} MiB")


main()
