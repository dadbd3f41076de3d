"""What a user can do wrong, and what a machine can do to a run: always a message and status 1."""
import os
import shutil
import time

import program as p


def compile_error(folder, text, *expected):
    path = folder / "bad.dlm"
    path.write_text(text)
    result = p.run(p.BIN / "dlmc", path, "-o", folder / "bad")
    assert result.returncode == 1, (result.returncode, result.stderr)
    assert not (folder / "bad").exists()
    for word in expected:
        assert word in result.stderr, (word, result.stderr)


def test_wrong_shape(folder):
    text = p.source().replace("nn.Linear(width, classes)", "nn.Linear(width + 1, classes)")
    compile_error(folder, text, "error[shape-mismatch]", "32", "33", "bad.dlm:")


def test_unknown_name(folder):
    compile_error(folder, p.source().replace("relu", "relo"), "error[unknown-name]", "`relu`")


def test_unknown_setting(folder):
    compile_error(folder, p.source().replace("seed ", "sed "), "`seed`", "bad.dlm:")


def test_syntax_error(folder):
    compile_error(folder, p.source().replace("model Classifier(", "model Classifier(("), "error[")


def test_missing_file(folder):
    result = p.run(p.BIN / "dlmc", folder / "nothing.dlm")
    assert result.returncode == 1 and "nothing.dlm" in result.stderr, result.stderr


def test_missing_data(folder):
    compile_error(folder, p.source(data="nowhere"), "nowhere")


def test_truncated_data_at_compile_time(folder):
    data = p.small_data(folder)
    images = data / "train-images-idx3-ubyte.gz"
    images.write_bytes(images.read_bytes()[:20])
    compile_error(folder, p.source(data=data), "train-images-idx3-ubyte.gz")


def test_data_that_does_not_fit_itself(folder):
    data = p.small_data(folder)
    text = p.source(data=data)
    for share in ("100%", "200%", "1000", "-5%"):
        compile_error(folder, text.replace("validation = 5%", f"validation = {share}"),
                      "error[setting-range]", "validation part")
    p.write_idx(data, "t10k", 100, classes=12)
    compile_error(folder, text, "error[data-source]", "11", "9")
    p.write_idx(data, "t10k", 0)
    compile_error(folder, text, "error[data-source]", "t10k-images-idx3-ubyte.gz", "holds nothing")


def run_error(result, *expected):
    assert result.returncode == 1, (result.returncode, result.stdout[-300:], result.stderr)
    for word in expected:
        assert word in result.stderr, (word, result.stderr)


def test_data_truncated_or_gone_after_compiling(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, p.source(data=data))
    images = data / "train-images-idx3-ubyte.gz"
    whole = images.read_bytes()
    images.write_bytes(whole[:len(whole) // 2])
    run_error(p.run(prog, "train", "--to", folder / "r1", "--steps", 5), images.name)
    images.unlink()
    run_error(p.run(prog, "train", "--to", folder / "r2", "--steps", 5), images.name)
    os.mkfifo(images)
    run_error(p.run(prog, "train", "--to", folder / "r3", "--steps", 5, timeout=60), images.name)


def test_data_can_be_moved(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, p.source(data=data))
    data.rename(folder / "moved")
    p.train(prog, folder / "run", "--steps", 5, "--data", f"fashion={folder / 'moved'}")


def test_wrong_arguments(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    run_error(p.run(prog, "train", "--stps", 5), "--steps")
    run_error(p.run(prog, "trian"), "train")
    run_error(p.run(prog, "train", "--steps", "many"), "many")
    run_error(p.run(prog, "train", "--steps", -1), "--steps")
    run_error(p.run(prog, "train", "--threads", 0), "--threads")
    run_error(p.run(prog, "train", "--lr", "fast"), "fast")
    run_error(p.run(p.BIN / "dlmc", "--emit=nothing", "x.dlm"), "nothing")


def test_help_is_complete(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    result = p.run(prog, "--help")
    assert result.returncode == 0
    for word in ("train", "eval", "info", "--lr", "width", "--batch_size", "--resume", "--json",
                 "--threads", "--seed", "--steps", "--to", "--data"):
        assert word in result.stdout, word
    assert p.run(p.BIN / "dlmc", "--help").returncode == 0


def test_corrupt_newest_checkpoint_falls_back(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), every="10 steps"))
    p.train(prog, folder / "run", "--steps", 30)
    whole = p.tensors(p.checkpoints(folder / "run")[-1])
    newest = p.checkpoints(folder / "run")[-1]
    newest.write_bytes(newest.read_bytes()[:1000])
    result = p.run(prog, "train", "--to", folder / "run", "--steps", 30, "--resume")
    assert result.returncode == 0 and newest.name in result.stderr, result.stderr
    assert p.tensors(p.checkpoints(folder / "run")[-1]) == whole


def with_small_disk(folder, megabytes):
    disk = folder / "disk"
    disk.mkdir()
    mounted = p.run("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", disk)
    return disk if mounted.returncode == 0 else None


def test_full_disk(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), every="10 steps"))
    disk = with_small_disk(folder, 3)
    if disk is None:
        print("no right to mount a small disk here: the case is not tested")
        return
    try:
        # One checkpoint (about 0.3 MB) fits; then the disk is full.
        p.train(prog, disk / "run", "--steps", 10)
        before = p.checkpoints(disk / "run")
        (disk / "filler").write_bytes(b"x" * (os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize))
        result = p.run(prog, "train", "--to", disk / "run", "--steps", 40, "--resume")
        run_error(result, "checkpoint", "space")
        assert p.checkpoints(disk / "run") == before
        p.tensors(before[-1])
        (disk / "filler").unlink()
        p.train(prog, disk / "run", "--steps", 40, "--resume")
    finally:
        p.run("umount", disk)


def test_interrupted_run_saves_and_says_so(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), duration="400 epochs",
                                             every="100000 steps"))
    process = p.subprocess.Popen([prog, "train", "--json", "--to", folder / "run"], text=True,
                                 stdout=p.subprocess.PIPE, stderr=p.subprocess.PIPE)
    process.stdout.readline()  # what the run is
    process.stdout.readline()  # its first step
    process.send_signal(p.signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    assert process.returncode != 0, process.returncode
    assert "resume" in err, err
    assert len(p.checkpoints(folder / "run")) == 1


def test_two_runs_do_not_share_a_folder(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), duration="400 epochs",
                                             every="5 steps"))
    process = p.subprocess.Popen([prog, "train", "--json", "--to", folder / "run"], text=True,
                                 stdout=p.subprocess.PIPE, stderr=p.subprocess.PIPE)
    while not p.checkpoints(folder / "run"):
        process.stdout.readline()
    second = p.run(prog, "train", "--to", folder / "run", "--steps", 1000, "--resume")
    process.send_signal(p.signal.SIGTERM)
    process.communicate(timeout=60)
    run_error(second, "another run", "run")


def test_output_replaces_files_only(folder):
    text = p.source(data=p.small_data(folder))
    path = folder / "prog.dlm"
    path.write_text(text)
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(path)
    for output, reason in (("pipe", "not a file"), ("data", "directory"), ("./prog.dlm", "text"),
                           ("link", "text")):
        run_error(p.run(p.BIN / "dlmc", "prog.dlm", "-o", output, cwd=folder), output, reason)
    assert (folder / "pipe").is_fifo() and path.read_text() == text


def test_lost_output_is_an_error(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    with open("/dev/full", "w") as full:
        result = p.subprocess.run([p.BIN / "dlmc", folder / "prog.dlm", "--emit=plan"],
                                  stdout=full, stderr=p.subprocess.PIPE, text=True)
    assert result.returncode == 1 and "standard output" in result.stderr, result.stderr
    with open("/dev/full", "w") as full:
        result = p.subprocess.run([prog, "train", "--steps", "5", "--to", folder / "run"],
                                  stdout=full, stderr=p.subprocess.PIPE, text=True)
    assert result.returncode == 1 and "standard output" in result.stderr, result.stderr
    assert len(p.checkpoints(folder / "run")) == 1
    result = p.run("bash", "-c", f"{prog} train --steps 5 --to {folder}/head | head -1; "
                   "exit ${PIPESTATUS[0]}")
    assert result.returncode == 0, result.stderr


def test_closed_streams_give_their_numbers_to_no_file(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    process = p.subprocess.Popen(["bash", "-c", f"exec {prog} train --steps 100000000 --to "
                                  f"{folder}/run <&- >&- 2>&-"])
    try:
        while process.poll() is None and not (folder / "run").exists():
            time.sleep(0.01)
        streams = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in (0, 1, 2)]
    finally:
        process.terminate()
    assert streams == ["/dev/null"] * 3
    assert process.wait(timeout=60) == 143


def test_setup_does_not_accept_a_toolkit_that_the_compiler_will_not_take(folder):
    env = {**os.environ, "DLM_CUDA_ROOT": str(folder)}
    result = p.subprocess.run([p.ROOT / "tools/setup-cuda", "--find"], env=env, text=True,
                              stdout=p.subprocess.PIPE, stderr=p.subprocess.PIPE)
    assert result.returncode == 1 and f"DLM_CUDA_ROOT is '{folder}'" in result.stderr, result


def test_survives_strip_and_needs_no_toolchain(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    bits = None
    for tool in (None, "strip", "/usr/lib/llvm-22/bin/llvm-strip"):
        copy = folder / "copy"
        shutil.copy(prog, copy)
        if tool:
            assert p.run(tool, "--strip-all", copy).returncode == 0
        to = folder / f"run-{os.path.basename(tool or 'whole')}"
        p.train(copy, to, "--steps", 10, env={"PATH": "/nonexistent"})
        saved = p.tensors(p.checkpoints(to)[-1])
        assert bits is None or bits == saved
        bits = saved


def test_runner_alone_says_what_it_is(folder):
    result = p.run(p.BIN / "dlm-runner", "train")
    assert result.returncode == 1 and "dlmc" in result.stderr, result.stderr


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
