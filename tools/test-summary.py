"""Counts what ctest ran: every GoogleTest case, every lit test and every other program.

Reads the verbose log of ctest, prints the output of what failed, and writes the closing line
`N passed, N failed` to LOG.summary. Exit status 1 when something failed or nothing ran.
"""
import collections
import re
import sys


def outputs(log):
    """The output lines of each test, by its number, and each test's name and verdict."""
    lines = collections.defaultdict(list)
    names = {}
    verdicts = {}
    for line in open(log, errors="replace"):
        if match := re.match(r"\s*(\d+): (.*)", line):
            lines[match[1]].append(match[2])
        elif match := re.match(r"\s*Start\s+(\d+): (\S+)", line):
            names[match[1]] = match[2]
        elif match := re.match(r"\s*\d+/\d+ Test\s+#(\d+): \S+ \.+\**\s*(\S+)", line):
            verdicts[match[1]] = match[2]
    return lines, names, verdicts


def count(text, passed):
    """Cases that passed and failed according to a test's own output."""
    good = sum(int(n) for n in re.findall(r"\[  PASSED  \] (\d+) test", text))
    bad = sum(int(n) for n in re.findall(r"\[  FAILED  \] (\d+) test", text))
    good += sum(int(n) for n in re.findall(r"^\s*Passed\s*: (\d+)", text, re.M))
    bad += sum(int(n) for n in
               re.findall(r"^\s*(?:Failed|Unresolved|Timed Out)\s*: (\d+)", text, re.M))
    if good + bad == 0:
        return (1, 0) if passed else (0, 1)
    if not passed and bad == 0:
        bad = 1
    return good, bad


def main():
    log = sys.argv[1]
    lines, names, verdicts = outputs(log)
    passed = failed = 0
    for number, name in names.items():
        succeeded = verdicts.get(number) == "Passed"
        text = "\n".join(lines[number])
        if verdicts.get(number) == "Skipped":
            print(f"skip {name}: {lines[number][-1] if lines[number] else 'it says not why'}")
            continue
        good, bad = count(text, succeeded)
        passed += good
        failed += bad
        print(f"{'ok  ' if succeeded else 'FAIL'} {name}: {good} passed, {bad} failed")
        if not succeeded:
            print("\n".join(lines[number][-200:]))
    with open(log + ".summary", "w") as out:
        print(f"{passed} passed, {failed} failed", file=out)
    return 1 if failed or not passed else 0


sys.exit(main())
