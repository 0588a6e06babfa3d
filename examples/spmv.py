"""Sparse matrix times vector; the matrix in compressed sparse rows (CSR).

Row i holds the values `values[p]` in the columns `columns[p]`, p = row_start[i] … row_start[i+1]-1.
"""
from __future__ import annotations

import numpy as np
import appy


def spmv(row_start: u32[R], columns: u32[nnz], values: f64[nnz], x: f64[N]) -> f64[R - 1]:
    """A worker for each row; its lanes share the row's values. The inner bounds come from the data."""
    rows = row_start.shape[0] - 1
    y = np.empty(rows)
    #pragma parallel for
    for i in range(rows):
        y[i] = 0.0
        #pragma simd
        for p in range(row_start[i], row_start[i + 1]):
            y[i] += values[p] * x[columns[p]]
    return y


def spmv_blocks(row_start: u32[R], columns: u32[nnz], values: f64[nnz], x: f64[N]) -> f64[R - 1]:
    """The same with explicit vectors of indices, MVL at a time; x is gathered by an index vector."""
    rows = row_start.shape[0] - 1
    y = np.zeros(rows)
    #pragma parallel for
    for i in range(rows):
        start = row_start[i]
        end = row_start[i + 1]
        total = 0.0
        for p in range(start, end, appy.MVL):
            lanes = appy.vidx(p, appy.MVL, bound=end)
            total += np.sum(values[lanes] * x[columns[lanes]])
        y[i] = total
    return y


def spmv_plain(row_start: u32[R], columns: u32[nnz], values: f64[nnz], x: f64[N]) -> f64[R - 1]:
    """Plain loops with a scalar accumulator."""
    y = np.empty(row_start.shape[0] - 1)
    for i in range(y.shape[0]):
        total = 0.0
        for p in range(row_start[i], row_start[i + 1]):
            total += values[p] * x[columns[p]]
        y[i] = total
    return y


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 127, 128, 129, 257)


def make_inputs(size, rng):
    """`size` rows, some empty, one with more than a vector's length of values."""
    width = size + 5
    lengths = rng.integers(0, 6, size)
    if size > 2:
        lengths[size // 2] = 300
    row_start = np.concatenate(([0], np.cumsum(lengths))).astype(np.uint32)
    nnz = int(row_start[-1])
    return row_start, rng.integers(0, width, nnz).astype(np.uint32), rng.random(nnz), rng.random(width)


def reference(row_start, columns, values, x):
    dense = np.zeros((row_start.size - 1, x.size))
    rows = np.repeat(np.arange(row_start.size - 1), np.diff(row_start.astype(np.int64)))
    np.add.at(dense, (rows, columns), values)
    return dense @ x


if __name__ == "__main__":
    inputs = make_inputs(40, np.random.default_rng(0))
    for function in (spmv, spmv_blocks, spmv_plain):
        np.testing.assert_allclose(function(*inputs), reference(*inputs))
    print("spmv: ok")
