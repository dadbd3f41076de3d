"""Time per training step of examples/fashion_mlp.dlm against PyTorch eager, in the same run.

    DLM_BIN=build/release/bin python3 test/bench/step_time.py [ROUNDS] [PYTHON]

A program's step is (time of 1,200 steps - time of 200 steps) / 1,000, so that start-up, the data
and the evaluation drop out; PyTorch (run with PYTHON, default /usr/bin/python3) reports the median
of its own steps. The two take turns; the medians over the rounds and their ratio are printed.
"""
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import program as p  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def seconds(program, steps, threads, folder):
    start = time.perf_counter()
    p.train(program, folder / f"run-{steps}-{threads}-{start}", "--steps", steps, "--threads",
            threads)
    return time.perf_counter() - start


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    python = sys.argv[2] if len(sys.argv) > 2 else "/usr/bin/python3"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = folder / "fashion_mlp"
        built = p.run(p.BIN / "dlmc", p.ROOT / "examples/fashion_mlp.dlm", "-o", program)
        assert built.returncode == 0, built.stderr
        for threads in (1, 2):
            ours, theirs = [], []
            for _ in range(rounds):
                long, short = (seconds(program, n, threads, folder) for n in (1200, 200))
                ours.append((long - short) * 1e3 / 1000)
                peer = p.run(python, HERE / "torch_mlp.py", threads, 100, 400)
                theirs.append(float(peer.stdout) if peer.returncode == 0 else float("nan"))
            mine, other = statistics.median(ours), statistics.median(theirs)
            print(f"threads {threads}: dlm {mine:.2f} ms, torch {other:.2f} ms, "
                  f"torch / dlm {other / mine:.2f}")


main()
