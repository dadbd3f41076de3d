"""Programs for a GPU, as a user of a machine without one meets them: compiled, and run by the
emulator to the bits of the program for the processor.

The program is examples/fashion_mlp.dlm on its own data, of which only the first images are taken:
an evaluation of the whole test set takes the emulator minutes.
"""
import gzip
import os
import re
import struct

import program as p

EXAMPLE = p.ROOT / "examples/fashion_mlp.dlm"
ORDERS = ("sequential", "reverse", "random", "warp-skew")


def first_images(folder, **counts):
    """The first images and labels of Fashion-MNIST, in the folder `data`."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    for prefix, count in counts.items():
        for kind, head, size in (("images-idx3-ubyte", 16, 28 * 28), ("labels-idx1-ubyte", 8, 1)):
            name = f"{prefix}-{kind}"
            raw = gzip.decompress((p.pathlib.Path(p.FASHION) / f"{name}.gz").read_bytes())
            first = raw[8:head + count * size]
            (data / name).write_bytes(raw[:4] + struct.pack(">I", count) + first)
    return data


def text(folder):
    data = first_images(folder, train=2000, t10k=64)
    example = EXAMPLE.read_text()
    assert p.FASHION in example
    return example.replace(p.FASHION, str(data))


def compiled(folder, name, *flags):
    """The example, compiled for sm_80 where it is for a GPU: assembling takes a second each."""
    return p.compile_source(folder, text(folder), name, flags)


def has_assembler(folder):
    """Can GPU programs without the emulator be made here? CI must be able to."""
    result = p.run(p.BIN / "dlmc", EXAMPLE, "-o", folder / "any", "--target=cuda:sm_80")
    if "tools/setup --cuda" not in result.stderr:
        return True
    assert "CI" not in os.environ, result.stderr
    print("no assembler for GPUs here (tools/setup --cuda): the case is not tested")
    return False


OF_THE_MACHINE = ("samples_per_second", "seconds", "seconds_left", "memory_bytes",
                  "batches_ready", "waits", "checkpoint")


def trained(program, to, *flags, **options):
    """What the run printed of its steps and its end, but for times, memory and paths, and the bytes
    of its last checkpoint."""
    lines = p.train(program, to, *flags, **options)
    lines = [line for line in lines if "step" in line or "final" in line]
    for line in lines:
        for name in OF_THE_MACHINE:
            line.pop(name, None)
            line.get("final", {}).pop(name, None)
    return lines, p.checkpoints(to)[-1].read_bytes()


def test_every_order_gives_the_bits_of_the_cpu(folder):
    expected = trained(compiled(folder, "cpu"), folder / "cpu-run", "--steps", 20)
    losses = [line["loss"] for line in expected[0] if "step" in line]
    assert len(losses) == 20 and losses[-1] < losses[0], losses
    prog = compiled(folder, "emulated", "--target=cuda:sm_80", "--emulate")
    for order in ORDERS:
        run = trained(prog, folder / order, "--steps", 20, "--order", order)
        assert [line.get("loss") for line in run[0] if "step" in line] == losses, order
        assert run == expected, order


COMMAND = """
  command grey(count: int = 2, level: f32 = 0.5) {
    require count <= 5
    let logits = net(cast(zeros([count, 28, 28]) + 255 * level, u8))
    (logits = logits, best = argmax(logits, over = -1), total = sum(logits), size = count)
  }
"""


def test_declared_commands_give_what_they_give_on_the_cpu(folder):
    source = text(folder).replace("  seed      = 1\n", "  seed      = 1\n" + COMMAND)
    cpu = p.compile_source(folder, source, "cpu")
    emulated = p.compile_source(folder, source, "emulated", ["--target=cuda:sm_80", "--emulate"])
    p.train(cpu, folder / "run", "--steps", 10)
    for flags in ([], ["--count", 5, "--level", 0.9], ["--count", 1, "--json"]):
        said = [p.run(prog, "grey", "--from", folder / "run", *flags) for prog in (cpu, emulated)]
        assert said[0].returncode == 0 and said[0].stdout, said[0].stderr
        assert said[0].stdout == said[1].stdout, (said[0].stdout, said[1].stdout, said[1].stderr)
    result = p.run(emulated, "grey", "--from", folder / "run", "--count", 6)
    assert result.returncode == 1 and "from 1 to 5" in result.stderr, result.stderr


def test_a_batch_of_several_chunks_gives_the_bits_of_the_cpu(folder):
    """Sums over more than 64 rows take two launches and scratch memory."""
    flags = ("-D", "width=48", "-D", "batch_size=200")
    expected = trained(compiled(folder, "cpu", *flags), folder / "cpu-run", "--steps", 8)
    prog = compiled(folder, "emulated", "--target=cuda:sm_80", "--emulate", *flags)
    for order in ORDERS:
        assert trained(prog, folder / order, "--steps", 8, "--order", order) == expected, order


def check_report(path):
    """Nothing was found, and each kernel moved the bytes that the plan says."""
    report = p.json.loads(path.read_text())
    assert report["findings"] == [], report["findings"]
    has_scratch = False
    for model in report["model"]:
        functions = [report["functions"][name] for name in model["functions"]
                     if name in report["functions"]]
        assert functions, model
        for key in ("bytes_read", "bytes_written"):
            counted = sum(function[key] for function in functions)
            # Scratch memory is not the kernel's; what may come from it is known.
            assert 0 <= counted - model[key] <= model["scratch_bytes"], (key, counted, model)
        has_scratch |= model["scratch_bytes"] > 0
    return has_scratch


def test_checked_mode_finds_nothing_and_counts_what_the_plan_says(folder):
    prog = compiled(folder, "checked", "--target=cuda:sm_80", "--emulate=check")
    result = p.run(prog, "train", "--steps", 2, "--to", folder / "run", "--emulator-report",
                   folder / "report")
    assert result.returncode == 0 and " 0 findings" in result.stderr, result.stderr
    assert p.json.loads((folder / "report").read_text())["checked"]
    assert not check_report(folder / "report")


def test_checked_mode_finds_nothing_in_scratch_memory(folder):
    prog = compiled(folder, "checked", "--target=cuda:sm_80", "--emulate=check", "-D", "width=48",
                    "-D", "batch_size=200")
    for order in ORDERS[1:]:
        result = p.run(prog, "train", "--steps", 2, "--to", folder / order, "--order", order,
                       "--emulator-report", folder / "report")
        assert result.returncode == 0 and " 0 findings" in result.stderr, result.stderr
        assert check_report(folder / "report")


def test_interrupted_and_resumed_gives_the_same_bits(folder):
    prog = compiled(folder, "emulated", "--target=cuda:sm_80", "--emulate", "-D", "width=48")
    flags = ("--steps", "60")
    process = p.subprocess.Popen([prog, "train", "--json", "--order", "reverse", "--to",
                                  folder / "parts", *flags], text=True,
                                 stdout=p.subprocess.PIPE, stderr=p.subprocess.PIPE)
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(p.signal.SIGTERM)
    process.communicate(timeout=120)
    saved = p.checkpoints(folder / "parts")
    assert len(saved) == 1 and "00000060" not in saved[0].name, saved
    _, resumed = trained(prog, folder / "parts", *flags, "--resume")
    cpu = compiled(folder, "cpu", "-D", "width=48")
    assert resumed == trained(cpu, folder / "whole", *flags)[1]


def test_run_in_process_gives_the_bits_of_the_cpu(folder):
    flags = ("-D", "width=48")
    _, expected = trained(compiled(folder, "cpu", *flags), folder / "a", "--steps", 5)
    result = p.run(p.BIN / "dlmc", "run", "--target=cuda:sm_80", "--emulate", *flags,
                   folder / "cpu.dlm", "--", "train", "--steps", 5, "--to", folder / "b")
    assert result.returncode == 0, result.stderr
    assert p.checkpoints(folder / "b")[-1].read_bytes() == expected
    again = f"dlmc run --target=cuda:sm_80 --emulate -D width=48 {folder / 'cpu.dlm'} -- train"
    assert again in result.stdout, result.stdout


def test_without_a_gpu_the_program_says_so(folder):
    if not has_assembler(folder):
        return
    prog = compiled(folder, "prog", "--target=cuda:sm_80")
    (folder / "empty").mkdir()
    (folder / "rubbish").write_text("no driver")
    for name in ("empty", "rubbish"):
        result = p.run(prog, "train", "--steps", 1, "--to", folder / "run",
                       env={**os.environ, "DLM_CUDA_LIB_PATH": str(folder / name)})
        assert result.returncode == 1, (name, result.stderr)
        assert str(folder / name) in result.stderr, (name, result.stderr)
    result = p.run(prog, "train", "--device", "emulator", "--to", folder / "run")
    assert result.returncode == 1 and "--emulate" in result.stderr, result.stderr
    result = p.run(prog, "train", "--threads", 2, "--to", folder / "run")
    assert result.returncode == 1 and "--threads is of" in result.stderr, result.stderr


def section_rows(program):
    """Name, kind, address, offset, size, ... of the sections that the compiler adds."""
    result = p.run("readelf", "-SW", program)
    assert result.returncode == 0, result.stderr
    return [line.split("]")[1].split() for line in result.stdout.splitlines() if " .dlm." in line]


def sections(program):
    """Names and sizes of the sections but that of their sums, which must be there too."""
    sizes = {row[0]: int(row[4], 16) for row in section_rows(program)}
    assert sizes.pop(".dlm.sums") > 0
    return sizes


def test_damage_is_named_before_anything_runs(folder):
    prog = compiled(folder, "prog", "--target=cuda:sm_80", "--emulate", "-D", "width=48")
    whole = prog.read_bytes()
    rows = section_rows(prog)
    assert len(rows) >= 4, rows
    for name, _, _, offset, size, *_ in rows:
        at = int(offset, 16) + int(size, 16) // 2
        damaged = bytearray(whole)
        damaged[at] ^= 1
        prog.write_bytes(damaged)
        result = p.run(prog, "train", "--steps", 1, "--to", folder / "run")
        assert result.returncode == 1 and "is damaged" in result.stderr, (name, result.stderr)
        assert name == ".dlm.sums" or f"`{name}`" in result.stderr, (name, result.stderr)


def test_the_executable_carries_code_for_all_and_needs_nothing_of_cuda(folder):
    if not has_assembler(folder):
        return
    prog = compiled(folder, "prog", "--target=cuda", "--emulate")
    libraries = p.run("ldd", prog).stdout
    assert "libc.so" in libraries and "cuda" not in libraries and "nv" not in libraries, libraries
    versions = re.findall(r"GLIBC_2\.(\d+)", p.run("readelf", "-VW", prog).stdout)
    assert versions and max(map(int, versions)) <= 35, versions  # Ubuntu 22.04 has 2.35
    assert prog.stat().st_size < 20e6, prog.stat().st_size
    sizes = sections(prog)
    assert set(sizes) == {".dlm.plan"} | {f".dlm.device.{name}" for name in
                                          ("sm_80", "sm_90", "sm_100", "ptx", "emulator")}, sizes
    assert min(sizes.values()) > 1000, sizes
    assert p.run("strip", prog).returncode == 0
    assert sections(prog) == sizes


def test_without_an_assembler(folder):
    env = {**os.environ, "DLM_CUDA_ROOT": str(folder / "nothing")}
    (folder / "prog.dlm").write_text(text(folder))
    command = (p.BIN / "dlmc", folder / "prog.dlm", "-o", folder / "prog", "--target=cuda",
               "-D", "width=48")
    result = p.run(*command, env=env)
    assert result.returncode == 1 and "ptxas" in result.stderr, result.stderr
    assert not (folder / "prog").exists()
    result = p.run(*command, "--emulate", env=env)
    assert result.returncode == 0 and result.stderr.startswith("note: "), result.stderr
    assert result.stderr.count("\n") == 1, result.stderr
    assert set(sections(folder / "prog")) == {".dlm.plan", ".dlm.device.ptx",
                                              ".dlm.device.emulator"}
    trained(folder / "prog", folder / "run", "--steps", 1)


def test_unknown_architecture(folder):
    if not has_assembler(folder):
        return
    for name, words in (("sm_75", ("sm_75", "sm_80")), ("sm_999", ("sm_999",))):
        result = p.run(p.BIN / "dlmc", EXAMPLE, "-o", folder / "x", f"--target=cuda:{name}")
        assert result.returncode == 1 and "internal" not in result.stderr, result.stderr
        assert all(word in result.stderr for word in words), result.stderr


def test_every_phase_can_be_printed(folder):
    phases = {"place": "plan.launch", "gpu": "gpu.func", "nvvm": "nvvm.barrier",
              "llvm": "nvptx64-nvidia-cuda", "ptx": ".target sm_80", "plan": "product_"}
    for phase, word in phases.items():
        result = p.run(p.BIN / "dlmc", EXAMPLE, "--target=cuda", f"--emit={phase}")
        assert result.returncode == 0 and word in result.stdout, (phase, result.stderr)
    ptx = p.run(p.BIN / "dlmc", EXAMPLE, "--target=cuda", "--emit=ptx").stdout
    assert ".entry" in ptx and "ld.global.v4.b32" in ptx
    for line in ptx.splitlines():
        assert "approx" not in line and ".ftz" not in line and ".local" not in line, line


def test_dumps_and_times_name_every_phase(folder):
    result = p.run(p.BIN / "dlmc", EXAMPLE, "-o", folder / "prog", "--target=cuda:sm_80",
                   "--emulate", f"--dump-phases={folder / 'd'}", "--time-phases")
    assert result.returncode == 0, result.stderr
    names = sorted(file.name.split(".")[0] for file in (folder / "d").iterdir())
    phases = ("gpu", "plan", "nvvm", "ptx", "assemble", "emulate")
    assert names[8:] == [f"{9 + i:02}-{name}" for i, name in enumerate(phases)], names
    for name in phases:
        assert f" {name}\n" in result.stderr, (name, result.stderr)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
