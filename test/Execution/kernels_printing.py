"""What functions print, and messages with numbers in them: Python's own formatting of the numbers that they have."""
from __future__ import annotations

import logging
import warnings

import numpy as np

SIZES = (0, 1, 3, 7)
COMPARES_RAISED = True


def each_type(a: f64[N], b: f32[N], k: i8[N], u: u64[N], m: bool[N], z: c128[N], n: int, x: float):
    print("types", a.shape, a.dtype, len(a), n, x, n > 2, None, sep=" | ")
    for i in range(n):
        print(i, a[i], b[i], k[i], u[i], m[i], z[i], b[i] * 2, k[i] + 1, z[i].imag)
    print((n, x), [x, n], (n,), flush=True)
    print()
    print("end", end="!\n")


def inputs_each_type(size, rng):
    a = rng.choice([0.1, 1e16, 1e-5, -0.0, np.nan, np.inf, 123456.789], size)
    z = rng.choice([1j, 2.5 - 1j, complex(-0.0, 0.0), 1e20 + 3j], size)
    return (a, a.astype(np.float32), rng.integers(-100, 100, size).astype(np.int8),
            rng.integers(0, 2**64, size, dtype=np.uint64), rng.random(size) < 0.5, z, size, size + 0.25)


def formats(a: f64[N], k: i64[N], n: int):
    total = 0.0
    for i in range(len(a)):
        total += a[i]
        print(f"{i:3d}: {a[i]:.3e} {a[i]:>12} {k[i]:+x} {{}} {total=} {total = :.2f} {n!r:>4}" " plain", f"|{a[i]!r}")
    print("%d of %5.2f, %s and %%" % (n, total, a.dtype), "{:05d}/{other:g}".format(n, other=total))
    print("-" * 10, "=" * n, str(n) + "," + str(total), repr(n), format(total, ".1f"))
    print(", ".join(["n", str(n), f"{total:.1f}"]), "text".upper(), "text".rjust(8) + f"{n}".zfill(4))
    title = f"n = {n}"
    print(title, "quoted \"'\\ \t ü \u2192", 'a\nb', r"\d")


def inputs_formats(size, rng):
    return rng.integers(0, 100, size) / 4, rng.integers(-1000, 1000, size), size


def jacobi(a: f64[N], steps: int):
    for step in range(steps):
        a[1:-1] = (a[:-2] + a[2:]) / 2
        largest = np.max(a) if len(a) > 0 else 0.0
        if step % 2 == 0:
            print(f"step {step}: {largest:.4f}")
    return a


def inputs_jacobi(size, rng):
    return rng.integers(0, 64, size).astype(float), size


def shown(label, x):
    print(label, x)
    return x * 2


def through_helpers(a: f64[N], n: int):
    b = a * 2
    print("sum", np.sum(b), "of", len(b))
    i = 0
    while i < n and shown("item", a[i]) < 20:
        i += 1
    print("nothing left" if i == n else "left at", i)
    return shown("first", i) + b.sum()


def inputs_through_helpers(size, rng):
    return rng.integers(0, 15, size) / 2, size


def order(a: f64[N], n: int):
    """What is printed before something is raised has been printed, and what has been stored."""
    for i in range(n):
        print("before", i)
        a[i] = i
        if i == 4:
            raise ValueError(f"stopped at {i} of {n}: {a[i]:.1f}")
        print("behind", i)
    assert n < 2, f"{n} is too large"


def inputs_order(size, rng):
    return np.zeros(size), size


def too_large(a: f64[N], limit: float):
    for i in range(a.shape[0]):
        if a[i] > limit:
            raise OverflowError("a[%d] = %g" % (i, a[i]))
    return np.sum(a)


def inputs_too_large(size, rng):
    return rng.integers(0, 8, size) / 2, 3.0


def wrong_format(n: int, x: float):
    print("before")
    if n > 1:
        print(f"{x:d}")
    return n


def inputs_wrong_format(size, rng):
    return size, 1.5


def arrays(a: f64[M, N], k: i64[M], m: bool[M], z: c64[M]):
    print(a, k, sep="\n", end="--\n")
    print(f"{k}: {a.sum(axis=0)} {m!r} {z.real}")
    print("%s and %d" % (k, 3), "{} / {}".format(k, a[:1].T), (k, 1), [m], str(k), repr(a[:, 0]))
    print(a.astype(np.float32) * 2, k.astype(np.int8), z * 1j, k > 2, np.uint64(2) ** k.astype(np.uint64))
    b = np.arange(2000).reshape(50, 40)
    print(b, b.dtype)


def inputs_arrays(size, rng):
    return (rng.random((size, 3)), rng.integers(0, 9, size), rng.random(size) < 0.5,
            (rng.random(size) - 1j).astype(np.complex64))


def arrays_in_loops(a: f64[M, N], k: i64[M]):
    x = a[:, 0].copy()
    for t in range(3):
        x = x * 0.5
        if t % 2 == 0:
            print("step", t, x)
    for row in a:
        print(row)
    k += 1
    print(k, k[k > 3], np.nonzero(k > 3)[0], np.unique(k))
    k[:] = 0
    print(k)
    return x


def lists(k: i64[N], a: f64[N]):
    found, numbers = [], []
    for i in range(len(k)):
        if k[i] > 2:
            found.append(int(k[i]))
            numbers.append(a[i])
    print(found, numbers, len(found))


def too_many(k: i64[N], a: f64[N]):
    if len(k) > 2:
        raise ValueError(f"too many: {k}")
    return k.sum()


def inputs_arrays_in_loops(size, rng):
    return rng.random((size, 3)), rng.integers(0, 9, size)


def inputs_lists(size, rng):
    return rng.integers(0, 9, size), rng.random(size)


inputs_too_many = inputs_lists


def named_in_branches(n: int, x: float):
    """Texts with numbers in them that a branch or a step names, for itself."""
    if n < 1:
        msg = f"{n=} is less than {1}"
        raise ValueError(msg)
    title = f"of {x:.2f}"
    for i in range(n):
        line = "step " + str(i)
        line += f" halves {title}"
        x = x / 2
        if i % 2 == 1:
            note = f"{i} is odd, {x:.3f}"
            print(line, note)
        else:
            print(line)
    return x


def inputs_named_in_branches(size, rng):
    return size, float(rng.random())


logger = logging.getLogger(__name__)


def joined_texts(k: i64[N], x: float, a: f64[N]):
    """Texts of as many numbers as only the run tells."""
    rows = [[0.5 * i] * i for i in range(len(k))]
    print(rows, f"{rows}")
    rows.append([x])
    for row in rows:
        print(*row)
        print(" ".join(str(v) for v in row), "|".join([f"{v * 2:.1f}" for v in row]))
    print("".join("#" if v > 2 else "." for v in k), ", ".join(f"{i}:{v:.2f}" for i, v in enumerate(a)))
    print(*k, sep=",", end=";\n")
    print("[" + " ".join("%.3f" % a[i] for i in range(len(a))) + "]", "-".join("x" for _ in k), "+".join(map(str, a)))


def inputs_joined_texts(size, rng):
    return rng.integers(0, 5, size), float(rng.random()), rng.random(size)


def told(n: int, x: float):
    """What is not printed, but told otherwise."""
    logging.debug("of %s", x)
    for i in range(n):
        logger.info(f"step {i}: %.3f", x)
    if n > 2:
        warnings.warn(f"{n} are many", RuntimeWarning, stacklevel=2)
    return x * 2


def inputs_told(size, rng):
    return size, float(rng.random())
