"""One end of what is sorted; `whole` and `whole_rows` are what a sort of all takes."""
from __future__ import annotations

import numpy as np


def whole(a: f64[N, M]):
    return np.argsort(a.ravel(), kind="stable")


def largest_places(a: f64[N, M], k: i64):
    return np.argsort(a.ravel(), kind="stable")[-k:]


def ten_smallest(a: f64[N, M]):
    return np.sort(a.ravel())[:10]


def whole_rows(a: f64[N, M]):
    return np.argsort(a, axis=1, kind="stable")


def first_of_rows(a: f64[N, M], k: i64):
    return np.argsort(a, axis=1, kind="stable")[:, :k]


def last_of_columns(a: f64[N, M], k: i64):
    return np.argsort(a, axis=0, kind="stable")[-k:]


def nearest(train: f64[N, D], labels: i64[N], points: f64[M, D], k: i64):
    """The mean label of the k nearest."""
    apart = ((points[:, None, :] - train[None, :, :]) ** 2).sum(axis=2)
    near = np.argsort(apart, axis=1, kind="stable")[:, :k]
    return labels[near].mean(axis=1)


def inputs(name, shape, rng):
    n, m = shape
    if name == "nearest":
        return rng.random((n, 3)), rng.integers(0, 10, n), rng.random((m, 3)), 8
    a = rng.random(shape)
    return (a,) if name in ("whole", "whole_rows", "ten_smallest") else (a, 10)


LONG, ROWS = ((1000, 1000), (10**4, 10**4)), ((1000, 64000), (64000, 1000), (10**6, 64))
CASES = {**dict.fromkeys(("whole", "largest_places", "ten_smallest"), LONG),
         **dict.fromkeys(("whole_rows", "first_of_rows", "last_of_columns"), ROWS), "nearest": ((10**4, 10**4), (1000, 10**5))}
