"""Sparse matrix (CSR, see spmv.py) times dense matrix: C = A B."""
from __future__ import annotations

import numpy as np


def spmm(row_start: i32[R], columns: i32[nnz], values: f64[nnz], B: f64[K, N]) -> f64[R - 1, N]:
    """A worker for each row of C; each nonzero adds a multiple of a row of B."""
    rows = row_start.shape[0] - 1
    N = B.shape[1]
    C = np.zeros((rows, N))
    #pragma parallel for
    for i in range(rows):
        for p in range(row_start[i], row_start[i + 1]):
            k = columns[p]
            value = values[p]
            #pragma :N=>simd
            C[i, :N] += value * B[k, :N]
    return C


def spmm_loop(row_start: i32[R], columns: i32[nnz], values: f64[nnz], B: f64[K, N]) -> f64[R - 1, N]:
    """Every element of C on its own: rows over workers, columns over lanes."""
    rows = row_start.shape[0] - 1
    N = B.shape[1]
    C = np.empty((rows, N))
    #pragma parallel for
    for i in range(rows):
        #pragma simd
        for j in range(N):
            total = 0.0
            for p in range(row_start[i], row_start[i + 1]):
                total += values[p] * B[columns[p], j]
            C[i, j] = total
    return C


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 65)


def make_inputs(size, rng):
    lengths = rng.integers(0, 5, size)
    row_start = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    nnz = int(row_start[-1])
    inner, width = size + 3, size + 1
    return row_start, rng.integers(0, inner, nnz).astype(np.int32), rng.random(nnz), rng.random((inner, width))


def reference(row_start, columns, values, B):
    dense = np.zeros((row_start.size - 1, B.shape[0]))
    rows = np.repeat(np.arange(row_start.size - 1), np.diff(row_start))
    np.add.at(dense, (rows, columns), values)
    return dense @ B


if __name__ == "__main__":
    inputs = make_inputs(30, np.random.default_rng(0))
    for function in (spmm, spmm_loop):
        np.testing.assert_allclose(function(*inputs), reference(*inputs), rtol=1e-10)
    print("spmm: ok")
