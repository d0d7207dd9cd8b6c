#!/usr/bin/env python3
"""Holds src/ and grammar/ to the floors of docs/internals.md.

A file includes only files of its own floor and of lower ones; syntax and array are both on floor 1 and don't know each
other. Modules form no cycle, neither by what they include nor by whose functions they call. A module is a header and the
source of the same name, a folder x that implements x/x.h, or what MODULES says. Nothing above ad/ asks by what level a value
is tracked. libedit is the cli's affair.

usage: layers.py ROOT
"""
import re
import sys
from pathlib import Path

FLOORS = {"base": 0, "syntax": 1, "array": 1, "value": 2, "ops": 3, "ad": 4, "eval": 5, "builtins": 6, "cli": 7}
GENERATED = {"viv_grammar.h": "syntax"}
LIBRARIES_OF_ONE_FLOOR = {"histedit.h": "cli", "editline/readline.h": "cli"}
LONGEST_FILE = 600

# Sources that are one module, and why.
MODULES = {
    # Strided storage: making, viewing, copying and walking arrays need one another.
    "src/array/array": ["src/array/assign", "src/array/shape", "src/array/shape_ops", "src/array/walk"],
    "src/array/reduce": ["src/array/simd/reduce"],
    "src/syntax/lexer": ["src/syntax/format_spec"],
    # Names are resolved along the tree, and a tree is recursive.
    "src/syntax/resolve": ["src/syntax/resolver"] + [f"src/syntax/resolve_{part}" for part in (
        "collect", "contract", "expression", "function", "global", "scope", "statement")],
    # A value holds values of every kind.
    "src/value/value": [f"src/value/{part}" for part in ("function", "map", "string", "text")],
    "src/ops/op": ["src/ops/kernels", "src/ops/kernels_linalg"],
    # A rule is written with op_apply, which records what a sweep runs rules for: derivatives of every order come of that circle.
    "src/ad/apply": [f"src/ad/{part}" for part in (
        "custom", "elementwise_gradient", "forward", "fused", "level", "rule", "rule_tiled", "rules_fused",
        "structure", "sweep", "update")],
    # The tree walker: an expression may be a call, whose body is statements, which hold expressions.
    "src/eval/expression": [f"src/eval/{part}" for part in (
        "adjoint", "assign", "builtin", "call", "construct", "contract", "expr", "fuse", "fuse_numbers", "fuse_plan", "import", "interp", "loop",
        "module", "operator", "signature", "statement", "subscript")],
    "src/builtins/einsum": ["src/builtins/einsum_spec"],
    # A walk along the tree.
    "src/cli/check/lint": [f"src/cli/check/lint_{part}" for part in ("call", "expression", "kinds", "scope", "try", "walk")],
}
FOLDERS = ("src/array/index", "src/array/reduce", "src/cli/repl/line")
ABOVE_TRACKING = ("eval", "builtins", "cli")
LEVEL = re.compile(r"(?:\.|->)level\b")
MODULE_OF = {part: module for module, parts in MODULES.items() for part in parts}

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
    folder = str(path.parent)
    if folder in FOLDERS:
        return folder
    if path.stem == "parts":
        name = f"{folder}/{path.parent.name}"
    name = name.removesuffix("_parts")
    return MODULE_OF.get(name, name)


DEFINITION = re.compile(r"^(?!static\b|typedef\b|#|\})[A-Za-z_][^;=]*?\b(\w+)\((?:[^;{]|\n)*?\)\n\{$", re.MULTILINE)
STATIC = re.compile(r"^static\b[^;=]*?\b(\w+)\(", re.MULTILINE)
CALL = re.compile(r"(?<![.>\w])(\w+)\(")
COMMENT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\])*"', re.DOTALL)


def calls(root, paths):
    """File -> the sources whose functions it calls: what a header declares may be defined elsewhere."""
    texts = {path: COMMENT.sub("", (root / path).read_text(encoding="utf-8")) for path in paths if path.suffix == ".c"}
    home = {name: path for path, text in texts.items() for name in DEFINITION.findall(text)}
    graph = {}
    for path, text in texts.items():
        own = set(STATIC.findall(text))
        graph[path] = {home[name] for name in CALL.findall(text) if name in home and name not in own}
    return graph


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
    for path in graph:
        if floor_of(path) in ABOVE_TRACKING and LEVEL.search((Path(sys.argv[1]) / path).read_text(encoding="utf-8")):
            problems.append(f"{path}: only ad/ may ask for a value's level: value_is_plain tells what others may know")
    for path, targets in calls(Path(sys.argv[1]), graph).items():
        graph[path] |= targets
    for cycle in cycles(modules(graph)):
        problems.append("modules depend on each other: " + ", ".join(cycle))
    for problem in problems:
        print(problem)
    print(f"{len(graph)} files, {len(problems)} problems")
    sys.exit(1 if problems or not graph else 0)


main()
