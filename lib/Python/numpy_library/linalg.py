"""np.linalg: what needs no factorisation."""
import numpy as np

from ._common import _axis, _is_sequence


def matrix_power(a, n):
    if a.ndim != 2:
        raise NotImplementedError("`np.linalg.matrix_power` takes one matrix")
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if n < 0:
        raise NotImplementedError("`np.linalg.matrix_power` takes powers from 0 on")
    if n == 0:
        return np.eye(a.shape[0], dtype=a.dtype)
    if n == 1:
        return a
    half = np.linalg.matrix_power(a, n // 2)
    if n % 2 == 0:
        return half @ half
    return half @ half @ a


def _vector_norm(x, order, axis, keepdims):
    if order is None or order == 2:
        return np.sqrt(np.sum(np.real(x) ** 2 + np.imag(x) ** 2 if np.issubdtype(x.dtype, np.complexfloating) else x * x,
                              axis, keepdims=keepdims))
    if order == np.inf:
        return np.max(np.abs(x), axis, keepdims=keepdims, initial=0)
    if order == -np.inf:
        return np.min(np.abs(x), axis, keepdims=keepdims)
    if order == 0:
        return np.sum((x != 0).astype(np.real(x).dtype), axis, keepdims=keepdims)
    if order == 1:
        return np.sum(np.abs(x), axis, keepdims=keepdims)
    return np.sum(np.abs(x) ** order, axis, keepdims=keepdims) ** (1.0 / order)


def norm(x, ord=None, axis=None, keepdims=False):
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.inexact):
        x = x.astype(float)
    if axis is None and (ord is None or x.ndim == 1):
        if ord == "fro" or ord == "nuc":
            raise ValueError("Invalid norm order for vectors")
        return _vector_norm(x, ord, None, keepdims)
    axes = (0, 1) if axis is None else axis if _is_sequence(axis) else (axis,)
    if axis is None and x.ndim != 2:
        raise ValueError("Improper number of dimensions to norm.")
    if len(axes) == 1:
        return _vector_norm(x, ord, _axis(axes[0], x.ndim), keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    row = _axis(axes[0], x.ndim)
    column = _axis(axes[1], x.ndim)
    if row == column:
        raise ValueError("Duplicate axes given.")
    if ord is None or ord == "fro":
        return _vector_norm(x, 2, (row, column), keepdims)
    if ord == 1:
        return np.max(np.sum(np.abs(x), row, keepdims=True), (row, column), keepdims=keepdims, initial=0)
    if ord == -1:
        return np.min(np.sum(np.abs(x), row, keepdims=True), (row, column), keepdims=keepdims)
    if ord == np.inf:
        return np.max(np.sum(np.abs(x), column, keepdims=True), (row, column), keepdims=keepdims, initial=0)
    if ord == -np.inf:
        return np.min(np.sum(np.abs(x), column, keepdims=True), (row, column), keepdims=keepdims)
    raise NotImplementedError("norms of matrices that need singular values are not translated")


def trace(x, /, *, offset=0, dtype=None):
    return np.trace(x, offset, x.ndim - 2, x.ndim - 1, dtype)


def diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, x.ndim - 2, x.ndim - 1)


def outer(x1, x2, /):
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError("Input arrays must be one-dimensional")
    return np.outer(x1, x2)


def cross(x1, x2, /, *, axis=-1):
    return np.cross(x1, x2, axis=axis)


def multi_dot(arrays, *, out=None):
    if out is not None:
        raise NotImplementedError("`out=` of `np.linalg.multi_dot` is not translated; assign the result to a slice")
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    product = arrays[0]
    for k in range(1, len(arrays)):
        product = np.dot(product, arrays[k])
    return product
