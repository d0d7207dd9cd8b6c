"""What PyTorch's workloads use besides bench.py: one thread, tensors of Floats, and a gradient to measure."""
import torch
from bench import measure, walk

torch.set_num_threads(1)


def tensor(shape, seed, scale=1.0, grad=False):
    return torch.tensor(walk(shape, seed) * scale, requires_grad=grad)


def measure_gradient(loss, *leaves):
    """Times loss() and its backward pass. The check is the value and all gradients added up."""

    def gradient():
        for leaf in leaves:
            leaf.grad = None
        value = loss()
        value.backward()
        return value

    def check(value):
        return value.item() + sum(leaf.grad.sum().item() for leaf in leaves)

    measure(gradient, check)
