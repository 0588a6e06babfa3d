"""Every listing of ParPy's README, completed to a program."""
from typing import TypedDict

import numpy as np
import parpy


@parpy.jit
def axpy(a: "f64", x: "f64[N]", y: "f64[N]", out: "f64[N]", N: "i64"):
    parpy.label('N')
    for i in range(N):
        out[i] = a * x[i] + y[i]


@parpy.jit
def sum_rows(x: "f32[N, M]", y: "f32[N]", N: "i64", M: "i64"):
    for i in range(N):
        y[i] = 0.0
        for j in range(M):
            y[i] = y[i] + x[i, j]


@parpy.jit
def sum_rows_outer(x: "f32[N, M]", y: "f32[N]", N: "i64", M: "i64"):
    parpy.label('outer')
    for i in range(N):
        y[i] = 0.0
        for j in range(M):
            y[i] = y[i] + x[i, j]


@parpy.jit
def sum_rows_both(x: "f32[N, M]", y: "f32[N]", N: "i64", M: "i64"):
    parpy.label('outer')
    for i in range(N):
        y[i] = 0.0
        parpy.label('inner')
        for j in range(M):
            y[i] = y[i] + x[i, j]


@parpy.jit
def sum_rows_slices(x: "f32[N, M]", y: "f32[N]"):
    parpy.label('outer')
    y[:] = parpy.sum(x[:, :], axis=1)


@parpy.jit
def sum_all(x: "f32[N, M]", y: "f32[1]"):
    with parpy.gpu:
        y[0] = parpy.sum(x[:, :])


@parpy.jit
def first_row(x: "f32[N, M]", y: "f32[M]"):
    parpy.label('M')
    y[:] = x[0, :]


@parpy.jit
def two_inner(x: "f64[N, M]", y: "f64[N, M]", N: "i64", M: "i64"):
    parpy.label('N')
    for i in range(N):
        parpy.label('M1')
        for j in range(M):
            x[i, j] = x[i, j] * 2.0
        parpy.label('M2')
        for j in range(M):
            y[i, j] = x[i, M - 1 - j] + 1.0


@parpy.jit
def sequential(x: "f64[N]", y: "f64[1]", N: "i64"):
    with parpy.gpu:
        y[0] = 0.0
        for i in range(N):
            y[0] = y[0] * 0.5 + x[i]


class Point(TypedDict):
    x: "f64[N]"
    scale: "f64"


@parpy.jit
def arguments(p: Point, factor: "f64[1]", N: "i64"):
    parpy.label('N')
    for i in range(N):
        p["x"][i] = p["x"][i] * p["scale"] + factor[0]


def inputs_axpy(size, rng):
    return 1.5, rng.random(size), rng.random(size), np.zeros(size), size


def inputs_sum_rows(size, rng):
    return rng.integers(0, 9, (size, 7)).astype(np.float32), np.ones(size, np.float32), size, 7


inputs_sum_rows_outer = inputs_sum_rows_both = inputs_sum_rows


def inputs_sum_rows_slices(size, rng):
    return inputs_sum_rows(size, rng)[:2]


def inputs_sum_all(size, rng):
    return rng.integers(0, 9, (size, 7)).astype(np.float32), np.ones(1, np.float32)


def inputs_first_row(size, rng):
    return rng.random((3, size), dtype=np.float32), np.zeros(size, np.float32)


def inputs_two_inner(size, rng):
    return rng.random((3, size)), np.zeros((3, size)), 3, size


def inputs_sequential(size, rng):
    return rng.random(size), np.ones(1), size


def inputs_arguments(size, rng):
    return {"x": rng.random(size), "scale": 2.5}, np.array([0.5]), size


SIZES = (1, 2, 33, 257)
TRANSLATE_OPTIONS = ("--par=N=threads(128)", "--par=outer=threads(64), inner=threads(128).reduce()", "--par=M1=threads(128), M2=threads(2048)")
