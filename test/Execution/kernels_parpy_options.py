"""ParPy's later spelling: type variables in bodies, nests, labels of sums along an axis, options."""
from __future__ import annotations
import numpy as np
import parpy
from parpy.types import buffer, shape_var, type_var, F64, I64

TARGETS = ("cpu", "emulated", "checked")
SIZES = (0, 1, 7, 33, 257)
M, N, K = shape_var(), shape_var(), shape_var()
T = type_var()


@parpy.jit
def relu_inner(x: buffer(T, [N, M]), y: buffer(T, [N, M])):
    for i in range(N):
        for j in range(M):
            y[i, j] = parpy.builtin.maximum(x[i, j], parpy.builtin.convert(0.0, T))


#appyc: def relu(x: f32[N, M])
def relu(x):
    y = np.empty_like(x)
    relu_inner(x, y, opts=parpy.par({'N': parpy.threads(64), 'M': parpy.threads(32)}))
    return y


def inputs_relu(n, rng):
    return (rng.normal(size=(n, 6)).astype(np.float32),)


@parpy.jit
def grid2(a: buffer(F64, [N, M])):
    for i, j in parpy.builtin.ranges(N, M):
        a[i, j] = parpy.math.sin(a[i, j]) + i * 2.0 - j


#appyc: def grid2_run(a: f64[N, M])
def grid2_run(a):
    grid2(a, opts=parpy.par({'N': parpy.threads(256)}))


def inputs_grid2_run(n, rng):
    return (rng.random((n, 4)),)


@parpy.jit
def red(x: buffer(F64, [N, M]), top: buffer(F64, [N]), low: buffer(F64, [M])):
    for i in range(N):
        top[i] = parpy.reduce.max(x[i, :])
    low[:M] = parpy.reduce.min(x[:, :M], axis=0)


#appyc: def red_run(x: f64[N, M])
def red_run(x):
    top = np.zeros(x.shape[0])
    low = np.zeros(x.shape[1])
    red(x, top, low, opts=parpy.par({'N': parpy.threads(64), 'M': parpy.threads(32).par_reduction()}))
    return top, low


sizes_red_run = (1, 7, 33)


def inputs_red_run(n, rng):
    return (rng.random((n, 4)),)


@parpy.jit
def scanlike(x: buffer(F64, [N]), y: buffer(F64, [N])):
    with parpy.gpu:
        y[0] = x[0]
        for i in range(1, N):
            y[i] = y[i - 1] + x[i]


#appyc: def scanlike_run(x: f64[N])
def scanlike_run(x):
    y = np.zeros_like(x)
    scanlike(x, y, opts=parpy.par({}))
    return y


sizes_scanlike_run = (1, 7, 33, 257)


def inputs_scanlike_run(n, rng):
    return (rng.random(n),)


@parpy.jit
def tile_copy(x: buffer(F64, [N]), y: buffer(F64, [N])):
    parpy.label('b')
    for b in range((N + 31) // 32):
        t = parpy.builtin.alloc_shared((32,), F64)
        parpy.label('k')
        for k in range(32):
            t[k] = x[b * 32 + k] if b * 32 + k < N else 0.0
        parpy.label('k')
        for k in range(32):
            if b * 32 + k < N:
                y[b * 32 + k] = t[31 - k]


#appyc: def tile_run(x: f64[N])
def tile_run(x):
    y = np.zeros_like(x)
    opts = parpy.par({'b': parpy.threads(64), 'k': parpy.threads(32)})
    opts.max_unroll_count = 1
    opts.use_cuda_thread_block_clusters = True
    tile_copy(x, y, opts=opts)
    return y


def inputs_tile_run(n, rng):
    return (rng.random(n),)


@parpy.jit
def norms(x: 'f32[N, M]', out: 'f32[N]'):
    parpy.label('N')
    parpy.label('M')
    out[:] = parpy.sum(x[:, :] * x[:, :], axis=1)
    parpy.label('N')
    out[:] = parpy.sqrt(out[:])


#appyc: def norms_run(x: f32[N, M])
def norms_run(x):
    out = np.zeros(x.shape[0], np.float32)
    norms(x, out, opts=parpy.par({'N': parpy.threads(64), 'M': parpy.threads(64)}))
    return out


def inputs_norms_run(n, rng):
    return (rng.random((n, 9), dtype=np.float32),)


def inputs_relu_inner(n, rng):
    return rng.random((n, 6)), np.zeros((n, 6))


inputs_grid2 = inputs_grid2_run


def inputs_red(n, rng):
    return rng.random((n, 4)), np.zeros(n), np.zeros(4)


def inputs_scanlike(n, rng):
    return rng.random(n), np.zeros(n)


sizes_scanlike = sizes_scanlike_run
sizes_red = sizes_red_run
inputs_tile_copy = inputs_scanlike


def inputs_norms(n, rng):
    return rng.random((n, 9), dtype=np.float32), np.zeros(n, np.float32)
