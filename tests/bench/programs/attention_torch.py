import sys

import torch
from bench import measure, tensor

n, d, h = (int(a) for a in sys.argv[1:4])
X = tensor((n, d), 1.0, grad=True)
Wq, Wk, Wv = (tensor((d, h), s, grad=True) for s in (2.0, 3.0, 4.0))
C = tensor((n, h), 5.0)
leaves = (X, Wq, Wk, Wv)


def step():
    for p in leaves:
        p.grad = None
    A = torch.softmax((X @ Wq) @ (X @ Wk).T / h**0.5, dim=1)
    v = torch.sum(C * (A @ (X @ Wv)))
    v.backward()
    return v.item() + sum(p.grad.sum().item() for p in leaves)


measure(step)
