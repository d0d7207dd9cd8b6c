from bench import measure


def step():
    x = 0.5
    for _ in range(100000):
        x = 3.7 * x * (1.0 - x)
    return x


measure(step)
