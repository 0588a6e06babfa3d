"""ParPy's later spelling: sizes and types as variables of the file, whose loops have labels by themselves."""
import numpy as np
import parpy
from parpy.types import F32, F64, I64, buffer, shape_var, type_var

M, N = shape_var(), shape_var()
T = type_var()


@parpy.jit
def matvec(A: buffer(T, [M, N]), x: buffer(T, [N]), y: buffer(T, [M])):
    for i in range(M):
        y[i] = parpy.reduce.sum(A[i, :] * x[:])


@parpy.jit
def squared(v):
    return v * v


@parpy.jit
def spread(x: buffer(F64, [N]), out: buffer(F32, [N]), low: buffer(F64, [1])):
    low[0] = parpy.builtin.inf
    for i in range(N):
        low[0] = parpy.builtin.minimum(low[0], x[i])
    for i in range(N):
        out[i] = parpy.builtin.convert(parpy.builtin.inline(squared(x[i] - low[0])) + parpy.math.sqrt(x[i]), F32)


@parpy.jit
def shifted(x: buffer(F64, [N]), y: buffer(F64, [N]), by: I64):
    for i in range(1, N):
        y[i] = x[i - 1] * by
    y[:N] = y[:N] + x[:N] / N


@parpy.jit
def rows(A: buffer(F64, [M, 8]), out: buffer(F64, [M])):
    for i in range(M):
        t = parpy.builtin.alloc_shared((8,), F64)
        for j in range(8):
            t[j] = A[i, j] * 2.0
        out[i] = t[7] - t[0] + parpy.reduce.max(A[i, :])


@parpy.jit
def blocks(A: buffer(F64, [M, 8]), B: buffer(F64, [8, M]), by: I64):
    parpy.label('grid')
    for i, j in parpy.builtin.ranges((0, M, by), (0, 8, 3)):
        parpy.label('block')
        for m, n in parpy.builtin.ranges(by, 3):
            if i + m < M and j + n < 8:
                B[j + n, i + m] = A[i + m, j + n]
    parpy.label('first')
    for i in parpy.builtin.ranges((1, M)):
        B[0, i] += i


def inputs_matvec(size, rng):
    return rng.random((5, size)), rng.random(size), np.zeros(5)


def inputs_spread(size, rng):
    return rng.random(size), np.zeros(size, np.float32), np.zeros(1)


def inputs_shifted(size, rng):
    return rng.random(size), np.zeros(size), 3


def inputs_rows(size, rng):
    return rng.random((size, 8)), np.zeros(size)


def inputs_blocks(size, rng):
    return rng.random((size, 8)), np.zeros((8, size)), 4


SIZES = (1, 2, 3, 33, 129)
TRANSLATE_OPTIONS = ("--par=matvec.M=threads(64)", "--par=spread.N=threads(128)", "--par=shifted.N=threads(32).unroll()", "--par=blocks.grid=threads(32), first=threads(64)")
