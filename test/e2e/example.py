"""The programs of examples/, as their headers describe them: what they promise, which commands
make their data, and how they are run. `examples_test.py` runs the quick forms, and
`tools/test --examples` the programs as they are.
"""
import gzip
import os
import re
import shlex
import shutil
import struct

import program as p

CACHE = p.pathlib.Path(os.environ.get("XDG_CACHE_HOME") or p.pathlib.Path.home() / ".cache")
STORE = CACHE / "dlm/data"  # what tools/setup took out of packages
MADE = re.compile(r"(?:>|-o) (\S+)$", re.M)  # the file that a command makes


class NoData(Exception):
    """The data of an example is not on this machine and cannot be made."""


class Limit:
    """A promise such as `validation.loss <= 1.80 at step 500`."""

    def __init__(self, text):
        match = re.fullmatch(r"([\w.]+) (>=|<=|==) (-?\d[\d_.]*)( s)?(?: at step (\d+))?", text)
        assert match, f"`{text}` is none of `NAME >= NUMBER`, `... <= ... at step N`"
        self.text, self.name, self.sign = text, match[1], match[2]
        self.number = float(match[3].replace("_", ""))
        self.step = int(match[5]) if match[5] else None

    def holds(self, value):
        return {">=": value >= self.number, "<=": value <= self.number,
                "==": value == self.number}[self.sign]

    def value(self, lines, compile_seconds=None):
        """The number in what `train --json` printed, or None."""
        if self.name == "compile":
            return compile_seconds
        if self.name == "parameters":
            return next(line["run"]["parameters"] for line in lines if "run" in line)
        if self.step is None:
            found = next(line["final"] for line in lines if "final" in line)
        else:
            found = next((line for line in lines if line.get("step") == self.step
                          and ("validation" in line or "test" in line)), {})
        for part in self.name.split(".", 1):  # a loss may be called `UPDATE.TERM`
            found = found.get(part, {})
        return found if found != {} else None


class Example:
    def __init__(self, path):
        self.path, self.name, self.text = path, path.stem, path.read_text()
        comment = re.match(r"(?://.*\n)*", self.text)[0]
        self.header = [line[2:].rstrip() for line in comment.splitlines()]
        indented = "\n".join(line.strip() for line in self.header if line.startswith("   "))
        self.commands = re.sub(r"\|\n", "| ", indented).splitlines()  # a pipe goes on below
        for command in self.commands[-1:]:
            assert MADE.search(command), f"{path}: `{command}` is indented, and makes no file"
        self.limits = [Limit(text.strip()) for text in self.line("Expect").split(",")]
        self.quick = shlex.split(self.line("Quick", ""))
        self.full = shlex.split(self.line("Full", ""))
        runs = [name.strip() for name in self.line("Runs", self.name).split(",")]
        self.before, self.last = runs[:-1], runs[-1]
        blocks = re.findall(r"^train (\w+)", self.text, re.M)
        assert len(blocks) == 1 or sorted(runs) == sorted(blocks), \
            f"{path} has no line `// Runs: {', '.join(blocks)}` that says in which order"

    def line(self, name, default=None):
        """What stands behind `// NAME:` in the header."""
        found = [line[len(name) + 2:].strip() for line in self.header
                 if line.startswith(f" {name}:")]
        assert found or default is not None, f"{self.path} has no line `// {name}: ...`"
        return " ".join(found) or default

    def make_data(self, folder, quick):
        """Makes the files that the program reads in `folder`, and copies of what is in store."""
        for command in self.commands:
            made = MADE.search(command)
            if made and (STORE / made[1]).exists():
                shutil.copy(STORE / made[1], folder)
                continue
            if any((STORE / name).exists() for name in self.later_files(command)):
                continue  # a step on the way to a file that is there
            if quick:
                command = command.replace("Gen1:1-Rev22:21", "Gen1:1-Exo20:1")
            environment = os.environ | {"PATH": f"{p.BIN}:{os.environ['PATH']}"}
            result = p.run("bash", "-o", "pipefail", "-c", command, cwd=folder, env=environment)
            if result.returncode != 0:
                raise NoData(f"`{command}` fails: {result.stderr.strip()[-300:]}")

    def later_files(self, command):
        rest = self.commands[self.commands.index(command) + 1:]
        return MADE.findall("\n".join(rest))

    def train_before(self, folder, text, words, *running):
        """Trains the runs that the last one begins with, if there are such."""
        for name in self.before:
            compiling, _ = self.flags(words, name)
            program = p.compile_source(folder, text, name, compiling)
            p.train(program, None, *running, timeout=None)

    def flags(self, words, run=None):
        """Words of the header as flags of dlmc (`-D ...`), which makes the last run or that of a
        name, and of the executable."""
        pairs = [words[i:i + 2] for i in range(0, len(words), 2)]
        compiling = [word for pair in pairs if pair[0] == "-D" for word in pair]
        running = [word for pair in pairs if pair[0] != "-D" for word in pair]
        if self.before:
            compiling += ["--train", run or self.last]
        return compiling, running


def examples():
    """Every program of the folder: one that is added is run without being named anywhere."""
    found = [Example(path) for path in sorted((p.ROOT / "examples").glob("*.dlm"))]
    assert len(found) >= 4, "the examples were not found"
    return found


def few_images(folder, train=1500, test=200):
    """The first images of Fashion-MNIST, as files of their own."""
    data = folder / "fashion"
    data.mkdir()
    for prefix, count in (("train", train), ("t10k", test)):
        for kind, head, size in (("images-idx3-ubyte", 16, 28 * 28), ("labels-idx1-ubyte", 8, 1)):
            source = p.pathlib.Path(p.FASHION) / f"{prefix}-{kind}.gz"
            if not source.exists():
                raise NoData(f"{source} is not there: tools/setup installs it")
            with gzip.open(source) as file:
                raw = file.read(head + count * size)
            (data / f"{prefix}-{kind}").write_bytes(raw[:4] + struct.pack(">I", count) + raw[8:])
    return data


def quick_source(example, folder):
    """The program with its data made small."""
    if p.FASHION not in example.text:
        return example.text
    return example.text.replace(p.FASHION, str(few_images(folder)))


def or_say_why(test):
    """Without the data of an example its test is left out, and says so; in CI it fails."""
    def guarded(folder):
        try:
            test(folder)
        except NoData as reason:
            if os.environ.get("CI"):
                raise
            print(f"left out: {reason}")
    return guarded
