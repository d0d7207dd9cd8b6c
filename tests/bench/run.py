#!/usr/bin/env python3
"""Times Viv against its peers: the same program on each, side by side.

    tests/bench/run.py [--viv build/viv] [--rounds N] [--only TEXT] [--markdown]

Every program runs pinned to one core, single-threaded, the peers taking turns; each prints a check value, which must agree,
and its best time of one step. The table gives time of the peer over time of Viv, so above 1 Viv is ahead. Peers that are not
installed are left out. Nothing is built here. Not a test: ctest does not run it."""
import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.path.join(HERE, "programs")
ONE_THREAD = {k: "1" for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VIV_THREADS")}

# title, program, arguments, {peer: wanted ratio}
WORKLOADS = [
    ("RMSNorm row by row, gradient, 512×256", "rows", ["512", "256"], {"torch": 100}),
    ("RMSNorm row by row, gradient, 4×5", "rows", ["4", "5"], {"torch": 50}),
    ("scatter row by row, gradient, 512×256", "scatter", ["512", "256"], {"torch": 100}),
    ("scatter row by row, gradient, 4×5", "scatter", ["4", "5"], {"torch": 50}),
    ("1000 scalar steps, gradient", "logistic", [], {"torch": 150}),
    ("attention 5×4, gradient", "attention", ["5", "4", "3"], {"torch": 15}),
    ("attention 256×128, gradient", "attention", ["256", "128", "128"], {"torch": 1.5}),
    ("RMSNorm vectorised 512×256, gradient", "rmsnorm", [], {"torch": 3}),
    ("elementwise 10⁶", "elementwise", [], {"torch": 6, "numpy": 3}),
    ("elementwise 10⁶, gradient", "elementwise_grad", [], {"torch": 4}),
    ("MLP 64×256×1024, gradient", "mlp", [], {"torch": 1.1}),
    ("LSTM, 100 steps of 64, gradient", "lstm", [], {"torch": 5}),
    ("GPT training step", "gpt", [], {"torch": 1.3}),
    ("matrix product 4", "matmul", ["4"], {"numpy": None}),
    ("matrix product 16", "matmul", ["16"], {"numpy": None}),
    ("matrix product 64", "matmul", ["64"], {"numpy": 1.0}),
    ("matrix product 256", "matmul", ["256"], {"numpy": 1.0}),
    ("matrix product 1024", "matmul", ["1024"], {"numpy": 1.0}),
    ("sort 10⁶", "arrays", ["sort"], {"numpy": None}),
    ("cumsum 10⁶", "arrays", ["cumsum"], {"numpy": None}),
    ("gather 10⁶", "arrays", ["gather"], {"numpy": None}),
    ("masked assignment 10⁶", "arrays", ["mask"], {"numpy": None}),
    ("sum 10⁶", "arrays", ["sum"], {"numpy": None}),
    ("max 10⁶", "arrays", ["max"], {"numpy": None}),
    ("scalar loop, 10⁵ steps", "loop", [], {"python": 2.5}),
    ("fib(25)", "fib", [], {"python": 1.5}),
]


def find_python():
    """An interpreter that has NumPy: this one, or the system's."""
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return python
    return None


def has_module(python, name):
    return python and subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def run(command, env):
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    done = subprocess.run(pin + command, capture_output=True, text=True, env=env, cwd=WORK)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    result = dict(line.split() for line in done.stdout.splitlines() if line.startswith(("check ", "time ")))
    return float(result["check"]), float(result["time"])


def commands(viv, python, program, arguments, peers, available):
    yield "viv", [viv, "run", f"{program}.viv", *arguments]
    for peer in peers:
        if peer in available:
            yield peer, [python, f"{program}_{peer}.py", *arguments]


def compare(title, row, viv, python, available, rounds, env):
    program, arguments, peers = row
    best, checks = {}, {}
    for _ in range(rounds):
        for name, command in commands(viv, python, program, arguments, peers, available):
            check, seconds = run(command, env)
            checks[name] = check
            best[name] = min(best.get(name, seconds), seconds)
    for name, check in checks.items():
        if abs(check - checks["viv"]) > 1e-6 * max(1.0, abs(check)):
            raise SystemExit(f"{title}: {name} computes {check}, viv {checks['viv']}")
    return best


def whole_process(command, env, rounds=30):
    """The shortest time of a whole process, and its peak memory in MiB."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=env)
        best = min(best, time.perf_counter() - start)
    return best


def peak_memory(command, env):
    """MiB, measured in a child of its own, because the kernel keeps the largest of all children."""
    read, write = os.pipe()
    if os.fork() == 0:
        subprocess.run(command, stdout=subprocess.DEVNULL, env=env, cwd=WORK)
        os.write(write, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024).encode())
        os._exit(0)
    os.wait()
    return float(os.read(read, 100))


def startup_rows(viv, env, rounds):
    rows = []
    if shutil.which("lua5.4"):
        ours = theirs = float("inf")
        for _ in range(rounds):
            ours = min(ours, whole_process([viv, "-e", "print(1)"], env))
            theirs = min(theirs, whole_process(["lua5.4", "-e", "print(1)"], env))
        rows.append(("start-up, printing 1", "lua5.4", theirs / ours, 0.7, ours))
    with tempfile.TemporaryDirectory() as folder:
        lines = os.path.join(folder, "lines.viv")
        with open(lines, "w") as f:
            for i in range(50000):
                f.write(f"def f{i}(x, y = {i}) {{ return x * y + {i}.5 }}\nx{i} = {i} if {i} > 3 else [1.0, {i}]\n")
        rows.append(("parsing and running 10⁵ lines", "", None, None, whole_process([viv, "run", lines], env, 3)))
        tests = os.path.join(folder, "tests.viv")
        with open(tests, "w") as f:
            for i in range(1000):
                f.write(f'test "number {i}" {{ assert_eq({i} + 1, {i + 1}) }}\n')
        rows.append(("viv test of 1000 small tests", "", None, None, whole_process([viv, "test", tests], env, 3)))
    return rows


def print_scaling(viv, env):
    print("\nFilling Y[i, :] under value_and_grad, 64 columns:")
    before = None
    for n in (8000, 32000, 128000):
        _, seconds = run([viv, "run", "scaling.viv", str(n)], env)
        memory = peak_memory([viv, "run", "scaling.viv", str(n)], env)
        grown = f"  (time ×{seconds / before[0]:.2f}, memory ×{memory / before[1]:.2f})" if before else ""
        print(f"  {n:6d} rows: {1e3 * seconds:8.2f} ms, peak {memory:7.1f} MiB{grown}")
        before = (seconds, memory)


def print_row(title, peer, ratio, wanted, seconds, markdown):
    ours = f"{1e6 * seconds:.1f} µs" if seconds < 1e-3 else f"{1e3 * seconds:.2f} ms"
    shown = f"{ratio:.2f}" if ratio else "–"
    goal = f"{wanted:g}" if wanted else "–"
    if markdown:
        print(f"| {title} | {ours} | {peer or '–'} | {shown} | {goal} |")
    else:
        verdict = "" if not (ratio and wanted) else "ok" if ratio >= wanted else "BELOW"
        print(f"{title:42s} {ours:>12s}  {peer:8s} {shown:>8s}  wanted {goal:>5s} {verdict}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viv", default=os.path.join(HERE, "..", "..", "build", "viv"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    viv, python = os.path.abspath(options.viv), find_python()
    available = {"python"} | {m for m in ("torch", "numpy") if has_module(python, m)}
    env = {**os.environ, **ONE_THREAD, "PYTHONPATH": HERE, "VIV_PATH": HERE}
    if options.markdown:
        print("| workload | Viv | peer | peer / Viv | wanted |\n| --- | --- | --- | --- | --- |")
    for title, *row in WORKLOADS:
        if options.only not in title:
            continue
        best = compare(title, row, viv, python or sys.executable, available, options.rounds, env)
        for peer, wanted in row[2].items():
            if peer in best:
                print_row(title, peer, best[peer] / best["viv"], wanted, best["viv"], options.markdown)
    if not options.only or "start" in options.only:
        for row in startup_rows(viv, env, options.rounds):
            print_row(*row, options.markdown)
    if not options.only or "scaling" in options.only:
        print_scaling(viv, env)


if __name__ == "__main__":
    main()
