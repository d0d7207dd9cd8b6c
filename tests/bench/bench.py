"""What the peers' workloads use: the inputs and the timing of bench.viv."""
import time

import numpy as np


def walk(shape, seed):
    n = int(np.prod(shape))
    v = (np.arange(1, n + 1, dtype=np.float64) * 0.6180339887498949 + seed * 0.7548776662466927) % 1.0
    return (2.0 * v - 1.0).reshape(shape)


def measure(f, check=float, seconds=0.4):
    print("check", check(f()))
    best, start = float("inf"), time.perf_counter()
    while time.perf_counter() - start < seconds:
        t = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - t)
    print("time", best)
