#!/usr/bin/env python3
"""Asks a shell what it completes a line to, with the completions that viv writes for it.

usage: completion.py VIV bash|zsh|fish       status 77 when the shell is not installed

bash and zsh are talked to through a pseudo-terminal, as a person would; fish tells by itself (complete -C).
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 40
SKIPPED = 77
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r|\x07")
FILES = {"model.viv": "## The loss.\ndef loss(x) = x\ndef logits(x) = x\ncount = 3\n", "my data.csv": "1\n", "mine/other.viv": ""}

# A line, what it may become, and what it may not.
CASES = [
    ("viv ", ["run", "test", "check", "fmt", "doc", "help"], ["model.viv", "sum"]),
    ("viv te", ["test"], ["run"]),
    ("viv -", ["--version", "--help"], ["run"]),
    ("viv help ", ["run", "doc", "test"], ["model.viv"]),
    ("viv help --completion ", ["bash", "zsh", "fish"], ["run"]),
    ("viv doc su", ["sum"], ["max", "run"]),
    ("viv doc softm", ["softmax_rows"], ["sum"]),
    ("viv doc nn.softmax_r", ["nn.softmax_rows"], ["sum"]),
    ("viv doc nn.at", ["nn.attention", "nn.attention_weights"], ["nn.attention_case", "nn.attention_probe"]),
    ("viv doc _", [], ["_nn_checks"]),
    ("viv doc mod", ["model.viv"], ["my data.csv"]),
    ("viv doc model.viv lo", ["loss", "logits"], ["log", "count"]),
    ("viv test m", ["model.viv", "mine/"], ["my data.csv", "max"]),
    ("viv test --f", ["--filter", "--fail-fast", "--format"], ["--list"]),
    ("viv test --format ", ["pretty", "tap", "junit", "json"], ["model.viv"]),
    ("viv test --format=j", ["junit", "json"], ["tap", "model.viv"]),
    ("viv test --jobs 2 model.viv --color ", ["auto", "always", "never"], ["model.viv"]),
    ("viv check --format ", ["pretty", "json"], ["tap"]),
    ("viv run m", ["model.viv", "mine/"], ["my data.csv"]),
    ("viv run --folded m", ["model.viv", "my data.csv", "mine/"], []),
    ("viv run model.viv m", ["model.viv", "my data.csv", "mine/"], []),
]


class Terminal:
    """A shell on a pseudo-terminal. Its prompt is PROMPT."""

    PROMPT = "<ready>"

    def __init__(self, command, folder, start):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            try:
                os.execvpe(command[0], command, {**os.environ, "TERM": "xterm", "COLUMNS": "400", "HOME": folder, "LC_ALL": "C.UTF-8"})
            finally:
                os._exit(127)  # or the child would go on as the test
        self.send(start + "\r")
        self.until(self.PROMPT)

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def until(self, end):
        """What comes up to a text."""
        deadline = time.monotonic() + PATIENCE
        while end not in self.text:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise TimeoutError(f"{end!r} did not come; so far:\n{self.text[-2000:]}")
            self.text = ESCAPES.sub("", self.text + os.read(self.fd, 65536).decode("utf-8", "replace"))
        before, _, self.text = self.text.partition(end)
        return before

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


class Bash:
    """Esc * puts all completions into the line, and then show prints the line's words."""

    def __init__(self, folder, script):
        self.terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], folder,
                                 f"PS1='<rea''dy>'; bind 'set enable-bracketed-paste off'; source {script}; show() {{ printf '<%s>' \"$@\"; }}")

    def complete(self, line):
        self.terminal.send(line + "\x1b*" + "\x01" + "show 'do''ne' \r")
        self.terminal.until("<done>")
        before = len(line.rpartition(" ")[0].split())
        return set(re.findall(r"<([^>]*)>", self.terminal.until(Terminal.PROMPT))[before:])


class Zsh:
    """compadd is watched: it is told everything that may be added, and -O gives those that match. The script lies in
    the path of functions, as an installed one does."""

    WATCH = """
PS1='<rea''dy>'; unsetopt prompt_sp zle_bracketed_paste; fpath=({script.parent} $fpath); autoload -Uz compinit; compinit -u -D
zstyle ':completion:*' insert-tab false
compadd() {{
    local -a found
    builtin compadd -O found "$@"
    print -rl -- $found >> {found}
    builtin compadd "$@"
}}
"""

    def __init__(self, folder, script):
        self.found = Path(folder, ".found")
        start = Path(folder, ".start")
        start.write_text(self.WATCH.format(script=script, found=self.found))
        self.terminal = Terminal(["zsh", "-f", "-i"], folder, f"source {start}")

    def complete(self, line):
        self.found.write_text("")
        self.terminal.send(line + "\t" + "\x15" + "print do''ne\r")
        self.terminal.until("done\n")
        self.terminal.until(Terminal.PROMPT)
        return set(self.found.read_text().splitlines())


class Fish:
    def __init__(self, folder, script):
        self.folder, self.script = folder, script

    def complete(self, line):
        done = subprocess.run(["fish", "--no-config", "-c", f"source {self.script}; complete -C '{line}'"], cwd=self.folder,
                              env={**os.environ, "HOME": self.folder}, capture_output=True, text=True, timeout=PATIENCE)
        return {word.split("\t")[0] for word in done.stdout.splitlines()}


SHELLS = {"bash": Bash, "zsh": Zsh, "fish": Fish}


def plain(word):
    """A completion without what one shell adds to it: a slash, an option before =, quotes."""
    return word.removeprefix("--format=").rstrip("/ =").replace("\\ ", " ")


def problems(shell, line, wanted, unwanted):
    have = {plain(word) for word in shell.complete(line)}
    missing = [w for w in wanted if plain(w) not in have]
    wrong = [w for w in unwanted if plain(w) in have]
    if missing or wrong:
        yield f"{line!r}: missing {missing}, wrong {wrong}; there is {sorted(have)[:40]}"


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in SHELLS:
        sys.exit(__doc__)
    viv, name = os.path.abspath(sys.argv[1]), sys.argv[2]
    if not shutil.which(name):
        print(f"skipped: there is no {name}")
        sys.exit(SKIPPED)
    os.environ["PATH"] = os.path.dirname(viv) + os.pathsep + os.environ["PATH"]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path, text in FILES.items():
            Path(folder, path).parent.mkdir(exist_ok=True)
            Path(folder, path).write_text(text, encoding="utf-8")
        script = Path(folder, ".completions", "_viv")
        script.parent.mkdir()
        script.write_bytes(subprocess.run([viv, "help", "--completion", name], capture_output=True, check=True).stdout)
        shell = SHELLS[name](folder, script)
        for case in CASES:
            found += problems(shell, *case)
        if hasattr(shell, "terminal"):
            shell.terminal.end()
    print("\n".join(found + [f"{len(CASES)} lines, {len(found)} problems"]))
    sys.exit(1 if found else 0)


main()
