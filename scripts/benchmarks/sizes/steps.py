"""One step over time, the mean of a cell and its four neighbours, as people write it."""
from __future__ import annotations

import numpy as np


def in_turn(steps: i64, u: f64[M, N], v: f64[M, N]):
    for t in range(steps):
        v[1:-1, 1:-1] = 0.2 * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        u[1:-1, 1:-1] = 0.2 * (v[1:-1, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] + v[2:, 1:-1] + v[:-2, 1:-1])


def swapped(steps: i64, u: f64[M, N], v: f64[M, N]):
    for t in range(steps):
        v[1:-1, 1:-1] = 0.2 * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        u, v = v, u


def copied(steps: i64, u: f64[M, N]):
    for t in range(steps):
        v = u.copy()
        u[1:-1, 1:-1] = 0.2 * (v[1:-1, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] + v[2:, 1:-1] + v[:-2, 1:-1])


def made_anew(steps: i64, u: f64[M, N]) -> f64[M, N]:
    for t in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = 0.2 * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        u = v
    return u


def made_by_parts(steps: i64, u: f64[M, N]):
    for t in range(steps):
        v = np.empty_like(u)
        v[1:-1, 1:-1] = 0.2 * (u[1:-1, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] + u[2:, 1:-1] + u[:-2, 1:-1])
        v[0, :] = u[0, :]
        v[-1, :] = u[-1, :]
        v[:, 0] = u[:, 0]
        v[:, -1] = u[:, -1]
        u[:] = v


def reflecting(steps: i64, u: f64[M, N]):
    for t in range(steps):
        v = u.copy()
        u[1:-1, 1:-1] = 0.2 * (v[1:-1, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] + v[2:, 1:-1] + v[:-2, 1:-1])
        u[0, :] = u[1, :]
        u[-1, :] = u[-2, :]
        u[:, 0] = u[:, 1]
        u[:, -1] = u[:, -2]


def around(steps: i64, u: f64[M, N]) -> f64[M, N]:
    for t in range(steps):
        u = 0.2 * (u + np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1))
    return u


def by_loops(steps: i64, u: f64[M, N], v: f64[M, N]):
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = 0.2 * (u[i, j] + u[i, j - 1] + u[i, j + 1] + u[i + 1, j] + u[i - 1, j])
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = v[i, j]


def inputs(name, shape, rng):
    steps, m, n = shape
    one = name not in ("in_turn", "swapped", "by_loops")
    steps = steps // 2 if name == "in_turn" else steps
    return (steps, rng.random((m, n))) if one else (steps, rng.random((m, n)), rng.random((m, n)))


CASES = {name: ((200, 2800, 2800),) for name in
         ("in_turn", "swapped", "copied", "made_anew", "made_by_parts", "reflecting", "around", "by_loops")}
