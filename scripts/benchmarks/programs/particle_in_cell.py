"""Electrons in one dimension: charge to the grid, field by FFT, field to the electrons, a step."""
from __future__ import annotations

import numpy as np


def particle_in_cell(x: f64[N], v: f64[N], cells: i64, length: f64, dt: f64, steps: i64):
    n = len(x)
    dx = length / cells
    k = 2 * np.pi * np.fft.rfftfreq(cells, dx)
    energy = np.zeros(steps)
    for step in range(steps):
        left = np.floor(x / dx).astype(np.int64)
        weight = x / dx - left
        left %= cells
        right = (left + 1) % cells
        density = np.bincount(left, weights=1 - weight, minlength=cells) + np.bincount(right, weights=weight, minlength=cells)
        density *= cells / n
        rho = np.fft.rfft(1.0 - density)
        rho[0] = 0
        k[0] = 1
        field = np.fft.irfft(-1j * rho / k, cells)
        v -= dt * (field[left] * (1 - weight) + field[right] * weight)
        x += dt * v
        x %= length
        energy[step] = 0.5 * np.sum(field ** 2) * dx
    return energy


def make_inputs(rng, n, cells, steps):
    length = 4 * np.pi
    return rng.random(n) * length, rng.normal(size=n), cells, length, 0.1, steps


SIZES = {"tiny": (100, 16, 3), "small": (100_000, 128, 50), "large": (10_000_000, 1024, 50)}
ENTRIES = ("particle_in_cell",)
UPDATES = {"particle_in_cell": (0, 1)}
