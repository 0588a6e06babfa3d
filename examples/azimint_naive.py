"""Azimuthal integration: the mean of `data` over the points whose radius lies in each of `bins` rings.

Ring b holds the radii from largest*b/bins up to, not including, largest*(b+1)/bins. The mean of an empty ring is nan.
"""
from __future__ import annotations

import numpy as np


def azimint_naive(data: f64[N], radius: f64[N], bins: i64) -> f64[bins]:
    """A worker for each ring, which looks at all points; lanes share the points."""
    N = radius.shape[0]
    largest = np.max(radius)
    total = np.zeros(bins)
    count = np.zeros(bins)
    #pragma parallel for
    for b in range(bins):
        low = largest * b / bins
        high = largest * (b + 1) / bins
        #pragma simd
        for i in range(N):
            inside = np.logical_and(low <= radius[i], radius[i] < high)
            total[b] += np.where(inside, data[i], 0.0)
            count[b] += np.where(inside, 1.0, 0.0)
    return total / count


def azimint_naive_plain(data: f64[N], radius: f64[N], bins: i64) -> f64[bins]:
    """Plain NumPy: one masked mean after the other."""
    largest = np.max(radius)
    means = np.empty(bins)
    for b in range(bins):
        inside = np.logical_and(largest * b / bins <= radius, radius < largest * (b + 1) / bins)
        means[b] = data[inside].mean()
    return means


def make_inputs(size, rng):
    return rng.random(size), rng.random(size), 1 + size // 4


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129)


def reference(data, radius, bins):
    edges = radius.max() * np.arange(bins + 1) / bins
    return np.array([data[(edges[b] <= radius) & (radius < edges[b + 1])].mean() for b in range(bins)])


if __name__ == "__main__":
    inputs = (*make_inputs(500, np.random.default_rng(0))[:2], 10)
    for function in (azimint_naive, azimint_naive_plain):
        np.testing.assert_allclose(function(*inputs), reference(*inputs))
    print("azimint_naive: ok")
