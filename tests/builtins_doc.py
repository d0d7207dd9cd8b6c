#!/usr/bin/env python3
"""builtins_doc.py VIV: docs/builtins.md is what the entries of the builtins say, and their examples hold.

To renew the page: viv doc --markdown > docs/builtins.md
An example reads `EXPRESSION` is `TEXT`, where TEXT is what print shows.
"""
import difflib
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "builtins.md"
EXAMPLE = re.compile(r"`([^`]+)` is `([^`]+)`")


def viv(*args):
    done = subprocess.run([sys.argv[1], *args], capture_output=True, encoding="utf-8", timeout=60)
    return done.stdout + done.stderr


def stale(written, made):
    return list(difflib.unified_diff(written.splitlines(), made.splitlines(), "docs/builtins.md", "viv doc --markdown", lineterm=""))


def wrong_examples(text):
    for expression, shown in EXAMPLE.findall(text):
        printed = viv("-e", f"print({expression})").rstrip("\n")
        if printed != shown:
            yield f"{expression} is {printed}, not {shown}"


def main():
    page, made = PAGE.read_text(encoding="utf-8"), viv("doc", "--markdown")
    difference = stale(page, made)
    if difference:
        print(*difference, "the page is stale; renew it with: viv doc --markdown > docs/builtins.md", sep="\n")
    wrong = list(wrong_examples(made))
    print(*wrong, f"{len(EXAMPLE.findall(made))} examples, {len(wrong)} wrong", sep="\n")
    sys.exit(1 if difference or wrong else 0)


main()
