import torch
from bench import measure, walk

BATCH, TIME, WIDTH, HEADS, LAYERS, CHARS = 8, 128, 128, 4, 4, 64
SIZE = WIDTH // HEADS


def param(shape, seed, scale=1.0):
    return torch.tensor(walk(shape, seed) * scale, requires_grad=True)


layers = [
    (param((WIDTH, 3 * WIDTH), s, 0.1), param((WIDTH, WIDTH), s + 0.1, 0.1),
     param((WIDTH, 4 * WIDTH), s + 0.2, 0.1), param((4 * WIDTH, WIDTH), s + 0.3, 0.1))
    for s in (3.0 + i for i in range(LAYERS))
]
embed, position = param((CHARS, WIDTH), 1.0), param((TIME, WIDTH), 2.0)
out = param((WIDTH, CHARS), 9.0, 0.1)
params = [embed, position, out] + [w for layer in layers for w in layer]
start = [p.detach().clone() for p in params]
tokens = (torch.arange(BATCH * TIME) * 7 % CHARS).reshape(BATCH, TIME)
targets = (torch.arange(BATCH * TIME) * 7 + 7) % CHARS
mask = torch.triu(torch.full((TIME, TIME), -1e9, dtype=torch.float64), diagonal=1)


def norm_rows(X):
    return X / torch.sqrt(torch.mean(X * X, dim=-1, keepdim=True) + 1e-6)


def split_heads(X):
    return X.reshape(BATCH, TIME, HEADS, SIZE).transpose(1, 2)


def loss():
    X = embed[tokens] + position
    for Wqkv, Wo, Wup, Wdown in layers:
        Q, K, V = (split_heads(Z) for Z in (norm_rows(X) @ Wqkv).split(WIDTH, dim=-1))
        A = torch.softmax(Q @ K.transpose(-1, -2) / SIZE**0.5 + mask, dim=-1)
        X = X + (A @ V).transpose(1, 2).reshape(BATCH, TIME, WIDTH) @ Wo
        X = X + torch.relu(norm_rows(X) @ Wup) ** 2 @ Wdown
    logits = (norm_rows(X) @ out).reshape(BATCH * TIME, CHARS)
    return torch.nn.functional.cross_entropy(logits, targets)


def step():
    with torch.no_grad():
        for p, s in zip(params, start):
            p.copy_(s)
    optimizer = torch.optim.AdamW(params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)
    optimizer.zero_grad()
    v = loss()
    v.backward()
    optimizer.step()
    return v.item() + out.sum().item() + layers[0][0].sum().item()


measure(step, 3.0)
