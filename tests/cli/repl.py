#!/usr/bin/env python3
"""Talks to the interactive session: through a pseudo-terminal as a person would, and through a pipe.

usage: repl.py VIV [NAME…]     runs the tests whose names hold NAME
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

VIV = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else sys.exit(__doc__)
PATIENCE = 40
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>()78][0B]?|\r|\x07")
UP, DOWN, RIGHT, LEFT, PASTE, PASTE_END = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[200~", "\x1b[201~"
TAB, ENTER, ALT_ENTER, BACKSPACE, DELETE = "\t", "\r", "\x1b\r", "\x7f", "\x1b[3~"
CTRL_A, CTRL_C, CTRL_D, CTRL_E, CTRL_G, CTRL_K, CTRL_R = "\x01", "\x03", "\x04", "\x05", "\x07", "\x0b", "\x12"


class Failure(Exception):
    pass


def environment(folder, **changes):
    kept = {k: v for k, v in os.environ.items() if k.startswith(("ASAN_", "LSAN_", "UBSAN_", "PATH", "VIV_"))}
    return {**kept, "HOME": folder, "TERM": "xterm", "NO_COLOR": "1", "LC_ALL": "C", **changes}


class Screen:
    """What a terminal shows that understands as much of xterm's language as the sessions here speak."""

    PIECE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z@])|\x1b[=>]|\x1b[()][0B]|(.)", re.DOTALL)

    def __init__(self, width):
        self.width, self.lines, self.x, self.y = width, [""], 0, 0

    def write(self, text):
        for argument, command, char in self.PIECE.findall(text):
            if char:
                self.put(char)
            elif command:
                self.obey(command, int(argument) if argument.isdigit() else 1 if command in "ABCDGP@" else 0)

    def line(self):
        while len(self.lines) <= self.y:
            self.lines.append("")
        self.lines[self.y] = self.lines[self.y].ljust(self.x)
        return self.lines[self.y]

    def put(self, char):
        if char == "\r":
            self.x = 0
        elif char == "\n":
            self.y += 1
        elif char == "\b":
            self.x -= 1
        elif char == "\t":
            self.x += 8 - self.x % 8
        elif char != "\a":
            if self.x == self.width:
                self.x, self.y = 0, self.y + 1
            line = self.line()
            self.lines[self.y] = line[:self.x] + char + line[self.x + 1:]
            self.x += 1

    def obey(self, command, n):
        line = self.line()
        if command == "A":
            self.y -= n
        elif command == "B":
            self.y += n
        elif command == "C":
            self.x += n
        elif command == "D":
            self.x -= n
        elif command == "G":
            self.x = n - 1
        elif command in "JK":
            self.lines[self.y] = line[:self.x]
            self.lines = self.lines[:self.y + 1] if command == "J" else self.lines
        elif command == "P":
            self.lines[self.y] = line[:self.x] + line[self.x + n:]
        elif command == "@":
            self.lines[self.y] = line[:self.x] + " " * n + line[self.x:]

    def text(self):
        """With a ▏ where the cursor stands."""
        line = self.line()
        lines = self.lines[:self.y] + [line[:self.x] + "▏" + line[self.x:]] + self.lines[self.y + 1:]
        return "\n".join(line.rstrip() for line in lines).rstrip("\n")


class Terminal:
    """A session on a pseudo-terminal; its folder is its home and holds its history."""

    def __init__(self, folder, **changes):
        self.raw, self.width = b"", 100
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, self.width, 0, 0))
            try:
                os.execve(VIV, [VIV], environment(folder, **changes))
            finally:
                os._exit(127)  # or the child would go on as the test, and fork again
        self.seen = 0  # how much of the text has been looked at
        self.banner = self.until(">>> ")

    def text(self):
        return ESCAPES.sub("", self.raw.decode("utf-8", "replace"))

    def receive(self, deadline):
        if not select.select([self.fd], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise Failure(f"nothing came within {PATIENCE} seconds; so far:\n{self.text()[-2000:]}")
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # Linux's way of saying that the other side is closed
            data = b""
        self.raw += data
        return bool(data)

    def until(self, *ends):
        """What comes up to one of some texts."""
        deadline = time.monotonic() + PATIENCE
        while True:
            rest = self.text()[self.seen:]
            found = [(rest.index(end) + len(end)) for end in ends if end in rest]
            if found:
                self.seen += min(found)
                return rest[:min(found)]
            if not self.receive(deadline):
                raise Failure(f"the session ended before {ends} came:\n{self.text()[-2000:]}")

    def shows(self, *ends):
        """Waits until the screen ends in lines, the last of them with the cursor."""
        deadline, wanted = time.monotonic() + PATIENCE, "\n".join(ends)
        while True:
            screen = Screen(self.width)
            screen.write(self.raw.decode("utf-8", "replace"))
            if ("\n" + screen.text()).endswith("\n" + wanted):
                self.seen = len(self.text())
                return
            try:
                self.receive(min(deadline, time.monotonic() + 0.2))
            except Failure:
                if time.monotonic() > deadline:
                    raise Failure(f"the screen shows\n{screen.text()[-1500:]}\nand does not end in\n{wanted}")

    def resize(self, width):
        """The text on the screen is not wrapped anew: lines that are shorter stay as they are."""
        self.width = width
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def type(self, line, prompt="\n>>> "):
        """Types a line and gives what comes between it and the next prompt."""
        self.send(line + ENTER)
        return self.until(prompt)[: -len(prompt)].partition("\n")[2]

    def interrupt(self, after):
        """Ctrl-C, once a program runs."""
        time.sleep(after)
        self.send(CTRL_C)

    def end(self, keys=CTRL_D, status=0):
        """Leaves and checks how it went."""
        self.send(keys)
        deadline = time.monotonic() + PATIENCE
        while self.receive(deadline):
            pass
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        self.pid = None
        equal(code, status, "exit status", self.text()[-3000:])
        return self.text()

    def kill(self):
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.fd)


def equal(have, want, what="", context=""):
    if have != want:
        raise Failure(f"{what}\n  have {have!r}\n  want {want!r}\n{context}")


def holds(text, *parts):
    for part in parts:
        if part not in text:
            raise Failure(f"no {part!r} in\n{text}")


def lacks(text, *parts):
    for part in parts:
        if part in text:
            raise Failure(f"there is {part!r} in\n{text}")


def piped(text, folder, *arguments):
    """Status, standard output, standard error of a session without a terminal."""
    done = subprocess.run([VIV, *arguments], input=text.encode(), cwd=folder, env=environment(folder),
                          capture_output=True, timeout=PATIENCE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


# ---- values and definitions ----

def test_values(t, folder):
    holds(t.banner, "viv ", ":help")
    equal(t.type("1 + 2"), "3")
    equal(t.type("x = 3"), "")
    equal(t.type("none"), "")
    equal(t.type("print(0.5)"), "0.5")
    equal(t.type('"a\\nb"'), '"a\\nb"')
    equal(t.type("[1.0, 2.0]"), "[1.0, 2.0]  # Arr 2")
    equal(t.type("ones(2, 2)"), "[[1.0, 1.0],\n [1.0, 1.0]]\n# Arr 2×2")
    equal(t.type("def(x) = x"), "<function an anonymous function>  # def(x)")


def test_last_value(t, folder):
    holds(t.type("_"), "unknown name _")
    t.type("6 * 7")
    equal(t.type("_ + 1"), "43")
    t.type("none")
    t.type("y = 5")
    equal(t.type("_"), "43")


def test_definitions(t, folder):
    t.type("def f(x) = g(x) + 1")
    holds(t.type("f(1)"), "unknown name g")
    t.type("def g(x) = 10 * x")
    equal(t.type("f(1)"), "11")
    t.type("def g(x) = 20 * x")
    equal(t.type("f(1)"), "21")
    t.type("struct P { a: Int }")
    t.type("struct P { a: Int, b: Int }")
    equal(t.type("P(1, 2)"), "P(a = 1, b = 2)")


def test_failing_input_changes_nothing(t, folder):
    t.type("x = [1.0, 2.0]")
    t.type("def f(a) = a")
    t.type("seed(3)")
    drawn = t.type("rand()")
    t.type("seed(3)")
    holds(t.type('x[0] = 9.0; fresh = 1; seed(7); def f(a) = -a; error("no")'), "error: no")
    equal(t.type("x"), "[1.0, 2.0]  # Arr 2")
    equal(t.type("f(3)"), "3")
    equal(t.type("rand()"), drawn)
    holds(t.type("fresh"), "unknown name fresh")
    lacks(t.type(":vars"), "fresh")


def test_tests_run_at_once(t, folder):
    holds(t.type('test "adds" { assert_eq(1 + 1, 2) }'), "ok", "adds")
    failed = t.type('test "fails" { print("so far"); assert_eq(1, 2) }')
    holds(failed, "FAIL", "fails", "assert_eq failed", "it printed:", "so far")
    holds(t.type('test "leaves" { exit(3) }'), "FAIL", "may not end the session")
    t.type("seed(5)")
    first = t.type("rand()")
    t.type("seed(5)")
    t.type('test "draws" { rand() }')
    equal(t.type("rand()"), first)


# ---- inputs of several lines ----

def test_continuation(t, folder):
    t.type("def g(x) {", "...")
    t.type('    # a } in a comment, and "{" in a string', "...")
    t.type('    s = "}{)("', "...")
    t.type("", "...")
    t.type("    return x", "...")
    equal(t.type("}"), "")
    equal(t.type("g(2)"), "2")
    t.type("[1,", "...")
    holds(t.type("2]"), "[1, 2]")
    t.type("1 +", "...")
    equal(t.type("2"), "3")
    t.type('"""a }', "...")
    equal(t.type('b"""'), '"a }\\nb"')
    t.type("## twice", "...")
    t.type("def twice(x) = 2 * x")
    holds(t.type(":doc twice"), "def twice(x)", "twice")


def test_wrong_closer_fails_at_once(t, folder):
    holds(t.type("(1, 2]]"), "can't close")
    holds(t.type("x = 1)"), "error")
    equal(t.type("1"), "1")


def test_abandoned_input(t, folder):
    t.send("def f(x) {" + ENTER + ENTER + ENTER)
    t.shows("(this input is not complete yet; Ctrl-C abandons it)", ">>> def f(x) {", "...", "...", "...     ▏")
    t.send(CTRL_C)
    t.shows("...     ^C", ">>> ▏")
    t.send("def f(x) {" + ENTER + CTRL_D)
    t.shows("(this input is not complete yet; Ctrl-D again or Ctrl-C abandons it)", ">>> def f(x) {", "...     ▏")
    t.send("1" + CTRL_D)
    t.shows(">>> def f(x) {", "...     1▏")
    t.send(CTRL_D)
    t.shows("...     1^C", ">>> ▏")
    equal(t.type("1"), "1")


def test_ctrl_d(t, folder):
    t.send("x = (1," + ENTER + "2" + CTRL_D + ")")
    t.shows(">>> x = (1,", "... 2)▏")
    t.type("")
    equal(t.type("x"), "(1, 2)")
    t.send("x + 1" + CTRL_D)
    t.shows(">>> x + 1▏")
    t.send(CTRL_A + CTRL_D * 4)
    t.shows(">>> ▏1")
    equal(t.type("")[-1:], "1")


def test_moving_in_an_entry(t, folder):
    t.send("def f(x) {" + ENTER + "y = x" + ENTER + "return y")
    t.shows(">>> def f(x) {", "...     y = x", "...     return y▏")
    t.send(UP)
    t.shows(">>> def f(x) {", "...     y = x▏", "...     return y")
    t.send(" * 2" + UP)
    t.shows(">>> def f(x) {▏", "...     y = x * 2", "...     return y")
    t.send(CTRL_A)
    t.shows(">>> ▏def f(x) {", "...     y = x * 2", "...     return y")
    t.send(RIGHT * 4 + DELETE + "g" + DOWN + CTRL_A + LEFT)
    t.shows(">>> def g(x) {▏", "...     y = x * 2", "...     return y")
    t.send(RIGHT + RIGHT)
    t.shows(">>> def g(x) {", "...  ▏   y = x * 2", "...     return y")
    t.send(DOWN + DOWN + CTRL_E + ENTER + "}" + ENTER)
    t.until("}\n>>> ")
    equal(t.type("g(3)"), "6")


def test_recalling_an_entry(t, folder):
    for line in ("def f(x) {", "return x"):
        t.type(line, "...")
    t.type("}")
    t.type("1")
    t.send("new" + UP + UP)
    t.shows(">>> def f(x) {", "...     return x", "... }▏")
    t.send(UP + CTRL_E)
    t.shows(">>> def f(x) {", "...     return x▏", "... }")
    t.resize(60)
    t.send(" + 1")
    t.shows(">>> def f(x) {", "...     return x + 1▏", "... }")
    t.send(DOWN + DOWN)
    t.shows(">>> 1▏")
    t.send(DOWN)
    t.shows(">>> new▏")
    t.send(CTRL_A + CTRL_K + UP + UP + UP + CTRL_E + " * 10" + ENTER)
    t.shows(">>> def f(x) {", "...     return x * 10", "... }", ">>> ▏")
    equal(t.type("f(2)"), "20")


def test_lines_are_joined_and_split(t, folder):
    t.send("x = [1," + ENTER + BACKSPACE + BACKSPACE + "0, 2]")
    t.shows(">>> x = [10, 2]▏")
    t.send(ENTER + "x = [3," + ENTER + "4]" + UP + CTRL_E + DELETE + " ")
    t.shows(">>> x = [3, ▏4]")
    t.send(ENTER + "a = 5" + ALT_ENTER + "b = 6" + UP + CTRL_E + CTRL_K)
    t.shows(">>> a = 5▏b = 6")
    t.send("; " + CTRL_K)
    t.shows(">>> a = 5; ▏")
    t.type("")
    equal(t.type("a, x"), "(5, [3, 4])")


def test_indentation(t, folder):
    t.send(ENTER.join(("def f(x) {", "if x {", "return (", "1", ")", "}", "return 0", "")))
    t.shows(">>> def f(x) {", "...     if x {", "...         return (", "...             1", "...         )", "...     }",
            "...     return 0", "...     ▏")
    t.send("}")
    t.shows("...     return 0", "... }▏")
    t.type("")


def test_pasting_into_an_entry(t, folder):
    t.send("def f(x) {" + ENTER + PASTE + "y = x\r    return y\r}" + PASTE_END)
    t.shows(">>> def f(x) {", "...     y = x", "...     return y", "... }▏")
    t.type("")
    equal(t.type("f(2)"), "2")


def test_else_at_the_prompt(t, folder):
    t.type("if false { 1 }")
    holds(t.type("else { 2 }"), "error", "right after the }")
    equal(t.type("if false { print(1) } else { print(2) }"), "2")


def test_bracketed_paste(t, folder):
    t.send(PASTE + "def f(x) {\r\n\tif x > 1 { return 1 }\r    else {\r        return 2\r    }\r}\rf(0)\r\r" + PASTE_END)
    equal(t.type("")[-1:], "2")
    t.send(PASTE + "a = 'no" + PASTE_END)
    t.until("a = 'no") # the terminal throws away what has not been read when Ctrl-C comes
    t.send(CTRL_C)
    t.until("\n>>> ")
    t.send(PASTE + "größe = 1.5" + PASTE_END)
    t.type("")
    equal(t.type("größe"), "1.5")


# ---- Ctrl-C and Ctrl-D ----

def test_interrupt_a_loop(t, folder):
    t.type("x = 5")
    t.send("y = 1; while true {}" + ENTER)
    t.interrupt(after=0.5)
    holds(t.until("\n>>> "), "interrupted")
    equal(t.type("x"), "5")
    holds(t.type("y"), "unknown name")


def test_interrupt_a_derivative(t, folder):
    t.send("value_and_grad(def(x) { while true { x = x * 1.0 } }, 3.0)" + ENTER)
    t.interrupt(after=0.5)
    holds(t.until("\n>>> "), "interrupted")
    equal(t.type("value_and_grad(def(x) = x * x, 3.0)"), "(9.0, 6.0)")


def test_interrupt_a_matrix_product(t, folder):
    t.type("a = ones(3000, 3000)")
    t.send("b = a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a @ a" + ENTER)
    t.interrupt(after=0.5)
    start = time.monotonic()
    holds(t.until("\n>>> "), "interrupted")
    if time.monotonic() - start > 5:
        raise Failure("the product went on")
    equal(t.type("a[0, 0]"), "1.0")


def test_interrupt_a_test(t, folder):
    t.send('test "a" { while true {} }; test "b" { }' + ENTER)
    t.interrupt(after=0.5)
    lacks(t.until("\n>>> "), "ok")
    equal(t.type("1"), "1")


def test_interrupt_the_prompt(t, folder):
    t.send("x = 1 + abc")
    t.until("x = 1 + abc")
    t.send(CTRL_C)
    holds(t.until("\n>>> "), "^C")
    t.send(CTRL_C)
    t.until("\n>>> ")
    equal(t.type("1"), "1")
    t.send("2 + 3" + CTRL_A)
    t.until("2 + 3")
    t.send(CTRL_C)
    t.until("\n>>> ")
    t.end()


def test_leaving(t, folder):
    equal(t.type("1"), "1")
    t.end(CTRL_D, 0)


def test_leaving_by_words(t, folder):
    t.type("help")
    t.end("quit" + ENTER, 0)


def test_exit_status(t, folder):
    holds(t.type("nothing"), "error")
    t.end("exit(7)" + ENTER, 7)


# ---- history ----

def test_history_across_runs(t, folder):
    t.type("first = 1")
    t.type("def h(x) {", "...")
    t.type("    return x + 1 # größer", "...")
    t.type("}")
    t.type("h(1)")
    t.type("h(1)")
    t.end()
    path = Path(folder, ".local/state/viv/history")
    equal(path.stat().st_mode & 0o777, 0o600, "mode of the history")
    equal(len(path.read_text().splitlines()), 4, "lines of the history")
    again = Terminal(folder)
    try:
        again.send(UP + UP)
        again.until("# größer")
        equal(again.type("")[-1:], "}")
        equal(again.type("h(1)"), "2")
        again.send(CTRL_R + "fir")
        again.until("first = 1")
        again.send(ENTER + "first" + ENTER)
        again.until("\n1\n>>> ")
        again.send("half a line" + CTRL_R + "fir" + CTRL_R)
        again.shows('search "fir": first = 1▏')
        again.send("zz")
        again.shows('no "firzz": first = 1▏')
        again.send(CTRL_G)
        again.shows(">>> half a line▏")
        again.send(CTRL_R + "largest" + BACKSPACE * 7 + "größ")
        again.shows('search "größ": def h(x) {', "...         return x + 1 # größer", "... }▏")
        again.send(CTRL_A)
        again.shows(">>> def h(x) {", "...         return x + 1 # größer", "... ▏}")
        again.send(CTRL_C)
        again.until("^C\n>>> ")
        again.end()
    finally:
        again.kill()


def test_history_elsewhere(t, folder):
    state = os.path.join(folder, "state")
    other = Terminal(folder, XDG_STATE_HOME=state)
    try:
        other.type("1")
        other.end()
    finally:
        other.kill()
    equal(os.path.exists(os.path.join(state, "viv/history")), True, "history in XDG_STATE_HOME")


def test_foreign_history(t, folder):
    t.end()
    path = Path(folder, ".local/state/viv/history")
    path.write_text("something else\n")
    other = Terminal(folder)
    try:
        other.type("1")
        other.end()
    finally:
        other.kill()
    equal(path.read_text(), "something else\n")


# ---- completion ----

def test_complete_names(t, folder):
    t.type("learning_rate = 0.5")
    t.send("learn" + TAB)
    t.until("learning_rate")
    equal(t.type(" * 2"), "1.0")
    t.send("value_and" + TAB)
    equal(t.type("(def(x) = x, 2.0)"), "(2.0, 1.0)")
    t.send("soft" + TAB)
    t.until("softplus")
    t.send(CTRL_C)
    t.until("\n>>> ")
    t.send("log" + TAB)
    holds(t.until(">>> log"), "log10", "log1p", "log2", "logsumexp")
    t.send(CTRL_C)
    t.until("\n>>> ")
    t.type("αβγ = 3")
    t.send("α" + TAB)
    t.until("αβγ")
    equal(t.type(""), "3")


def test_complete_members(t, folder):
    t.type("import nn")
    t.send("nn.attention_w" + TAB)
    t.until("nn.attention_weights")
    t.send(CTRL_C)
    t.until("\n>>> ")
    t.type("struct Layer { weight: Float }")
    t.type("struct Net { layer: Layer }")
    t.type("p = Net(Layer(2.5))")
    t.send("p.l" + TAB)
    t.until("p.layer")
    t.send(".w" + TAB)
    t.until(".weight")
    equal(t.type(""), "2.5")


def test_complete_arguments_and_keys(t, folder):
    t.type("X = ones(2, 3)")
    t.send("sum(X, ax" + TAB)
    t.shows(">>> sum(X, axis = ▏")
    equal(t.type("0)"), "[2.0, 2.0, 2.0]  # Arr 3")
    t.type("def area(width, height = 2) = width * height")
    t.send("area(3, " + TAB)
    t.shows("height =   width =", ">>> area(3, ▏")
    t.send("he" + TAB)
    t.shows(">>> area(3, he▏")
    t.send("i" + TAB)
    t.shows(">>> area(3, height = ▏")
    equal(t.type("5)"), "15")
    t.type("struct Point { x: Float, far: Float }")
    t.send("Point(1.0," + ENTER + "fa" + TAB)
    t.send("r" + TAB)
    t.shows(">>> Point(1.0,", "... far = ▏")
    equal(t.type("2.0)"), "Point(x = 1.0, far = 2.0)")
    t.type('m = {"key": 1, "other": 2, 3: 4}')
    t.send('m["k' + TAB)
    t.shows('>>> m["key"]▏')
    equal(t.type(""), "1")
    t.send("(X, axi" + TAB)
    t.shows(">>> (X, axi▏")
    t.send(CTRL_C)
    t.until("\n>>> ")


def test_complete_the_rest(t, folder):
    Path(folder, "model.viv").write_text("a = 1\n")
    Path(folder, "model.txt").write_text("text")
    t.send(":lo" + TAB)
    t.until(":load ")
    t.send("mod" + TAB)
    t.until("model.viv")
    t.type("")
    equal(t.type("a"), "1")
    t.send("import nn_b" + TAB)
    t.until("nn_backward")
    t.type("")
    t.send("from nn_attention import (softmax_" + TAB)
    t.until("softmax_rows")
    t.send(", attention_w" + TAB)
    t.until("attention_weights")
    t.type(")")
    equal(t.type("shape(softmax_rows([[1.0, 2.0]]))"), "(1, 2)")
    t.send('read_text("model.t' + TAB)
    t.until("model.txt")
    equal(t.type('")'), '"text"')
    t.send("conti" + TAB)
    t.until("continue")
    t.send(CTRL_C)
    t.until("\n>>> ")
    t.type("def f(some_parameter) {", "...")
    t.send(TAB + "return some_p" + TAB)
    t.until("return some_parameter")
    t.type("", "...")
    t.type("}")
    equal(t.type("f(4)"), "4")


# ---- commands ----

def test_help_and_unknown(t, folder):
    holds(t.type(":help"), ":help", ":doc", ":type", ":time", ":load", ":reload", ":vars", ":reset", ":save", ":edit",
          ":quit")
    holds(t.type(":lod x"), "no command :lod; did you mean :load?")
    holds(t.type(":load"), "takes an argument")
    holds(t.type(":vars 1"), "takes no argument")
    holds(t.type(":help load"), "nothing named load")
    holds(t.type(":help :load"), ":load FILE")
    lacks(t.type(":help :load"), ":reload")
    holds(t.type(":help sqrt"), "sqrt(x)")
    holds(t.type(":doc while"), "while x < 3 {")
    holds(t.type("help(sqrt)"), ":doc NAME")
    holds(t.type(":v"), "no names yet")
    t.type("def f(x) = None")
    holds(t.type("f(1)"), "write none")
    t.type("def g(x) = optim.sgd")
    holds(t.type("g(1)"), "import optim first")


def test_doc(t, folder):
    holds(t.type(":doc sqrt"), "sqrt(x)", "square root")
    holds(t.type(":doc"), "value_and_grad")
    t.type("## The square", "...")
    t.type("def square(x) = x * x")
    holds(t.type(":doc square"), "def square(x)", "The square")
    t.type("## A length", "...")
    t.type("length = 3.0")
    holds(t.type(":doc length"), "length: Float", "A length")
    holds(t.type(":doc nn.linear"), "def linear(X", "affine")
    t.type("import nn")
    t.type("from nn import rmsnorm as rms")
    holds(t.type(":doc nn"), "softmax_rows", "attention")
    holds(t.type(":doc rms"), "def rmsnorm(X")
    holds(t.type(":doc squar"), "did you mean square?")


def test_type_time_vars(t, folder):
    t.type("X = zeros(4, 5)")
    equal(t.type(":type X"), "Arr 4×5")
    equal(t.type(":type (X, 1, true)"), "Tuple (Arr 4×5, Int, Bool)")
    equal(t.type(':type {"a": X}'), 'Map {"a": Arr 4×5}')
    holds(t.type(":type nowhere"), "unknown name")
    holds(t.type(":type y = 1"), "takes an expression")
    holds(t.type(":time sum(X)"), "0.0\n", "s")
    t.type("def f(a: Arr[n]) = a")
    shown = t.type(":vars")
    holds(shown, "X            Arr 4×5", "f            def f(a: Arr[n])")
    t.type(":reset")
    equal(t.type(":vars"), "no names yet")
    holds(t.type("X"), "unknown name")


def test_set(t, folder):
    equal(t.type(":set"), "precision full")
    t.type(":set precision 4")
    equal(t.type("1 / 3"), "0.3333")
    equal(t.type("print([2.0, 1e-7 / 3.0], 1e10 / 3.0, (pi,))"), "[2.0, 3.333e-8] 3.333e9 (3.142,)")
    equal(t.type("str(pi)"), '"3.141592653589793"')
    t.type(":reset")
    equal(t.type(":set"), "precision 4")
    t.type(":set precision full")
    equal(t.type("1 / 3"), "0.3333333333333333")
    holds(t.type(":set precision 18"), "1 to 17 digits, or full")
    holds(t.type(":set precision 4 x"), "1 to 17 digits, or full")
    holds(t.type(":set width 4"), ":set knows precision, not width")


def test_width_of_arrays(t, folder):
    row = ", ".join(f"{i:2d}" for i in range(24))
    equal(t.type("print(range(30))"), f"[{row},\n 24, 25, 26, 27, 28, 29]")
    equal(t.type("range(30)"), f"[{row},\n 24, 25, 26, 27, 28, 29]\n# Arr 30 of Ints")
    other = Terminal(folder, COLUMNS="20")
    try:
        equal(other.type("print(range(8))"), "[0, 1, 2, 3, 4, 5,\n 6, 7]")
        equal(other.type("eprint(range(8))"), "[0, 1, 2, 3, 4, 5,\n 6, 7]")
        other.end()
    finally:
        other.kill()


def test_unfinished_line(t, folder):
    equal(t.type('print("a", end = "")'), "a")
    equal(t.type('print("b", end = ""); 1'), "b\n1")
    holds(t.type('eprint("c", end = ""); nothing()'), "error")


def test_load_and_reload(t, folder):
    os.mkdir(os.path.join(folder, "lib"))
    main, part = Path(folder, "lib/main.viv"), Path(folder, "lib/part.viv")
    part.write_text("k = 1\n")
    main.write_text('import part\ndef f() = part.k\ntest "f" { assert_eq(f(), part.k) }\n')
    holds(t.type(":load lib/main"), "ok", "f")
    equal(t.type("f()"), "1")
    part.write_text("k = 2\n")
    holds(t.type(":reload"), "ok")
    equal(t.type("f()"), "2")
    holds(t.type(":load lib/mian"), "No such file")
    holds(t.type(":load lib"), "Is a directory")
    lacks(t.type(":reload"), "mian", "directory")
    main.write_text("def f() = part.k +\n")
    holds(t.type(":reload"), "lib/main.viv:")
    equal(t.type("f()"), "2")
    main.write_text("import part\ndef f() = 10 * part.k\n")
    t.type(":reload")
    equal(t.type("f()"), "20")
    holds(t.type(":load nowhere.viv"), "nowhere.viv", "No such file")


def test_repaired_imports(t, folder):
    outer, inner = Path(folder, "outer.viv"), Path(folder, "inner.viv")
    outer.write_text('print("outer runs")\nimport inner\nx = inner.y\n')
    inner.write_text("y =\n")
    answer = t.type("import outer")
    holds(answer, "inner.viv:1:4", "called by an import at outer.viv:2:1")
    lacks(answer, "outer runs")
    inner.write_text("z = 1\n")
    holds(t.type("import outer"), "outer.viv:3:11", "module inner has no name y")
    inner.write_text("y = 1 // 0\n")
    holds(t.type("import outer"), "outer runs", "division by zero")
    inner.write_text("y = 7\n")
    holds(t.type("import outer"), "outer runs")
    equal(t.type("outer.x"), "7")
    holds(t.type("from outer import (x, w)"), "module outer has no name w")
    holds(t.type("x"), "unknown name x")
    holds(t.type("outer.w"), "module outer has no name w")


def test_save(t, folder):
    for line in ("def f(x) = x + 1", "f(1)", "y = _ * 10", "nowhere", "def f(x) = x + 2", 'test "y" { assert_gt(y, 10) }',
                 'test "y" { assert_gt(y, 10) }', "y", "adjoint f(x, d) = d", 'test "wrong" { assert_lt(y, 0) }',
                 'z = 1; error("no")', 'w = 2; test "ends" { exit(1) }'):
        t.type(line)
    t.type(":save out.viv")
    saved = Path(folder, "out.viv").read_text()
    lacks(saved, "nowhere", "x + 1", "wrong", "z =", "ends")
    holds(saved, "w = 2\n")
    done = subprocess.run([VIV, "test", "out.viv"], cwd=folder, env=environment(folder), capture_output=True)
    equal(done.returncode, 0, "viv test of what was saved", saved + done.stdout.decode())
    t.type(":save out.viv")
    holds(t.type(":save nowhere/out.viv"), "No such file")
    t.type(":save ~/home.viv")
    equal(Path(folder, "home.viv").read_text(), saved)
    Path(folder, "mine.viv").write_text("mine")
    holds(t.type(":save mine.viv"), "exists already")
    equal(Path(folder, "mine.viv").read_text(), "mine")


def test_edit(t, folder):
    editor = Path(folder, "editor")
    editor.write_text("#!/bin/sh\ncat \"$2\" >seen\nprintf '%s\\n' 'def f(x) {' '    return 42' '}' 'f(1)' >\"$2\"\n")
    editor.chmod(0o755)
    other = Terminal(folder, EDITOR=f"{editor} --wait")
    try:
        other.type("a = 1")
        equal(other.type(":edit"), "42")
        equal(Path(folder, "seen").read_text(), "a = 1\n")
        other.send(UP)
        other.until("f(1)")
        equal(other.type("")[-2:], "42")
        other.type("## Doubled", "...")
        other.type("def g(x) = 2 * x")
        other.type("adjoint g(x, d) = 2 * d")
        other.type("h = def(x) = x")
        other.type("h(1)")
        equal(other.type(":edit g"), "42")
        equal(Path(folder, "seen").read_text(), "## Doubled\ndef g(x) = 2 * x\nadjoint g(x, d) = 2 * d\n")
        equal(other.type(":edit h"), "42")
        equal(Path(folder, "seen").read_text(), "h = def(x) = x\n")
        holds(other.type(":edit sqrt"), "sqrt was not defined in this session")
        other.end()
    finally:
        other.kill()


# ---- other terminals, and none ----

def test_colour_only_when_wanted(t, folder):
    other = Terminal(folder, NO_COLOR="")
    try:
        other.type("ones(2)")
        holds(other.raw.decode(), "\x1b[2m# Arr 2")
        other.end()
    finally:
        other.kill()
    t.type("ones(2)")
    lacks(t.raw.decode(), "\x1b[2m")


def test_dumb_terminal(t, folder):
    other = Terminal(folder, TERM="dumb", NO_COLOR="")
    try:
        equal(other.type("1 + 1"), "2")
        lacks(other.raw.decode(), "\x1b[?2004h", "\x1b[1;31m")
        other.end()
    finally:
        other.kill()


def test_resized_terminal(t, folder):
    t.send("1 + 2")
    t.until("1 + 2")
    fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    os.kill(t.pid, signal.SIGWINCH)
    equal(t.type(" + 3")[-1:], "6")


def test_pipe(t, folder):
    equal(piped("x = 2\nx\nones(2, 2)\ndef f(a) {\n# }\nreturn a }\nf(x)\nprint(1)\nnone", folder),
          (0, "2\n[[1.0, 1.0],\n [1.0, 1.0]]\n2\n1\n", ""))
    equal(piped("if false { 1 }\nelse {\n print(2) }\nif true { print(3) }\n\n4\n", folder), (0, "2\n3\n4\n", ""))
    equal(piped("if true { print(3) }\n\n", folder, "repl"), (0, "3\n", ""))
    equal(piped("", folder), (0, "", ""))
    equal(piped('"no last newline"', folder), (0, '"no last newline"\n', ""))


def test_pipe_errors(t, folder):
    status, out, err = piped("1\n\nx = (1,\n  nowhere)\n2\n", folder)
    equal((status, out), (1, "1\n"))
    holds(err, "<stdin>:4:3: error: unknown name nowhere")
    equal(piped("(1, 2]]\n3", folder)[:2], (1, ""))
    equal(piped("def f(x) {\n1\n", folder)[:2], (1, ""))
    equal(piped("exit(4)\n1\n", folder), (4, "", ""))
    equal(piped(":help me\n1\n", folder)[:2], (1, ""))
    equal(piped('test "a" { assert(false) }\n1\n', folder)[0], 1)
    equal(piped("\xff\n", folder)[0], 1)
    equal(piped("1", folder, "repl", "file")[0], 2)


def attempt(test):
    """Runs a test in a folder of its own; gives what failed, or None."""
    with tempfile.TemporaryDirectory() as folder:
        terminal = None
        try:
            terminal = Terminal(folder)
            test(terminal, folder)
            if terminal.pid is not None:
                terminal.end()
            return None
        except (Failure, OSError) as failure:
            return failure
        finally:
            if terminal:
                terminal.kill()


def main():
    """A key that is sent between a prompt and the read behind it can get lost, as a person's can: a test that fails is tried
    once more, and said to have been."""
    wanted = sys.argv[2:]
    failed = passed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_") or (wanted and not any(w in name for w in wanted)):
            continue
        failure = attempt(test)
        if failure:
            print(f"again {name}: {failure}\n")
            failure = attempt(test)
        if failure:
            print(f"FAIL {name}: {failure}\n")
        passed += not failure
        failed += bool(failure)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()
