"""The Poisson equation on a square by conjugate gradients, without a matrix."""
from __future__ import annotations

import numpy as np


def laplacian(p):
    out = 4.0 * p
    out[1:, :] -= p[:-1, :]
    out[:-1, :] -= p[1:, :]
    out[:, 1:] -= p[:, :-1]
    out[:, :-1] -= p[:, 1:]
    return out


def poisson(b: f64[N, N], tolerance: f64, limit: i64):
    x = np.zeros_like(b)
    r = b - laplacian(x)
    p = r.copy()
    rr = np.sum(r * r)
    steps = 0
    while steps < limit and rr > tolerance ** 2:
        ap = laplacian(p)
        alpha = rr / np.sum(p * ap)
        x += alpha * p
        r -= alpha * ap
        new = np.sum(r * r)
        p = r + (new / rr) * p
        rr = new
        steps += 1
    return x, steps


def make_inputs(rng, n, limit):
    return rng.random((n, n)), 1e-8, limit


SIZES = {"tiny": (11, 8), "small": (512, 200), "large": (4096, 200)}
ENTRIES = ("poisson",)
UPDATES = {}
