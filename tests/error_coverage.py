#!/usr/bin/env python3
"""Holds every message to a test that shows it.

The formats of messages are the string literals that src/ and grammar/ give to functions with the attribute format(printf, …), and the
tables of advice. Each must occur in a golden file or a transcript, where it must be the whole of what stands behind "error:", "hint:" or "=",
or in a string of a test or a document, where most of its longest part will do. Those that no test can bring about are listed below, with the reason.

usage: error_coverage.py [--all]

--all shows for each format where it was found.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHORTEST = 8  # what a string must have of a format
SILENT = ("strbuf_printf", "strbuf_vprintf")  # text that becomes part of a message
# Functions that make a message of plain text: which argument.
TEXT_ARGUMENTS = {"complain": 2, "broken": 2, "damaged": 2, "bad_values": 3, "bad_output": 3}
TABLES = ("src/syntax/other_language_hints.c",)  # every sentence in them is a hint

MEMORY = "the machine would have to run out of memory"
LAYOUT = "takes a mistake of viv fmt; tests/unit/test_layout.c has the comparison"
UNREACHABLE = {
    "the layout would change the program here": LAYOUT,
    "nothing was written; please report this as a mistake of viv fmt": LAYOUT,
    "out of memory for the cofactors of a matrix": MEMORY,
    "out of memory for a matrix": MEMORY,
    "out of memory in a matrix product": MEMORY,
    "there is no memory to unpack it": MEMORY,
    "there is no memory for %zu bytes": MEMORY,
    "no pipe for a test process: %s": "the system would have to run out of files",
    "no process for the tests: %s": "the system would have to run out of processes",
    "the tape of this derivative is full (%u operations)": "takes 2^31 operations",
    "det has derivatives up to order %d": "takes the 26th derivative of a determinant",
    "it has too many rows or columns": "takes a file of 2^31 rows",
    "%s: too much source text": "takes 4 GiB of it",
    "this has no meaning here": "the grammar makes no such tree",
}

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|\w+|\S')
COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
DECLARATION = re.compile(r"(\w+)\s*\([^;{}]*?\)\s*__attribute__\(\(format\(printf, (\d+), \d+\)\)\)")
DIRECTIVE = re.compile(r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j)?[a-zA-Z])")
QUOTED = re.compile(r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`[^`\n]+`')
OWNER = re.compile(r"^(\w+): ")  # the function whose message it is
MARK = re.compile(r"(?:error|warning|hint|viv|note): |^\W*= |^\W*! ")


def without_comments(text):
    return COMMENT.sub(lambda m: m.group() if m.group()[0] in "\"'" else " ", text)


def sources():
    for folder, endings in (("src", (".c", ".h")), ("grammar", (".re", ".y"))):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in endings:
                yield path.relative_to(ROOT).as_posix(), without_comments(path.read_text(encoding="utf-8"))


def unescaped(literal):
    text = re.sub(r"\\([0-7]{1,3}|u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), literal)
    return text


def arguments(text, start):
    """The tokens of each argument of the call whose parenthesis opens at start."""
    depth, found = 0, [[]]
    for m in TOKEN.finditer(text, start):
        token = m.group()
        depth += token in "([{" and len(token) == 1
        depth -= token in ")]}" and len(token) == 1
        if depth == 0:
            return found
        if token == "," and depth == 1:
            found.append([])
        elif not (depth == 1 and token == "("):
            found[-1].append(token)
    return found


def literals(tokens):
    """Texts of an argument: literals side by side are one, those of a conditional are several."""
    text = None
    for token in (*tokens, ";"):
        if token[0] == '"':
            text = (text or "") + unescaped(token[1:-1])
        elif token.startswith("PRI") and text is not None:
            text += token[3].lower()
        elif text is not None:
            yield text
            text = None


def formats():
    """Formats and the files they are in."""
    texts = dict(sources())
    position = {name: int(i) for text in texts.values() for name, i in DECLARATION.findall(text)}
    position = {name: i for name, i in {**position, **TEXT_ARGUMENTS}.items() if name not in SILENT}
    call = re.compile(r"\b(" + "|".join(map(re.escape, sorted(position))) + r")\s*\(")
    found = {}
    for file, text in texts.items():
        for m in call.finditer(text):
            given = arguments(text, m.end() - 1)
            if len(given) >= position[m[1]]:
                for literal in literals(given[position[m[1]] - 1]):
                    found.setdefault(literal, file)
        if file in TABLES:
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', text):
                if " " in literal:
                    found.setdefault(unescaped(literal), file)
    return {f: file for f, file in found.items() if len(re.findall(r"[a-z]", DIRECTIVE.sub("", f))) >= 3}



def whole(text):
    """What a line says that has the message at its end."""
    parts, last = [], 0
    for m in DIRECTIVE.finditer(text):
        parts += [re.escape(text[last:m.start()]), "%" if m.group() == "%%" else ".*?"]
        last = m.end()
    return re.compile("(?:^|: | failed)" + "".join(parts) + re.escape(text[last:]) + "$")


def lines_said():
    """Lines of golden files, transcripts and documents, without what stands before the message."""
    for pattern in ("tests/errors/**/*.err", "tests/files.err", "tests/cli/*.case", "docs/*.md", "README.md"):
        for path in sorted(ROOT.glob(pattern)):
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                for m in MARK.finditer(line):
                    yield path.name, line[m.end():].rstrip()


def strings_wanted():
    """Strings of tests and documents, which are parts of messages."""
    for pattern in ("tests/**/*.viv", "stdlib/*.viv", "tests/**/*.py", "tests/unit/*.c", "docs/*.md"):
        for path in sorted(ROOT.glob(pattern)):
            if path.name == Path(__file__).name:
                continue
            for m in QUOTED.finditer(path.read_text(encoding="utf-8", errors="replace")):
                yield path.name, unescaped(m.group().strip("\"'`"))


def is_part(string, owner, part):
    """Whether the string has most of the part, and the owner, unless it leaves that out."""
    others = OWNER.match(string)
    if owner and others and owner[1] != others[1]:
        return False
    most = max(SHORTEST, len(part) * 7 // 10)
    return len(part) >= SHORTEST and (part[:most] in string or part[-most:] in string)


def places(wanted, lines, strings):
    """Where each format is seen."""
    for text in wanted:
        exact = whole(text)
        owner = OWNER.match(text)
        longest = max((piece.strip() for piece in DIRECTIVE.split(OWNER.sub("", text))), key=len)
        where = next((name for name, line in lines if longest in line and exact.search(line)), None)
        yield text, where or next((name for name, s in strings if is_part(s, owner, longest)), None)


def main():
    wanted = formats()
    lines, strings = list(lines_said()), list(strings_wanted())
    unseen = []
    for text, where in places(wanted, lines, strings):
        if "--all" in sys.argv:
            print(f"{where or '-':32} {text!r}")
        reason = UNREACHABLE.get(text)
        if where and reason:
            unseen.append(f"{text!r} is listed as unreachable, but {where} has it")
        elif not where and not reason:
            unseen.append(f"{wanted[text]}: {text!r} is in no test")
    unseen += [f"{text!r} is listed as unreachable, but there is no such message" for text in UNREACHABLE if text not in wanted]
    print("\n".join(unseen), end="\n" if unseen else "")
    print(f"{len(wanted)} formats, {len(unseen)} problems")
    sys.exit(bool(unseen))


if __name__ == "__main__":
    main()
