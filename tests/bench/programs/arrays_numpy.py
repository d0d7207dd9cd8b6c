import sys

import numpy as np
from bench import measure, walk

N = 1000000
X = walk((N,), 1.0)
positions = np.arange(N) * 7919 % N


def masked():
    Y = X.copy()
    Y[Y > 0.0] = 0.0
    return Y


def ends(Y):
    return Y[0] + Y[-1] + Y[N // 2]


measure({
    "sort": lambda: ends(np.sort(X)),
    "cumsum": lambda: ends(np.cumsum(X)),
    "gather": lambda: ends(X[positions]),
    "sum": lambda: X.sum(),
    "max": lambda: X.max(),
    "mask": lambda: ends(masked()),
}[sys.argv[1]])
