"""The commands of a program as people use them: what they say, on a terminal and off it."""
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import termios

import program as p


def test_the_learning_rate_is_the_programs(folder):
    text = p.source(data=p.small_data(folder)).replace(
        "optim.AdamW(lr = lr)", "optim.SGD(lr = lr * (1 - step / 100))")
    prog = p.compile_source(folder, text)
    steps = [x for x in p.train(prog, folder / "run", "--steps", 20, "--lr", 0.5) if "loss" in x]
    for step in steps:  # `step` counts what is done already
        wanted = 0.5 * (1 - (step["step"] - 1) / 100)
        assert abs(step["lr"] - wanted) < 1e-6, step
    result = p.run(prog, "train", "--steps", 5, "--to", folder / "text")
    assert re.search(r"lr 0\.001\b", result.stdout), result.stdout


def test_info_tells_where_every_value_is_from(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)), flags=["-D", "width=16"])
    info = p.json.loads(p.run(prog, "info", "--json", "--lr", 0.5, "--seed", 3).stdout)
    source = str(folder / "prog.dlm")
    lines = p.source().splitlines()
    line = lambda text: f"{source}:{[text in x for x in lines].index(True) + 1}"
    assert info["options"]["width"]["origin"] == "-D" and info["options"]["width"]["value"] == 16
    assert info["options"]["lr"]["origin"] == "--lr" and info["options"]["lr"]["value"] == 0.5
    assert info["options"]["batch_size"]["origin"] == line("option batch_size"), info["options"]
    settings = {x["name"]: x for x in info["settings"]}
    assert settings["duration"]["origin"] == line("duration"), settings
    assert settings["optimizer"]["value"] == "optim.AdamW(lr = lr)"
    assert settings["checkpoint.every"]["origin"] == line("checkpoint {"), settings
    assert settings["seed"] == {"name": "seed", "value": "3", "origin": "--seed"}
    assert settings["checkpoint.keep"]["origin"] == "default"
    assert sum(x["count"] for x in info["parameter_list"]) == info["parameter_count"]
    assert info["parameter_count"] == 784 * 16 + 16 + 16 * 10 + 10
    assert all(x["initialiser"] and "nn.dlm:" in x["origin"] for x in info["parameter_list"]), \
        info["parameter_list"]
    grad = info["work"][0]
    assert grad["flops"] * grad["runs"] >= 2 * 3 * 64 * 784 * 16 / 2, info["work"]
    assert info["step"]["bytes_read"] > 0 and info["largest"][0]["bytes"] > 0
    text = p.run(prog, "info").stdout
    for word in ("net.hidden", "f32[784, 16]", "optim.AdamW", "-D", "the largest tensors"):
        assert word in text, (word, text)


def test_options_have_ranges(folder):
    text = p.source(data=p.small_data(folder)).replace(
        "let fashion", 'require lr <= 1, "a learning rate is small"\nlet fashion', 1)
    text = text.replace("  seed      = 1\n", "  seed      = 1\n  require batch_size <= 512\n")
    prog = p.compile_source(folder, text)
    refused = ((["--lr", "nan"], "--lr takes a finite number"),
               (["--lr", "-1"], "--lr has to be > 0, and this is -1: the learning rate is"),
               (["--lr", "0"], "--lr has to be > 0, and this is 0"),
               (["--lr", "1.5"], "--lr has to be <= 1, and this is 1.5: a learning rate is small"),
               (["--batch_size", "0"], "--batch_size has to be >= 1, and this is 0"),
               (["--batch-size=-64"], "--batch_size has to be >= 1, and this is -64"),
               (["--batch_size", "1e30"], "a whole number from 1 to 512, not `1e30`"),
               (["--batch_size", "640"], "--batch_size has to be <= 512, and this is 640"),
               (["--steps", "-3"], "a whole number from 1 to"),
               (["--duration", "0 steps"], "--duration takes a number above 0"))
    for flags, words in refused:
        result = p.run(prog, "train", "--to", folder / "none", *flags)
        assert result.returncode == 1 and words in result.stderr, (flags, result.stderr)
    assert not (folder / "none").exists()
    for command in ("eval", "bench", "info"):
        result = p.run(prog, command, "--lr", "2")
        assert result.returncode == 1 and "--lr has to be <= 1" in result.stderr, result.stderr
    text_of = p.run(prog, "--help").stdout
    for words in ("default 0.001, 0 < lr <= 1", "default 64, 1 <= batch_size <= 512"):
        assert words in text_of, (words, text_of)
    info = p.json.loads(p.run(prog, "info", "--json").stdout)
    assert {"op": "<=", "bound": 1, "text": "a learning rate is small"} in \
        info["options"]["lr"]["tests"], info["options"]
    assert "0 < lr <= 1" in p.run(prog, "info").stdout
    whole = p.compile_source(folder, text, "whole", ["-D", "lr=1"])  # a number like its default
    assert p.run(whole, "info", "--lr", "0.5").returncode == 0
    (folder / "bad.dlm").write_text(text)
    result = p.run(p.BIN / "dlmc", folder / "bad.dlm", "-D", "lr=2", "-o", folder / "bad")
    assert result.returncode == 1 and "a learning rate is small" in result.stderr, result.stderr


def test_a_checkpoint_keeps_to_new_ranges(folder):
    text = p.source(data=p.small_data(folder))
    prog = p.compile_source(folder, text)
    p.train(prog, folder / "run", "--steps", 4, "--lr", 0.5)
    prog = p.compile_source(folder, text.replace("let fashion", "require lr < 0.1\nlet fashion", 1))
    result = p.run(prog, "train", "--resume", "--accept-changes", "--to", folder / "run")
    assert result.returncode == 1 and "`lr` of the checkpoint has to be < 0.1" in result.stderr, \
        result.stderr
    p.train(prog, folder / "run", "--resume", "--accept-changes", "--steps", 6, "--lr", 0.01)


def test_a_folder_that_is_not_there_is_named(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    for path in ("nowhere", "nowhere/best"):
        failed = p.run(prog, "eval", "--from", folder / path)
        assert failed.returncode == 1, failed.stdout
        assert f"`{folder / 'nowhere'}`: the folder does not exist" in failed.stderr, failed.stderr
    failed = p.run(prog, "train", "--patience", "3")
    assert "unknown flag `--patience`; the program says it: `evaluate {" in failed.stderr, \
        failed.stderr


def test_a_negative_rate_ends_the_run(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)).replace(
        "optim.AdamW(lr = lr)", "optim.SGD(lr = lr * (2 - step))"))
    result = p.run(prog, "train", "--steps", 9, "--to", folder / "run")
    assert result.returncode == 1 and "the learning rate of step 4 is -0.001" in result.stderr, \
        result.stderr


DECLARED = """
  /// What the net makes of plain grey.
  command grey(level: f32 = 0.5, times: int = 1, negate: bool = false) -> f32[2, 10] {
    require level >= 0 and level <= 1, "grey is from black to white"
    require times >= 1 and times <= 5
    let x = zeros([2, 28, 28]) + level * times
    let logits = net(cast(where(negate, 1 - x, x), u8))
    logits
  }
  /// The mean, and whether it is positive.
  command both(x: f32) { (mean = x / 2, positive = zeros([2]) + x > 0) }
  command below(n: int = -2, floor: int = 0) {
    require floor >= -5 and floor < 100
    (n = n, sum = zeros([2]) + n + floor, root = sqrt(zeros([1]) + floor))
  }
  command needs(a: f32, b: int, c: bool, d: f32 = 1) {
    require a > 3 and a < 3.5 and b <= -7
    a + b + d + where(c, 1.0, 0.0)
  }
"""


def test_declared_commands(folder):
    text = p.source(data=p.small_data(folder)).replace("  seed      = 1\n",
                                                       "  seed      = 1\n" + DECLARED)
    prog = p.compile_source(folder, text)
    p.train(prog, folder / "run", "--steps", 20)
    result = p.run(prog, "both", "--x", 3, "--from", folder / "run")
    assert result.stdout == "mean: 1.5\npositive:\ntrue true\n", (result.stdout,
                                                                       result.stderr)
    json = p.run(prog, "both", "--x", -3, "--from", folder / "run", "--json")
    assert p.json.loads(json.stdout) == {"mean": -1.5, "positive": [False, False]}
    grey = [p.json.loads(p.run(prog, "grey", "--json", "--from", folder / "run", *flags).stdout)
            for flags in ([], ["--level", 1, "--times", 3], ["--level", 1, "--negate"])]
    assert len(grey[0]["value"]) == 2 and len(grey[0]["value"][0]) == 10, grey
    assert grey[0] == grey[2] and grey[0] != grey[1], grey  # 0.5 is 0 as u8
    for flags, words in ((["--level", 2], "grey is from black to white"),
                         (["--times", 9], "from 1 to 5"), (["--levle", 1], "--level")):
        result = p.run(prog, "grey", "--from", folder / "run", *flags)
        assert result.returncode == 1 and words in result.stderr, result.stderr
    assert "needs --x" in p.run(prog, "both", "--from", folder / "run").stderr
    result = p.run(prog, "both", "--x", 1, "--from", folder / "nothing")
    assert result.returncode == 1 and "nothing" in result.stderr, result.stderr
    info = p.json.loads(p.run(prog, "info", "--json").stdout)
    assert [x["name"] for x in info["commands"]] == ["grey", "both", "below", "needs"], \
        info["commands"]
    check_negative_numbers(prog, folder / "run")
    check_examples(prog, folder)
    text = p.run(prog, "--help").stdout + p.run(prog, "grey", "--help").stdout
    for words in ("What the net makes of plain grey.", "--level NUMBER", "--times INT", "--negate"):
        assert words in text, (words, text)



def check_negative_numbers(prog, run):
    """A whole number is what the command says it is, also below 0."""
    said = p.run(prog, "below", "--from", run)
    assert said.stdout.startswith("n: -2\nsum:\n-2 -2\n"), (said.stdout, said.stderr)
    said = p.run(prog, "below", "--n", -16777215, "--floor=-5", "--from", run)
    assert said.stdout == "n: -16777215\nsum:\n-16777220 -16777220\nroot:\nnan\n", said
    for flags, words in ((["--floor", -6], "--floor takes a whole number from -5 to 99, not `-6`"),
                         (["--n", -16777217], "from -16777216 to 16777216")):
        assert words in p.run(prog, "below", *flags, "--from", run).stderr, words


def check_examples(prog, folder):
    """What the help shows works as it stands there."""
    for command in ("grey", "both", "below", "needs"):
        text = p.run(prog, command, "--help").stdout
        lines = text.split("Examples:\n")[1].splitlines()
        assert len(lines) >= 2, text
        for line in lines:
            words = shlex.split(line)[1:]
            said = p.run(prog, *words, "--from", folder / "run")
            assert said.returncode == 0, (line, said.stderr)


def test_a_batch_is_a_multiple_of_what_was_compiled(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), batch=64))
    said = p.run(prog, "train", "--batch_size", 48, "--to", folder / "run")
    for words in ("a batch of 48 samples is not a multiple of the 64", "-D batch_size=48",
                  "`micro = 16`"):
        assert said.returncode == 1 and words in said.stderr, (words, said.stderr)
    for command in ("--help", "info"):
        assert "a multiple of 64" in " ".join(p.run(prog, command).stdout.split()), command


def test_bench_adds_up(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    lines = p.run(prog, "bench", "--json", "--steps", 5).stdout.splitlines()
    objects = [p.json.loads(x) for x in lines]
    step = objects[-1]["step"]
    for kind in ("instruction", "layer", "line"):
        of_kind = [x for x in objects[:-1] if kind in x and (kind != "instruction" or "name" in x)]
        if kind != "instruction":
            of_kind = [x for x in of_kind if "program" not in x]
        total = sum(x["us"] for x in of_kind)
        assert abs(total - step["busy_us"]) < 1e-3 * step["busy_us"] + 0.01, (kind, total, step)
    layers = [x["layer"] for x in objects if "layer" in x]
    assert "net.hidden" in layers and "net.output" in layers, layers


def on_terminal(command, columns, env=None, interrupt_at=None):
    """Runs a command on a terminal of so many columns; returns what it wrote and its status."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([str(x) for x in command], stdout=slave, stderr=slave,
                               stdin=subprocess.DEVNULL, env=env)
    os.close(slave)
    text = b""
    while True:
        if not select.select([master], [], [], 60)[0]:
            break
        try:
            block = os.read(master, 65536)
        except OSError:  # closed
            break
        if not block:
            break
        text += block
        if interrupt_at and interrupt_at in text:
            process.send_signal(signal.SIGINT)
            interrupt_at = None
    os.close(master)
    return text.decode(), process.wait(timeout=60)


def test_progress_on_terminals(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder)))
    plain = dict(os.environ, TERM="xterm")
    plain.pop("NO_COLOR", None)
    command = [prog, "train", "--steps", "3000", "--to"]
    wide, status = on_terminal(command + [folder / "wide"], 200, plain)
    assert status == 0, wide
    for word in ("\r\x1b[K", "\x1b[1m", "samples/s", " left", "lr 0.001", "grad_norm", " MiB",
                 "batches ready", "epoch"):
        assert word in wide, (word, wide)
    narrow, status = on_terminal(command + [folder / "narrow"], 40, dict(plain, NO_COLOR="1"))
    assert status == 0 and "\x1b[1m" not in narrow, narrow
    rows = [r for r in re.split(r"[\r\n]|\x1b\[K", narrow) if r.startswith("step ") and
            "validation" not in r and "test" not in r]
    assert rows and max(map(len, rows)) < 40, rows
    dumb, status = on_terminal(command + [folder / "dumb"], 80, dict(plain, TERM="dumb"))
    assert status == 0 and "\x1b" not in dumb, dumb


def test_interrupt_is_explained(folder):
    prog = p.compile_source(folder, p.source(data=p.small_data(folder), every="100000 steps"))
    text, status = on_terminal([prog, "train", "--steps", "100000000", "--to", folder / "run"], 120,
                               interrupt_at=b"samples/s")
    assert status == 130, text
    for words in ("SIGINT once more stops at once", "stopped by SIGINT", "train --resume"):
        assert words in text, (words, text)
    assert len(p.checkpoints(folder / "run")) == 1


def test_quickstart_offers_what_works(folder):
    offered = (p.ROOT / "tools/quickstart").read_text().split("to try next:\n")[1].split("\n\n")[0]
    commands = [line.strip() for line in offered.splitlines()]
    assert len(commands) == 3, commands
    (folder / "build").mkdir()
    result = p.run(p.BIN / "dlmc", p.ROOT / "examples/fashion_mlp.dlm", "-o",
                   folder / "build/fashion_mlp")
    assert result.returncode == 0, result.stderr
    for command in commands:
        result = p.run(*shlex.split(command), cwd=folder)
        assert result.returncode == 0, (command, result.stdout, result.stderr)
    assert p.checkpoints(folder / "build/runs/faster")


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
