"""The bundle of `tools/gpu-check`: made, looked at, moved elsewhere and run on the emulated GPU."""
import json
import os
import pathlib
import shutil
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
import program as p  # noqa: E402

BUNDLE = pathlib.Path(__file__).with_name("bundle.py")
STAND_IN = p.BIN.resolve().parent / "test/bin/DlmStandInDriver.so"
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


def section(path, name):
    """The bytes of a section of an ELF file."""
    raw = path.read_bytes()
    table, = struct.unpack_from("<Q", raw, 0x28)
    size, count, names = struct.unpack_from("<3H", raw, 0x3a)
    heads = [struct.unpack_from("<IIQQQQ", raw, table + i * size) for i in range(count)]
    for head in heads:
        begin = heads[names][4] + head[0]
        if raw[begin:raw.index(0, begin)] == name.encode():
            return raw[head[4]:head[4] + head[5]]
    raise KeyError(name)


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


def expect_agreement(report, emulated, image):
    assert report["version"] == 1 and report["verdict"] == "agrees", report
    assert report["emulated"] == emulated and report["device"]["architecture"] == "sm_80", report
    example, = report["examples"]
    assert example["name"] == "fashion_mlp" and example["image"] == image, example
    assert len(example["kernels"]) >= 25 and not example["findings"], example
    for kernel in example["kernels"]:
        assert kernel["agrees"] and kernel["cases"] >= 1, kernel
        assert kernel["unlike_emulator"] == kernel["unlike_reference"] == 0, kernel
        assert kernel["max_relative"] <= 1e-3, kernel
    assert example["trace"]["agrees"] and example["trace"]["instructions"] > 40, example["trace"]
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
    expect_agreement(report, True, "emulator")

    # Without a driver.
    text, report = check(folder, bundle, expect=2, DLM_CUDA_LIB_PATH=str(folder / "nothing"))
    assert "no GPU: " in text and "--emulate" in text, text
    assert report["verdict"] == "not run" and report["failure"], report

    # With a driver, as far as anything can tell.
    image = folder / "image"
    image.write_bytes(section(bundle / "fashion_mlp.cuda", ".dlm.device.emulator"))
    driver = dict(DLM_CUDA_LIB_PATH=str(STAND_IN), DLM_STAND_IN_IMAGE=str(image))
    text, report = check(folder, bundle, "--quick", "--steps", 3, expect=0, **driver)
    expect_agreement(report, False, "sm_80")
    assert report["driver"] == str(STAND_IN), report

    # With a device that makes mistakes.
    broken = dict(driver, DLM_STAND_IN_FAULT="1")
    text, report = check(folder, bundle, "--only", "kernels", expect=1, **broken)
    example, = report["examples"]
    assert report["verdict"] == "differs" and "DIFFER" in text, text
    assert not all(kernel["agrees"] for kernel in example["kernels"]), example
    assert example["trace"]["first_fault"].startswith("init, instruction 0"), example
    text, report = check(folder, bundle, "--only", "training", "--steps", 3, expect=1, **broken)
    assert report["verdict"] == "differs", report

    spoil(bundle / "fashion_mlp.cases")
    text, report = check(folder, bundle, "--only", "kernels", expect=1, **driver)
    assert report["verdict"] == "differs", report


if __name__ == "__main__":
    p.main(p.tests_of(sys.modules[__name__]))
