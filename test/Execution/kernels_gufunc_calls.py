"""Ufuncs of `@guvectorize` that other functions call, with layouts of each kind, and the methods of `@vectorize`d ones."""
import numpy as np
from numba import float64, guvectorize, int64, njit, vectorize, void

SIZES = (0, 1, 7, 65)


@guvectorize([void(float64[:, :], float64[:, :], float64[:, :])], "(m,n),(n,p)->(m,p)")
def product(a, b, out):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            out[i, j] = s


@guvectorize([(int64[:], int64, int64[:]), (float64[:], float64, float64[:])], "(n),()->(n)", target="parallel")
def shifted(x, y, res):
    for i in range(x.shape[0]):
        res[i] = x[i] + y


@guvectorize(["void(f4[:], f4[:])", "void(f8[:], f8[:])"], "(n)->()")
def largest(x, res):
    m = x[0]
    for i in range(1, x.shape[0]):
        if x[i] > m:
            m = x[i]
    res[0] = m


@guvectorize(["void(f8[:], f8[:], f8[:], f8[:])"], "(),(n)->(n),()")
def scaled(c, x, res, total):
    t = 0.0
    for i in range(len(x)):
        res[i] = c[0] * x[i]
        t += res[i]
    total[0] = t


@guvectorize(["void(f8[:], i8[:], f8[:])"], "(n),()->(n)")
def moving_mean(a, window, out):
    width = window[0]
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        if i >= width:
            s -= a[i - width]
        out[i] = s / min(i + 1, width)


@vectorize(["i8(i8, i8)", "f8(f8, f8)"], identity=0)
def plus(a, b):
    return a + b


@vectorize(["i8(i8, i8)", "f8(f8, f8)"])
def larger(a, b):
    return a if a > b else b


@vectorize(["f8(f8)"])
def halved(a):
    return a / 2


#appyc: def of_matrices(a: f64[N, 3, 4], b: f64[4, 2], c: f64[N, 4, 5])
def of_matrices(a, b, c):
    return product(a, b), product(a, c), product(a[:, :2], b[:, ::-1]), product(a[:, None], c[None])


#appyc: def of_vectors(x: f64[N, 6], k: i64[N, 6], y: f64[N], f: f32[N, 6])
def of_vectors(x, k, y, f):
    rows = shifted(x, y)
    return rows, shifted(k, 3), shifted(k, 0.5), shifted(x, y[:, None, None]), largest(x), largest(f), largest(x * 2.0), shifted(x.T, 1.5)


@njit("void(f8[:, :], f8[:], f8[:, :], f8[:], f4[:, :])")
def into(x, y, out, totals, narrow):
    shifted(x, y, out)
    scaled(y, x, out, totals)
    scaled(2.0, x, out=(narrow, totals))
    shifted(out, y, out)
    moving_mean(x[:, ::-1], 3, out[:, ::-1])


#appyc: def of_numbers(x: f64[8], n: i64)
def of_numbers(x, n):
    best = largest(x)
    row, total = scaled(best, x)
    return best, row, total, moving_mean(x, n + 1)


#appyc: def folds(x: f64[N, 5], k: i64[N, 5, 2])
def folds(x, k):
    return (plus.reduce(x), plus.reduce(x, axis=1), plus.reduce(k, (0, 2)), plus.reduce(k, axis=None), plus.reduce(x, 1, keepdims=True),
            larger.reduce(x, axis=1), larger.reduce(x, axis=0, initial=-1.0), larger.reduce(k, axis=-1, keepdims=True))


#appyc: def scans(x: f64[N, 5], k: i64[N], out: f64[N, 5])
def scans(x, k, out):
    larger.accumulate(x, axis=1, out=out)
    return plus.accumulate(x), larger.accumulate(k), plus.accumulate(x[:, ::2], axis=1)


#appyc: def tables(x: f64[N], k: i64[N], out: f64[N, N])
def tables(x, k, out):
    larger.outer(x, x[::-1], out=out)
    return plus.outer(x, k), plus.outer(k, k), larger.outer(x, 0.5), plus.outer(x[:, None], x)


#appyc: def in_places(a: f64[8], m: f64[8, 3], k: i64[N], x: f64[N])
def in_places(a, m, k, x):
    plus.at(a, k, x)
    larger.at(a, k, 0.25)
    plus.at(m, (k, k % 3), 1.0)
    plus.at(m, k, x[:, None])
    halved.at(a, np.array([3, 3, 3]))
    return a, m


#appyc: def masked(x: f64[N], y: f32[N], out: f64[N])
def masked(x, y, out):
    plus(x, 1.0, out=out, where=x > 0.5)
    plus(x, x, y)
    return out, y


def inputs_of_matrices(n, rng):
    return rng.random((n, 3, 4)), rng.random((4, 2)), rng.random((n, 4, 5))


def inputs_of_vectors(n, rng):
    return rng.random((n, 6)), rng.integers(-9, 9, (n, 6)), rng.random(n), rng.random((n, 6), dtype=np.float32)


def inputs_into(n, rng):
    return rng.random((1 if n % 3 == 2 else n, 4)), rng.random(n), rng.random((n, 4)), rng.random(n), rng.random((n, 4), dtype=np.float32)


def inputs_largest(n, rng):
    return (rng.random((n, 6)).astype("f8" if n % 3 == 2 else "f4"),)


def inputs_of_numbers(n, rng):
    return rng.random(8), n


def inputs_folds(n, rng):
    n += n == 0
    return rng.random((n, 5)), rng.integers(-9, 9, (n, 5, 2))


def inputs_scans(n, rng):
    return rng.random((n, 5)), rng.integers(-9, 9, n), rng.random((n, 5))


def inputs_tables(n, rng):
    return rng.random(n), rng.integers(-9, 9, n), rng.random((n, n))


def inputs_in_places(n, rng):
    return rng.random(8), rng.random((8, 3)), rng.integers(-8, 8, n), rng.random(n)


def inputs_masked(n, rng):
    return rng.random(n), rng.random(n, dtype=np.float32), rng.random(n)


EXPORTED = ("of_matrices", "of_vectors", "into", "largest", "of_numbers", "folds", "scans", "tables", "in_places", "masked")
