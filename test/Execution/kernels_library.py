"""Functions of the library in Python, on all targets: each form of loop and store that they are made of."""
from __future__ import annotations

import numpy as np

SIZES = (2, 3, 33, 129)


def make_inputs(size, rng):
    return (rng.random(size),)


def neighbours(a: f64[N]):
    return np.diff(a), np.clip(a, 0.25, 0.75), np.roll(a, 3), np.flip(a) * 2.0, np.ediff1d(a)


def slopes(A: f64[N, M]):
    down, along = np.gradient(A)
    return down, along, np.trapezoid(A, axis=0)


def inputs_slopes(size, rng):
    return (rng.random((size, size + 1)),)


def joined(a: f64[N], A: f64[N, N]):
    return np.concatenate((a, a[::-1], a)), np.stack((a, a * 2.0), axis=1), np.tile(a, 3), np.repeat(a, 2), np.vstack((A, A))


def inputs_joined(size, rng):
    return rng.random(size), rng.random((size, size))


def matrices(a: f64[N]):
    return np.tril(np.ones((a.size, 3))), np.eye(a.size), np.vander(a, 3), np.inner(a, a), np.trace(np.outer(a, a))


def sampled(a: f64[N], x: f64[N]):
    """Binary searches, a thread each."""
    grid = np.linspace(0.0, 1.0, 9)
    return np.interp(a, grid, grid * grid), np.searchsorted(grid, x), np.convolve(a, grid)


def inputs_sampled(size, rng):
    return rng.random(size), rng.random(size)


def counted(a: f64[N]):
    return np.histogram(a, bins=7, range=(0.0, 1.0))[0], np.nansum(a), np.allclose(a, a + 1e-12), np.ptp(a), np.average(a)
