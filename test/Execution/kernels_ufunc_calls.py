"""Ufuncs of `@vectorize` that other functions call: the first signature that fits, broadcasting, `out=`."""
import numpy as np
from numba import float32, float64, guvectorize, njit, vectorize

SIZES = (0, 1, 7, 129)


@vectorize(["f4(f4, f4)", "f8(f8, f8)"])
def hypotenuse(a, b):
    return (a * a + b * b) ** 0.5


@vectorize([float32(float32, float32, float32), float64(float64, float64, float64)], target="parallel")
def saxpy(a, x, y):
    if x > 0.5:
        return a * x + y
    return y


@vectorize(["i8(f8)"])
def cells(x):
    return x * 3.7


@vectorize(["f8(f8)"])
def squared(x):
    return x * x


@njit("f8[:](f8[:], f8[:])")
def of_rows(x, y):
    return hypotenuse(x, y) + hypotenuse(x[::-1], 2.0)


#appyc: def of_types(x: f32[N], k: i32[N], y: f64[N])
def of_types(x, k, y):
    return hypotenuse(x, x), hypotenuse(k, x), hypotenuse(x, 3), saxpy(2.0, x, x), saxpy(2.0, x, y), cells(x), cells(k)


#appyc: def of_axes(x: f64[N, 3], y: f64[3])
def of_axes(x, y):
    out = np.zeros_like(x)
    hypotenuse(x, y, out=out)
    rows = saxpy(1.5, x[:, None, :], y)
    return out, rows, squared(hypotenuse(x.T, 1.0)), squared(x[None, None] * y)


#appyc: def of_numbers(x: f64[N], k: i64)
def of_numbers(x, k):
    total = 0.0
    for i in range(x.shape[0]):
        total += hypotenuse(x[i], k) * squared(i)
    return total, squared(k), cells(2.5)


@vectorize(["f4(f4, f4)", "i8(i8, i8)", "f8(f8, f8)"], identity=0)
def plus(a, b):
    return a + b


#appyc: def of_spans(x: f64[N, M], k: i32[K], at: i64[3])
def of_spans(x, k, at):
    return plus.reduceat(x, at), plus.reduceat(x.T, at, axis=1), plus.reduceat(k, at), hypotenuse.reduceat(x[:, 0], at)


#appyc: def of_kinds(x: f32[N], k: i64[N])
def of_kinds(x, k):
    return plus(x, x, dtype=np.float64), plus(x, 1, dtype="f4"), plus(k, x, dtype=np.float32), plus(2, 3, dtype=np.float64), x * plus.nin + plus.nout, plus.nargs, plus.ntypes, plus.identity, plus.types.index("ll->l"), len(squared.types[0])


#appyc: def of_masks(x: f64[N, M])
def of_masks(x):
    kept = plus.reduce(x, axis=0, where=x > 0.5), plus.reduce(x, axis=(0, 1), where=x[0] > 0.5), plus.reduce(x, axis=1, where=x < 0.5, initial=2.0, keepdims=True)
    return kept + (hypotenuse.reduce(x, axis=0, where=x > 0.2, initial=1.0),)


def inputs_of_spans(n, rng):
    return rng.random((n, 4)), rng.integers(-9, 9, max(n, 1)).astype(np.int32), np.sort(rng.integers(0, max(n, 1), 3))[[0, 2, 1]]


def inputs_of_kinds(n, rng):
    return rng.random(n, dtype=np.float32), rng.integers(-9, 9, n)


def inputs_of_masks(n, rng):
    return (rng.random((n, 3)),)


sizes_of_spans = sizes_of_masks = (1, 7, 129)


def inputs_of_rows(n, rng):
    return rng.random(n), rng.random(n)


def inputs_of_types(n, rng):
    return rng.random(n, dtype=np.float32), rng.integers(-9, 9, n).astype(np.int32), rng.random(n)


def inputs_of_axes(n, rng):
    return rng.random((n, 3)), rng.random(3)


def inputs_of_numbers(n, rng):
    return rng.random(n), 4


added = vectorize(["f8(f8, f8)", "f4(f4, f4)"])(lambda x, y: x + 2 * y)


def difference(x, y):
    if x == y:
        return 0.0
    return 2 * (x - y) / (x + y)


relative = vectorize([float32(float32, float32), float64(float64, float64)], target="parallel")(difference)


def times(a, k, out):
    for i in range(a.shape[0]):
        out[i] = a[i] * k


times = guvectorize(["void(f8[:], f8, f8[:])"], "(n),()->(n)")(times)


#appyc: def of_applied(x: f64[N], y: f64[N], z: f32[N])
def of_applied(x, y, z):
    return added(x, y), added(z, z), relative(x, 1.0), times(x, 2.0), times(x, y), added.reduce(x), difference(2.0, 3.0)


def inputs_of_applied(n, rng):
    return rng.random(n), rng.random(n), rng.random(n, dtype=np.float32)


EXPORTED = ("of_applied", "of_rows", "of_types", "of_axes", "of_numbers", "of_spans", "of_kinds", "of_masks")
