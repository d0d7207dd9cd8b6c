import sys

import torch
from bench_torch import measure_gradient, tensor

n, d = int(sys.argv[1]), int(sys.argv[2])
X, C = tensor((n, d), 1.0, grad=True), tensor((n, d), 2.0)
to = [(i * 7 + 3) % n for i in range(n)]


def loss():
    Y = torch.zeros_like(X)
    for i in range(n):
        Y[to[i], :] += X[i, :] * X[i, :]
    return torch.sum(C * Y)


measure_gradient(loss, X)
