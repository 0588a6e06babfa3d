"""Covariance of M variables from N observations of each; the observations are centred in place."""
from __future__ import annotations

import numpy as np
import appy


@appy.jit(auto_simd=True)
def covariance(data: f64[N, M]) -> f64[M, M]:
    """The upper triangle is computed, two columns at a time, and mirrored."""
    N, M = data.shape
    mean = np.empty(M)
    cov = np.empty((M, M))
    #pragma :M=>parallel :N=>reduce(sum:mean)
    mean[:M] = np.sum(data[:N, :M], axis=0)
    #pragma :M=>parallel
    mean[:M] = mean[:M] / N
    #pragma :N=>parallel :M=>parallel
    data[:N, :M] -= mean[:M][None, :]
    #pragma parallel for
    for i in range(M):
        #pragma i:M=>block(2) :N=>le(2048)
        cov[i, i:M] = np.sum(data[:N, i][:, None] * data[:N, i:M], axis=0)
        #pragma i:M=>simd(256)
        cov[i, i:M] = cov[i, i:M] / (N - 1.0)
        #pragma i:M=>simd(256)
        cov[i:M, i] = cov[i, i:M]
    return cov


def covariance_plain(data: f64[N, M]) -> f64[M, M]:
    """Plain NumPy: each product of a column with those from it on fills a row and a column."""
    N, M = data.shape
    data -= np.mean(data, axis=0)
    cov = np.empty((M, M))
    for i in range(M):
        cov[i, i:] = cov[i:, i] = data[:, i] @ data[:, i:] / (N - 1.0)
    return cov


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 65)


def make_inputs(size, rng):
    return (rng.random((size // 2 + 1, size)),)


def reference(data):
    centred = data - data.mean(axis=0)
    return np.einsum("ki,kj->ij", centred, centred) / (len(data) - 1)


if __name__ == "__main__":
    for function in (covariance, covariance_plain):
        (data,) = make_inputs(40, np.random.default_rng(0))
        np.testing.assert_allclose(function(data.copy()), reference(data), atol=1e-14)
    print("covariance: ok")
