"""General ufuncs with what their axes have in them: scratch memory, windows, complex numbers, operands that are results; ufuncs that call ufuncs."""
import math

import numpy as np
from numba import guvectorize, njit, prange, vectorize

SIZES = (1, 2, 7, 65)


@vectorize(["f8(f8)"])
def sq(x):
    return x * x


@vectorize(["f8(f8, f8)"], identity=1)
def mul(a, b):
    return a * b


@vectorize(["f8(f8, f8)"])
def hyp(a, b):
    return math.sqrt(sq(a) + sq(b))


@guvectorize(["(f8[:], f8[:])"], "(n)->(n)")
def normalize(x, out):
    s = 0.0
    for v in x:
        s += abs(v)
    for i in range(len(x)):
        out[i] = x[i] / s


@guvectorize(["(f8[:,:], f8[:,:])"], "(m,n)->(m,n)")
def blur(a, out):
    m, n = a.shape
    for i in range(m):
        for j in range(n):
            s = 0.0
            c = 0
            for di in range(max(0, i - 1), min(m, i + 2)):
                for dj in range(max(0, j - 1), min(n, j + 2)):
                    s += a[di, dj]
                    c += 1
            out[i, j] = s / c


@guvectorize(["(f8[:], f8[:], f8[:], f8[:])"], "(),(),()->()")
def fma3(a, b, c, out):
    out[0] = a[0] * b[0] + c[0]


@guvectorize(["(f8, f8, f8[:])"], "(),()->()")
def scal(a, b, out):
    out[0] = a + 2 * b


@guvectorize(["(c16[:], c16[:], c16[:])"], "(n),(n)->()")
def cdot(a, b, out):
    s = 0j
    for i in range(a.shape[0]):
        s += a[i] * b[i].conjugate()
    out[0] = s


@guvectorize(["(i8[:], i8[:], i8[:])"], "(n)->(n),(n)")
def runs(x, up, down):
    up[:] = 0
    down[:] = 0
    for i in range(1, len(x)):
        up[i] = up[i - 1] + 1 if x[i] > x[i - 1] else 0
        down[i] = down[i - 1] + 1 if x[i] < x[i - 1] else 0


@guvectorize(["(f8[:], i8, f8[:])"], "(n),()->(n)")
def rolled(x, k, out):
    n = x.shape[0]
    for i in range(n):
        out[(i + k) % n] = x[i]


@guvectorize(["(f8[:,:], f8[:], f8[:])"], "(n,n),(n)->(n)")
def solve_jacobi(A, b, x):
    n = A.shape[0]
    old = np.zeros(n)
    for it in range(3):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= A[i, j] * old[j]
            x[i] = s / A[i, i]
        for i in range(n):
            old[i] = x[i]


#appyc: def overlap(x: f64[N, 5])
def overlap(x):
    normalize(x, x)
    normalize(x[:, ::-1], out=x)
    rolled(x, 1, x)
    x[1:] = normalize(x[:-1])
    return x


@njit("f8[:,:](f8[:,:])", parallel=True)
def in_prange(x):
    out = np.empty_like(x)
    for i in prange(x.shape[0]):
        normalize(x[i], out[i])
        out[i] = rolled(out[i], i)
    return out


#appyc: def more(a: f64[2, N, 3, 4], x: f64[N], k: i64[N, 6], z: c128[N, 3])
def more(a, x, k, z):
    b = blur(a)
    u, d = runs(k)
    return b, hyp(x, 2.0), hyp(x[:, None], x), fma3(x, 2.0, x[:, None]), fma3(1.0, 2.0, 3.0), scal(x, 1), scal(1, 2), cdot(z, z), cdot(z, z[0]), u, d


#appyc: def solved(A: f64[N, 3, 3], b: f64[3])
def solved(A, b):
    out = np.zeros((A.shape[0], 3))
    solve_jacobi(A, b, out)
    return out, solve_jacobi(A[0], b)


#appyc: def folded(x: f64[N, 4], out: f64[4], m: f64[N, 2, 3])
def folded(x, out, m):
    mul.reduce(x, out=out)
    mul.reduce(x, axis=0, out=out)
    t = 0.0
    for i in range(x.shape[0]):
        t += mul.reduce(x[i])
    return mul.reduce(x[:, 0]), t, mul.reduce(m, axis=(0, 2)), mul.reduce(m, axis=None), mul.reduce(np.zeros((0, 3))), mul.accumulate(m, 1), mul.reduce(sq(x), axis=1)


#appyc: def looped(x: f64[N], steps: i64)
def looped(x, steps):
    y = x.copy()
    for s in range(steps):
        y = hyp(y, x)
        mul(y, 0.5, y)
        sq(y, out=y)
    return y


#appyc: def ats(a: f64[N], m: f64[N, N], k: i64[5], b: bool[N])
def ats(a, m, k, b):
    sq.at(a, k)
    mul.at(a, k, 2.0)
    mul.at(a, b, a)
    mul.at(m, (k, 0), np.arange(5.0))
    mul.at(m, (k[:, None], k), 1.5)
    sq.at(a, 0)
    return a, m


EXPORTED = ("in_prange",)


def inputs_overlap(n, rng):
    return (rng.random((n, 5)),)


inputs_in_prange = inputs_overlap


def inputs_more(n, rng):
    return rng.random((2, n, 3, 4)), rng.random(n), rng.integers(0, 9, (n, 6)), rng.random((n, 3)) + 1j * rng.random((n, 3))


def inputs_solved(n, rng):
    return rng.random((n, 3, 3)) + 3 * np.eye(3), rng.random(3)


def inputs_folded(n, rng):
    return rng.random((n, 4)), np.zeros(4), rng.random((n, 2, 3))


def inputs_looped(n, rng):
    return rng.random(n), 3


def inputs_ats(n, rng):
    return rng.random(n), rng.random((n, n)), rng.integers(0, n, 5), rng.random(n) > 0.5
