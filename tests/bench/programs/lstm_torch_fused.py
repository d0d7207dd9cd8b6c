"""The same network by PyTorch's own layer, which keeps the gates in another order, transposed, and a second bias."""
import torch
from bench_torch import measure_gradient, tensor

STEPS, UNITS = 100, 64
X = tensor((STEPS, UNITS), 4.0)
cell = torch.nn.LSTM(UNITS, UNITS, dtype=torch.float64)


def gates(P):
    i, f, o, g = P.T.reshape(4, UNITS, -1)
    return torch.cat((i, f, g, o)).squeeze(1)


with torch.no_grad():
    cell.weight_ih_l0.copy_(gates(tensor((UNITS, 4 * UNITS), 1.0, 0.2)))
    cell.weight_hh_l0.copy_(gates(tensor((UNITS, 4 * UNITS), 2.0, 0.2)))
    cell.bias_ih_l0.copy_(gates(tensor((1, 4 * UNITS), 3.0)))
    cell.bias_hh_l0.zero_()
cell.bias_hh_l0.requires_grad_(False)


def loss():
    _, (h, _) = cell(X)
    return torch.sum(h * h)


measure_gradient(loss, cell.weight_ih_l0, cell.weight_hh_l0, cell.bias_ih_l0)
