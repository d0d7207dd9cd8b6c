"""NumPy's side of files.py; run by a Python that has it.

usage: files_numpy.py write|read FOLDER

write  makes .npy and .npz files of every dtype, order, byte order and version, and numpy.viv: tests that Viv loads them right
read   checks what Viv has saved: the same arrays, and .npy files of the same bytes
"""
import io
import sys
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

DTYPES = ["f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]
SHAPES = [(), (0,), (1,), (5,), (2, 3), (3, 0), (2, 3, 4), (1, 2, 1, 2, 1, 2, 1, 2)]
REFUSED = ["f2", "c8", "c16", "U3", "S3", "M8[D]", "m8[s]", "V4", "g"]


def example(dtype, shape):
    kind, n = dtype[0], int(np.prod(shape))
    values = np.arange(n) % 7
    if kind == "b":
        values = values % 2 == 1
    elif kind == "f":
        values = values * 0.375 - 1
    elif kind == "i":
        values = values - 3
    whole = values.astype(dtype).reshape(shape)
    if n > 1 and kind in "iu":
        limits = np.iinfo(dtype)
        whole.flat[0], whole.flat[1] = limits.min, min(limits.max, 2**63 - 1)
    return whole


def literal(x):
    """As a Viv expression."""
    if x.size == 0:
        kind = {"f": "0.0", "i": "0", "u": "0", "b": "false"}[x.dtype.kind]
        sizes = ", ".join(str(n) for n in x.shape)
        return f"reshape([{kind}][0:0], {sizes})"
    if x.dtype.kind == "b":
        return str(x.tolist()).replace("True", "true").replace("False", "false")
    # the smallest Int has no literal of its own
    return str(x.tolist()).replace(str(-2**63), "-0x7fff_ffff_ffff_ffff - 1" if x.ndim == 0 else "(-0x7fff_ffff_ffff_ffff - 1)")


def write_arrays(folder, lines):
    for dtype in DTYPES:
        for shape in SHAPES:
            lines.append(f'test "{dtype} {shape}" {{')
            for order in "CF":
                for endian in "<>":
                    for version in [(1, 0), (2, 0), (3, 0)]:
                        x = np.array(example(dtype, shape), dtype=endian + dtype, order=order)
                        name = f"{dtype}-{'x'.join(map(str, shape))}-{order}{'lb'[endian == '>']}{version[0]}.npy"
                        with open(folder / name, "wb") as f:
                            npy.write_array(f, x, version=version)
                        lines.append(f'    assert_eq(str(load_npy("{name}")), str({literal(x)}))')
            lines.append("}")


def write_archives(folder, lines):
    arrays = {f"a{i}": example(d, (3, 4)) for i, d in enumerate(DTYPES)}
    arrays |= {"n/ü": np.array(2.5), "big": np.zeros(100000)}
    for name, save in (("stored.npz", np.savez), ("packed.npz", np.savez_compressed)):
        save(folder / name, **arrays)
        keys = ", ".join(f'"{k}"' for k in arrays)
        lines.append(f'test "{name}" {{\n    m = load_npz("{name}")\n    assert_eq(keys(m), ({keys}))')
        for key, x in arrays.items():
            lines.append(f'    assert_eq(str(m["{key}"]), str({"zeros(100000)" if key == "big" else literal(x)}))')
        lines.append("}")


def write_refused(folder, lines):
    lines.append('test "refused" {')
    for i, dtype in enumerate(REFUSED):
        x = np.zeros(3, dtype=dtype)
        np.save(folder / f"refused{i}.npy", x)
        lines.append(f"    assert_error(def() = load_npy(\"refused{i}.npy\"), \"its dtype '{x.dtype.str}'\")")
    np.save(folder / "struct.npy", np.zeros(3, dtype=[("a", "f8"), ("b", "i4")]))
    np.save(folder / "object.npy", np.array([None, {}]), allow_pickle=True)
    np.save(folder / "u8.npy", np.array([1, 2**64 - 1], dtype="u8"))
    np.save(folder / "rank9.npy", np.zeros((1,) * 9))
    for name, text in (("struct", "its dtype is a structure ("), ("object", "(Python objects)"), ("rank9", "more than 8 axes"),
                       ("u8", "has the number 18446744073709551615")):
        lines.append(f'    assert_error(def() = load_npy("{name}.npy"), "{text}")')
    lines.append("}")


def write(folder):
    lines = []
    write_arrays(folder, lines)
    write_archives(folder, lines)
    write_refused(folder, lines)
    (folder / "numpy.viv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def saved_bytes(x):
    buffer = io.BytesIO()
    np.save(buffer, x)
    return buffer.getvalue()


# What files.py lets Viv save.
SAVED = {
    "float": np.arange(6.0).reshape(2, 3) / 4, "int": np.arange(-3, 3), "bool": np.array([True, False]),
    "number": np.array(1.5), "one": np.array(7), "truth": np.array(True), "empty": np.zeros((0, 3)),
    "nan": np.array([np.nan, np.inf, -0.0]), "turned": np.ascontiguousarray(np.arange(6.0).reshape(2, 3).T),
    "deep": np.zeros((1, 2, 1, 2, 1, 2, 1, 2)), "long": np.arange(10000.0), "thin": np.zeros((100000, 1, 1, 1, 1, 1, 1, 1)),
}


def same(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and saved_bytes(x) == saved_bytes(y)


def read(folder):
    archive = np.load(folder / "saved.npz")
    assert archive.files == list(SAVED), archive.files
    for name, wanted in SAVED.items():
        written = (folder / f"saved-{name}.npy").read_bytes()
        assert same(np.load(folder / f"saved-{name}.npy"), wanted), name
        assert written == saved_bytes(wanted), f"{name}: {written[:128]} is not {saved_bytes(wanted)[:128]}"
        assert same(archive[name], wanted), f"{name} in the archive"
    matrix = np.genfromtxt(folder / "saved.csv", delimiter=",")
    assert matrix.tobytes() == np.array([[0.1, 1e300], [-0.0, np.inf]]).tobytes(), matrix


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](Path(sys.argv[2]))
