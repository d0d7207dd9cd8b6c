"""What is measured: each workload is a program in programs/, and one of the same name for each of its peers."""
from dataclasses import dataclass, field

STEEPEST = 3  # wanted of every gradient: at most so many times the time of the loss alone


@dataclass(frozen=True)
class Workload:
    title: str
    program: str
    arguments: tuple = ()
    wanted: dict = field(default_factory=dict)  # of each peer: its time over Viv's, at least; None if nothing is wanted
    peak: bool = False  # whether peak memory is shown: where the data takes a MiB or more
    peak_within: str = ""  # the peer whose peak Viv's must not exceed


# A peer is named after its program: torch_stack is rows_torch_stack.py.
WORKLOADS = [
    Workload("RMSNorm row by row, gradient, 512×256", "rows", ("512", "256"), {"torch": 100, "torch_stack": None}, peak=True),
    Workload("RMSNorm row by row, gradient, 4×5", "rows", ("4", "5"), {"torch": 50, "torch_stack": None}),
    Workload("scatter row by row, gradient, 512×256", "scatter", ("512", "256"), {"torch": 100, "torch_stack": None}, peak=True),
    Workload("scatter row by row, gradient, 4×5", "scatter", ("4", "5"), {"torch": 50, "torch_stack": None}),
    Workload("1000 scalar steps, gradient", "logistic", (), {"torch": 150}),
    Workload("attention 5×4, gradient", "attention", ("5", "4", "3"), {"torch": 15}),
    Workload("attention 256×128, gradient", "attention", ("256", "128", "128"), {"torch": 1.5}, peak=True),
    Workload("RMSNorm vectorised 512×256, gradient", "rmsnorm", (), {"torch": 3}, peak=True),
    Workload("elementwise 10⁶", "elementwise", (), {"torch": 6, "numpy": 3}, peak=True),
    Workload("elementwise 10⁶, gradient", "elementwise_grad", (), {"torch": 4}, peak=True),
    Workload("MLP 64×256×1024, gradient", "mlp", (), {"torch": 1.1}, peak=True),
    Workload("LSTM, 100 steps of 64, gradient", "lstm", (), {"torch": 5, "torch_fused": None}, peak=True),
    Workload("GPT training step", "gpt", (), {"torch": 1.3}, peak=True, peak_within="torch"),
    Workload("matrix product 4", "matmul", ("4",), {"numpy": None}),
    Workload("matrix product 16", "matmul", ("16",), {"numpy": None}),
    Workload("matrix product 64", "matmul", ("64",), {"numpy": 1}),
    Workload("matrix product 256", "matmul", ("256",), {"numpy": 1}, peak=True),
    Workload("matrix product 1024", "matmul", ("1024",), {"numpy": 1}, peak=True),
    Workload("sort 10⁶", "arrays", ("sort",), {"numpy": None}, peak=True),
    Workload("cumsum 10⁶", "arrays", ("cumsum",), {"numpy": None}, peak=True),
    Workload("gather 10⁶", "arrays", ("gather",), {"numpy": None}, peak=True),
    Workload("masked assignment 10⁶", "arrays", ("mask",), {"numpy": None}, peak=True),
    Workload("sum 10⁶", "arrays", ("sum",), {"numpy": None}, peak=True),
    Workload("max 10⁶", "arrays", ("max",), {"numpy": None}, peak=True),
    Workload("scalar loop, 10⁵ steps", "loop", (), {"python": 2.5}),
    Workload("fib(25)", "fib", (), {"python": 1.5}),
]
