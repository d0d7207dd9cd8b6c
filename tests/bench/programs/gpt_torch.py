import torch
import torch.nn.functional as F
from bench import measure
from bench_torch import tensor

BATCH, TIME, WIDTH, HEADS, LAYERS, CHARS = 8, 128, 128, 4, 4, 64
SIZE = WIDTH // HEADS


layers = [
    (tensor((WIDTH, 3 * WIDTH), s, 0.1, grad=True), tensor((WIDTH, WIDTH), s + 0.1, 0.1, grad=True),
     tensor((WIDTH, 4 * WIDTH), s + 0.2, 0.1, grad=True), tensor((4 * WIDTH, WIDTH), s + 0.3, 0.1, grad=True))
    for s in (3.0 + i for i in range(LAYERS))
]
embed, position = tensor((CHARS, WIDTH), 1.0, grad=True), tensor((TIME, WIDTH), 2.0, grad=True)
out = tensor((WIDTH, CHARS), 9.0, 0.1, grad=True)
params = [embed, position, out] + [w for layer in layers for w in layer]
optimizer = torch.optim.AdamW(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)
tokens = (torch.arange(BATCH * TIME) * 7 % CHARS).reshape(BATCH, TIME)
targets = (torch.arange(BATCH * TIME) * 7 + 7) % CHARS
mask = torch.triu(torch.full((TIME, TIME), -1e9, dtype=torch.float64), diagonal=1)


def norm_rows(X):
    return X / torch.sqrt((X * X).mean(dim=-1, keepdim=True) + 1e-6)


def split_heads(X):
    return X.reshape(BATCH, TIME, HEADS, SIZE).transpose(1, 2)


def loss():
    X = F.embedding(tokens, embed) + position
    for Wqkv, Wo, Wup, Wdown in layers:
        Q, K, V = (split_heads(Z) for Z in (norm_rows(X) @ Wqkv).split(WIDTH, dim=-1))
        A = torch.softmax(Q @ K.transpose(-1, -2) / SIZE**0.5 + mask, dim=-1)
        X = X + (A @ V).transpose(1, 2).reshape(BATCH, TIME, WIDTH) @ Wo
        X = X + torch.relu(norm_rows(X) @ Wup) ** 2 @ Wdown
    logits = (norm_rows(X) @ out).reshape(BATCH * TIME, CHARS)
    return F.cross_entropy(logits, targets)


def step():
    optimizer.zero_grad(set_to_none=True)
    value = loss()
    value.backward()
    optimizer.step()
    return value


def check(value):
    return value.item() + sum(p.sum().item() for p in params)


measure(step, check, 3.0)
