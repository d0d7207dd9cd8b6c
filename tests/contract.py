#!/usr/bin/env python3
"""contract.py: the table "Contract and tests" of docs/internals.md is complete.

Each `##` heading of docs/language.md has a row, each pattern finds a file, and each test file is found by a pattern.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("lang", "ops", "ad", "errors", "cli", "unit", "ulp")
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SUPPORT = re.compile(r"CMakeLists\.txt|\.h$|_support\.c$")


def headings():
    text = (ROOT / "docs/language.md").read_text(encoding="utf-8")
    return re.findall(r"^## (.+)$", FENCED.sub("", text), re.MULTILINE)


def table():
    text = (ROOT / "docs/internals.md").read_text(encoding="utf-8")
    section = text.split("## Contract and tests", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| (.+?) \| (`.+) \|$", section, re.MULTILINE))


def main():
    rows, problems, covered = table(), [], set()
    problems += [f"no row for the heading {heading}" for heading in headings() if heading not in rows]
    for patterns in rows.values():
        for pattern in re.findall(r"`([^`]+)`", patterns):
            found = set(ROOT.glob(pattern))
            covered |= found
            problems += [] if found else [f"{pattern} finds no file"]
    for folder in FOLDERS:
        for path in (ROOT / "tests" / folder).rglob("*.*"):
            if "__pycache__" not in path.parts and not SUPPORT.search(path.name) and path not in covered:
                problems.append(f"{path.relative_to(ROOT)} is in no row")
    print(*problems, f"{len(rows)} rows, {len(problems)} problems", sep="\n")
    sys.exit(1 if problems else 0)


main()
