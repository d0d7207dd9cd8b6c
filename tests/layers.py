#!/usr/bin/env python3
"""Holds src/ and grammar/ to the floors of docs/internals.md.

A file includes only files of its own floor and of lower ones; syntax and array are both on floor 1 and don't know each
other. Headers form no cycle, nor do modules, which are a header and the source of the same name; parts.h, shared by the sources of a
folder x that implement x.h, is part of x. libedit is the cli's affair.

usage: layers.py ROOT
"""
import re
import sys
from pathlib import Path

FLOORS = {"base": 0, "syntax": 1, "array": 1, "value": 2, "ops": 3, "ad": 4, "eval": 5, "builtins": 6, "cli": 7}
GENERATED = {"viv_grammar.h": "syntax"}
LIBRARIES_OF_ONE_FLOOR = {"histedit.h": "cli", "editline/readline.h": "cli"}
PART_OF = {"src/syntax/resolver": "src/syntax/resolve"}
LONGEST_FILE = 600

# Modules that do depend on each other today: a type's header, and helpers that its own source needs. Take entries out, add none.
KNOWN_CYCLES = [
    {"src/array/array", "src/array/walk"},
    {"src/array/elementwise/elementwise", "src/array/simd/simd"},
    {"src/value/function", "src/value/map", "src/value/text", "src/value/value"},
    {"src/ops/kernels", "src/ops/op"},
    {"src/ad/custom", "src/ad/custom_node"},
    {"src/eval/builtin", "src/eval/interp", "src/eval/signature", "src/eval/walk"},
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def floor_of(path):
    """The floor's name; the lexer and the grammar become part of syntax."""
    return "syntax" if path.parts[0] == "grammar" else path.parts[1]


def sources(root):
    for folder, endings in (("src", (".c", ".h")), ("grammar", (".re", ".y"))):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in endings:
                yield path.relative_to(root)


def allowed(user, used):
    return user == used or FLOORS[used] < FLOORS[user]


def check_include(root, path, quote, target, problems):
    """Returns the included file of this project, or None."""
    floor = floor_of(path)
    if quote == "<":
        owner = LIBRARIES_OF_ONE_FLOOR.get(target, floor)
        if owner != floor:
            problems.append(f"{path}: <{target}> belongs to {owner}/")
        return None
    if target in GENERATED:
        if not allowed(floor, GENERATED[target]):
            problems.append(f"{path}: {floor} may not include {target}, which is {GENERATED[target]}'s")
        return None
    used = target.split("/")[0]
    if used not in FLOORS or not (root / "src" / target).is_file():
        problems.append(f'{path}: "{target}" is no header below src/')
        return None
    if not allowed(floor, used):
        problems.append(f"{path}: {floor} may not include {target}: {used} is no lower floor")
    if not target.endswith(".h"):
        problems.append(f"{path}: {target} is no header")
    return Path("src") / target


def includes(root, problems):
    """File -> the project's files it includes."""
    graph = {}
    for path in sources(root):
        if path.parts[0] == "src" and floor_of(path) not in FLOORS:
            problems.append(f"{path}: {floor_of(path)}/ is no floor")
            continue
        text = (root / path).read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > LONGEST_FILE:
            problems.append(f"{path}: {lines} lines; {LONGEST_FILE} is the limit")
        found = (check_include(root, path, q, t, problems) for q, t in INCLUDE.findall(text))
        graph[path] = {target for target in found if target}
    return graph


def cycles(graph):
    """The strongly connected components of more than one node (Tarjan's algorithm, recursive: the graph is small)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for after in sorted(graph.get(node, ())):
            if after not in number:
                visit(after)
            if after in stack:
                low[node] = min(low[node], low[after])
        if low[node] == number[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return found


def module_of(path):
    name = str(path.with_suffix(""))
    if path.stem == "parts":
        name = str(path.parent / path.parent.name)
    return PART_OF.get(name, name.removesuffix("_parts"))


def modules(graph):
    """The same graph between modules."""
    merged = {}
    for path, targets in graph.items():
        node = module_of(path)
        merged.setdefault(node, set()).update(module_of(t) for t in targets)
        merged[node].discard(node)
    return merged


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.setrecursionlimit(10000)
    problems = []
    graph = includes(Path(sys.argv[1]), problems)
    for cycle in cycles({str(p): {str(t) for t in ts} for p, ts in graph.items()}):
        problems.append("headers include each other: " + ", ".join(cycle))
    for cycle in cycles(modules(graph)):
        if not any(set(cycle) <= known for known in KNOWN_CYCLES):
            problems.append("modules depend on each other: " + ", ".join(cycle))
    for problem in problems:
        print(problem)
    print(f"{len(graph)} files, {len(problems)} problems")
    sys.exit(1 if problems or not graph else 0)


main()
