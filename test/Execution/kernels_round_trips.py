"""Steps over time that make each state anew from the one before, and give it back; borders set by hand, or going around."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 33, 129)
STEPS = {0: 3, 1: 4, 2: 5, 3: 9, 7: 17, 33: 10, 129: 21}


def copied(steps: i64, u: f64[M, N]) -> f64[M, N]:
    for t in range(steps):
        v = u.copy()
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u = v
    return u


def by_hand(steps: i64, u: f64[M, N]):
    """All of the new state is made, most of it as it was."""
    for t in range(steps):
        v = np.empty_like(u)
        v[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        v[0, :] = u[0, :]
        v[-1, :] = u[-1, :]
        v[:, 0] = u[:, 0]
        v[:, -1] = u[:, -1]
        u[:] = v


def inputs_by_hand(size, rng):
    return STEPS[size], rng.random((size + 1, size + 2))


def reflecting(steps: i64, u: f64[M, N]):
    """Borders that take what lies beside them: two in one nest, corners in both."""
    for t in range(steps):
        v = u.copy()
        u[1:-1, 1:-1] = 0.25 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:])
        u[0, :] = u[1, :]
        u[-1, :] = u[-2, :]
        u[:, 0] = 0.5 * u[:, 1]
        u[:, -1] = u[:, -2]


def inputs_reflecting(size, rng):
    return STEPS[size], rng.random((size + 2, size + 3))


def own_element(steps: i64, u: f64[N]) -> f64[N]:
    """The copy is read where it is changed, and its end is changed twice: what was there counts."""
    for t in range(steps):
        v = u.copy()
        v[1:] += 0.5 * u[:-1]
        v[:1] = v[:1] * 0.5
        u = v
    return u


def changed_twice(steps: i64, u: f64[N]) -> f64[N]:
    """Not to be shortened: the border that is copied back lies on what was changed; the copy is read away from its place."""
    for t in range(steps):
        v = np.zeros_like(u)
        v[:] = 0.5 * u
        v[:2] = u[:2]
        u[:] = v
        w = u.copy()
        w[1:] = 0.5 * (w[:-1] + u[1:])
        w[:1] = 2.0
        u[:] = w
    return u


def inputs_own_element(size, rng):
    return STEPS[size], rng.random(3 * size)


def inputs_changed_twice(size, rng):
    return STEPS[size], rng.random(3 * size)


def around(steps: i64, u: f64[M, N], rate: f64[M, N]) -> f64[M, N]:
    """Neighbours behind an end are those at the other end; of other arrays, too."""
    for t in range(steps):
        u = 0.2 * (u + np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1)) + rate * np.roll(rate, 1, 1)
    return u


def inputs_around(size, rng):
    return STEPS[size], rng.random((size, size + 1)), rng.random((size, size + 1))


def life(steps: i64, world: u8[M, N]) -> u8[M, N]:
    for t in range(steps):
        count = np.zeros_like(world)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if di != 0 or dj != 0:
                    count += np.roll(np.roll(world, di, 0), dj, 1)
        world = ((count == 3) | ((world == 1) & (count == 2))).astype(np.uint8)
    return world


def inputs_life(size, rng):
    return STEPS[size], (rng.random((size + 1, size)) < 0.4).astype(np.uint8)


def ring(steps: i64, a: f64[N], b: f64[N]):
    """One dimension, two cells far; in one sweep around, in the other one from end to end."""
    n = len(a)
    for t in range(steps):
        for i in range(n):
            b[i] = 0.25 * (a[(i - 2) % n] + a[(i + 1) % n]) + 0.5 * a[i]
        for i in range(n):
            a[i] = b[i] if i % 3 != 0 else b[(i + 2) % n]


def inputs_ring(size, rng):
    return STEPS[size], rng.random(5 * size), rng.random(5 * size)


def ends_apart(steps: i64, a: f64[N], b: f64[N]):
    """Some neighbours go around and others do not."""
    n = len(a)
    for t in range(steps):
        for i in range(n):
            b[i] = 0.5 * (a[i - 1] + a[i])
        for i in range(1, n):
            a[i] = 0.5 * (b[i] + b[i - 1])


def inputs_ends_apart(size, rng):
    return STEPS[size], rng.random(5 * size), rng.random(5 * size)


def make_inputs(size, rng):
    return STEPS[size], rng.random((size, size + 2))
