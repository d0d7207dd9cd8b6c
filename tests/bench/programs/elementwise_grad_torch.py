import torch
from bench import measure, tensor

X, D = tensor((1000000,), 1.0, grad=True), tensor((1000000,), 2.0)


def step():
    X.grad = None
    v = torch.sum((D / (2.0 + X * X) - X * 2.0 / (3.0 + X)) * D + 0.5 * X)
    v.backward()
    return (X.grad[0] + X.grad[-1]).item()


measure(step)
