"""Heat in a plate with a hole that stays cold, in three spellings of one step."""
from __future__ import annotations

import numpy as np


def heat_arrays(u: f64[H, W], hole: bool[H, W], steps: i64) -> f64[H, W]:
    for _ in range(steps):
        new = u.copy()
        new[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.2 * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])
        new[hole] = 0.0
        u = new
    return u


def heat_in_place(u: f64[H, W], hole: bool[H, W], steps: i64):
    for _ in range(steps):
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        u[1:-1, 1:-1] += 0.2 * (around - 4 * u[1:-1, 1:-1])
        u[hole] = 0.0


def heat_loops(u: f64[H, W], hole: bool[H, W], steps: i64) -> f64[H, W]:
    rows, columns = u.shape
    old, new = u.copy(), u.copy()
    for _ in range(steps):
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                if hole[i, j]:
                    new[i, j] = 0.0
                else:
                    new[i, j] = old[i, j] + 0.2 * (
                        old[i + 1, j] + old[i - 1, j] + old[i, j + 1] + old[i, j - 1] - 4 * old[i, j])
        old, new = new, old
    return old


def make_inputs(rng, n, steps):
    hole = np.zeros((n, n), bool)
    hole[n // 3:n // 2, n // 4:n // 2] = True
    return rng.random((n, n)), hole, steps


SIZES = {"tiny": (17, 3), "small": (512, 100), "large": (4096, 100)}
ENTRIES = ("heat_arrays", "heat_in_place", "heat_loops")
UPDATES = {"heat_in_place": (0,)}
