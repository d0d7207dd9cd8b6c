#!/usr/bin/env python3
"""Holds messages and the command line to what is written down.

usage: golden.py VIV errors|cli [--update] [NAME…]

errors/NAME.viv   must fail with status 1, print nothing, and say exactly what NAME.err holds on standard error;
                  what it imports lies in errors/parts/
cli/NAME.case     a shell session with its output (transcript.py says how it is written)

--update rewrites the expectations from what happens: look at the difference before committing it.
"""
import difflib
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import transcript

LEFT_OUT = re.compile(r"… \d+ calls left out")  # how many, depends on the stack
TESTS = Path(__file__).resolve().parent


def difference(expected, actual):
    lines = difflib.unified_diff(expected, actual, "expected", "actual", lineterm="", n=4)
    return "\n".join("    " + line for line in lines)


def check_error(viv, path, update):
    """"" or what is wrong."""
    done = subprocess.run([viv, "run", path.name], cwd=path.parent, env=transcript.environment(viv),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    said = LEFT_OUT.sub("… calls left out", done.stderr.decode("utf-8", "backslashreplace"))
    if done.returncode != 1 or done.stdout:
        return f"    status {done.returncode}, standard output {done.stdout[:200]!r}, standard error:\n{said}"
    expected_path = path.with_suffix(".err")
    if update:
        expected_path.write_text(said, encoding="utf-8")
    if not expected_path.exists():
        return f"    there is no {expected_path.name}; golden.py --update writes it from:\n{said}"
    return difference(expected_path.read_text(encoding="utf-8").splitlines(), said.splitlines())


def check_case(viv, path, update):
    steps, rest = transcript.parse(path.read_text(encoding="utf-8"))
    if not steps:
        return "    no command in it"
    with tempfile.TemporaryDirectory() as folder:
        actual = [transcript.run(step, viv, folder) for step in steps]
    if update:
        lines = [line for step in actual for line in (*step.before, *transcript.write_step(step))] + rest
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return ""
    return difference(*([line for step in side for line in transcript.write_step(step)]
                        for side in (steps, actual)))


KINDS = {"errors": (".viv", check_error), "cli": (".case", check_case)}


def main():
    args = [a for a in sys.argv[1:] if a != "--update"]
    if len(args) < 2 or args[1] not in KINDS:
        sys.exit(__doc__)
    viv, kind, names = os.path.abspath(args[0]), args[1], args[2:]
    if not os.access(viv, os.X_OK):
        sys.exit(f"there is no {viv}")
    update = "--update" in sys.argv
    ending, check = KINDS[kind]
    paths = [p for p in sorted((TESTS / kind).glob("*" + ending)) if not names or p.stem in names]

    def attempt(path):
        try:
            return check(viv, path, update)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return f"    {error}"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(attempt, paths))
    for path, wrong in zip(paths, results):
        if wrong:
            print(f"FAIL {kind}/{path.name}\n{wrong}")
    failed = sum(map(bool, results))
    print(f"{len(paths) - failed} passed, {failed} failed")
    sys.exit(1 if failed or not paths else 0)


main()
