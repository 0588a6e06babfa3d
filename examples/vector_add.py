"""Vector addition: the smallest program, written three ways that all give the same kernel.

Try:  appyc examples/vector_add.py -o vector_add.cu
"""
from __future__ import annotations

import numpy as np


def vector_add(a: f64[N], b: f64[N]) -> f64[N]:
    """Plain NumPy: no annotation is needed, the additions are independent."""
    return a + b


def vector_add_tensor(a: f64[N], b: f64[N]) -> f64[N]:
    """The same with the dimension N marked: its elements may be computed in parallel."""
    N = a.shape[0]
    c = np.empty(N)
    #pragma :N=>parallel
    c[:N] = a[:N] + b[:N]
    return c


def vector_add_loop(a: f64[N], b: f64[N]) -> f64[N]:
    """The same as a loop whose iterations are spread over workers and their vector lanes."""
    c = np.empty_like(a)
    #pragma parallel for simd
    for i in range(a.shape[0]):
        c[i] = a[i] + b[i]
    return c


def make_inputs(size, rng):
    return rng.random(size), rng.random(size)


def reference(a, b):
    return np.array([x + y for x, y in zip(a, b)])


if __name__ == "__main__":
    inputs = make_inputs(1000, np.random.default_rng(0))
    for function in (vector_add, vector_add_tensor, vector_add_loop):
        np.testing.assert_allclose(function(*inputs), reference(*inputs))
    print("vector_add: ok")
