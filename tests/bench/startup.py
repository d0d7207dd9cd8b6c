"""What is in no workload: starting up, reading long files, and what starting up alone needs in memory."""
import os
import shutil
import tempfile

from processes import run, whole_process
from table import Figure, at_least

LUA_WANTED = 0.7


def rows(machine, rounds):
    """title, time, peer, ratio and what is wanted of it"""
    if shutil.which("lua5.4"):
        ours = theirs = float("inf")
        for _ in range(rounds):
            ours = min(ours, whole_process([machine.viv, "-e", "print(1)"], machine))
            theirs = min(theirs, whole_process(["lua5.4", "-e", "print(1)"], machine))
        yield "start-up, printing 1", ours, "lua5.4", at_least(theirs / ours, LUA_WANTED), f"{LUA_WANTED:g}"
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "lines.viv")
        with open(lines, "w") as f:
            for i in range(50000):
                f.write(f"def f{i}(x, y = {i}) {{ return x * y + {i}.5 }}\nx{i} = {i} if {i} > 3 else [1.0, {i}]\n")
        yield "parsing and running 10⁵ lines", whole_process([machine.viv, "run", lines], machine, 3), *[Figure()] * 3
        tests = os.path.join(folder, "tests.viv")
        with open(tests, "w") as f:
            for i in range(1000):
                f.write(f'test "number {i}" {{ assert_eq({i} + 1, {i + 1}) }}\n')
        yield "viv test of 1000 small tests", whole_process([machine.viv, "test", tests], machine, 3), *[Figure()] * 3


def footprints(machine):
    """A sentence for readers of the peaks."""
    commands = {"Viv": [machine.viv, "-e", "none"], "Python": [machine.python, "-c", ""]}
    if "numpy" in machine.peers:
        commands["Python with NumPy"] = [machine.python, "-c", "import numpy"]
    if "torch" in machine.peers:
        commands["Python with NumPy and PyTorch"] = [machine.python, "-c", "import numpy, torch"]
    peaks = (f"{name} {run(command, machine)['peak']:.1f} MiB" for name, command in commands.items())
    return "Of the peaks, starting up alone takes: " + ", ".join(peaks) + "."
