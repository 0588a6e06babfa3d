"""Lists that become arrays, sets that change in place, what is sorted by texts."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 7)


def seeded_centers(X: f64[N, 2], k: int):
    centers = []
    centers.append(X[0])
    for _ in range(1, k):
        d = np.min([np.sum((X - c) ** 2, axis=1) for c in centers], axis=0)
        centers.append(X[np.argmax(d)])
    centers = np.array(centers)
    return centers


def inputs_seeded_centers(size, rng):
    return rng.random((size + 2, 2)), 3


def rows_chosen(x: f64[N, M], k: i64[4]):
    rows = []
    for i in k:
        rows.append(x[abs(i) % len(x)])
    rows = np.array(rows)
    return rows.mean(axis=0), rows


def inputs_rows_chosen(size, rng):
    return rng.random((size + 1, size + 1)), rng.integers(0, 9, 4)


def sets_in_place(k: i64[N]):
    seen = set()
    dup = set()
    for v in k:
        if v in seen:
            dup.add(v)
        seen.add(v)
    seen |= {100}
    seen -= dup
    seen.discard(5)
    seen.update([1, 2])
    seen &= set(range(-5, 5))
    return sorted(seen), len(dup), seen <= set(range(200)), 3 not in seen


def inputs_sets_in_place(size, rng):
    return rng.integers(0, 9, size),


def sorted_texts(n: int):
    d = {"b": n, "a": 2, "c": 0}
    for k, v in sorted(d.items(), reverse=True):
        print(k, v)
    return sorted(d.items()), sorted(d), sorted(d.keys())


def inputs_sorted_texts(size, rng):
    return size,


def sets_by_methods(k: i64[N], n: int):
    s = set(range(n))
    s.difference_update(k)
    t = {1, 2, n}
    t.intersection_update([2, n])
    t ^= {5, n}
    return sorted(s), sorted(t)


def inputs_sets_by_methods(size, rng):
    return rng.integers(0, 9, size), size
