import sys

import torch
from bench_torch import measure_gradient, tensor

n, d, h = (int(a) for a in sys.argv[1:4])
X = tensor((n, d), 1.0, grad=True)
Wq, Wk, Wv = (tensor((d, h), s, grad=True) for s in (2.0, 3.0, 4.0))
C = tensor((n, h), 5.0)


def loss():
    A = torch.softmax((X @ Wq) @ (X @ Wk).T / h**0.5, dim=1)
    return torch.sum(C * (A @ (X @ Wv)))


measure_gradient(loss, X, Wq, Wk, Wv)
