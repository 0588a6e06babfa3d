"""Arrays whose last axis, or last two, are short: threads of a block along it as there are elements."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 67)


def streamed(steps: i64, f: f64[M, N, 9]):
    """Lattice-Boltzmann: each direction moves by steps of its own, and collides."""
    right = np.array([0, 0, 1, 1, 1, 0, -1, -1, -1])
    down = np.array([0, 1, 1, 0, -1, -1, -1, 0, 1])
    for t in range(steps):
        for i, cx, cy in zip(range(9), right, down):
            f[:, :, i] = np.roll(f[:, :, i], cx, axis=1)
            f[:, :, i] = np.roll(f[:, :, i], cy, axis=0)
        density = np.sum(f, axis=2)
        for i in range(9):
            f[:, :, i] += 0.1 * (density / 9.0 - f[:, :, i])


def pixels(image: f32[M, N, 3], gain: f32[3], channels: f64[M, N, K], weights: f64[K]):
    """Constant and open last axes; parts of rows."""
    out = image * gain
    out[1:, :-1] += image[:-1, 1:] * 0.5
    mixed = channels * weights + channels.sum(axis=2, keepdims=True)
    return out, mixed, mixed[:, ::2].copy()


def many_small(a: f64[N, 3, 3], b: f64[N, K, L], shift: f64[K]):
    """Very many matrices of a few elements."""
    c = a[:, ::-1] * 2.0 + a[:, :, :1]
    d = b[:, :, ::-1] - shift[:, None]
    return c, d, a @ c


def inputs_streamed(size, rng):
    return 3, rng.random((size + 1, size, 9))


def inputs_pixels(size, rng):
    few = size % 7
    return (rng.random((size, size + 3, 3), dtype=np.float32), rng.random(3, dtype=np.float32), rng.random((size, size + 3, few)), rng.random(few))


def inputs_many_small(size, rng):
    return rng.random((7 * size, 3, 3)), rng.random((7 * size, 2, size % 5 + 1)), rng.random(2)
