"""Kernels for Numba's parallel CPU target, where the examples' plain NumPy is not what Numba takes or would run in parallel;
the others it compiles as they stand."""
import numpy as np
from numba import njit, prange


@njit(parallel=True)
def covariance(data):
    n, m = data.shape
    for j in prange(m):
        data[:, j] -= np.mean(data[:, j])
    return data.T @ data / (n - 1.0)


@njit(parallel=True)
def floyd_warshall(path):
    n = path.shape[0]
    for k in range(n):
        for i in prange(n):
            for j in range(n):
                path[i, j] = min(path[i, j], path[i, k] + path[k, j])


@njit(parallel=True)
def azimint_naive(data, radius, bins):
    largest = radius.max()
    means = np.empty(bins)
    for b in prange(bins):
        total, count = 0.0, 0
        for i in range(data.shape[0]):
            if largest * b / bins <= radius[i] and radius[i] < largest * (b + 1) / bins:
                total += data[i]
                count += 1
        means[b] = total / count
    return means


@njit(parallel=True)
def softmax(x, y):
    for i in prange(x.shape[0]):
        top = x[i].max()
        total = np.float32(0.0)
        for j in range(x.shape[1]):
            y[i, j] = np.exp(x[i, j] - top)
            total += y[i, j]
        for j in range(x.shape[1]):
            y[i, j] /= total


@njit(parallel=True)
def spmv(row_start, columns, values, x):
    y = np.empty(row_start.shape[0] - 1)
    for i in prange(y.shape[0]):
        total = 0.0
        for p in range(row_start[i], row_start[i + 1]):
            total += values[p] * x[columns[p]]
        y[i] = total
    return y


@njit
def inner_sum(f):
    middle = 2.0 * f[1:-1, 1:-1, 1:-1]
    return (f[2:, 1:-1, 1:-1] - middle + f[:-2, 1:-1, 1:-1] + f[1:-1, 2:, 1:-1] - middle + f[1:-1, :-2, 1:-1]
            + f[1:-1, 1:-1, 2:] - middle + f[1:-1, 1:-1, :-2])


@njit(parallel=True)
def heat_3d(steps, A, B):
    for _ in range(steps):
        B[1:-1, 1:-1, 1:-1] = A[1:-1, 1:-1, 1:-1] + 0.125 * inner_sum(A)
        A[1:-1, 1:-1, 1:-1] = B[1:-1, 1:-1, 1:-1] + 0.125 * inner_sum(B)


@njit(parallel=True)
def symm(alpha, beta, C, A, B):
    C[:] = alpha * ((np.tril(A) + np.tril(A, -1).T) @ B) + beta * C
