"""Writes what the parser says today into mistakes/*.txt, to be read before it is committed.

    python3 test/syntax/mistakes.py PATH/TO/dlm-parse-test

A file holds cases, each a title, a program and, below `----`, all that the parser says about it.
"""
import pathlib
import subprocess
import sys
import tempfile


def said(parser, program):
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "a.dlm").write_text(program)
        done = subprocess.run([parser, "a.dlm"], cwd=folder, capture_output=True, text=True)
        return done.stderr if done.returncode else done.stderr + "(no error)\n"


def rewrite(path, parser):
    out = ""
    for case in path.read_text().split("==== ")[1:]:
        title, rest = case.split("\n", 1)
        program = rest.split("----\n", 1)[0]
        text = program[:-1] if title.endswith("(no line end)") else program
        out += f"==== {title}\n{program}----\n{said(parser, text)}\n"
    path.write_text(out)


if __name__ == "__main__":
    for path in sorted((pathlib.Path(__file__).parent / "mistakes").glob("*.txt")):
        rewrite(path, pathlib.Path(sys.argv[1]).resolve())
