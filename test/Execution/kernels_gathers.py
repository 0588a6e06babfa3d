"""Loops whose iterations update the same elements run by element instead; windows and strips."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 7, 33, 65)


def convolved(x: f64[N], h: f64[M]):
    """In the order of the source: elements are added up as they come."""
    y = np.zeros(max(len(x) + len(h) - 1, 0))
    for i in range(len(x)):
        for j in range(len(h)):
            y[i + j] += x[i] * h[j]
    return y


def inputs_convolved(size, rng):
    return rng.random(size), rng.random(max(size // 2, 1)) * 10.0 ** rng.integers(-3, 3, max(size // 2, 1))


def correlated(x: f32[N], h: f32[M]):
    y = np.zeros(len(x) + len(h), dtype=np.float32)
    for j in range(len(h)):
        for i in range(len(x)):
            y[i - j + len(h)] += x[i] * h[j]
    return y


def inputs_correlated(size, rng):
    return rng.random(size, dtype=np.float32), rng.random(5, dtype=np.float32)


def products(p: i32[N], q: i32[M], c: i32[K]):
    """Sums that wrap, by rows; the last one keeps as many terms as it has room for, a square's terms are those from i on."""
    r = np.zeros(len(p) + len(q), dtype=np.int32)
    for j in range(len(q)):
        r[j:j + len(p)] += q[j] * p
    for i in range(len(c)):
        for j in range(min(len(q), len(c) - i)):
            c[i + j] -= q[j] * (i + 1)
    s = np.zeros(2 * len(p), dtype=np.int32)
    for i in range(len(p)):
        for j in range(i, len(p)):
            s[i + j] += p[i] * p[j] * (1 if i == j else 2)
    return r, s


def inputs_products(size, rng):
    return tuple(rng.integers(-2**31, 2**31, n).astype(np.int32) for n in (size, size + 3, max(size - 1, 0)))


def deconvolved(x: f64[B, H, W, C], k: f64[3, 3, C, D], y: f64[B, HO, WO, D]):
    """The transposed layer, in steps of two; channels and images are not shared."""
    for b in range(x.shape[0]):
        for i in range(x.shape[1]):
            for j in range(x.shape[2]):
                for u in range(3):
                    for v in range(3):
                        for c in range(x.shape[3]):
                            for d in range(y.shape[3]):
                                y[b, 2 * i + u, 2 * j + v, d] += x[b, i, j, c] * k[u, v, c, d]


def inputs_deconvolved(size, rng):
    n = min(size, 4)
    return rng.random((2, n, n + 1, 2)), rng.random((3, 3, 2, 3)), rng.random((2, 2 * n + 1, 2 * n + 3, 3))


def blurred(x: f64[H, W], k: f64[A, B]):
    y = np.zeros((x.shape[0] + k.shape[0], x.shape[1] + k.shape[1]))
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 0.25:
                y[i:i + k.shape[0], j:j + k.shape[1]] += x[i, j] * k
    return y


def inputs_blurred(size, rng):
    n = min(size, 9)
    return rng.random((n, n + 2)), rng.random((min(n, 3), 2))


def last_wins(x: f64[N], h: f64[M], y: f64[K]):
    """No sum: the last iteration that stores decides; and steps over which the elements grow."""
    for t in range(3):
        for i in range(len(x)):
            for j in range(len(h)):
                y[i + j] = y[i + j] / 2 + x[i] - h[j] if x[i] > h[j] else y[i + j]


def inputs_last_wins(size, rng):
    return rng.random(size), rng.random(3), rng.random(size + 2)


def not_gathered(x: f64[N], y: f64[K], z: f64[K]):
    """What reads other elements of what it stores, and what no two iterations share, stays as it is."""
    for i in range(len(x)):
        for j in range(3):
            y[i + j] += y[i] * x[i]
    for i in range(len(x) // 8):
        for j in range(8):
            z[8 * i + j] += x[8 * i + j]
    total = 0.0
    for i in range(len(x)):
        for j in range(2):
            total += x[i]
            z[i + j] += total


def inputs_not_gathered(size, rng):
    return rng.random(size) / 4, rng.random(size + 2), rng.random(size + 2)


def bounded_by_itself(y: i64[8]):
    for i in range(3):
        for j in range(y[0]):
            y[i + j] += 1


def inputs_bounded_by_itself(size, rng):
    return (rng.integers(0, 3, 8),)


def windows(x: f64[N], w: int):
    """Of which the ends are known once the width has been checked."""
    if w < 1 or w > len(x):
        raise ValueError("the width")
    mean = np.empty(len(x) - w + 1)
    most = np.empty(len(x) - w + 1)
    for i in range(len(mean)):
        mean[i] = x[i:i + w].mean()
        most[i] = x[i:i + w].max()
    return mean, most


def inputs_windows(size, rng):
    return rng.random(size), size // 3


def any_windows(x: f64[N], w: int):
    """Of any width: negative ones count from the end, as slices do."""
    y = np.zeros(len(x) - w + 1)
    for i in range(len(y)):
        y[i] = x[i:i + w].sum()
    return y


def inputs_any_windows(size, rng):
    return rng.random(size), (size // 2, -1)[size % 2] if size else 0


def strips(x: f64[N], y: f64[N], least: f64[2]):
    total = 0.0
    for s in range(0, len(x), 5):
        total += x[s:s + 5].sum()
    for s in range(3, len(x), 16):
        for k in range(s, min(s + 16, len(x))):
            y[k] = 2 * x[k]
    for s in range(0, len(x), 4):
        least[0] = min(least[0], x[s:s + 4].min())
    for s in range(0, len(x), 4):  # every other strip is half as long
        for k in range(s, min(s + 2, len(x))):
            y[k] += 1
    return total


def inputs_strips(size, rng):
    return rng.random(size), rng.random(size), rng.random(2)


def gradients(x: f64[:, :, :, :], w: f64[:, :, :, :], dy: f64[:, :, :, :]):
    """Of a layer: all three in one nest."""
    dx, dw, db = np.zeros_like(x), np.zeros_like(w), np.zeros(w.shape[0])
    _, _, kh, kw = w.shape
    for n in range(x.shape[0]):
        for f in range(w.shape[0]):
            for i in range(dy.shape[2]):
                for j in range(dy.shape[3]):
                    db[f] += dy[n, f, i, j]
                    dw[f] += x[n, :, i:i + kh, j:j + kw] * dy[n, f, i, j]
                    dx[n, :, i:i + kh, j:j + kw] += w[f] * dy[n, f, i, j]
    return dx, dw, db


def inputs_gradients(size, rng):
    h, kh, kw = min(size, 6), 1 + size % 3, 1 + size % 2
    return rng.random((2, 3, h + kh - 1, 4 + kw)), rng.random((2, 3, kh, kw)), rng.random((2, 2, h, 4))


def of_weights(x: f64[N, C, L], dy: f64[N, F, M], dw: f64[F, C, W]):
    for n in range(dy.shape[0]):
        for f in range(dy.shape[1]):
            for i in range(dy.shape[2]):
                for c in range(x.shape[1]):
                    for a in range(dw.shape[2]):
                        dw[f, c, a] += x[n, c, i + a] * dy[n, f, i]


def inputs_of_weights(size, rng):
    width = 1 + size % 4
    return rng.random((3, 2, size + width)), rng.random((3, 5, size)), rng.random((5, 2, width))
