import torch
from bench_torch import measure_gradient, tensor

X, C = tensor((64, 256), 1.0), tensor((64, 256), 2.0)
W = tensor((256, 1024), 3.0, 0.1, grad=True)
V = tensor((1024, 256), 4.0, 0.1, grad=True)


def loss():
    return torch.sum(C * (torch.relu(X @ W) ** 2 @ V))


measure_gradient(loss, W, V)
