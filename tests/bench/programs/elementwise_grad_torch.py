import torch
from bench_torch import measure_gradient, tensor

X, D = tensor((1000000,), 1.0, grad=True), tensor((1000000,), 2.0)


def loss():
    return torch.sum((D / (2.0 + X * X) - X * 2.0 / (3.0 + X)) * D + 0.5 * X)


measure_gradient(loss, X)
