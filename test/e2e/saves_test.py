"""Saving and resuming as a user meets them: killed at any moment, over epochs, with changes."""
import json
import random
import shutil
import time

import program as p

SLOW = """
use data, nn, optim
let digits = data.idx("%(data)s")
train slow {
  let net = nn.MLP([28 * 28, 8, digits.classes])
  data  = digits
  batch = 10
  fn logits(batch) { net(reshape(cast(batch.image, f32) / 255, [batch.size, 28 * 28])) }
  fn loss(batch)    { cross_entropy(logits(batch), batch.label) }
  fn metrics(batch) { (accuracy = mean(argmax(logits(batch), over = -1) == batch.label)) }
  optimizer = optim.AdamW(lr = 1e-3)
  duration  = 10_000 steps
  evaluate { every = 1 steps }
}
"""


WIDE = """
use data, nn, optim
let digits = data.idx("%(data)s")
train wide {
  let net = nn.MLP([28 * 28, 2048, digits.classes])
  data  = digits
  batch = 4
  fn loss(batch) {
    cross_entropy(net(reshape(cast(batch.image, f32) / 255, [batch.size, 28 * 28])), batch.label)
  }
  optimizer = optim.AdamW(lr = 1e-3)
  duration  = 1_000_000 steps
  checkpoint {
    every = 1 steps
    keep  = 2
  }
}
"""
TABLE = """
use data, nn, optim
let rows = data.csv("rows.csv", label = "label")
train table {
  let net = nn.Linear(3, 2)
  data  = rows
  batch = 100
  fn loss(batch) { cross_entropy(net(batch.number), batch.label) }
  optimizer = optim.SGD(lr = 0.01)
  duration  = 100 steps
}
"""


def last_bits(folder):
    return p.tensors(p.checkpoints(folder)[-1])


def test_fifty_kills_end_with_the_bits_of_an_undisturbed_run(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), every="7 steps"))
    steps = 1200
    began = time.monotonic()
    p.train(prog, folder / "whole", "--steps", steps)
    took = time.monotonic() - began
    chance = random.Random(5)
    kills, at = 0, []
    (folder / "cut").mkdir()
    while kills < 50:
        process = p.subprocess.Popen([prog, "train", "--resume", "--json", "--steps", str(steps),
                                      "--to", folder / "cut"], stdout=p.subprocess.DEVNULL,
                                     stderr=p.subprocess.PIPE, text=True)
        try:
            _, err = process.communicate(timeout=chance.uniform(0, 0.02 + took / 12))
            assert process.returncode == 0, err
            shutil.rmtree(folder / "cut")  # it got to the end: once more
        except p.subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            at.append([path.stem for path in p.checkpoints(folder / "cut")][-1:])
    assert len(set(map(str, at))) > 5, at  # the kills fell on different moments of the run
    lines = p.train(prog, folder / "cut", "--resume", "--steps", steps)
    assert lines[-1]["final"]["step"] == steps
    assert last_bits(folder / "cut") == last_bits(folder / "whole")
    assert len(p.checkpoints(folder / "cut")) <= 4, p.checkpoints(folder / "cut")
    assert not list((folder / "cut").glob("*.tmp")), list((folder / "cut").iterdir())


def test_resumes_exactly_at_and_around_the_ends_of_epochs(folder):
    # 950 samples for training: 19 batches of 50 are an epoch, to the sample
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), batch=50))
    p.train(prog, folder / "whole", "--steps", 60)
    for cuts in ((19,), (18, 20), (19, 38), (38, 57)):
        to = folder / f"cut{cuts}"
        for steps in cuts + (60,):
            lines = p.train(prog, to, "--resume", "--steps", steps)
            assert lines[-1]["final"]["step"] == steps, lines[-1]
        assert last_bits(to) == last_bits(folder / "whole"), cuts
    result = p.run(prog, "train", "--resume", "--steps", 60, "--to", folder / "whole")
    assert result.returncode == 0 and "0 steps are left to do" in result.stderr, result.stderr


def test_the_manifest_tells_what_the_run_was(folder):
    text = p.source(data=p.small_data(folder))
    prog = p.compile_source(folder, text, flags=("-D", "width=16"))
    p.train(prog, folder / "run", "--steps", 20, "--lr", 0.002)
    path, = (folder / "run").glob("*.json")
    manifest = json.loads(path.read_text())
    assert manifest["sources"][0]["text"] == text
    resolved = {entry["name"]: (entry["value"], entry["origin"]) for entry in manifest["resolved"]}
    assert resolved["lr"] == ("0.002", "command line"), resolved
    assert resolved["width"] == ("16", "-D"), resolved
    assert resolved["batch_size"] == ("64", "program"), resolved
    assert [entry["name"] for entry in manifest["data"]] == [
        "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz",
        "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"]
    assert manifest["metrics"]["train"]["step"] == 20
    assert "accuracy" in manifest["metrics"]["validation"]["values"], manifest["metrics"]
    result = p.run(prog, "info", "--from", folder / "run")
    assert "step-00000020" in result.stdout and "\n  validation  " in result.stdout, result
    result = p.run(prog, "info", "--from", p.checkpoints(folder / "run")[0])
    assert "option `width`" in result.stdout and "-D" in result.stdout, result.stdout


def test_changes_are_named_and_need_consent(folder):
    data = p.small_data(folder)
    prog = p.compile_source(folder, p.source(data=data))
    p.train(prog, folder / "run", "--steps", 10)
    flags = ("train", "--resume", "--steps", 12, "--to", folder / "run")
    other = p.compile_source(folder, p.source(data=data).replace("lr = 1e-3", "lr = 2e-3"))
    result = p.run(other, *flags)
    assert result.returncode == 1, result.stderr
    for words in ("option `lr` was 0.001 and is now 0.002", "prog.dlm` differs from line 4 on",
                  "--accept-changes"):
        assert words in result.stderr, (words, result.stderr)
    images = data / "train-images-idx3-ubyte.gz"
    whole = images.read_bytes()
    p.write_idx(data, "train", 1000)
    images.write_bytes(whole[:9] + bytes([whole[9] ^ 1]) + whole[10:])  # a byte that means nothing
    prog = p.compile_source(folder, p.source(data=data))
    result = p.run(prog, *flags)
    assert result.returncode == 1 and f"`{images.name}` has other content" in result.stderr, result
    lines = p.train(prog, folder / "run", *flags[1:4], "--accept-changes")
    assert lines[-1]["final"]["step"] == 12


def signalled(command, ready, signals=1):
    """Stops a command when `ready` says so; gives status, stderr and the time it took to end."""
    process = p.subprocess.Popen([str(c) for c in command], text=True, stdout=p.subprocess.DEVNULL,
                                 stderr=p.subprocess.PIPE)
    while process.poll() is None and not ready():
        time.sleep(0.001)
    began = time.monotonic()
    for _ in range(signals):
        process.send_signal(p.signal.SIGTERM)
        time.sleep(0.005)
    _, err = process.communicate(timeout=60)
    return process.returncode, err, time.monotonic() - began


def test_sigterm_while_the_data_loads_stops_promptly(folder):
    rows = "".join(f"{i % 97},{i % 89},{i % 83},{i % 2}\n" for i in range(20000))
    (folder / "rows.csv").write_text("a,b,c,label\n" + rows * 100)
    prog = p.compile_source(folder, TABLE)
    began = time.monotonic()
    status, err, took = signalled((prog, "train", "--to", folder / "run"),
                                  lambda: time.monotonic() - began > 0.1)
    assert status == 143 and took < 0.6, (status, took, err)
    assert "stopped by SIGTERM before the first step; there is no checkpoint" in err, err
    assert "--resume" not in err and not p.checkpoints(folder / "run"), err


def test_sigterm_while_a_file_is_read_to_be_measured_stops_promptly(folder):
    (folder / "rows.csv").write_text("a,b,c,label\n" + "1,2,3,0\n4,5,6,1\n" * 100)
    prog = p.compile_source(folder, TABLE)
    p.train(prog, folder / "run")
    rows = "".join(f"{i % 97},{i % 89},{i % 83},{i % 2}\n" for i in range(20000))
    (folder / "more.csv").write_text("a,b,c,label\n" + rows * 100)
    began = time.monotonic()
    status, err, took = signalled((prog, "eval", "--data", folder / "more.csv", "--from",
                                   folder / "run"), lambda: time.monotonic() - began > 0.1)
    assert status == 143 and took < 0.3, (status, took, err)


def test_sigterm_during_a_save_leaves_a_whole_checkpoint(folder):
    prog = p.compile_source(folder, WIDE % dict(data=p.small_data(folder)))
    to = folder / "run"
    partial = to / "being-written-0.tmp"
    for attempt in range(3):
        command = (prog, "train", "--resume", "--to", to, "--accept-changes")
        before = {path.stem for path in p.checkpoints(to)}
        # not the first try of the room, but a save
        status, err, _ = signalled(command, lambda: partial.exists() and any(
            path.stem not in before for path in p.checkpoints(to)))
        assert status == 143, (status, err)
        last = p.checkpoints(to)[-1]
        assert f"keeping `{last}`; train --resume goes on" in err, (err, last)
        assert not partial.exists()
        assert last.with_suffix(".json").exists()
    # A second signal ends the process at once, in the middle of a save; then the run goes on.
    before = {path.stem for path in p.checkpoints(to)}
    status, err, _ = signalled(command, lambda: partial.exists() and any(
        path.stem not in before for path in p.checkpoints(to)), signals=2)
    assert status in (-15, 143), (status, err)
    step = int(p.checkpoints(to)[-1].stem.split("-")[1])
    lines = p.train(prog, to, "--resume", "--steps", step + 2, "--accept-changes")
    assert lines[-1]["final"]["step"] == step + 2
    assert not list(to.glob("*.tmp")) and len(p.checkpoints(to)) <= 3, list(to.iterdir())


def test_sigterm_in_an_evaluation_saves(folder):
    data = folder / "data"
    p.write_idx(data, "train", 300)
    p.write_idx(data, "t10k", 20000, squeeze=False)
    prog = p.compile_source(folder, SLOW % dict(data=data))
    for wait in (0.3, 0.5):  # nearly all of the time is spent evaluating
        process = p.subprocess.Popen([prog, "train", "--json", "--to", folder / f"run{wait}"],
                                     text=True, stdout=p.subprocess.PIPE, stderr=p.subprocess.PIPE)
        process.stdout.readline()
        time.sleep(wait)
        process.send_signal(p.signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 143, (process.returncode, err)
        assert "stopped by SIGTERM" in err and "--resume goes on" in err, err
        assert len(p.checkpoints(folder / f"run{wait}")) == 1


def test_light_checkpoints_can_be_evaluated(folder):
    text = p.source(data=p.small_data(folder), every="40 steps\n  light = 15 steps")
    prog = p.compile_source(folder, text)
    p.train(prog, folder / "run", "--steps", 40)
    assert [path.stem for path in p.checkpoints(folder / "run")] == ["step-00000040"]
    process = p.subprocess.Popen([prog, "train", "--json", "--to", folder / "cut", "--steps",
                                  "1000000"], stdout=p.subprocess.DEVNULL)
    while not list((folder / "cut").glob("light-*.json")):
        time.sleep(0.001)
    process.kill()
    process.wait()
    light = [path for path in p.checkpoints(folder / "cut") if path.stem.startswith("light")][0]
    assert set(p.tensors(light)) == {"net.hidden.weight", "net.hidden.bias", "net.output.weight",
                                     "net.output.bias"}, p.tensors(light).keys()
    result = p.run(prog, "eval", "--json", "--from", light)
    assert result.returncode == 0, result.stderr
    result = p.run(prog, "info", "--from", light)
    assert "parameters alone" in result.stdout, result


def test_what_others_put_in_the_folder_stays(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), every="5 steps"))
    p.train(prog, folder / "other", "--steps", 15, "--seed", 9)
    p.train(prog, folder / "run", "--steps", 20)
    foreign = {}
    for path in (folder / "other").glob("step-00000005.*"):
        foreign[shutil.copy(path, folder / "run")] = path.read_bytes()
    for name in ("notes.txt", "model.safetensors", "step-00000003.safetensors"):
        (folder / "run" / name).write_bytes(b"mine")
        foreign[folder / "run" / name] = b"mine"
    p.train(prog, folder / "run", "--resume", "--steps", 60)
    for path, content in foreign.items():
        assert p.pathlib.Path(path).read_bytes() == content, path
    assert [path.stem for path in p.checkpoints(folder / "run") if path not in foreign][-1] == \
        "step-00000060"


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
