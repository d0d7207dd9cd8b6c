#!/usr/bin/env python3
"""Reads the reports for other programs as they do: JUnit as XML, viv test and viv check --format json as JSON, whatever text is in them.

usage: reports.py VIV
"""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from pathlib import Path

HARD = r'a\u{1}b\0c\u{1b}[1m <&>\"'  # as a string of Viv: what XML and JSON have to escape, or can't hold
FILES = {
    "one.viv": f"""\
test "<&> \\u{{7}}'s" {{ print("{HARD}"); error("a\\u{{1}}b <&>\\" \\u{{FFFE}} ]]>") }}
test "passes" {{ }}
def f(X: Arr[n, 3]) = X
def g(X) = f(X)
test "shapes" {{
    x = [1.0, 2.0]
    f(
        x @ ones(3, 2))
}}
test "contract" {{ g(ones(2, 2)) }}
test "loops" {{ while true {{ }} }}
""",
    "deep/two.viv": 'x = 1 // 0\ntest "t" { }\n',
    "deep/three.viv": "test \"passes\" { }\nprint(nosuch)\n",
    os.fsdecode(b"bad\xff.viv"): "test \"passes\" { }\n",
    "warned.viv": "import nn\nprint(sqrt(1, 2))\n",
}
FIELDS = {"file", "line", "column", "end_line", "end_column", "severity", "kind", "message", "notes", "hint", "trace"}
problems = []


def expect(what, actual, wanted):
    if actual != wanted:
        problems.append(f"{what}: {actual!r}, not {wanted!r}")


def run(viv, folder, *words):
    return subprocess.run([viv, *words], cwd=folder, capture_output=True, timeout=120).stdout


def check_junit(text):
    suites = {suite.get("name"): suite for suite in xml.fromstring(text)}
    expect("testsuites", sorted(suites), sorted(["bad\ufffd.viv", "deep/three.viv", "deep/two.viv", "one.viv"]))
    counts = {name: (s.get("tests"), s.get("failures")) for name, s in suites.items()}
    expect("counts", (counts["one.viv"], counts["deep/two.viv"]), (("5", "4"), ("1", "1")))
    cases = {case.get("name"): case for case in suites["one.viv"]}
    expect("names", list(cases), [r"<&> \x07's", "passes", "shapes", "contract", "loops"])
    expect("places", [(c.get("file"), c.get("line")) for c in cases.values()], [("one.viv", n) for n in ("1", "2", "5", "10", "11")])
    hard = cases[r"<&> \x07's"]
    expect("message", hard.find("failure").get("message"), 'a\\x01b <&>" \ufffd ]]>')
    expect("output", hard.find("system-out").text, 'a\ufffdb\ufffdc\ufffd[1m <&>"\n')
    failure = cases["shapes"].find("failure")
    expect("type", failure.get("type"), "shape")
    if failure.get("message") not in failure.text or "one.viv:8:9" not in failure.text:
        problems.append(f"the diagnostic is not in {failure.text!r}")
    expect("a test that passed", list(cases["passes"]), [])
    expect("the file itself", [(c.get("name"), c.get("line")) for c in suites["deep/two.viv"]], [("the file itself", "1")])


def check_json(text):
    report = json.loads(text)
    expect("sums", (report["passed"], report["failed"], report["duration"] > 0.0), (2, 6, True))
    tests = {t["name"]: t for t in report["tests"] if t["file"] == "one.viv"}
    expect("keys", {key for t in report["tests"] for key in t}, {"file", "line", "name", "outcome", "duration", "failure", "output"})
    expect("fields", [set(t["failure"]) for t in report["tests"] if t["failure"]], 6 * [FIELDS])
    expect("passed", (tests["passes"]["outcome"], tests["passes"]["failure"], tests["passes"]["output"]), ("passed", None, None))
    shapes = tests["shapes"]["failure"]
    expect("place", [shapes[k] for k in ("file", "line", "column", "end_line", "end_column")], ["one.viv", 8, 9, 8, 23])
    expect("kind", (shapes["kind"], shapes["severity"]), ("shape", "error"))
    expect("notes", shapes["notes"], ["x is Arr 2, ones(3, 2) is Arr 3×2"])
    expect("trace", tests["contract"]["failure"]["trace"], [{"file": "one.viv", "line": 10, "column": 19, "function": 'test "contract"'}])
    hard = tests[r"<&> \x07's"]
    expect("output", hard["output"], 'a\u0001b\ufffdc\u001b[1m <&>"\n')
    loops = tests["loops"]
    expect("loops", (loops["outcome"], loops["failure"]["line"], loops["failure"]["message"]),
           ("timed out", None, "it took longer than 1.5 seconds and was stopped (--timeout sets the limit)"))


def check_findings(text):
    findings = json.loads(text)
    expect("fields of findings", [set(f) for f in findings], 2 * [FIELDS])
    expect("findings", [(f["file"], f["line"], f["severity"]) for f in findings], [("warned.viv", 1, "warning"), ("warned.viv", 2, "error")])
    expect("note", findings[1]["notes"], ["its signature is sqrt(x)"])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    viv = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for path, text in FILES.items():
            Path(folder, path).parent.mkdir(exist_ok=True)
            Path(folder, path).write_text(text, encoding="utf-8")
        tests = ["test", "--timeout", "1.5", "--filter", "", "deep", "one.viv", *FILES]
        tests.remove("warned.viv")
        check_junit(run(viv, folder, *tests, "--format", "junit").decode())
        check_json(run(viv, folder, *tests, "--format=json").decode())
        check_findings(run(viv, folder, "check", "--format", "json", "warned.viv").decode())
    print("\n".join(problems + [f"{len(problems)} problems"]))
    sys.exit(1 if problems else 0)


main()
