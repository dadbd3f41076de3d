"""Stopping dlmc after a phase, dumping all of them, and telling how long each took."""
import program as p

PHASES = {  # what a print of the phase must hold
    "ast": "train", "typed": "batch_reduce", "lower": "train.run", "expand": "dlm.program",
    "simplify": "dlm.matmul", "pin": "#dlm.tree<lanes = 128, chunk = 2048>",
    "fuse": "kernel.launch", "place": "plan.", "plan": "grad", "llvm": "masked",
}


def written(folder):
    path = folder / "small.dlm"
    path.write_text(p.source(data=p.small_data(folder)))
    return path


def test_every_phase_can_be_printed(folder):
    path = written(folder)
    printed = {}
    for phase in PHASES:
        result = p.run(p.BIN / "dlmc", path, f"--emit={phase}")
        assert result.returncode == 0, (phase, result.stderr)
        printed[phase] = result.stdout
    for phase, word in PHASES.items():
        assert word in printed[phase], (phase, word)
    assert "math.fma" not in printed["pin"] and "fast" not in printed["llvm"]
    assert not (folder / "small").exists()


def test_a_printed_phase_is_read_again(folder):
    path = written(folder)
    pinned = p.run(p.BIN / "dlmc", path, "--emit=pin").stdout
    (folder / "pinned.mlir").write_text(pinned)
    again = p.run(p.BIN / "dlm-opt", folder / "pinned.mlir")
    assert again.returncode == 0, again.stderr
    fused = p.run(p.BIN / "dlm-opt", folder / "pinned.mlir", "--dlm-fuse-kernels")
    assert fused.returncode == 0 and "kernel.launch" in fused.stdout, fused.stderr


def test_dumps_are_numbered_in_order(folder):
    path = written(folder)
    result = p.run(p.BIN / "dlmc", path, "-o", folder / "prog", f"--dump-phases={folder / 'd'}")
    assert result.returncode == 0, result.stderr
    names = sorted(file.name.split(".")[0] for file in (folder / "d").iterdir())
    assert names == ["01-parse", "02-check", "03-lower", "04-expand", "05-simplify", "06-pin",
                     "07-fuse", "08-place", "09-codegen"], names


def test_times_name_every_phase(folder):
    result = p.run(p.BIN / "dlmc", written(folder), "-o", folder / "prog", "--time-phases")
    for phase in ("parse", "check", "lower", "expand", "simplify", "pin", "fuse", "place",
                  "codegen", "total"):
        assert phase in result.stderr + result.stdout, phase


def test_interpreter_runs_a_program_function(folder):
    """`eval_begin` needs no inputs but what it overwrites; its results are -0.0 and 0."""
    path = written(folder)
    (folder / "pinned.mlir").write_text(p.run(p.BIN / "dlmc", path, "--emit=pin").stdout)
    header = b'{}      '
    (folder / "in.safetensors").write_bytes(len(header).to_bytes(8, "little") + header)
    result = p.run(p.BIN / "dlm-interp", folder / "pinned.mlir", "--entry", "eval_begin", "--in",
                   folder / "in.safetensors", "--out", folder / "out.safetensors")
    assert result.returncode == 0, result.stderr
    values = p.tensors(folder / "out.safetensors")
    assert "eval.count" in values and set(values["eval.count"][:3]) == {0}, values


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
