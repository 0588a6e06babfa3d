"""Factorisations, of all matrices of a batch at once: what a step changes to the right of and below it is one array operation."""
import numpy as np

from ._common import _is_constant


def _linear_type(a):
    """The type that linear algebra computes in."""
    return a.dtype if np.issubdtype(a.dtype, np.inexact) else np.float64


def _check_matrices(a):
    if a.ndim < 2:
        raise np.linalg.LinAlgError("%d-dimensional array given. Array must be at least two-dimensional" % (a.ndim,))


def _check_square(a):
    _check_matrices(a)
    if a.shape[-2] != a.shape[-1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


def _is_small(*matrices):
    """Of constant sizes, with which a thread does all by itself."""
    known = True
    for a in matrices:
        for n in a.shape[-2:]:
            known = known and _is_constant(n) and n <= 8
    return known


def _leading(a, b):
    """The axes of a batch: those before the last two of both, broadcast."""
    return (np.broadcast_to(0, a.shape[:-2]) + np.broadcast_to(0, b.shape[:-2])).shape


def _batch(a, leading, type):
    """A copy with one axis in front of the last two."""
    count = 1
    for n in leading:
        count = count * n
    return np.array(np.reshape(np.broadcast_to(a, leading + a.shape[-2:]), (count,) + a.shape[-2:]), type)


def _size_of(z):
    """As LAPACK compares complex pivots."""
    return np.abs(np.real(z)) + np.abs(np.imag(z)) if np.issubdtype(z.dtype, np.complexfloating) else np.abs(z)


def _exchange_rows(a, k, p):
    """Row k and row p[i] of matrix i."""
    for i in range(a.shape[0]):
        for j in range(a.shape[2]):
            kept = a[i, k, j]
            a[i, k, j] = a[i, p[i], j]
            a[i, p[i], j] = kept


def _exchange(a, i, k):
    #pragma sequential for
    for j in range(a.shape[1]):
        kept = a[i, j]
        a[i, j] = a[k, j]
        a[k, j] = kept


def _eliminate_one(a, x):
    """As _eliminate of one small matrix, by loops that a thread runs: no subscript depends on the data. A row that is larger in a
    column moves up at once, so that those below may stand in another order than LAPACK's."""
    moved = 0
    #pragma sequential for
    for k in range(a.shape[0]):
        #pragma sequential for
        for i in range(k + 1, a.shape[0]):
            if _size_of(a[i, k]) > _size_of(a[k, k]):
                _exchange(a, i, k)
                if x is not None:
                    _exchange(x, i, k)
                moved += 1
        pivot = a[k, k] + (a[k, k] == 0)
        #pragma sequential for
        for i in range(k + 1, a.shape[0]):
            factor = a[i, k] / pivot
            #pragma sequential for
            for j in range(k + 1, a.shape[0]):
                a[i, j] -= factor * a[k, j]
            if x is not None:
                #pragma sequential for
                for j in range(x.shape[1]):
                    x[i, j] -= factor * x[k, j]
    return moved


def _substitute_one(a, x):
    #pragma sequential for
    for k in range(a.shape[0] - 1, -1, -1):
        #pragma sequential for
        for j in range(x.shape[1]):
            x[k, j] /= a[k, k]
        #pragma sequential for
        for i in range(k):
            #pragma sequential for
            for j in range(x.shape[1]):
                x[i, j] -= a[i, k] * x[k, j]


def _eliminate(a, x):
    """U of P L U in the place of `a`, (P L)^-1 x in that of `x`; how many rows have changed places. A column of zeros is left as
    it is."""
    moved = np.zeros(a.shape[0], np.int64)
    if _is_small(a) and x is None:
        for i in range(a.shape[0]):
            moved[i] = _eliminate_one(a[i], None)
        return moved
    for k in range(a.shape[1]):
        p = k + np.argmax(_size_of(a[:, k:, k]), axis=1)
        moved += p != k
        _exchange_rows(a, k, p)
        pivot = a[:, k, k]
        factor = a[:, k + 1:, k] / (pivot + (pivot == 0))[:, None]
        a[:, k + 1:, k + 1:] -= factor[:, :, None] * a[:, k, None, k + 1:]
        if x is not None:
            _exchange_rows(x, k, p)
            x[:, k + 1:] -= factor[:, :, None] * x[:, k, None]
    return moved


def _solve(a, x):
    """x = a^-1 x, both in their places."""
    if _is_small(a, x):
        for i in range(a.shape[0]):
            _eliminate_one(a[i], x[i])
            if np.any(np.diagonal(a[i]) == 0):
                raise np.linalg.LinAlgError("Singular matrix")
            _substitute_one(a[i], x[i])
        return
    _eliminate(a, x)
    if np.any(np.diagonal(a, 0, 1, 2) == 0):
        raise np.linalg.LinAlgError("Singular matrix")
    _substitute(a, x)


def _substitute(a, x):
    """x = U^-1 x, with what elimination has made of both."""
    for k in range(a.shape[1] - 1, -1, -1):
        x[:, k] /= a[:, k, k, None]
        x[:, :k] -= a[:, :k, k, None] * x[:, k, None]


def _reflect(a):
    """Householder's reflections, that make `a` upper triangular, as LAPACK chooses them: their vectors, but for the first elements,
    which are 1, in the place of zeros, and their factors."""
    steps = min(a.shape[1], a.shape[2])
    factors = np.zeros((a.shape[0], steps), a.dtype)
    for k in range(steps):
        first = a[:, k, k].copy()
        largest = np.max(_size_of(a[:, k:, k]), axis=1)
        scale = largest + (largest == 0)
        length = scale * np.sqrt(np.sum(np.abs(a[:, k:, k] / scale[:, None]) ** 2, axis=1))
        is_done = (np.max(_size_of(a[:, k + 1:, k]), axis=1, initial=0) == 0) & (np.imag(first) == 0)
        last = np.where(is_done, np.real(first), -np.copysign(length, np.real(first)))
        factor = np.where(is_done, np.zeros(1, a.dtype), (last - first) / (last + (last == 0)))
        v = a[:, k:, k] / np.where(is_done, np.ones(1, a.dtype), first - last)[:, None]
        v[:, 0] = 1
        factors[:, k] = factor
        a[:, k, k] = last
        a[:, k + 1:, k] = v[:, 1:]
        along = np.sum(np.conj(v)[:, :, None] * a[:, k:, k + 1:], axis=1)
        a[:, k:, k + 1:] -= (np.conj(factor)[:, None] * v)[:, :, None] * along[:, None]
    return factors


def _reflected(a, factors, columns):
    """The first columns of the product of the reflections."""
    rows = a.shape[1]
    q = np.array(np.broadcast_to(np.eye(rows, columns, dtype=a.dtype), (a.shape[0], rows, columns)))
    for k in range(factors.shape[1] - 1, -1, -1):
        v = a[:, k:, k].copy()
        v[:, 0] = 1
        along = np.sum(np.conj(v)[:, :, None] * q[:, k:, k:], axis=1)
        q[:, k:, k:] -= (factors[:, k, None] * v)[:, :, None] * along[:, None]
    return q
