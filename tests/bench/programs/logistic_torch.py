import torch
from bench_torch import measure_gradient

start = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)


def logistic():
    x = start
    for _ in range(1000):
        x = 3.7 * x * (1.0 - x)
    return x


measure_gradient(logistic, start)
