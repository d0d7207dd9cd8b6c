#!/usr/bin/env python3
"""Holds `viv run --profile` and `--folded` to what a small program does: lines, counts, operations, stacks. Times are only added up.

usage: profile.py VIV
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """\
import lib
def square(v) = v * v
def loss(w) {
    s = sum(tanh(square(w)))
    for i to 3 { s = s + w[i] }
    return s
}
w = ones(20000)
for k to 5 {
    v, g = value_and_grad(loss, w)
}
a = lib.twice(w) @ w; b = a + 1.0
print(round(v), len(args))
"""
LIBRARY = "def twice(x) {\n    return x + x\n}\n"
ADJOINT = """\
def f(x) = x * x
adjoint f(x, ct) {
    c = sum(ct)
    return ct * 2.0 * x
}
print(grad(def(x) = sum(f(x)), ones(4)))
"""
NUMBERS = """\
def f(x) {
    for i to 10 { x = x * x + 1.0 }
    return x
}
print(grad(f, 0.5) > 0.0)
y = exp(ones(10))
"""
DEEP = "def down(n) { if n == 0 { return 0 }\n    return down(n - 1)\n}\nprint(down(1000))\n"
TIME = r"\s+(\d+\.\d\d|<0\.01|not timed|-)"
COLUMNS = TIME + r"\s+(\d+\.\d%|-)" + 3 * TIME
LINE = re.compile(r"(\S+:\d+)" + COLUMNS + r"\s+(\d+)\s+(\S+) +(B|kB|MB|GB)  (.*)")
OPERATION = re.compile(r"(\S.*?)" + COLUMNS + r"\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+) +(B|kB|MB|GB)")
STACK = re.compile(r"(?:[^;\n]+;)*[^;\n]+ \d+")
problems = []


def expect(what, actual, wanted):
    if actual != wanted:
        problems.append(f"{what}: {actual!r}, not {wanted!r}")


def run(viv, folder, *words, text=None):
    return subprocess.run([viv, *words], cwd=folder, input=text, capture_output=True, text=True, timeout=120)


def tables(stderr):
    """name -> the row's match, for lines and for operations."""
    head, *rest = stderr[stderr.index("profile: "):].split("\n\n")
    found = []
    for table, row in zip(rest, (LINE, OPERATION)):
        rows = [row.fullmatch(text) for text in table.splitlines()[1:]]
        found.append({m.group(1): m for m in rows if m})
    return head, *found


def check_program(viv, folder):
    plain, done = (run(viv, folder, "run", *words, "main.viv", "--profile", "x")
                   for words in ((), ("--profile", "--folded", "out.txt")))
    expect("output", (done.returncode, done.stdout), (plain.returncode, plain.stdout))
    expect("without --profile", plain.stderr, "")
    head, lines, operations = tables(done.stderr)
    times = {name: int(m.group(7)) for name, m in lines.items()}
    for name, n in {"main.viv:2": 5, "main.viv:4": 5, "main.viv:5": 15, "main.viv:6": 5, "main.viv:9": 1,
                    "main.viv:10": 5, "main.viv:12": 1, "lib.viv:2": 1}.items():
        expect(f"times of {name}", times.get(name), n)
    expect("text", lines["main.viv:10"].group(10), "v, g = value_and_grad(loss, w)")
    expect("array data of main.viv:8", lines["main.viv:8"].group(8, 9), ("160", "kB"))
    counts = {name: tuple(int(n) for n in m.group(7, 8, 9)) for name, m in operations.items()}
    for name, wanted in {"tanh": (0, 5, 5), "*": (0, 5, 5), "sum": (0, 5, 5), "index": (0, 15, 15), "+": (1, 15, 15),
                         "@": (1, 0, 0)}.items():
        expect(f"operation {name}", counts.get(name), wanted)
    if lines["main.viv:2"].group(6) == "-" or lines["main.viv:8"].group(6) != "-":
        problems.append("the sweep's time is not where it was recorded")
    parts = [float(x) for x in re.findall(r"(\d+\.\d+) ms", head)]
    if abs(parts[0] - sum(parts[1:])) > 0.02:
        problems.append(f"the phases don't add up: {head}")
    check_folded((folder / "out.txt").read_text(encoding="utf-8"), parts[0])


def check_folded(text, milliseconds):
    for line in text.splitlines():
        if not STACK.fullmatch(line):
            problems.append(f"no stack: {line!r}")
    stacks = {line.rsplit(" ", 1)[0] for line in text.splitlines()}
    if not any(s.startswith("main.viv:the file;main.viv:loss;main.viv:") for s in stacks):
        problems.append(f"loss is missing in {sorted(stacks)}")
    whole = sum(int(line.rsplit(" ", 1)[1]) for line in text.splitlines()) / 1000
    if not milliseconds - 0.1 <= whole <= milliseconds + 0.1:
        problems.append(f"stacks hold {whole} ms of {milliseconds} ms")


def check_numbers(viv, folder):
    """Operations on single numbers are counted, and not timed; what took no time to speak of took some."""
    done = run(viv, folder, "run", "--profile", "numbers.viv")
    head, lines, operations = tables(done.stderr)
    for name in ("*", "+"):
        expect(f"{name} of numbers", operations[name].group(2, 3, 4, 5, 6), ("not timed", "-", "-", "not timed", "not timed"))
    expect("exp of an array", (operations["exp"].group(2) in ("-", "not timed"), operations["exp"].group(5, 6)), (False, ("-", "-")))
    expect("a line without a derivative", lines["numbers.viv:6"].group(5, 6), ("-", "-"))
    if re.search(r" 0\.00\b", done.stderr[len(head):]):
        problems.append(f"a time of 0.00 in\n{done.stderr}")
    head, *_ = tables(run(viv, folder, "run", "--profile", "-e", "x = 1").stderr)
    expect("phases", re.findall(r"plain|recording|sweeps", head), ["plain"])


def check_others(viv, folder):
    done = run(viv, folder, "run", "--profile", "-e", "x = 1\nprint(y)")
    expect("unknown name", (done.returncode, "by line" in done.stderr), (1, True))
    done = run(viv, folder, "run", "--profile", "-", text="x = 1\nx = x // 0\n")
    expect("failure", (done.returncode, "<stdin>:2 " in done.stderr, "Int division" in done.stderr), (1, True, True))
    done = run(viv, folder, "run", "--profile", "-e", "print(1)\nexit(3)")
    expect("exit", (done.returncode, done.stdout, "<text>:2 " in done.stderr), (3, "1\n", True))
    _, lines, operations = tables(run(viv, folder, "run", "--profile", "adjoint.viv").stderr)
    expect("adjoint's line", lines["adjoint.viv:3"].group(7), "1")
    expect("operations in an adjoint", operations["sum"].group(7, 8, 9), ("0", "1", "2"))
    done = run(viv, folder, "run", "--folded=deep.txt", "deep.viv")
    expect("deep recursion", (done.returncode, done.stdout, done.stderr), (0, "0\n", ""))
    done = run(viv, folder, "run", "--folded", "nowhere/out.txt", "-e", "print(1)")
    expect("no folder", (done.returncode, done.stdout), (1, "1\n"))
    done = run(viv, folder, "run", "--profil", "main.viv")
    expect("unknown option", (done.returncode, done.stderr.count("--profile")), (2, 1))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    viv = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in {"main.viv": PROGRAM, "lib.viv": LIBRARY, "adjoint.viv": ADJOINT, "deep.viv": DEEP,
                           "numbers.viv": NUMBERS}.items():
            (folder / file).write_text(text, encoding="utf-8")
        check_program(viv, folder)
        check_numbers(viv, folder)
        check_others(viv, folder)
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
