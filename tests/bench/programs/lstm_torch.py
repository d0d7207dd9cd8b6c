import torch
from bench_torch import measure_gradient, tensor

STEPS, UNITS = 100, 64
W = tensor((UNITS, 4 * UNITS), 1.0, 0.2, grad=True)
U = tensor((UNITS, 4 * UNITS), 2.0, 0.2, grad=True)
b = tensor((4 * UNITS,), 3.0, grad=True)
X = tensor((STEPS, UNITS), 4.0)


def loss():
    h, c = torch.zeros(UNITS, dtype=torch.float64), torch.zeros(UNITS, dtype=torch.float64)
    for x in X:
        i, f, o, g = (x @ W + h @ U + b).chunk(4)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return torch.sum(h * h)


measure_gradient(loss, W, U, b)
