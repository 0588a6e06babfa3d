"""Counts of threads that a schedule asks for, fewer and more than there are iterations; `test/Schedule/asked-threads.py` has the grids."""
import numpy as np
import parpy

HALF = 48


@parpy.jit
def alone(x: "f64[N]", N: "i64"):
    parpy.label('few')
    for i in range(N):
        x[i] = x[i] * 2.0
    parpy.label('many')
    for i in range(N - 1):
        x[i] = x[i] + 1.0
    parpy.label('size')
    for i in range(1, N, 2):
        x[i] = x[i] - i
    parpy.label('half')
    for i in range(N):
        x[i] = -x[i]


@parpy.jit
def pairs(x: "f64[N, M]", y: "f64[N]", N: "i64", M: "i64"):
    parpy.label('outer')
    for i in range(N):
        parpy.label('inner')
        for j in range(M):
            x[i, j] = x[i, j] + i * j
    parpy.label('outer')
    for i in range(N):
        y[i] = 0.0
        parpy.label('fold')
        for j in range(M):
            y[i] = y[i] + x[i, j]
        parpy.label('other')
        for j in range(1, M):
            x[i, j] = x[i, j] * y[i]
    parpy.label('outer')
    for i in range(N):
        for j in range(1, M):
            x[i, j] = x[i, j] + x[i, j - 1]


@parpy.jit
def triples(x: "f64[N, M, 5]", y: "f64[N, M]", N: "i64", M: "i64"):
    parpy.label('outer')
    for i in range(N):
        parpy.label('inner')
        for j in range(M):
            parpy.label('last')
            for k in range(5):
                x[i, j, k] = x[i, j, k] * k + i
    parpy.label('outer')
    for i in range(N):
        parpy.label('inner')
        for j in range(M):
            y[i, j] = -parpy.inf
            parpy.label('top')
            for k in range(5):
                y[i, j] = parpy.max(y[i, j], x[i, j, k])


@parpy.jit
def folds(x: "f64[N]", out: "f64[4]", N: "i64"):
    out[0] = 0.0
    out[1] = parpy.inf
    out[2] = 0.0
    out[3] = 1.0
    parpy.label('block')
    for i in range(N):
        out[0] = out[0] + x[i]
    parpy.label('blocks')
    for i in range(N):
        out[1] = parpy.min(out[1], x[i])
    parpy.label('size')
    for i in range(N):
        out[2] = out[2] + x[i] * x[i]
    parpy.label('warp')
    for i in range(N):
        out[3] = out[3] * (1.0 + x[i] / N)


@parpy.jit
def steps(x: "f64[N]", y: "f64[N]", N: "i64", T: "i64"):
    for t in range(T):
        parpy.label('size')
        for i in range(1, N - 1):
            y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
        parpy.label('many')
        for i in range(1, N - 1):
            x[i] = y[i]


@parpy.jit
def slices(x: "f64[N, M]", y: "f64[N, M]", z: "f64[N]"):
    parpy.label('outer')
    parpy.label('inner')
    y[:, :] = parpy.exp(x[:, :]) + z[0]
    parpy.label('outer')
    z[:] = parpy.sum(y[:, :], axis=1)
    parpy.label('inner')
    x[0, 1:] = x[0, :-1]
    parpy.label('outer')
    parpy.label('inner')
    x[:, :] += y[:, :]


@parpy.jit
def arrays(x: "f64[N]", y: "f64[N]", N: "i64"):
    parpy.label('size')
    for i in range(N):
        t = np.zeros(3)
        for k in range(3):
            t[(k + i) % 3] = x[i] + k
        y[i] = t[0] - t[2]
    parpy.label('outer')
    for i in range(N):
        t = np.zeros(N)
        parpy.label('inner')
        for k in range(N):
            t[k] = x[k] + i
        y[i] += t[N - 1 - i]


@parpy.jit
def sums(x: "f64[N, M]", y: "f64[N]", z: "f64[M]", out: "f64[3]"):
    """Counts of what a statement folds."""
    parpy.label('block')
    out[0] = parpy.sum(x[:, 0])
    parpy.label('blocks')
    out[1] = parpy.max(x[:, 1])
    parpy.label('outer')
    parpy.label('inner')
    y[:] = parpy.sum(x[:, :], axis=1)
    parpy.label('block')
    parpy.label('outer')
    z[:] = parpy.sum(x[:, :], axis=0)
    parpy.label('outer')
    for j in range(x.shape[1]):
        parpy.label('fold')
        z[j] = z[j] + parpy.sum(x[:, j] * y[:])
        parpy.label('fold')
        t = parpy.min(x[:, j])
        z[j] = z[j] - t


@parpy.jit
def alone_in_steps(x: "f64[N]", y: "f64[N]", s: "f64[1]", N: "i64", T: "i64"):
    """All steps in the one block that the counts ask for."""
    with parpy.gpu:
        last = 1.0
        for t in range(T):
            total = 0.0
            parpy.label('block')
            for i in range(t):
                total += x[i % N] * last
            last = 1.0 / (1.0 + total)
            parpy.label('alike')
            for i in range(N):
                y[i] = x[N - 1 - i] * last
            parpy.label('alike')
            for i in range(N):
                x[i] = x[i] + y[i]
        s[0] = last


@parpy.jit
def grids_in_steps(x: "f64[K, N, M]", y: "f64[K, N]", N: "i64", K: "i64", M: "i64"):
    """What has counts is the grid, although loops without stand around it."""
    parpy.label('outer')
    for k in range(K):
        for t in range(3):
            for u in range(2):
                parpy.label('few')
                for i in range(N):
                    parpy.label('inner')
                    for j in range(M):
                        x[k, i, j] = x[k, i, j] * (1.0 + u) + y[k, i]
                    y[k, i] = y[k, i] + t


@parpy.jit
def elements_of_a_thread(x: "f64[A, B, N]", w: "f64[B, C]", y: "f64[N, C]", N: "i64"):
    """Each thread has all elements of a row of y, some of them side by side."""
    parpy.label('size')
    for i in range(N):
        y[i, :] = 1.0
        for a in range(x.shape[0]):
            for b in range(x.shape[1]):
                for c in range(w.shape[1]):
                    y[i, c] += x[a, b, i] * w[b, c]


def inputs_sums(size, rng):
    return rng.integers(1, 9, (size, 5)).astype(float), np.zeros(size), np.zeros(5), np.zeros(3)


def inputs_alone_in_steps(size, rng):
    return rng.random(size), np.zeros(size), np.zeros(1), size, 5


def inputs_grids_in_steps(size, rng):
    return rng.random((3, size, 7)), rng.random((3, size)), size, 3, 7


def inputs_elements_of_a_thread(size, rng):
    columns = size % 19
    return rng.random((size % 4, 3, size)), rng.random((3, columns)), np.zeros((size, columns)), size


def by_line(x: "f64[N]"):
    s = 0.0
    for i in range(x.shape[0]):
        x[i] = x[i] * 2.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def inputs_slices(size, rng):
    return rng.random((size, 7)), np.zeros((size, 7)), np.ones(size)


def inputs_arrays(size, rng):
    return rng.random(size), np.zeros(size), size


def inputs_by_line(size, rng):
    return (rng.random(size),)


def inputs_alone(size, rng):
    return rng.random(size), size


def inputs_pairs(size, rng):
    return rng.integers(0, 9, (size, 7)).astype(float), np.ones(size), size, 7


def inputs_triples(size, rng):
    return rng.random((3, size, 5)), np.zeros((3, size)), 3, size


def inputs_folds(size, rng):
    return rng.integers(1, 9, size).astype(float), np.zeros(4), size


def inputs_steps(size, rng):
    return rng.random(size), np.zeros(size), size, 4


SIZES = (1, 2, 3, 33, 129, 500)
TRANSLATE_OPTIONS = ("--par=few=threads(20), many=threads(4096).tpb(64), size=threads(N), half=threads(2 * HALF).tpb(32)",
                     "--par=outer=threads(N), inner=threads(300).tpb(96), fold=threads(64).reduce(), other=threads(2048)",
                     "--par=last=threads(5), top=reduce().threads(3).unroll()",
                     "--par=block=threads(100).reduce(), blocks=threads(4096).tpb(512).reduce(), folds.size=threads(N).reduce(), arrays.size=threads(N), alike=threads(128), elements_of_a_thread.size=threads(N), warp=threads(2).reduce()")
