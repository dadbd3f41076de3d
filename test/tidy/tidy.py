"""The house rules as a test. Each message says what is wrong, where, and what to do instead.

    python3 test/tidy/tidy.py ROOT

Exceptions live in exceptions.txt beside this file, one a line with its reason; an exception that
is no longer needed fails the test as well. CONTRIBUTING.md explains the rules.
"""
import pathlib
import re
import subprocess
import sys

CODE = {".cpp", ".h", ".td", ".g4", ".fbs", ".py", ".cmake", ".dlm", ".mlir"}
SIZE_MAX = {".cpp": 500, ".h": 200, ".td": 800, ".py": 500, ".g4": 500}
LINE_MAX = 100
FUNCTION_MAX = 70
VAGUE = re.compile(r"^(.*)(Utils?|Helpers?|Common|Misc|Manager|Base)\.(cpp|h|td)$")

# What may be used only where it is at home, and what to use elsewhere.
HOMES = [
    (r"std::chrono::\w+::now", ("runtime/base/",), "use Clock of runtime/base"),
    (r"\b(std::)?s?rand\(", (), "use Philox of runtime/base"),
    (r"\bgetenv\(", ("runtime/launch/", "compiler/driver/"), "pass the value in from a main"),
    (r"std::cerr", ("compiler/driver/", "runtime/launch/"), "return a Status or a diagnostic"),
    (r"\babort\(\)", ("runtime/base/",), "return a Status, or assert"),
]

# Who may include whom: the folder, and the folders its includes may not begin with.
FORBIDDEN_INCLUDES = [
    ("runtime/", ("compiler/", "dialects/", "mlir/", "llvm/"), "the runtime knows no compiler"),
    ("compiler/source/", ("compiler/sema", "compiler/syntax", "mlir/", "llvm/"), "lowest layer"),
    ("compiler/diagnostics/", ("compiler/sema", "compiler/syntax", "mlir/", "llvm/"), "low layer"),
    ("compiler/syntax/", ("compiler/sema", "compiler/lower", "mlir/", "dialects/"), "below sema"),
    ("compiler/sema/", ("compiler/lower", "mlir/", "llvm/", "dialects/"), "sema knows no IR"),
    ("compiler/transforms/", ("compiler/conversion", "compiler/codegen", "compiler/sema"),
     "transforms see dialects only"),
    ("dialects/", ("compiler/", "runtime/"), "dialects stand alone"),
]
COMPILER_MAY = ("runtime/abi", "runtime/base", "runtime/data")
COMPILER_FREE = ("compiler/embed/", "compiler/driver/", "compiler/fit/")

problems = []


def problem(path, line, rule, text):
    problems.append((str(path), line, rule, text))


def tracked(root):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, text=True,
                            capture_output=True, check=True).stdout.split("\n")
    return [pathlib.PurePosixPath(p) for p in listed if p and (root / p).is_file()]


def check_sizes(path, lines):
    limit = SIZE_MAX.get(path.suffix)
    if limit and len(lines) > limit:
        problem(path, len(lines), "file-size", f"{len(lines)} lines, at most {limit}: split it")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_MAX and path.suffix in CODE:
            problem(path, number, "line-length", f"{len(line)} columns, at most {LINE_MAX}")


def check_functions(path, lines):
    start = indent = None
    for number, line in enumerate(lines, 1):
        head = re.match(r"^((?:  )?)(\S.*)\{$", line)
        plain = re.match(r"\s*(namespace|struct|class|enum|union|extern)\b|\s*}", line)
        if start is None and head and not plain and not line.rstrip().endswith("= {"):
            start, indent = number, head[1]
        elif start is not None and re.match(rf"^{indent}}}", line):
            if number - start + 1 > FUNCTION_MAX:
                problem(path, start, "function-size",
                        f"{number - start + 1} lines, at most {FUNCTION_MAX}: name its parts")
            start = None


def check_words(path, lines):
    if VAGUE.match(path.name):
        problem(path, 1, "vague-name", "name the subject of the file")
    for number, line in enumerate(lines, 1):
        if re.search(r"\bFIXME\b", line):
            problem(path, number, "fixme", "mend it, or file an issue and name it: TODO(#12): what")
        if re.search(r"\bTODO\b(?!\(#\d+\): )", line):
            problem(path, number, "todo", "write TODO(#issue): what and when")
        if path.suffix not in (".cpp", ".h") or str(path).startswith("test/"):
            continue
        for pattern, homes, instead in HOMES:
            if re.search(pattern, line) and not str(path).startswith(homes or ("-",)):
                problem(path, number, "not-at-home", f"`{line.strip()[:50]}`: {instead}")


def check_includes(path, lines):
    for number, line in enumerate(lines, 1):
        match = re.match(r'#include ["<](.+)[">]', line)
        if not match:
            continue
        target = match[1]
        for folder, banned, why in FORBIDDEN_INCLUDES:
            if str(path).startswith(folder) and target.startswith(banned):
                problem(path, number, "layering", f"includes {target}: {why}")
        if str(path).startswith("compiler/") and target.startswith("runtime/"):
            if not target.startswith(COMPILER_MAY) and not str(path).startswith(COMPILER_FREE):
                problem(path, number, "layering", f"includes {target}: only runtime/abi and base")


def check_listed(path, files):
    """A source file must stand in a list of its folder's build files, or a folder's above."""
    for folder in path.parents:
        for listing in files:
            if listing.parent == folder and (listing.name == "CMakeLists.txt" or
                                             listing.suffix == ".cmake"):
                if re.search(rf"\b{re.escape(path.stem)}\b", files[listing]):
                    return
    problem(path, 1, "not-built", "stands in no CMakeLists.txt: add it or delete it")


def check_passes(files, tests):
    for path, text in files.items():
        if path.name != "Passes.td":
            continue
        for match in re.finditer(r"^def (\w+)Pass\s*:\s*Pass<\"([\w-]+)\"(.*?)^}", text, re.M | re.S):
            name, flag, body = match.groups()
            line = text[:match.start()].count("\n") + 1
            expected = "dlm-" + re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
            if flag != expected:
                problem(path, line, "pass-flag", f"`{flag}` should be `{expected}`, as the class")
            for part in ("Before", "After", "Why here", "Example"):
                if f"**{part}**" not in body:
                    problem(path, line, "pass-text", f"{name} has no part **{part}**")
            if not any(f"{flag.removeprefix('dlm-')}" in t.name for t in tests):
                problem(path, line, "pass-test", f"{name} has no test {flag.removeprefix('dlm-')}*")


def check_labels(files, test_text):
    """A label `op_c2` in a verifier must be the beginning of a test's function name."""
    for path, text in files.items():
        if not str(path).startswith("dialects/") or path.suffix != ".cpp":
            continue
        for match in re.finditer(r"\(?\b([a-z]\w*_c\d+)\b", text):
            if f"@{match[1]}" not in test_text:
                line = text[:match.start()].count("\n") + 1
                problem(path, line, "label-test", f"no test function is named @{match[1]}...")


def check_kinds(files, test_text):
    for path, text in files.items():
        if path.name != "Kinds.def":
            continue
        for number, line in enumerate(text.split("\n"), 1):
            match = re.match(r'\s*KIND\(\s*\w+\s*,\s*"([\w-]+)"', line)
            if match and f"[{match[1]}]" not in test_text and f'"{match[1]}"' not in test_text:
                problem(path, number, "kind-test", f"no test expects [{match[1]}]")
            if match and path.parent / "explain" / f"{match[1]}.md" not in files:
                problem(path, number, "kind-page",
                        f"no page explain/{match[1]}.md; test/explain says how it is made")


def named_types(text):
    """Classes and structs that other files could see: `namespace::Name`, and the line."""
    scope = []
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.match(r"(?:inline )?namespace ?([\w:]*) ?\{$", line):
            scope.append(match[1])
        elif re.match(r"}\s*// (anonymous )?namespace\b", line) and scope:
            scope.pop()
        elif match := re.match(r"(?:class|struct)(?: \[\[\w+\]\]| alignas\(\w+\))? (\w+)"
                               r"(?: final)?(?: :.*)?(?: \{.*)?$", line):
            if "" not in scope and not line.endswith(";"):
                yield "::".join(scope + [match[1]]), number


def check_types(files):
    """Two types of one name in one program are one type to the linker, which keeps either."""
    seen = {}
    for path, text in sorted(files.items()):
        if path.suffix not in (".cpp", ".h") or path.parts[0] not in ("compiler", "dialects",
                                                                      "runtime"):
            continue
        for name, number in named_types(text):
            if name in seen and seen[name] != path:
                problem(path, number, "type-name", f"{name} is also a type of {seen[name]}: "
                                                   "rename it, or put it in an anonymous namespace")
            seen.setdefault(name, path)


def check_readmes(files):
    folders = set()
    for path in files:
        parts = path.parts[:-1]
        if parts and not parts[0].startswith("."):
            folders.update({parts[:1], parts[:2]})
    for folder in sorted(f for f in folders if f):
        if pathlib.PurePosixPath(*folder, "README.md") not in files:
            problem("/".join(folder), 1, "readme", "has no README.md: what is it for?")


def read_exceptions(root):
    """Lines `path rule: reason`."""
    listed = {}
    for line in (root / "test/tidy/exceptions.txt").read_text().split("\n"):
        if match := re.match(r"(\S+) ([\w-]+): (.+)", line):
            listed[(match[1], match[2])] = False
    return listed


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    paths = tracked(root)
    files = {p: (root / p).read_text(errors="replace") for p in paths
             if p.suffix in CODE | {".def", ".md", ".txt"}}
    tests = [p for p in paths if p.parts[0] == "test"]
    test_text = "\n".join(files[p] for p in tests if p in files and p.parts[1] != "tidy")
    for path, text in files.items():
        if path.suffix in (".md", ".txt") or path.parts[:2] == ("test", "tidy"):
            continue
        lines = text.rstrip("\n").split("\n")
        check_sizes(path, lines)
        check_words(path, lines)
        if path.suffix in (".cpp", ".h"):
            check_functions(path, lines)
            check_includes(path, lines)
        if path.suffix == ".cpp":
            check_listed(path, files)
    check_passes(files, tests)
    check_labels(files, test_text)
    check_kinds(files, test_text)
    check_types(files)
    check_readmes(files)

    exceptions = read_exceptions(root)
    failed = 0
    for path, line, rule, text in problems:
        if (path, rule) in exceptions:
            exceptions[(path, rule)] = True
            continue
        failed += 1
        print(f"{path}:{line}: {text} [{rule}]")
    for (path, rule), used in exceptions.items():
        if not used:
            failed += 1
            print(f"test/tidy/exceptions.txt: {path} no longer needs `{rule}`: delete the line")
    print(f"tidy: {len(files)} files, {failed} problems")
    return 1 if failed else 0


sys.exit(main())
