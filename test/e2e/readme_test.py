"""Every snippet of the README files is run.

A `dlm` block compiles as far as checking, beside the files that `json NAME` blocks of the same
README make; a `dlm NAME` block is the file of that name for the `sh` blocks; a `sh` block runs
from the root, in order, against the tools that are being tested. A `text` block is not run (the
two commands that run this test are).
"""
import re

import program as p


def readmes():
    for path in sorted(p.ROOT.glob("**/README.md")):
        if "build" not in path.relative_to(p.ROOT).parts:
            yield path


def blocks(language):
    for path in readmes():
        for match in re.finditer(rf"^```{language}\n(.*?)^```", path.read_text(), re.M | re.S):
            yield path.relative_to(p.ROOT), match[1]


def test_dlm_blocks_check(folder):
    count = 0
    for path, text in blocks("dlm"):
        file = folder / "snippet.dlm"
        file.write_text(text)
        page = (p.ROOT / path).read_text()
        for match in re.finditer(r"^```json (\S+)\n(.*?)^```", page, re.M | re.S):
            (folder / match[1]).write_text(match[2])
        result = p.run(p.BIN / "dlmc", "check", file)
        assert result.returncode == 0, (path, text, result.stderr)
        count += 1
    assert count, "no snippet found"


def test_sh_blocks_run(folder):
    (folder / "build" / "release").mkdir(parents=True)
    (folder / "build" / "release" / "bin").symlink_to(p.BIN)
    for name in ("examples", "stdlib"):
        (folder / name).symlink_to(p.ROOT / name)
    for path in readmes():
        for match in re.finditer(r"^```dlm (\S+)\n(.*?)^```", path.read_text(), re.M | re.S):
            (folder / match[1]).write_text(match[2])
    count = 0
    for path, text in blocks("sh"):
        for line in text.splitlines():
            result = p.run("sh", "-c", line, cwd=folder)
            assert result.returncode == 0, (path, line, result.stderr)
            count += 1
    assert count, "no snippet found"


def test_the_example_in_the_readme_is_the_example(folder):
    example = (p.ROOT / "examples/fashion_mlp.dlm").read_text()
    code = example[example.index("use "):]
    assert code in (p.ROOT / "README.md").read_text()


def library_names():
    names = set()
    for path in (p.ROOT / "stdlib").glob("*.dlm"):
        names.update(re.findall(r"^(?:fn|model|optimizer|let) (\w+)", path.read_text(), re.M))
    return names


def test_the_page_of_the_library_has_every_name(folder):
    known = set(re.findall(r"\w+", (p.ROOT / "stdlib/README.md").read_text()))
    missing = library_names() - known
    assert not missing, f"stdlib/README.md does not mention {sorted(missing)}"


def test_the_reference_has_every_name(folder):
    """Builtins, settings, library declarations and names still to come, from the sources."""
    sema = p.ROOT / "compiler/sema"
    names = set()
    for path in sema.glob("*/*.cpp"):
        names.update(re.findall(r'\{"(\w+)",\s*"[^"]*",\s*run', path.read_text()))
    rows = (sema / "settings/SettingTable.cpp").read_text()
    names.update(re.findall(r'^      \{"\w+", "(\w+)",', rows, re.M))
    names.update(re.findall(r'"(\w+)"', (sema / "modules/LaterNames.cpp").read_text()))
    names.update(library_names())
    known = set(re.findall(r"\w+", (p.ROOT / "grammar/README.md").read_text()))
    assert len(names) > 100, "the lists were not found"
    assert names <= known, f"grammar/README.md does not mention {sorted(names - known)}"


def section(name):
    page = (p.ROOT / "grammar/README.md").read_text()
    return re.search(rf"^## {name}\n(.*?)^## ", page, re.M | re.S)[1]


def test_the_reference_has_all_that_cannot_be_compiled(folder):
    """What lowering refuses stands in the section "Not yet", and every operation that the checker
    writes is either lowered or refused in words of the language."""
    text = (p.ROOT / "compiler/lower/NotYet.cpp").read_text()
    words = re.search(r"words\((.*?)\);", text, re.S)[1]
    lowered = set(" ".join(re.findall(r'"([\w ]+)"', words)).split())
    rows = re.search(r"waitingOps\(\) \{.*?\};", text, re.S)[0]
    waiting = set(re.findall(r'^      \{"(\w+)",', rows, re.M))
    written = set(re.findall(r"`(\w+)", rows))
    settings = re.search(r"waitingSettings\(\) \{.*?\};", text, re.S)[0]
    for path in re.findall(r'^      \{"([\w.]+)", \{', settings, re.M):
        home, _, name = path.rpartition(".")
        written.add(home if home in ("memory", "parallel", "report") else name)  # all of these
    known = set(re.findall(r"\w+", section("Not yet")))
    assert len(waiting) > 3 and len(lowered) > 40 and len(written) > 8, "the lists were not found"
    assert written <= known, f'"Not yet" does not mention {sorted(written - known)}'
    operations = (p.ROOT / "compiler/sema/tensor/Operations.cpp").read_text()
    ops = set(re.findall(r'"(\w+)"', operations.split("names = {")[1]))
    inside = {"slot", "capture", "argument"}  # of loops and commands, refused as a whole
    missing = ops - lowered - waiting - inside
    assert len(ops) > 60 and not missing, f"neither lowered nor refused by name: {sorted(missing)}"


if __name__ == "__main__":
    p.main(p.tests_of(p.sys.modules[__name__]))
