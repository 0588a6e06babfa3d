"""What ParPy's own tests say is refused there, and is Python's here: the table in docs/annotations.md. Its defects compute what CPython does."""
import numpy as np
import parpy


@parpy.jit
def no_parallelism(x: "f64[N]", y: "f64[N]", N: "i64"):
    y[0:1] = 0.0
    for i in range(1, N):
        y[i] = y[i - 1] + x[i]


@parpy.jit
def outside(x: "f64[N]", y: "f64[2]", N: "i64", count: "i64"):
    count = count + 1
    t = x[:]
    y[0], y[1] = parpy.sum(t[:]), count
    for v in x:
        y[1] += v
    else:
        y[1] *= 2.0


@parpy.jit
def steps(x: "f64[N]", N: "i64", by: "i64"):
    parpy.label('i')
    for i in range(0, N, by):
        if 0 < i < N - 1 and x[i] > 0.5:
            x[i] = -x[i]
        elif i >= 0:
            x[i] = x[i] + 1


@parpy.jit
def early(x: "f64[N]", out: "f64[1]", N: "i64"):
    out[0] = 1.0
    if N < 3:
        return
    out[0] = parpy.sum(x[:])


@parpy.jit
def mixed(k: "i32[N]", u: "u8[N]", x: "f32[N]", out: "f64[N]", N: "i64"):
    parpy.label('i')
    for i in range(N):
        out[i] = k[i] / 2 + u[i] * x[i] + (k[i] > 0) - k[i] // 3 * 2 ** 2 + k[i] % -5


@parpy.jit
def branches(x: "f64[N, M]", y: "f64[N]", N: "i64", M: "i64"):
    parpy.label('N')
    for i in range(N):
        if i % 2 == 0:
            parpy.label('M')
            for j in range(M):
                y[i] += x[i, j]
        else:
            y[i] = -1.0


@parpy.jit
def from_left(x: "f64[N, M]", y: "f64[M]", z: "f64[N, M]", rows: "f64[M]", low: "f64[M]"):
    z[:, :] = x[:, :] * y[:]
    rows[:] = parpy.prod(x[:, :], axis=0)
    low[:] = parpy.min(x[:, :], axis=0)


def inputs_no_parallelism(size, rng):
    return rng.random(size), np.ones(size), size


def inputs_outside(size, rng):
    return rng.random(size), np.zeros(2), size, 4


def inputs_steps(size, rng):
    return rng.random(size), size, 2


def inputs_early(size, rng):
    return rng.random(size), np.zeros(1), size


def inputs_mixed(size, rng):
    return (rng.integers(-99, 99, size).astype(np.int32), rng.integers(0, 255, size).astype(np.uint8), rng.random(size, dtype=np.float32),
            np.zeros(size), size)


def inputs_branches(size, rng):
    return rng.random((size, 6)), np.zeros(size), size, 6


def inputs_from_left(size, rng):
    return rng.random((3, size)), rng.random(size), np.zeros((3, size)), np.zeros(size), np.zeros(size)


SIZES = (1, 2, 3, 33, 129)
TRANSLATE_OPTIONS = ("--par=steps.i=threads(64)", "--par=mixed.i=threads(32)", "--par=branches.N=threads(64)")
