"""Micro-batches change nothing: a step of each example, whole and cut into parts, changes every
parameter by the same gradient, but for rounding. A loss whose samples influence each other is not
cut, which the compiler says.
"""
import array
import re

import example as x
import program as p

BATCH, MICRO = 64, 32
DECLARED = r"error\[coupled-batch\]|error\[not-yet\]: .* in micro-batches cannot be compiled yet"


def end_of(text, start):
    """Behind the bracket that closes the first one from `start` on."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[place], 0)
        if depth == 0 and text[place] in ")}":
            return place + 1
    raise AssertionError("a bracket is not closed")


def plain(text, micro):
    """The program with its optimizers replaced by plain descent, and its batch of a fixed size.
    What a step repeats would follow from what is rounded before."""
    text = re.sub(r"^ *(clip_norm|micro|repeat) *=.*\n", "", text, flags=re.M)
    text = re.sub(r"^ *batch *= .*$", f"  batch = {BATCH}\n  micro = {micro}", text, flags=re.M)
    rule = re.compile(r"^ *(?:optimizer *=|fn optimizer\(\w+\)).*", re.M)
    done, out = 0, ""
    for match in rule.finditer(text):
        body = match.group().index("{" if "fn " in match.group() else "=")
        out += text[done:match.start()] + "optimizer = optim.SGD(lr = descent)"
        done = end_of(text, match.start() + body)
    return "option descent = 1.0\n" + out + text[done:]


def parameters(program, to, descent):
    """What a step makes of the parameters, and its loss."""
    lines = p.train(program, to, "--steps", 1, "--descent", descent)
    loss = next(line["loss"] for line in lines if "attempt" in line)
    saved = p.tensors(p.checkpoints(to)[-1])
    return loss, {name: array.array("f", raw) for name, raw in saved.items()
                  if not name.startswith(("opt.", "state.", "ema.")) and len(raw) % 4 == 0}


def compare(name, start, whole, parts):
    worst = 0.0
    for path, first in start.items():
        largest = max(abs(a - b) for a, b in zip(first, whole[path]))
        differ = max(abs(a - b) for a, b in zip(whole[path], parts[path]))
        noise = 4e-7 * max(map(abs, whole[path]))  # of parameters themselves
        assert differ <= 1e-4 * largest + noise, (name, path, largest, differ)
        worst = max(worst, largest)
    assert worst > 0, f"{name}: no parameter changed"


def split(example):
    def test(folder):
        example.make_data(folder, quick=True)
        text = x.quick_source(example, folder)
        compiling, _ = example.flags(example.quick)
        example.train_before(folder, text, example.quick, "--steps", 1)
        whole = p.compile_source(folder, plain(text, BATCH), "whole", compiling)
        if p.json.loads(p.run(whole, "info", "--json").stdout)["coupled"]:
            (folder / "parts.dlm").write_text(plain(text, MICRO))
            said = p.run(p.BIN / "dlmc", folder / "parts.dlm", "-o", folder / "parts", *compiling)
            assert said.returncode == 1 and re.search(DECLARED, said.stderr), said.stderr
            return
        parts = p.compile_source(folder, plain(text, MICRO), "parts", compiling)
        start = parameters(whole, folder / "start", 1e-30)[1]
        loss, changed = parameters(whole, folder / "whole-run", 1)
        loss_of_parts, others = parameters(parts, folder / "parts-run", 1)
        assert abs(loss - loss_of_parts) <= 1e-5 * abs(loss), (loss, loss_of_parts)
        compare(example.name, start, changed, others)
    return test


if __name__ == "__main__":
    p.main({e.name: x.or_say_why(split(e)) for e in x.examples()})
