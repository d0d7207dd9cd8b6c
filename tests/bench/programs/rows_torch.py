import sys

import torch
from bench_torch import measure_gradient, tensor

n, d = int(sys.argv[1]), int(sys.argv[2])
X, C = tensor((n, d), 1.0, grad=True), tensor((n, d), 2.0)


def loss():
    Y = torch.zeros_like(X)
    for i in range(n):
        row = X[i, :]
        Y[i, :] = row / torch.sqrt(torch.mean(row * row) + 1e-6)
    return torch.sum(C * Y)


measure_gradient(loss, X)
