import sys

from bench import measure, walk

n = int(sys.argv[1])
A, B = walk((n, n), 1.0), walk((n, n), 2.0)
times = max(1, 200000 // (n * n * n + 2000))


def step():
    C = A
    for _ in range(times):
        C = A @ B
    return C[0, 0] + C[-1, -1]


measure(step)
