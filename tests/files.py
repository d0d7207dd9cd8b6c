#!/usr/bin/env python3
"""Files of numbers: .npy, .npz and .csv, in a folder of their own.

usage: files.py VIV [--update]

Viv reads what it has written, the samples in data/, and hostile files, which it must refuse with the words in files.err: one
message a file, in the order of the lists here. Where some Python has NumPy, files_numpy.py also checks that each reads what the
other has written.

--update rewrites files.err: look at the difference before committing it.
"""
import difflib
import io
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

TESTS = Path(__file__).resolve().parent

SAVE = '''
x = {"float": reshape(range(6) / 4.0, 2, 3), "int": range(-3, 3), "bool": [true, false], "number": 1.5, "one": 7,
     "truth": true, "empty": zeros(0, 3), "nan": [nan, inf, -0.0], "turned": transpose(reshape(range(6) * 1.0, 2, 3)),
     "deep": zeros(1, 2, 1, 2, 1, 2, 1, 2), "long": range(10000) * 1.0, "thin": zeros(100000, 1, 1, 1, 1, 1, 1, 1)}
for name in keys(x) { save_npy(f"saved-{name}.npy", x[name]) }
save_npz("saved.npz", x)
save_csv("saved.csv", [0.1, 1e300; -0.0, inf])
'''.replace("[0.1, 1e300; -0.0, inf]", "[[0.1, 1e300], [-0.0, inf]]")

ROUND_TRIPS = SAVE + r'''
test "npy" {
    for name in keys(x) { assert_eq(str(load_npy(f"saved-{name}.npy")), str(x[name])) }
}
test "npz" {
    assert_eq(str(load_npz("saved.npz")), str(x))
    save_npz("none.npz", {})
    assert_eq(load_npz("none.npz"), {})
    save_npz("again.npz", {"ü/\"x\"": 1, "": 2.0})
    assert_eq(str(load_npz("again.npz")), str({"ü/\"x\"": 1, "": 2.0}))
}
test "a file is replaced" {
    save_npy("twice.npy", zeros(1000))
    save_npy("twice.npy", 3)
    assert_eq(load_npy("twice.npy"), 3)
}
test "under differentiation" {
    def f(x) { save_npy("tracked.npy", x); save_npz("tracked.npz", {"x": x, "s": sum(x)}); save_csv("tracked.csv", x); return sum(x * x) }
    assert_eq(grad(f)([1.0, 2.0]), [2.0, 4.0])
    assert_eq(load_npy("tracked.npy"), [1.0, 2.0])
    assert_eq(load_npz("tracked.npz"), {"x": [1.0, 2.0], "s": 3.0})
    assert_eq(load_csv("tracked.csv"), [[1.0], [2.0]])
}
def csv(text) { write_text("a.csv", text); return load_csv("a.csv") }
def columns(text) { write_text("a.csv", text); return load_csv("a.csv", header = true) }
def written(x) { save_csv("b.csv", x); return read_text("b.csv") }
test "numbers" {
    assert_eq(str(csv("1,2.0\n3,4\n")), "[[1.0, 2.0],\n [3.0, 4.0]]")
    assert_eq(csv("1,2\r\n3,4"), [[1, 2], [3, 4]])
    assert_eq(csv("1,2\r3,4\r"), [[1, 2], [3, 4]])
    assert_eq(csv("\u{feff}1,2\n\n\n3,4\n\n"), [[1, 2], [3, 4]])
    assert_eq(csv(" 1 ,\t-2.5e-3\n\"3\",+.5\n"), [[1, -0.0025], [3, 0.5]])
    assert_close(csv("1,,nan\nNA,n/a,\n"), [[1, nan, nan], [nan, nan, nan]], equal_nan = true)
    assert_eq(csv("inf,-Infinity,1e400,12345678901234567890.5\n"), [[inf, -inf, inf, 12345678901234567890.5]])
    assert_eq(csv("123456789012345,0.000000000000001,-0,999999999999999.9\n"), [[123456789012345.0, 1e-15, -0.0, 999999999999999.9]])
    assert_eq(shape(csv("")), (0, 0))
    assert_eq(shape(csv("7")), (1, 1))
    write_text("a.csv", "1;2\n")
    assert_eq(load_csv("a.csv", sep = ";"), [[1, 2]])
}
test "columns" {
    m = columns("a,\"b, \"\"c\"\"\",\n1,x,\n2,\"two\nlines\",5\n")
    assert_eq(keys(m), ("a", "b, \"c\"", ""))
    assert_eq(m["a"], [1, 2])
    assert_eq(m["b, \"c\""], ("x", "two\nlines"))
    assert_close(m[""], [nan, 5.0], equal_nan = true)
    assert_eq(columns("a,b\n"), {"a": zeros(0), "b": zeros(0)})
    assert_eq(columns("id\n1_0\n2\n"), {"id": ("1_0", "2")})
}
test "whole numbers" {
    assert_eq(str(csv("1,2\n3,4\n")), "[[1, 2],\n [3, 4]]")
    assert_eq(str(csv("9007199254740993, +5 \n-9223372036854775808,9223372036854775807\n")),
              str([[9007199254740993, 5], [-9223372036854775808, 9223372036854775807]]))
    assert_eq(str(csv("0000000000000000,007\n")), "[[0, 7]]")
    assert_eq(str(csv("1\n-0\n")), "[[ 1.0],\n [-0.0]]")
    assert_eq(str(csv("1\n\"\"\n")), "[[1.0],\n [nan]]")
    assert_eq(str(csv("9007199254740992,0.5,100000000000000000000\n")), "[[9007199254740992.0, 0.5, 1e20]]")
    assert_eq(str(csv("")), "zeros(0, 0)")
    m = columns("id,share,seen,note\n9007199254740993,0.5,3,x\n9007199254740995,1,,9007199254740993\n")
    assert_eq(str(m["id"]), "[9007199254740993, 9007199254740995]")
    assert_eq(str(m["share"]), "[0.5, 1.0]")
    assert_eq(str(m["seen"]), "[3.0, nan]")
    assert_eq(m["note"], ("x", "9007199254740993"))
    assert_eq(str(stack(m["share"], m["id"] - 9007199254740993, axis = 1)), "[[0.5, 0.0],\n [1.0, 2.0]]")
    assert_eq(str(columns("a\n")["a"]), "[]")
    save_csv("b.csv", m)
    assert_eq(str(load_csv("b.csv", header = true)), str(m))
    for x in ([[1, -9223372036854775808]], [[1.0, -0.0]], [[1e16, 9007199254740992.0]]) {
        save_csv("b.csv", x)
        assert_eq(str(load_csv("b.csv")), str(x))
    }
}
test "whole numbers that no Float is" {
    assert_error(def() = csv("1,2\n9007199254740993,0.5\n"), "a.csv: line 2, column 1: 9007199254740993 would be rounded to the Float 9007199254740992.0")
    assert_error(def() = csv("9007199254740993,\n"), "line 1, column 1: 9007199254740993 would be")
    assert_error(def() = csv("-9007199254740993,-0\n"), "-9007199254740993 would be")
    assert_error(def() = csv("1,9223372036854775807,1.0\n"), "line 1, column 2: 9223372036854775807 would be")
    assert_error(def() = columns("a,b\n1,9223372036854775809\n"), "line 2, column 2: 9223372036854775809 would be rounded to the Float 9.223372036854776e18")
    assert_error(def() = columns("a,b\n1,\"9007199254740993\"\n2,nan\n"), "line 2, column 2: 9007199254740993 would be")
    assert_error(def() = csv(f"1{0:0400d}\n"), "would be rounded to the Float inf")
    assert_eq(csv("9007199254740993.0,0.5\n"), [[9007199254740992.0, 0.5]])
}
test "what looks like a number" {
    assert_error(def() = csv("1_000\n"), "\"1_000\" is not a number")
    assert_error(def() = csv("1\0\n"), "is not a number")
}
test "saving CSV" {
    assert_eq(written([[1.0, 0.1], [nan, 1e-20]]), "1.0,0.1\nnan,1e-20\n")
    assert_eq(written([1, 2]), "1\n2\n")
    assert_eq(written([true, false]), "1\n0\n")
    assert_eq(written(transpose([[1, 2], [3, 4]])), "1,3\n2,4\n")
    assert_eq(written(zeros(0, 2)), "")
    save_csv("b.csv", [[1, 2]], header = ("a;", "b"), sep = ";")
    assert_eq(read_text("b.csv"), "\"a;\";b\n1;2\n")
    m = {"x": [1.5, 2.5], "t": ("a, \"b\"", ""), "mixed": (1, "q\r")}
    assert_eq(written(m), "x,t,mixed\n1.5,\"a, \"\"b\"\"\",1\n2.5,\"\",\"q\r\"\n")
    assert_eq(load_csv("b.csv", header = true), {"x": [1.5, 2.5], "t": ("a, \"b\"", ""), "mixed": ("1", "q\r")})
    R = randn(50, 4) * 1e5
    save_csv("b.csv", R)
    assert_eq(load_csv("b.csv"), R)
}
'''

SAMPLES = r'''
A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
test "samples" {
    assert_eq(str(load_npy("c_f8.npy")), str(A))
    assert_eq(str(load_npy("fortran_f8.npy")), str(A))
    assert_eq(str(load_npy("big_f4.npy")), str(A))
    assert_eq(str(load_npy("fortran_big_i2_v2.npy")), str([[-1, 2, 3], [4, 5, 6]]))
    assert_eq(str(load_npy("u4_v3.npy")), str([0, 1, 4294967295]))
    assert_eq(str(load_npy("bool.npy")), str([true, false, true]))
    assert_eq(str(load_npy("number.npy")), "2.5")
    assert_eq(str(load_npz("stored.npz")), str({"A": A, "n": [1, 2]}))
    assert_eq(str(load_npz("packed.npz")), str({"A": A, "n": [1, 2], "z": zeros(1000)}))
}
'''


def npy(text, data=b"", version=1, length=None):
    """A .npy file with this header."""
    header = text.encode("latin-1")
    packing = "<H" if version == 1 else "<I"
    return (b"\x93NUMPY" + bytes([version, 0]) + struct.pack(packing, len(header) if length is None else length)
            + header + data)


def head(descr="'<f8'", order="False", shape="(2,)"):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"


# Name, bytes.
HOSTILE_NPY = [
    ("empty", b""),
    ("text", b"1,2,3\n"),
    ("zip", b"PK\3\4 and more"),
    ("magic", b"\x93NUMPY"),
    ("version", npy(head(), bytes(16), 4)),
    ("version0", npy(head(), bytes(16), 0)),
    ("long", npy(head(), bytes(16), length=60000)),
    ("long2", npy(head(), bytes(16), 2, 0xffffffff)),
    ("nothing", npy(" " * 8 + "\n")),
    ("list", npy("[1, 2]\n")),
    ("open", npy("{'descr': '<f8', ")),
    ("quote", npy("{'descr")),
    ("missing", npy("{'descr': '<f8', 'shape': (2,)}\n", bytes(16))),
    ("doubled", npy("{'descr': '<f8', 'descr': '<f4'}\n")),
    ("unknown", npy("{'descr': '<f8', 'x': 1}\n")),
    ("after", npy(head() + "evil()", bytes(16))),
    ("comma", npy("{'descr': '<f8' 'shape': (2,)}\n", bytes(16))),
    ("colon", npy("{'descr' '<f8'}\n", bytes(16))),
    ("code", npy(head(shape="__import__('os')"), bytes(16))),
    ("order", npy(head(order="0"), bytes(16))),
    ("negative", npy(head(shape="(-1,)"), bytes(16))),
    ("huge", npy(head(shape="(99999999999999999999,)"), bytes(16))),
    ("product", npy(head(shape="(4294967296, 4294967296)"), bytes(16))),
    ("memory", npy(head(shape="(1000000000000,)"), bytes(16))),
    ("number", npy(head(shape="(2)"), bytes(16))),
    ("float", npy(head(shape="(2.0,)"), bytes(16))),
    ("rank", npy(head(shape="(1, 1, 1, 1, 1, 1, 1, 1, 1)"), bytes(8))),
    ("short", npy(head(), bytes(15))),
    ("more", npy(head(), bytes(17))),
    ("object", npy(head("'|O'"), bytes(16))),
    ("half", npy(head("'<f2'"), bytes(4))),
    ("f16", npy(head("'<f16'"), bytes(32))),
    ("u8", npy(head("'>u8'"), b"\xff" * 16)),
    ("structure", npy(head("[('a', '<f8'), ('b c', '<i4', (2,)), ('d', [('x', '<f4')])]"), bytes(64))),
    ("structure_open", npy(head("[('a', '<f8'"), bytes(16))),
    ("dtype", npy(head("'\xff\x01'"), bytes(16))),
    ("dtype0", npy(head("''"), bytes(16))),
]


def archive(members, method=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as z:
        for name, data in members:
            z.writestr(name, data)
    return buffer.getvalue()


def hostile_archives():
    good = npy(head(), struct.pack("<2d", 1, 2))
    whole = archive([("a.npy", good), ("b.npy", good)])
    packed = archive([("a.npy", good + bytes(0))], zipfile.ZIP_DEFLATED)
    entry, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")
    packed_entry = packed.index(b"PK\1\2")

    def changed(data, at, packing, value):
        new = struct.pack(packing, value)
        return data[:at] + new + data[at + len(new):]

    flipped = bytearray(whole)
    flipped[whole.index(b"\x93NUMPY") + len(good) - 8] ^= 1
    return [
        ("empty", b""),
        ("npy", good),
        ("cut", whole[:-30]),
        ("start", whole[10:]),
        ("bit", bytes(flipped)),
        ("encrypted", changed(whole, entry + 8, "<H", 1)),
        ("method", changed(whole, entry + 10, "<H", 12)),
        ("length", changed(whole, entry + 24, "<I", 1 << 30)),
        ("bomb", changed(packed, packed_entry + 24, "<I", 0xfffffffe)),
        ("longer", changed(packed, packed_entry + 24, "<I", len(good) + 1)),
        ("shorter", changed(packed, packed_entry + 24, "<I", len(good) - 1)),
        ("packed", changed(whole, entry + 20, "<I", 1 << 30)),
        ("offset", changed(whole, entry + 42, "<I", 1 << 20)),
        ("name", changed(whole, entry + 46, "<B", 98)),
        ("zip64", changed(whole, entry + 24, "<I", 0xffffffff)),
        ("zip64end", changed(whole, end + 16, "<I", 0xffffffff)),
        ("count", changed(changed(whole, end + 8, "<H", 9), end + 10, "<H", 9)),
        ("fewer", changed(changed(whole, end + 8, "<H", 1), end + 10, "<H", 1)),
        ("parts", changed(whole, end + 4, "<H", 1)),
        ("directory", changed(whole, end + 16, "<I", 1)),
        ("doubled", archive([("a.npy", good)] * 2)),
        ("text", archive([("readme.txt", b"hello")])),
        ("member", archive([("x.npy", b"hello")])),
        ("latin1", changed(changed(whole, entry + 46, "<B", 0xe4), whole.index(b"a.npy"), "<B", 0xe4)),
        ("overlap", overlapping(good)),
    ]


def overlapping(data):
    """Two entries of one member."""
    whole = archive([("a.npy", data)])
    entry, end = whole.index(b"PK\1\2"), whole.index(b"PK\5\6")
    directory = whole[entry:end] * 2
    tail = struct.pack("<HHHHIIH", 0, 0, 2, 2, len(directory), entry, 0)
    return whole[:entry] + directory + b"PK\5\6" + tail


# Name, text, further arguments.
HOSTILE_CSV = [
    ("short", "1,2\n3\n", ""),
    ("long", "\n1,2\n3,4,5\n", ""),
    ("names", "a,b\n1,2\n", ""),
    ("word", "1,2\n3,x y\n", ""),
    ("quote", "1,\"2\n\n\n", ""),
    ("after", "\"1\n\",2\n3,\"4\"5\n", ""),
    ("rounded", "1,2\n9007199254740993,0.5\n", ""),
    ("large", "12345678901234567891\n", ""),
    ("column", "a,b\n9007199254740993,1\n,2\n", ", header = true"),
    ("twice", "a,b,a\n", ", header = true"),
    ("empty", "", ", header = true"),
    ("latin1", b"a\nb\xe4r\n".decode("latin-1"), ""),
    ("sep", "1,2\n", ', sep = "1"'),
]


def hostile(folder):
    """Writes the hostile files; the calls that must refuse them."""
    for name, data in HOSTILE_NPY:
        (folder / f"bad-{name}.npy").write_bytes(data)
        yield f'load_npy("bad-{name}.npy")'
    for name, data in hostile_archives():
        (folder / f"bad-{name}.npz").write_bytes(data)
        yield f'load_npz("bad-{name}.npz")'
    for name, text, arguments in HOSTILE_CSV:
        (folder / f"bad-{name}.csv").write_bytes(text.encode("latin-1"))
        yield f'load_csv("bad-{name}.csv"{arguments})'
    yield 'save_npz("long.npz", {join(("x" for i to 70000), ""): 1})'
    yield 'save_npz("list.npz", [1, 2])'


def refusals(folder, viv):
    """The messages, without the places in the program."""
    for call in hostile(folder):
        done = subprocess.run([viv, "-e", call], cwd=folder, capture_output=True, text=True, timeout=500)
        lines = done.stderr.replace(" " * 3 + "=", "=").splitlines()
        said = [line.strip() for line in lines if not re.match(r"\s*\d* \|", line)]
        if done.returncode != 1 or not said:
            print(f"{call}: status {done.returncode}\n{done.stdout}{done.stderr}")
        yield re.sub(r"^.*?error: ", "error: ", "\n  ".join(said))


def words_hold(folder, viv, update):
    """Whether the refusals are those of files.err."""
    wanted, said = TESTS / "files.err", "\n".join(refusals(folder, viv)) + "\n"
    if update:
        wanted.write_text(said, encoding="utf-8")
    difference = list(difflib.unified_diff(wanted.read_text(encoding="utf-8").splitlines(), said.splitlines(), "files.err", "said", lineterm=""))
    print("\n".join(difference), end="\n" if difference else "")
    return not difference


def write_cut(folder):
    """A test that files cut anywhere are refused."""
    lines = []
    for ending, good in (("npy", npy(head(), bytes(16))), ("npz", archive([("a.npy", npy(head(), bytes(16)))]))):
        for n in range(len(good)):
            (folder / f"cut-{n}.{ending}").write_bytes(good[:n])
        lines.append(f'test "cut {ending}" {{\n    for n in range({len(good)}) '
                     f'{{ assert_error(def() = load_{ending}(f"cut-{{n}}.{ending}"), "cut-") }}\n}}')
    return "\n".join(lines) + "\n"


def find_numpy():
    """A Python that has NumPy, or None."""
    for python in (sys.executable, "/usr/bin/python3", shutil.which("python3")):
        if python and subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
            return python
    return None


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500)
    if done.returncode != 0:
        print(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    if left := [p.name for p in folder.iterdir() if p.suffix == ".tmp"]:
        print(f"left behind: {left}")
        return False
    return done.returncode == 0


def main():
    if sys.argv[2:] not in ([], ["--update"]):
        sys.exit(__doc__)
    viv = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for sample in (TESTS / "data").iterdir():
            shutil.copy(sample, folder)
        (folder / "round_trips.viv").write_text(ROUND_TRIPS, encoding="utf-8")
        (folder / "samples.viv").write_text(SAMPLES, encoding="utf-8")
        (folder / "cut.viv").write_text(write_cut(folder), encoding="utf-8")
        ok = all([run(folder, viv, "test", f"{part}.viv") for part in ("round_trips", "samples", "cut")])
        ok &= words_hold(folder, viv, "--update" in sys.argv)
        if python := find_numpy():
            script = str(TESTS / "files_numpy.py")
            ok &= run(folder, python, script, "write", name) and run(folder, viv, "test", "numpy.viv")
            ok &= run(folder, python, script, "read", name)
        else:
            print("there is no NumPy: files were not exchanged with it")
    sys.exit(0 if ok else 1)


main()
