"""Runs the programs, each in a process of its own: what it prints, how long it takes, how much memory it needs at most."""
import os
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
WORK = os.path.join(HERE, "programs")
ONE_THREAD = {k: "1" for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VIV_THREADS")}
KEEP_MEMORY = {k: str(1 << 30) for k in ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_")}
# A process starts out with the peak of the one it was forked from. So a shell runs the program, because it is small, and then becomes
# the Python that asks for the peak of what the shell ran.
ASK_PEAK = 'import resource; print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)'
RUN_AND_ASK = '"$@" || exit; exec "$0" -c ' + shlex.quote(ASK_PEAK)


@dataclass
class Machine:
    """The interpreters, the peers that are installed, and the environment that every program runs in."""

    viv: str
    python: str
    peers: set
    env: dict


def machine(viv, keep_memory):
    python = next((p for p in (sys.executable, "/usr/bin/python3") if has_module(p, "numpy")), sys.executable)
    peers = {"python"} | {m for m in ("torch", "numpy") if has_module(python, m)}
    env = {**os.environ, **ONE_THREAD, **(KEEP_MEMORY if keep_memory else {}), "PYTHONPATH": HERE, "VIV_PATH": HERE}
    return Machine(os.path.abspath(viv), python, peers, env)


def has_module(python, name):
    return subprocess.run([python, "-c", f"import {name}"], capture_output=True).returncode == 0


def run(command, machine):
    """What the program printed, by name: check, time, and forward and gradient where it has them; and its peak in MiB."""
    pin = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    done = subprocess.run([*pin, "sh", "-c", RUN_AND_ASK, sys.executable, *command], capture_output=True, text=True,
                          env=machine.env, cwd=WORK)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    words = (line.split() for line in done.stdout.splitlines())
    return {w[0]: float(w[1]) for w in words if w and w[0] in ("check", "time", "forward", "gradient", "peak")}


def whole_process(command, machine, rounds=30):
    """The shortest time of a whole process."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=machine.env)
        best = min(best, time.perf_counter() - start)
    return best
