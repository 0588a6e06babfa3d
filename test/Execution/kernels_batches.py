"""Loops whose iterations are independent products of matrices, with what goes with them: heads of an attention, layers of a batch."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 5, 17)


def make_inputs(size, rng):
    heads = size % 3 + 1
    return [rng.uniform(-1.0, 1.0, (heads, size, 3)), rng.uniform(-1.0, 1.0, (heads, size + 1, 3)),
            rng.uniform(-1.0, 1.0, (heads, size + 1, 4)), rng.uniform(-1.0, 1.0, (3, size))]


def attention(q: f64[H, T, D], k: f64[H, S, D], v: f64[H, S, E], w: f64[D, T]):
    h, t, d = q.shape
    out = np.empty((h, t, v.shape[2]))
    for i in range(h):
        s = q[i] @ k[i].T / np.sqrt(d)
        s = np.exp(s - s.max(axis=-1, keepdims=True))
        out[i] = (s / s.sum(axis=-1, keepdims=True)) @ v[i]
    return out


def every_other(q: f64[H, T, D], k: f64[H, S, D], v: f64[H, S, E], w: f64[D, T]):
    """The loop counts down, and in twos; what it leaves out stays."""
    out = np.ones((len(q), q.shape[1], q.shape[1]))
    for i in range(len(q) - 1, -1, -2):
        hidden = np.maximum(q[i] @ w + 0.1, 0.0)
        out[i] = hidden @ hidden.T - i
    return out


def carried(q: f64[H, T, D], k: f64[H, S, D], v: f64[H, S, E], w: f64[D, T]):
    """Each takes what the one before has made: a loop."""
    state = np.zeros((q.shape[2], v.shape[2]))
    out = np.zeros((len(q), q.shape[1], v.shape[2]))
    for i in range(len(q)):
        state = 0.5 * state + k[i].T @ v[i]
        out[i] = q[i] @ state
    return out


def normalised(q: f64[H, T, D], k: f64[H, S, D], v: f64[H, S, E], w: f64[D, T]):
    """A number of each iteration, of all of its matrix."""
    out = np.zeros((len(q), q.shape[1], k.shape[1]))
    for i in range(len(q)):
        s = q[i] @ k[i].T
        norm = np.abs(s).max() + 1.0
        out[i] = s / norm + i
    return out
