import sys

import torch
from bench import measure, tensor

n, d = int(sys.argv[1]), int(sys.argv[2])
X, C = tensor((n, d), 1.0, grad=True), tensor((n, d), 2.0)
to = [(i * 7 + 3) % n for i in range(n)]


def step():
    X.grad = None
    Y = torch.zeros_like(X)
    for i in range(n):
        Y[to[i], :] += X[i, :] * X[i, :]
    v = torch.sum(C * Y)
    v.backward()
    return v.item() + torch.sum(X.grad * C).item()


measure(step)
