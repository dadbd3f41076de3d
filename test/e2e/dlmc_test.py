"""The command line of dlmc: help, flags, `--`, JSON for every error, output that is not taken."""
import json
import re
import subprocess

import faults_test
import program as p

COMMANDS = ("run", "check", "test", "fmt", "pack", "explain")
RIGHT = "let a = 1\n"


def dlmc(*words, **options):
    return p.run(p.BIN / "dlmc", *words, **options)


def flags_of(help_text):
    return re.findall(r"^  (-[-\w]+)", help_text, re.M)


def test_a_value_that_is_no_text_is_shown_as_text(folder):
    source = folder / "a.dlm"
    source.write_text("option pause = 10 s\n")
    result = p.run(p.BIN / "dlmc", "check", source, "-D", "pause=\udcc3")
    assert result.returncode == 1, result.stderr
    assert "`-D pause=\ufffd` does not give a time" in result.stderr, result.stderr


def test_every_command_explains_itself(folder):
    for command in COMMANDS:
        for words in ((command, "--help"), (command, "-h"), (command, "x.dlm", "--help")):
            result = dlmc(*words)
            assert (result.returncode, result.stderr) == (0, ""), result
            assert result.stdout.startswith(f"dlmc {command} "), result.stdout
            assert "Exit status: " in result.stdout
    for words in (("--explain", "--help"), ("explain", "--help")):
        assert dlmc(*words).stdout == dlmc("explain", "-h").stdout
    listed = dlmc("explain")
    assert listed.returncode == 0 and "\n  shape-mismatch\n" in listed.stdout, listed
    whole = dlmc("--help").stdout
    for command in COMMANDS:
        assert f"  dlmc {command} " in whole, command
    for line in whole.splitlines() + dlmc("fmt", "-h").stdout.splitlines():
        assert len(line) <= 100, line


def test_help_lists_the_flags_that_a_command_takes(folder):
    """All of them, and no others: what is not listed is refused, and says whose it is."""
    path = folder / "a.dlm"
    path.write_text(RIGHT)
    values = {"-D": "a=1", "--errors": "3", "--target": "cpu", "--cpu": "native", "--emit": "ast",
              "--vector-width": "32", "--diagnostics": "text"}
    switches = {"--fix", "--werror", "--all-errors", "--check", "--help", "--version", "--emulate",
                "--time-phases"}
    every = set()
    for command in COMMANDS:
        every |= set(flags_of(dlmc(command, "-h").stdout))
    every |= set(flags_of(dlmc("-h").stdout))
    assert {"-o", "--filter", "--check", "--emit", "--"} <= every
    for command in COMMANDS:
        listed = flags_of(dlmc(command, "-h").stdout)
        assert listed == sorted(set(listed), key=listed.index), listed
        for flag in every - {"--"}:
            words = [flag] if flag in switches else [flag, values.get(flag, folder / "x")]
            result = dlmc(command, path, *words)
            said = any(words in result.stderr for words in ("does nothing with", "makes none"))
            assert said == (flag not in listed), (command, flag, result.stderr)
    assert "it is a flag of `dlmc fmt`" in dlmc("check", path, "--check").stderr


def test_two_dashes_end_the_flags(folder):
    for name in ("-odd.dlm", "--help"):
        (folder / name).write_text("let  a=1\n")
        assert dlmc("check", "--", name, cwd=folder).returncode == 0
        assert dlmc("fmt", "--check", "--", name, cwd=folder).stdout == f"{name}\n"
        assert "there is no test" in dlmc("test", "--", name, cwd=folder).stderr
        assert dlmc("--emit=ast", "--", name, cwd=folder).returncode == 0
    assert "no kind `--help`" in dlmc("explain", "--", "--help").stderr
    result = dlmc("run", "a.dlm", "train")
    assert "what is for the program stands behind `--`" in result.stderr, result.stderr


def test_every_error_is_json_if_asked_for(folder):
    (folder / "a.dlm").write_text(RIGHT)
    (folder / "wrong.dlm").write_text("let a = = 1\n")
    (folder / "t.dlm").write_text('test "t" { expect 1 == 1 }\n')
    (folder / "ugly.dlm").write_text("let  a=1\n")
    (folder / "ugly.dlm").chmod(0o444)
    (folder / "empty").mkdir()
    cases = {
        "command": [
            ("check", "a.dlm", "-D", "x"), ("check", "a.dlm", "-Dx"), ("check",), ("fmt",),
            ("check", "a.dlm", "b.dlm"), ("check", "a.dlm", "--emti=ast"), ("run", "a.dlm", "b"),
            ("a.dlm", "--emit=nothing"), ("test", "a.dlm"), ("test", "a.dlm", "-o", "x"),
            ("fmt", "--chek"), ("fmt", "ugly.dlm"), ("fmt", "empty"), ("explain", "nothing"),
            ("a.dlm", "--target=gpu"), ("a.dlm", "-o")],
        "missing-file": [
            ("check", "none.dlm"), ("fmt", "none.dlm"), ("test", "none.dlm"), ("none.dlm",),
            ("fmt", "empty/none.dlm"), ("check", "empty")],
        "syntax": [("check", "wrong.dlm"), ("fmt", "wrong.dlm"), ("test", "wrong.dlm")],
        "unknown-option": [("check", "a.dlm", "-D", "x=1"), ("test", "t.dlm", "-D", "x=1")],
    }
    for kind, commands in cases.items():
        for words in commands:
            for flag in (["--diagnostics=json"], ["--diagnostics", "json"]):
                result = dlmc(words[0], *flag, *words[1:], cwd=folder)
                objects = [json.loads(line) for line in result.stderr.splitlines()]
                assert result.returncode == 1 and objects, (words, result)
                for each in objects:
                    assert each["severity"] == "error" and each["message"], each
                    assert {"labels", "notes", "helps"} <= each.keys(), each
                assert kind in [each["kind"] for each in objects], (words, objects)
    result = dlmc("check", "a.dlm", "--diagnostics=xml", cwd=folder)
    assert result.stderr.startswith("error: --diagnostics takes text or json"), result.stderr
    assert "error that has no place" in dlmc("explain", "command").stdout


def test_what_cannot_be_printed_is_an_error(folder):
    (folder / "a.dlm").write_text('test "a" { expect 1 == 1 }\n')
    (folder / "ugly.dlm").write_text("let  a=1\n")
    for words in (("--help",), ("--version",), ("fmt", "--help"), ("explain", "syntax"),
                  ("test", "a.dlm"), ("fmt", "--check", "ugly.dlm"), ("fmt", "-"),
                  ("a.dlm", "--emit=ast")):
        with open("/dev/full", "w") as full:
            result = subprocess.run([p.BIN / "dlmc", *words], input=RIGHT, text=True, stdout=full,
                                    stderr=subprocess.PIPE, cwd=folder, timeout=60)
        assert result.returncode == 1, words
        assert result.stderr == "error: cannot write to standard output\n", (words, result.stderr)
        result = subprocess.run(["bash", "-c", '"$0" "$@" >&-', p.BIN / "dlmc", *words], text=True,
                                input=RIGHT, stderr=subprocess.PIPE, cwd=folder, timeout=60)
        assert result.returncode == 1, words
        assert result.stderr == "error: cannot write to standard output\n", (words, result.stderr)


def test_a_definition_is_given_once(folder):
    (folder / "a.dlm").write_text("option n = 1\nlet a = n + 1\n")
    for words in (("-D", "n=2", "-D", "n=3"), ("-D", "n=2", "--werror", "-D", "n=3")):
        result = dlmc("check", folder / "a.dlm", *words)
        assert result.returncode == 1, result
        assert "-D gives `n` twice: `2` and `3`; give it once" in result.stderr, result.stderr
    assert dlmc("check", folder / "a.dlm", "-D", "n=2").returncode == 0


def test_what_cannot_be_written_leaves_nothing(folder):
    source = folder / "prog.dlm"
    source.write_text(p.source(data=p.small_data(folder)))
    (folder / "text.txt").write_text("".join(f"{i} words " for i in range(200000)))
    disk = faults_test.with_small_disk(folder, 1)
    if disk is None:
        print("no right to mount a small disk here: the case is not tested")
        return
    try:
        (disk / "filler").write_bytes(b"x" * (900 << 10))
        for output, words in (("prog", (source,)),
                              ("tokens", ("pack", folder / "text.txt", "--tokenizer", "chars"))):
            (disk / output).write_text("old")
            result = dlmc(*words, "-o", disk / output)
            assert result.returncode == 1, result
            assert result.stderr == \
                f"error: cannot write `{disk}/{output}`: No space left on device\n", result.stderr
            assert (disk / output).read_text() == "old"
        assert sorted(x.name for x in disk.iterdir()) == ["filler", "prog", "tokens"]
    finally:
        p.run("umount", disk)


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
