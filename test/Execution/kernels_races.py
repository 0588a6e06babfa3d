"""Annotations that cannot be proven, checked while they run (--check-races). `make_inputs` breaks none of them; `raced`
makes some inputs that do."""
from __future__ import annotations

import numpy as np
import appy

TRANSLATE_OPTIONS = ("--check-races",)


def scatter(x: f64[M], k: i64[N], v: f64[N]):
    for i in appy.prange(k.shape[0]):
        x[k[i]] = v[i]


def update(x: f64[M], k: i64[N], v: f64[N]):
    for i in appy.prange(k.shape[0]):
        x[k[i]] += v[i] * 2.0


def backwards(x: f64[M], k: i64[N], v: f64[N]):
    for i in appy.prange(k.shape[0] - 1, -1, -2):
        x[k[i]] = v[i] + x[k[i]]


def gather_in_place(x: f64[M], k: i64[N], v: f64[N]):
    """Reads before it writes, or the other way about."""
    for i in appy.prange(k.shape[0]):
        x[i] = v[i]
        v[i] = x[k[i]]


def offset_in_place(x: f64[M], k: i64[N], v: f64[N]):
    """A stencil whose distance is known only when it runs."""
    for i in appy.prange(k.shape[0] // 2):
        x[i] = x[i + k[0]] * 0.5


def remainders(x: f64[M], m: i64, v: f64[N]):
    for i in appy.prange(v.shape[0]):
        x[i % m] = v[i]


def quotients(x: f64[M], m: i64, v: f64[N]):
    for i in appy.prange(v.shape[0]):
        x[i // m] += v[i]


def under_conditions(x: f64[M], k: i64[N], v: f64[N]):
    for i in appy.prange(k.shape[0]):
        if v[i] > 0.5:
            x[k[i]] = 1.0
        elif v[i] < 0.25 and x[i] < 2.0:
            v[i] = v[i] + 1.0


def chosen(x: f64[M], k: i64[N], v: f64[N]):
    """Only the side that is chosen is read."""
    for i in appy.prange(k.shape[0]):
        x[i] = x[k[i]] if v[i] > 0.5 else v[i]


def counts(x: f64[M], k: i64[N], v: f64[N]):
    """Updates do not compete with one another."""
    for i in appy.prange(k.shape[0]):
        #pragma atomic
        x[k[i]] += 1.0
        if v[i] > 2.0:
            v[i] = x[i]


def pairs(x: f64[M], k: i64[N], v: f64[N]):
    y = np.zeros((x.shape[0], 3))
    for i in appy.prange(k.shape[0]):
        y[k[i], k[i] % 3] = v[i]
    x[:] = np.sum(y, axis=1)


def own_scratch(x: f64[M], k: i64[N], v: f64[N]):
    """Each iteration has a scratch of its own."""
    for i in appy.prange(k.shape[0]):
        t = np.zeros(4)
        t[k[i] % 4] = v[i]
        t[k[i] % 3] += 1.0
        x[k[i]] = t[0] + t[1] * 2.0 + t[2] * 3.0 + t[3] * 4.0


def in_each_step(x: f64[M], k: i64[N], v: f64[N]):
    """Steps may touch what earlier steps have touched."""
    for t in range(3):
        for i in appy.prange(k.shape[0]):
            x[k[i]] = x[k[i]] * 0.5 + v[i] + t
        v[:] = v + 1.0


def rows(x: f64[M], k: i64[N], v: f64[N]):
    y = np.ones((x.shape[0], 2))
    for i in appy.prange(k.shape[0]):
        y[k[i], :] = y[k[i], ::-1] * v[i]
    x[:] = y[:, 0] - y[:, 1]


def trips_by_data(x: f64[M], k: i64[N], v: f64[N]):
    for i in appy.prange(k.shape[0]):
        j = k[i]
        while j < x.shape[0] and x[j] > 3.0:
            x[j] = x[j] - 1.0
            j += x.shape[0]


@appy.jit
def recurrence(x: f64[M], k: i64[N], v: f64[N]):
    #pragma sequential for
    for r in range(2):
        #pragma simd
        for i in range(k.shape[0]):
            x[i] = x[k[i]] + v[i]


@appy.jit
def nested(x: f64[M], k: i64[N], v: f64[N]):
    """The inner loop's iterations may share what those of the outer one may not, and the other way about."""
    #pragma parallel for
    for i in range(k.shape[0] // 2):
        #pragma simd
        for j in range(2):
            x[k[2 * i + j]] = v[i] + j


def inputs_remainders(size, rng):
    return rng.random(size), max(size, 1), rng.random(size)


def inputs_quotients(size, rng):
    return rng.random(size), 1, rng.random(size)


def inputs_offset_in_place(size, rng):
    return rng.random(size), np.full(size, size // 2), rng.random(size)


def inputs_gather_in_place(size, rng):
    return rng.random(size), np.arange(size), rng.random(size)


inputs_chosen = inputs_under_conditions = inputs_counts = inputs_recurrence = inputs_gather_in_place
SIZES = (0, 1, 2, 3, 7, 33, 129)


def make_inputs(size, rng):
    return rng.random(size), rng.permutation(size), rng.random(size)


def raced(function, size, rng):
    """Arguments with which iterations may share elements."""
    x, v = rng.random(size), rng.random(size)
    if function in ("remainders", "quotients"):
        return x, int(rng.integers(1, size + 1)), v
    k = rng.permutation(size)
    for at in rng.integers(0, size, rng.integers(1, 3)):
        k[at] = rng.integers(0, size)
    if function == "offset_in_place":
        k[:] = rng.integers(0, (size + 1) // 2 + 1)
    return x * (5 if function == "trips_by_data" else 1), k, v * (3 if function == "counts" else 1)
