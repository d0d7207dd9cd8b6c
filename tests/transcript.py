"""Shell sessions with their expected output, for tests/cli/*.case and the console blocks of the documents.

    # a comment; blank lines separate
    $ viv run - <<'END'          a command for sh; it runs in an empty folder that the whole session shares
    > print(1)                   the command's next line
    > END
    1                            a line of standard output
    | $ 5                        the same, for a line that would start with one of $ > | ! = # or is empty
    ! viv: no such file          a line of standard error
    = 2                          the exit status, where it is not 0

`viv` in a command is the binary under test. Times are written "(… ms)" on both sides.
"""
import os
import re
import subprocess
from dataclasses import dataclass, field

MARKS = "$>|!=#"
TIME = re.compile(r"\((?:\d+\.\d+|…) ms\)")


@dataclass
class Step:
    line: int
    command: list
    before: list = field(default_factory=list)
    output: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    status: int = 0


def without_times(text):
    return TIME.sub("(… ms)", text)


def parse(text):
    """The steps, and the lines after the last one's."""
    steps, before = [], []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            steps.append(Step(number, [line[2:]], before))
            before = []
        elif not line or line.startswith("#"):
            before.append(line)
        elif not steps or before:
            raise ValueError(f"line {number} belongs to no command")
        else:
            add(steps[-1], line)
    return steps, before


def add(step, line):
    if line.startswith("> ") or line == ">":
        step.command.append(line[2:])
    elif line.startswith("| ") or line == "|":
        step.output.append(line[2:])
    elif line.startswith("! ") or line == "!":
        step.errors.append(line[2:])
    elif line.startswith("= "):
        step.status = int(line[2:])
    else:
        step.output.append(line)


def environment(viv, extra=None):
    env = {name: value for name, value in os.environ.items() if not name.startswith("VIV_") and name != "COLUMNS"}
    env["PATH"] = os.path.dirname(viv) + os.pathsep + env.get("PATH", "")
    env["NO_COLOR"] = "1"
    env.update(extra or {})
    return env


def run(step, viv, folder):
    """The step as it really went; its standard input is empty unless the command gives one."""
    done = subprocess.run(["sh", "-c", "\n".join(step.command)], cwd=folder, env=environment(viv),
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    text = [without_times(stream.decode("utf-8", "backslashreplace")) for stream in (done.stdout, done.stderr)]
    return Step(step.line, step.command, step.before, *(t.splitlines() for t in text), done.returncode)


def write_step(step):
    """A step's lines, without what stands before it."""
    def output_line(line):
        return f"| {line}".rstrip() if not line or line[0] in MARKS else line

    lines = ["$ " + step.command[0], *("> " + line for line in step.command[1:])]
    lines += [output_line(line) for line in step.output]
    lines += [f"! {line}".rstrip() for line in step.errors]
    return lines + ([f"= {step.status}"] if step.status else [])
