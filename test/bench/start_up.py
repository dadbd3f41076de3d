"""Seconds from the start of a compiled program to its first step, with the gzipped data.

    DLM_BIN=build/release/bin python3 test/bench/start_up.py [ROUNDS]

What it is made of: inflating the training images takes nearly all of it, so the time that gzip
needs for the same file is measured in the same run.
"""
import gzip
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import program as p  # noqa: E402


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    first, inflate = [], []
    with tempfile.TemporaryDirectory() as folder:
        prog = pathlib.Path(folder) / "fashion_mlp"
        built = p.run(p.BIN / "dlmc", p.ROOT / "examples/fashion_mlp.dlm", "-o", prog)
        assert built.returncode == 0, built.stderr
        for i in range(rounds):
            start = time.perf_counter()
            run = subprocess.Popen([prog, "train", "--json", "--steps", "2", "--to",
                                    f"{folder}/{i}"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
            run.stdout.readline()
            first.append(time.perf_counter() - start)
            run.communicate()
            start = time.perf_counter()
            with gzip.open(f"{p.FASHION}/train-images-idx3-ubyte.gz") as images:
                images.read()
            inflate.append(time.perf_counter() - start)
    print(f"first step after {statistics.median(first):.3f} s "
          f"(gzip alone: {statistics.median(inflate):.3f} s)")


main()
