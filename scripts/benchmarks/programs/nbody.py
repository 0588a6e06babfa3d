"""Stars that attract one another: leapfrog steps, forces between all pairs."""
from __future__ import annotations

import numpy as np


def accelerations(positions, masses, softening):
    d = positions[None, :, :] - positions[:, None, :]
    distance2 = (d ** 2).sum(axis=2) + softening ** 2
    return (d * (masses[None, :] * distance2 ** -1.5)[:, :, None]).sum(axis=1)


def nbody(positions: f64[N, 3], velocities: f64[N, 3], masses: f64[N], dt: f64, steps: i64):
    a = accelerations(positions, masses, 0.1)
    for _ in range(steps):
        velocities += 0.5 * dt * a
        positions += dt * velocities
        a = accelerations(positions, masses, 0.1)
        velocities += 0.5 * dt * a
    kinetic = 0.5 * np.sum(masses * np.sum(velocities ** 2, axis=1))
    return kinetic


def make_inputs(rng, n, steps):
    return rng.normal(size=(n, 3)), rng.normal(size=(n, 3)), rng.random(n), 0.01, steps


SIZES = {"tiny": (13, 2), "small": (1000, 10), "large": (8000, 10)}
ENTRIES = ("nbody",)
UPDATES = {"nbody": (0, 1)}
