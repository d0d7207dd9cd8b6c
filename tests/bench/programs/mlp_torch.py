import torch
from bench import measure, tensor, walk

X, C = tensor((64, 256), 1.0), tensor((64, 256), 2.0)
W = torch.tensor(walk((256, 1024), 3.0) * 0.1, requires_grad=True)
V = torch.tensor(walk((1024, 256), 4.0) * 0.1, requires_grad=True)


def step():
    W.grad = V.grad = None
    v = torch.sum(C * (torch.relu(X @ W) ** 2 @ V))
    v.backward()
    return v.item() + W.grad.sum().item() + V.grad.sum().item()


measure(step)
