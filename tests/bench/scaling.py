"""How time and peak memory grow with the steps of a loop."""
from processes import run
from table import Figure, Table, at_most, duration

COLUMNS = [("loop", 44), ("steps", 9), ("time", 14), ("× time", 9), ("peak MiB", 11), ("× peak", 14)]
CONSTANT = 1.1  # what a loop without a derivative may grow by, over all its sizes

# title, name in programs/scaling.viv, steps, what the peak may grow by
LOOPS = [
    ("filling rows of 64, value_and_grad", "rows", (8000, 32000, 128000), None),
    ("chain of numbers, value_and_grad", "numbers", (100000, 400000, 1600000), None),
    ("filling rows of 64, no derivative", "plain", (10000, 100000, 1000000), CONSTANT),
]


def print_scaling(machine, markdown):
    """Prints the table. The answer is whether what must run in constant memory did."""
    table, constant = Table(COLUMNS, markdown), True
    for title, name, sizes, limit in LOOPS:
        results = []
        for steps in sizes:
            results.append(run([machine.viv, "run", "scaling.viv", name, str(steps)], machine))
            table.row(title, str(steps), *growth(results, limit))
        if limit and max(r["peak"] for r in results) > limit * results[0]["peak"]:
            constant = False
    return constant


def growth(results, limit):
    """The cells of the last result, which is compared with the one before."""
    last = results[-1]
    if len(results) == 1:
        return duration(last["time"]), Figure(), f"{last['peak']:.1f}", Figure()
    time, peak = (last[k] / results[-2][k] for k in ("time", "peak"))
    return duration(last["time"]), f"{time:.2f}", f"{last['peak']:.1f}", at_most(peak, limit)
