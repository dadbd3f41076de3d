"""The grammar for editors against the lexer and the units of the checker.

    python3 test/editors/textmate_test.py
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "editors/textmate/dlm.tmLanguage.json"


def matches(node):
    """Every pattern of the grammar: the rule and its regular expressions."""
    if isinstance(node, dict):
        for key in ("match", "begin", "end"):
            if key in node:
                yield node, node[key]
        for child in node.values():
            yield from matches(child)
    elif isinstance(node, list):
        for child in node:
            yield from matches(child)


def words_of(grammar):
    """The words that stand in some pattern as an alternative of a group."""
    words = set()
    for _, pattern in matches(grammar):
        for group in re.findall(r"\((?:\?[:=!]|\?<[=!])?([\w|]+)\)", pattern):
            words.update(group.split("|"))
    return words


def scope_of(grammar, section, text):
    """The scopes that the rules of a section give to parts of a text, first rule first."""
    found = []
    for rule in grammar["repository"][section]["patterns"]:
        pattern = rule.get("match") or rule["begin"]
        for match in re.finditer(pattern, text, re.M):
            captures = rule.get("captures") or rule.get("beginCaptures") or {}
            found += [(match[int(n)], c["name"]) for n, c in captures.items()]
            if "name" in rule:
                found.append((match[0], rule["name"]))
    return found


def check_expressions(grammar):
    for rule, pattern in matches(grammar):
        re.compile(pattern)
    for rule in re.findall(r'"include": "#(\w+)"', GRAMMAR.read_text()):
        assert rule in grammar["repository"], rule


def check_words(grammar):
    lexer = (ROOT / "grammar/DlmLexer.g4").read_text()
    words = set(re.findall(r"K_[A-Z]+: '([a-z]+)'", lexer))
    assert len(words) == 30, f"the lexer has {len(words)} words: {sorted(words)}"
    missing = words - words_of(grammar)
    assert not missing, f"without a colour: {sorted(missing)}"


def check_units(grammar):
    checker = "".join(p.read_text() for p in sorted((ROOT / "compiler/sema").glob("**/*.cpp")))
    units = set(re.findall(r'\{"(\w+)", Measure::', checker))
    assert len(units) > 8, f"the units were not found: {sorted(units)}"
    missing = units - words_of(grammar)
    assert not missing, f"without a colour: {sorted(missing)}"


def check_places(grammar):
    """Words that are names elsewhere are coloured in front of a name only."""
    def declared(text):
        return [scope for _, scope in scope_of(grammar, "declarations", text)]
    assert declared("option width = 1") == ["keyword.declaration.dlm", "variable.other.dlm"]
    assert declared("  train run {") == ["keyword.declaration.dlm", "entity.name.type.dlm"]
    assert declared("test \"a\" {") == ["keyword.declaration.dlm"]
    assert declared("  next = 3") == []
    assert declared("batch.next + state") == []
    assert ("16", "constant.numeric.dlm") not in scope_of(grammar, "numbers", "16GiB")
    assert ("GiB", "keyword.other.unit.dlm") in scope_of(grammar, "numbers", "16GiB")
    assert ("steps", "keyword.other.unit.dlm") in scope_of(grammar, "numbers", "250 steps")
    assert ("%", "keyword.other.unit.dlm") in scope_of(grammar, "numbers", "12.5%")


def check_extension():
    folder = ROOT / "editors/vscode"
    package = json.loads((folder / "package.json").read_text())
    parts = package["contributes"]
    for name in [g["path"] for g in parts["grammars"]] + [
            language["configuration"] for language in parts["languages"]]:
        json.loads((folder / name).read_text())
    assert parts["grammars"][0]["scopeName"] == json.loads(GRAMMAR.read_text())["scopeName"]


def main():
    grammar = json.loads(GRAMMAR.read_text())
    check_expressions(grammar)
    check_words(grammar)
    check_units(grammar)
    check_places(grammar)
    check_extension()
    print("every word has its colour")


main()
