"""Trains every program of examples/ as it is and looks whether it reaches what its header promises.

    tools/test --examples [NAME...]    all of them, or those named: some minutes each

Prints a table of what was expected, what was reached, and the time; exit status 1 if something was
not reached or failed. Programs and their checkpoints lie in build/examples afterwards.
"""
import os
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test/e2e"))
import example as x  # noqa: E402: the path above leads to it
import program as p  # noqa: E402

ROW = "{:<14} {:<34} {:>14}  {:<8} {:>9}"


def trained(example, folder):
    """The lines that a whole run prints, and the seconds of compiling and of training, to which
    those of the runs before belong."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    example.make_data(folder, quick=False)
    compiling, running = example.flags(example.full)
    start = time.monotonic()
    example.train_before(folder, example.text, example.full)
    before = time.monotonic() - start
    program = p.compile_source(folder, example.text, example.name, compiling)
    compiled = time.monotonic() - start - before
    lines = p.train(program, folder / "run", *running, timeout=None)
    return lines, compiled, time.monotonic() - start - compiled


def minutes(seconds):
    return f"{seconds / 60:.0f} min {seconds % 60:.0f} s" if seconds >= 60 else f"{seconds:.1f} s"


def report(example, folder):
    """Runs an example and prints a row for each promise; whether all were kept."""
    try:
        lines, compiled, seconds = trained(example, folder)
    except x.NoData as reason:
        print(ROW.format(example.name, "its data", "not there", "left out", ""), f" {reason}")
        return not os.environ.get("CI")
    except AssertionError as error:
        print(ROW.format(example.name, "a run", "failed", "FAILED", ""), f" {error}")
        return False
    kept = True
    for i, limit in enumerate(example.limits):
        value = limit.value(lines, compiled)
        holds = value is not None and limit.holds(value)
        kept = kept and holds
        print(ROW.format(example.name if i == 0 else "", limit.text,
                         "nothing" if value is None else f"{value:.6g}",
                         "ok" if holds else "FAILED", minutes(seconds) if i == 0 else ""),
              flush=True)
    return kept


def main():
    wanted = sys.argv[1:]
    found = [e for e in x.examples() if not wanted or e.name in wanted]
    unknown = set(wanted) - {e.name for e in found}
    if unknown:
        sys.exit(f"error: no examples are called {', '.join(sorted(unknown))}: "
                 f"there are {', '.join(e.name for e in x.examples())}")
    print(ROW.format("example", "expected", "reached", "", "training"))
    results = [report(e, p.ROOT / "build/examples" / e.name) for e in found]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


main()
