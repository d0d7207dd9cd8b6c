#!/usr/bin/env python3
"""Times Viv against its peers: the same program on each, side by side. Not a test: ctest does not run it.

    tests/bench/run.py [--viv build/viv] [--rounds N] [--only TEXT] [--keep-memory] [--markdown]
    tests/bench/run.py --before VIV [--viv build/viv] [--rounds N] [--only TEXT] [--markdown]

Nothing is built here, and peers that are not installed are left out. Every program runs pinned to one core, single-threaded, the
peers taking turns. Each prints a check value, which must agree, and its best time of one step; the best of all rounds counts.

The first table has

    Viv                 the time of one step
    gradient / forward  the time of value_and_grad over that of the loss alone, in one process; at most 3 is wanted
    peer / Viv          the peer's time over Viv's, so above 1 Viv is ahead, and what is wanted of it at least
    peak MiB            the peak memory of Viv's whole process and of the peer's, where the data takes a MiB or more; of the GPT
                        step at most PyTorch's is wanted. Nothing is subtracted; below the table stands what starting up takes.

The second table shows how time and peak memory grow with the steps of a loop. Where steps are recorded, memory grows with them. Where
none are, it must not: if it grows by more than 10 %, the exit status is 1. Beside a figure that something is wanted of stands
"ok", or "BELOW" or "ABOVE" what is wanted.

--only TEXT runs the workloads that have TEXT in their title; "start" and "scaling" stand for what is no workload. --markdown prints
what docs/performance.md holds, ready to be pasted; figures that miss are bold.

The peers run as they are installed, and fetch their large arrays from the kernel at each step or not, depending on what they allocated
before: some programs are several times slower in one run than in another. --keep-memory has glibc keep what is freed, which no
installation does by itself; it makes no difference to Viv.

--before VIV compares with another build of Viv instead, a commit before as a rule: the two take turns, the best of all rounds counts,
and where a workload takes over 3 % longer, the exit status is 1. Ten rounds are a good number for it.

workloads.py says what is measured, processes.py how a program is run. table.py prints; startup.py and scaling.py have rows of their own.
The programs are in programs/, one for Viv and one for each peer: the same computation, as a user of the peer would write it. Where
that is another program (rows stacked instead of assigned, a layer that the library has), it is a peer of its own without anything
wanted. What the programs share is in bench.viv, bench.py and bench_torch.py."""
import argparse
import os
import sys

import startup
from processes import HERE, machine, run
from scaling import print_scaling
from table import Figure, Table, at_least, at_most, duration
from workloads import STEEPEST, WORKLOADS

COLUMNS = [("workload", 39), ("Viv", 10), ("gradient / forward", 20), ("peer", 13), ("peer / Viv", 14), ("wanted", 8),
           ("peak MiB", 13), ("peer's peak", 13)]
MOST_OF_BEFORE = 1.03


def compare(workload, machine, rounds):
    """The best times and the largest peak of Viv and of each peer that is there, by name. Their checks must agree."""
    commands = {"viv": [machine.viv, "run", f"{workload.program}.viv", *workload.arguments]}
    for peer in workload.wanted:
        if peer.split("_")[0] in machine.peers:
            commands[peer] = [machine.python, f"{workload.program}_{peer}.py", *workload.arguments]
    results = {name: {} for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            keep_best(results[name], run(command, machine))
    ours = results["viv"]["check"]
    for name, result in results.items():
        if not abs(result["check"] - ours) <= 1e-6 * max(1.0, abs(ours)):
            raise SystemExit(f"{workload.title}: {name} computes {result['check']}, viv {ours}")
    return results


def keep_best(best, result):
    for key, value in result.items():
        choose = max if key == "peak" else min
        best[key] = choose(best.get(key, value), value)


def steepness(result):
    """Time of the gradient over time of the loss. Where a step is more than the gradient, the gradient has a time of its own."""
    if "forward" not in result:
        return Figure()
    return at_most(result.get("gradient", result["time"]) / result["forward"], STEEPEST)


def print_before(before, machine, options):
    """Viv against another build of it; gives the titles of the workloads that got slower."""
    table = Table([("workload", 44), ("before", 12), ("Viv", 12), ("Viv / before", 20)], options.markdown)
    builds = {"before": os.path.abspath(before), "viv": machine.viv}
    slower = []
    for workload in (w for w in WORKLOADS if options.only in w.title):
        best = {name: {} for name in builds}
        for _ in range(options.rounds):
            for name, viv in builds.items():
                keep_best(best[name], run([viv, "run", f"{workload.program}.viv", *workload.arguments], machine))
        old, new = best["before"]["time"], best["viv"]["time"]
        ratio = at_most(new / old, MOST_OF_BEFORE)
        slower += [workload.title] if ratio.verdict != "ok" else []
        table.row(workload.title, duration(old), duration(new), ratio)
    return slower


def print_workload(workload, results, table):
    ours = results.pop("viv")
    for peer, theirs in results.items():
        peaks = Figure(), Figure()
        if workload.peak:
            limit = theirs["peak"] if workload.peak_within == peer else None
            peaks = at_most(ours["peak"], limit, 1), f"{theirs['peak']:.1f}"
        wanted = workload.wanted[peer]
        table.row(workload.title, duration(ours["time"]), steepness(ours), peer.replace("_", " "),
                  at_least(theirs["time"] / ours["time"], wanted), f"{wanted:g}" if wanted else Figure(), *peaks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--viv", default=os.path.join(HERE, "..", "..", "build", "viv"))
    parser.add_argument("--before", metavar="VIV")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep-memory", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    here = machine(options.viv, options.keep_memory)
    if options.before:
        slower = print_before(options.before, here, options)
        sys.exit("slower than before: " + "; ".join(slower) if slower else 0)
    table = Table(COLUMNS, options.markdown)
    for workload in WORKLOADS:
        if options.only in workload.title:
            print_workload(workload, compare(workload, here, options.rounds), table)
    if not options.only or "start" in options.only:
        for title, seconds, peer, ratio, wanted in startup.rows(here, options.rounds):
            table.row(title, duration(seconds), Figure(), peer, ratio, wanted, Figure(), Figure())
        print("\n" + startup.footprints(here))
    if not options.only or "scaling" in options.only:
        print()
        if not print_scaling(here, options.markdown):
            sys.exit("a loop without a derivative needs more memory for more steps")


if __name__ == "__main__":
    main()
