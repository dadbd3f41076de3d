"""The bundle of `tools/gpu-check`: made, looked at, moved elsewhere and run on the emulated GPU."""
import json
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import program as p  # noqa: E402

BUNDLE = pathlib.Path(__file__).with_name("bundle.py")
LIBRARIES = {"linux-vdso.so.1", "libc.so.6", "libm.so.6", "/lib64/ld-linux-x86-64.so.2"}


def make_bundle(folder):
    """Makes the bundle and moves it, so that nothing can refer to where it was made."""
    result = p.run(sys.executable, BUNDLE, "--bin", p.BIN, "--out", folder / "made")
    assert result.returncode == 0, result.stdout + result.stderr
    return pathlib.Path(shutil.move(folder / "made", folder / "bundle"))


def check(folder, bundle, *flags, expect, **environment):
    """Runs dlm-gpu-check; returns what it printed and what it wrote."""
    report = folder / "report.json"
    result = p.run(bundle / "dlm-gpu-check", "--json", report, *flags, cwd=folder,
                   env={**os.environ, **environment})
    assert result.returncode == expect, (result.returncode, result.stdout, result.stderr)
    return result.stdout, json.loads(report.read_text())


def spoil(cases):
    """Changes some numbers of a file of cases."""
    raw = bytearray(cases.read_bytes())
    for place in range(len(raw) // 3 & ~3, len(raw), len(raw) // 40 & ~3):
        raw[place + 3] ^= 0x40
    cases.write_bytes(raw)


def expect_small_and_alone(bundle):
    size = sum(f.stat().st_size for f in bundle.rglob("*") if f.is_file())
    assert size < 64 << 20, size
    for program in [bundle / "dlm-gpu-check", *bundle.glob("*.cuda"), *bundle.glob("*.cpu")]:
        listed = p.run("ldd", program).stdout
        needed = {line.split()[0] for line in listed.splitlines() if line.strip()}
        assert needed <= LIBRARIES, (program, listed)


def expect_agreement(report):
    assert report["version"] == 1 and report["verdict"] == "agrees", report
    assert report["emulated"] and report["driver"] and report["device"]["architecture"] == "sm_80"
    example, = report["examples"]
    assert example["name"] == "fashion_mlp" and example["image"] == "emulator", example
    assert len(example["kernels"]) >= 25, len(example["kernels"])
    for kernel in example["kernels"]:
        assert kernel["agrees"] and kernel["cases"] >= 1, kernel
        assert kernel["unlike_emulator"] == kernel["unlike_reference"] == 0, kernel
        assert kernel["max_relative"] <= 1e-3, kernel
    training = example["training"]
    assert training["agrees"] and training["steps"] == 3, training
    assert training["equal_reports"] == training["reports"] >= 3, training
    assert training["tensors"] > 10 and not training["unequal_tensors"], training
    times = example["times"]
    assert times["step"]["steps"] >= 1 and times["instructions"], times
    for time in times["instructions"]:
        assert time["bytes"] > 0 and time["name"], time


def test_the_bundle_runs_alone(folder):
    bundle = make_bundle(folder)
    expect_small_and_alone(bundle)
    text, report = check(folder, bundle, "--emulate", "--steps", 3, expect=0)
    assert "verdict: agrees" in text, text
    expect_agreement(report)
    text, report = check(folder, bundle, expect=2, DLM_CUDA_LIB_PATH=str(folder / "nothing"))
    assert "no GPU: " in text and "--emulate" in text, text
    assert report["verdict"] == "not run" and report["failure"], report
    spoil(bundle / "fashion_mlp.cases")
    text, report = check(folder, bundle, "--emulate", "--only", "kernels", expect=1)
    assert report["verdict"] == "differs", report


if __name__ == "__main__":
    p.main(p.tests_of(sys.modules[__name__]))
