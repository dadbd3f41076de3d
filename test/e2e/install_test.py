"""What `cmake --install` makes: a prefix that works after a move, and a package for C++ programs.

Programs are started with an empty environment, from a folder that has nothing to do with the tree.
"""
import json
import os
import pathlib
import re
import shutil

import program as p

BUILD = pathlib.Path(os.environ.get("DLM_BUILD", p.BIN.parent))
NOTHING = {}  # an environment

PROGRAM = """
use nn, optim, data
let table = data.csv("table.csv", target = "y", validation = 25%)
train line {
  let layer = nn.Linear(1, 1)
  fn guess(batch) { sum(layer(batch.number), over = -1) }
  fn loss(batch) { mean((guess(batch) - batch.target) ** 2) }
  fn metrics(batch) { (accuracy = mean(abs(guess(batch) - batch.target) < 0.1)) }
  data      = table
  batch     = 8
  optimizer = optim.SGD(lr = 1e-2)
  duration  = 20 steps
}
"""


def install(folder):
    """Installs, and moves the prefix to where no build has ever seen it."""
    first = folder / "first"
    result = p.run("cmake", "--install", BUILD, "--prefix", first)
    assert result.returncode == 0, result.stdout + result.stderr
    prefix = folder / "elsewhere" / "with a space"
    prefix.parent.mkdir()
    shutil.move(first, prefix)
    return prefix


def write_table(folder):
    rows = "".join(f"{i / 64},{2 * i / 64 + 1}\n" for i in range(64))
    (folder / "table.csv").write_text("x,y\n" + rows)


def build_example(source, build, prefix, *flags):
    for words in (("-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}",
                   "-DCMAKE_CXX_COMPILER=clang++-22", *flags), ("--build", build)):
        result = p.run("cmake", *words)
        assert result.returncode == 0, result.stdout + result.stderr


def test_a_moved_prefix_compiles_and_trains(folder):
    prefix = install(folder)
    work = folder / "work"
    work.mkdir()
    write_table(work)
    (work / "line.dlm").write_text(PROGRAM)
    bare = dict(env=NOTHING, cwd=work)
    dlmc = prefix / "bin/dlmc"
    result = p.run(dlmc, "line.dlm", "-o", "line", **bare)
    assert (result.returncode, result.stderr) == (0, ""), result
    trained = p.run(work / "line", "train", "--json", "--to", "runs", **bare)
    assert trained.returncode == 0, trained.stderr
    assert json.loads(trained.stdout.splitlines()[-1]), trained.stdout
    assert len(p.checkpoints(work / "runs")) >= 1
    result = p.run(dlmc, "run", "line.dlm", "--", "info", **bare)
    assert result.returncode == 0 and "line" in result.stdout, result
    # Through a link of another name and folder the runner is found as well.
    (folder / "compiler").symlink_to(dlmc)
    result = p.run(folder / "compiler", "line.dlm", "-o", "again", **bare)
    assert result.returncode == 0, result.stderr
    assert (work / "again").read_bytes() == (work / "line").read_bytes()
    assert p.run(prefix / "bin/dlm-lsp", "--version", **bare).returncode == 0


def test_the_linker_beside_the_compiler_comes_first(folder):
    """Then that on the PATH; without either, that of LLVM is found (the test above)."""
    prefix = install(folder)
    write_table(folder)
    (folder / "line.dlm").write_text(PROGRAM)
    real = shutil.which("ld.lld-22")
    for place in ("on-the-path", "elsewhere/with a space/bin"):
        linker = folder / place / "ld.lld-22"
        linker.parent.mkdir(exist_ok=True)
        linker.write_text(f'#!/bin/sh\n: > "{folder}/used"\nexec {real} "$@"\n')
        linker.chmod(0o755)
        environment = {"PATH": str(folder / "on-the-path")}
        result = p.run(prefix / "bin/dlmc", "line.dlm", cwd=folder, env=environment)
        assert (result.returncode, result.stderr) == (0, ""), result
        (folder / "used").unlink()  # was it?
        (folder / "on-the-path/ld.lld-22").unlink(missing_ok=True)


def test_the_prefix_has_what_people_read(folder):
    prefix = install(folder)
    for name in ("README.md", "LICENSE", "grammar/README.md", "stdlib/nn.dlm",
                 "examples/fashion_mlp.dlm", "editors/vscode/package.json",
                 "editors/textmate/dlm.tmLanguage.json"):
        assert (prefix / "share/dlm" / name).is_file(), name
    result = p.run(prefix / "bin/dlmc", "test", prefix / "share/dlm/stdlib", env=NOTHING)
    assert result.returncode == 0, result.stderr
    for script in prefix.glob("**/*.cmake"):
        assert str(BUILD) not in script.read_text(), script
    for name in ("bin/dlmc", "bin/dlm-lsp", "lib/libdlm-embed.so"):
        paths = re.search(r"RUNPATH.*\[(.*)\]", p.run("readelf", "-d", prefix / name).stdout)[1]
        assert paths.startswith("$ORIGIN") and "" not in paths.split(":"), paths
        assert str(BUILD) not in paths, paths
    assert "RUNPATH" not in p.run("readelf", "-d", prefix / "bin/dlm-runner").stdout


def test_a_program_that_embeds_the_compiler_is_built_and_runs(folder):
    prefix = install(folder)
    headers = list((prefix / "include").glob("**/*"))
    assert [h.name for h in headers if h.is_file()] == ["Embed.h"], headers
    includes = re.findall(r"#include (\S+)", (prefix / "include/dlm/Embed.h").read_text())
    assert includes and all(re.fullmatch(r"<\w+>", name) for name in includes), includes
    example, build = folder / "example", folder / "build"
    shutil.copytree(prefix / "share/dlm/examples/embed", example)
    build_example(example, build, prefix, "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
    work = folder / "work"
    work.mkdir()
    result = p.run(build / "fit_line", cwd=work, env=NOTHING)
    assert (result.returncode, result.stderr) == (0, ""), result
    assert result.stdout.splitlines()[-1] == "y = 2.00 x + 1.00", result.stdout


def test_the_library_shows_its_interface_only(folder):
    """Nothing of LLVM, the parser or the rest of us meets the symbols of the program around it."""
    prefix = install(folder)
    names = p.run("nm", "-DC", "--defined-only", prefix / "lib/libdlm-embed.so").stdout
    assert "dlm::embed::Run::train" in names
    ours = re.compile(r" [TVW] .*\bdlm::embed::")
    strange = [line for line in names.splitlines() if not ours.search(line)]
    assert not strange, strange[:20]


def test_the_snippets_of_the_page_make_a_program(folder):
    prefix = install(folder)
    page = (p.ROOT / "compiler/embed/README.md").read_text()
    package, code = (re.search(rf"```{kind}\n(.*?)```", page, re.S)[1] for kind in ("cmake", "cpp"))
    package = package.replace("target_link", "add_executable(my_program main.cpp)\ntarget_link")
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(my_program LANGUAGES CXX)\n{package}")
    head, body = code.split("\n\n", 1)
    (folder / "main.cpp").write_text(
        f"#include <iostream>\n{head}\nint main() {{\n"
        f"const char *text = R\"({PROGRAM})\";\n{body}\n"
        "return metrics && weight && weight->as<float>() && progress->step == 100 ? 0 : 1;\n}\n")
    build_example(folder, folder / "build", prefix)
    write_table(folder)
    result = p.run(folder / "build/my_program", cwd=folder, env=NOTHING)
    assert (result.returncode, result.stderr) == (0, ""), result


def test_the_version_says_what_a_report_needs(folder):
    text = p.run(p.BIN / "dlmc", "--version", env=NOTHING).stdout
    assert re.fullmatch(r"dlmc \d+\.\d+\.\d+\nbuild [0-9a-f]{16,}\nLLVM 22\.\d+\.\d+\n"
                        r"host x86-64-v[34] \([\w-]+\), \d+ cores?\n", text), text
    build = re.search("build (.*)", text)[1]
    assert f"Build ID: {build}\n" in p.run("readelf", "-n", p.BIN / "dlmc").stdout


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
