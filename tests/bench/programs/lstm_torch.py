import torch
from bench_torch import measure_gradient, tensor

STEPS, UNITS = 100, 64
W = tensor((UNITS, 4 * UNITS), 1.0, 0.2, grad=True)
U = tensor((UNITS, 4 * UNITS), 2.0, 0.2, grad=True)
b = tensor((4 * UNITS,), 3.0, grad=True)
X = tensor((STEPS, UNITS), 4.0)


def loss():
    h, c = torch.zeros(UNITS, dtype=torch.float64), torch.zeros(UNITS, dtype=torch.float64)
    for t in range(STEPS):
        z = X[t, :] @ W + h @ U + b
        i, f, o = (torch.sigmoid(z[k * UNITS : (k + 1) * UNITS]) for k in range(3))
        c = f * c + i * torch.tanh(z[3 * UNITS :])
        h = o * torch.tanh(c)
    return torch.sum(h * h)


measure_gradient(loss, W, U, b)
