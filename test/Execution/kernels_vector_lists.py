"""Lists of vectors of which only the run tells the sizes: parts of a signal, folds of a cross validation, groups by a mask."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 7)


def windowed(x: f64[N], size: int, hop: int):
    out = []
    for s in range(0, len(x) - size + 1, hop):
        out.append(x[s:s + size] * np.hanning(size))
    return np.array(out)


def inputs_windowed(size, rng):
    return rng.random(size * 3 + 4), size + 1, 2


def parts_returned(x: f64[N], size: int, hop: int):
    out = []
    for s in range(0, len(x) - size + 1, hop):
        out.append(x[s:s + size])
    return out, len(out)


def inputs_parts_returned(size, rng):
    return rng.random(size * 3 + 4), size + 1, 2


def folds(n: int, k: int):
    idx = np.arange(n)
    folds = []
    for i in range(k):
        folds.append(idx[i * n // k:(i + 1) * n // k])
    return folds


def inputs_folds(size, rng):
    return size, 3


def validated(X: f64[N, 2], y: f64[N], k: int):
    idx = np.arange(len(X))
    folds = []
    n = len(X)
    for i in range(k):
        folds.append(idx[i * n // k:(i + 1) * n // k])
    errs = []
    for i in range(k):
        test = folds[i]
        train = np.concatenate([folds[j] for j in range(k) if j != i])
        w = X[train].mean(axis=0)
        errs.append(np.sum((X[test] @ w - y[test]) ** 2))
    return np.mean(errs), len(folds[0]), folds[-1].sum()


def inputs_validated(size, rng):
    return rng.random((size + 5, 2)), rng.random(size + 5), 3


def segments(x: f64[N], t: float):
    segs = []
    start = 0
    for i in range(1, len(x)):
        if abs(x[i] - x[i - 1]) > t:
            segs.append(x[start:i])
            start = i
    segs.append(x[start:])
    return [s.mean() for s in segs] if len(x) > 0 else [], sum(len(s) for s in segs), [len(s) for s in segs]


def inputs_segments(size, rng):
    return rng.random(size), 0.3


def ragged(n: int):
    out = []
    for i in range(n):
        out.append(np.arange(i) * 2)
    return out


def inputs_ragged(size, rng):
    return size,


def made_at_once(x: f64[N], n: int):
    parts = [x[:i].copy() for i in range(n)]
    return parts, np.concatenate(parts) if n > 0 else x.copy(), [p.sum() for p in parts]


def inputs_made_at_once(size, rng):
    return rng.random(size), size


def by_mask(x: f64[N], k: i64[N]):
    g = []
    for c in range(3):
        g.append(x[np.abs(k) % 3 == c])
    return g, [len(v) for v in g], g[1] * 2


def inputs_by_mask(size, rng):
    return rng.random(size), rng.integers(0, 9, size)


def chunks(x: f64[N], size: int, k: i64[M]):
    parts = [x[i:i + size] for i in range(0, len(x), size)]
    windows = [x[i:i + size] for i in range(len(x) - size + 1)]
    means = np.array([p.mean() for p in parts])
    appended = []
    for i in range(0, len(x), size):
        appended.append(x[i:i + size])
    segments = [x[i:j] for i, j in zip(k[:-1], k[1:])]
    items = x.tolist()
    of_lists = [items[i:i + size] for i in range(0, len(items), size)]
    return parts, means, [w.sum() for w in windows], np.concatenate(appended), [s.sum() for s in segments], of_lists, len(parts[-1]), len(x) // size


def inputs_chunks(size, rng):
    return rng.random(size * 3 + 4), size + 1, np.array([0, 1, 2 + size, 4 + size])


def run_over(n: int):
    out = []
    for i in range(n):
        out.append(np.arange(i) * 0.5)
    s = 0.0
    for i, a in enumerate(out):
        s += i * a.sum()
    for a, b in zip(out, out[1:]): s += len(a) * len(b)
    out2 = out[::-1]
    return s, out2, max(len(a) for a in out) if n else 0


def inputs_run_over(size, rng):
    return size,
