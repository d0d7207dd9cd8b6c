#!/usr/bin/env python3
"""Runs what the documents show: README.md and docs/*.md.

usage: docs.py VIV [--links] [FILE…]

The words after `viv` in a fence say how its block is run; a plain one says nothing more.

    ```viv                   runs; what it prints is what its marks say, no more and no less: `# => text` after a statement, and
                             on lines of its own for each further line of output
    ```viv continues         runs after the text of the block before it, whose marks count again
    ```viv error             must fail with status 1; each `# error: text` is a part of what it says
    ```viv test              holds test blocks, which must pass
    ```viv NAME.viv          is saved under that name, for imports and sessions further down; runs as well
    ```viv fragment          is not run: a piece of syntax
    ```console               a session: each `$ viv …` runs in the folder of the saved files, and what stands below it is all that
                             a terminal would show (transcript.py); other commands are not run

Words combine (`viv test NAME.viv`). Blocks and sessions of a document share one folder, in order.
With --links, relative links must lead to files as well.
"""
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import transcript

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>.*)$")
MARK = re.compile(r"#\s*=> ?(.*)$")
ERROR = re.compile(r"#\s*error: (.*)$")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)")
PLAIN_WORDS = {"continues", "error", "test", "fragment"}


@dataclass
class Block:
    line: int
    kind: str
    words: list
    text: str


def blocks(document):
    found, fence, lines = [], None, []
    for number, line in enumerate(document.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None and match:
            fence, start, lines = match, number, []
        elif fence is not None and match and not match["info"].strip():
            kind, *words = fence["info"].split() or [""]
            found.append(Block(start, kind, words, "".join(text + "\n" for text in lines)))
            fence = None
        elif fence is not None:
            lines.append(line.removeprefix(fence["indent"]))
    if fence is not None:
        raise ValueError(f"line {start}: the block is not closed")
    return found


def marks(pattern, text):
    return [m[1].rstrip() for line in text.splitlines() if (m := pattern.search(line))]


class Document:
    def __init__(self, viv, folder):
        self.viv, self.folder, self.before = viv, folder, ""

    def viv_run(self, *args, text=None):
        done = subprocess.run([self.viv, *args], cwd=self.folder, env=transcript.environment(self.viv), timeout=120,
                              input=text, capture_output=True, encoding="utf-8", errors="backslashreplace")
        return done.returncode, done.stdout, done.stderr

    def check_viv(self, block):
        """"" or what is wrong."""
        names = [word for word in block.words if word.endswith(".viv")]
        unknown = set(block.words) - set(names) - PLAIN_WORDS
        if unknown or len(names) > 1:
            return f"docs.py does not know: {' '.join(block.words)}"
        if "fragment" in block.words:
            return ""
        text = (self.before if "continues" in block.words else "") + block.text
        name = names[0] if names else "block.viv" if "test" in block.words else None
        if name:
            Path(self.folder, name).write_text(text, encoding="utf-8")
        command = "test" if "test" in block.words else "run"
        status, output, errors = self.viv_run(command, name or "-", text=None if name else text)
        if "error" in block.words:
            return self.check_error(text, status, errors)
        self.before = text
        if status != 0:
            return f"status {status}\n{output if command == 'test' else ''}{errors}"
        if command == "test":
            return ""
        expected, actual = marks(MARK, text), [line.rstrip() for line in output.splitlines()]
        return "" if expected == actual else f"expected:\n{chr(10).join(expected)}\nit printed:\n{output}"

    @staticmethod
    def check_error(text, status, errors):
        missing = [part for part in marks(ERROR, text) if part not in errors]
        if status == 1 and not missing:
            return ""
        return f"status {status}, expected 1 and {missing}; it said:\n{errors}"

    def check_console(self, block):
        steps, _ = transcript.parse(block.text)
        for step in steps:
            if not step.command[0].startswith("viv "):
                continue
            shown = [*step.output, *step.errors]
            step.command = ["exec 2>&1", *step.command]
            actual = transcript.run(step, self.viv, self.folder).output
            expected = [transcript.without_times(line) for line in shown]
            if actual != expected:
                return f"after {step.command[1]} a terminal shows:\n{chr(10).join(actual)}"
        return ""

    def check(self, block):
        if block.kind == "viv":
            return self.check_viv(block)
        return self.check_console(block) if block.kind == "console" else ""


def dead_links(path, document):
    return [f"{path.name}: the link {target} leads nowhere" for target in LINK.findall(document)
            if not (path.parent / target).exists()]


def check_file(viv, path, links):
    """How many blocks were run, and what is wrong with them."""
    text = path.read_text(encoding="utf-8")
    problems, count = dead_links(path, text) if links else [], 0
    with tempfile.TemporaryDirectory() as folder:
        document = Document(viv, folder)
        for block in blocks(text):
            count += block.kind in ("viv", "console") and "fragment" not in block.words
            wrong = document.check(block)
            if wrong:
                problems.append(f"{path.name}:{block.line}: {wrong}")
    return count, problems


def main():
    args = [a for a in sys.argv[1:] if a != "--links"]
    if not args:
        sys.exit(__doc__)
    viv, links = os.path.abspath(args[0]), "--links" in sys.argv
    paths = [Path(p).resolve() for p in args[1:]] or [
        ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")),
    ]
    total, failed = 0, 0
    for path in paths:
        count, problems = check_file(viv, path, links)
        for problem in problems:
            print(f"FAIL {problem.rstrip()}\n")
        total, failed = total + count, failed + len(problems)
    print(f"{total} blocks of {len(paths)} documents, {failed} failed")
    sys.exit(1 if failed else 0)


main()
