import torch
from bench import measure, tensor, walk

STEPS, UNITS = 100, 64
W = torch.tensor(walk((UNITS, 4 * UNITS), 1.0) * 0.2, requires_grad=True)
U = torch.tensor(walk((UNITS, 4 * UNITS), 2.0) * 0.2, requires_grad=True)
b = tensor((4 * UNITS,), 3.0, grad=True)
X = tensor((STEPS, UNITS), 4.0)


def step():
    W.grad = U.grad = b.grad = None
    h, c = torch.zeros(UNITS, dtype=torch.float64), torch.zeros(UNITS, dtype=torch.float64)
    for t in range(STEPS):
        z = X[t, :] @ W + h @ U + b
        i, f, o = (torch.sigmoid(z[k * UNITS : (k + 1) * UNITS]) for k in range(3))
        c = f * c + i * torch.tanh(z[3 * UNITS :])
        h = o * torch.tanh(c)
    v = torch.sum(h * h)
    v.backward()
    return v.item() + W.grad.sum().item() + U.grad.sum().item() + b.grad.sum().item()


measure(step)
