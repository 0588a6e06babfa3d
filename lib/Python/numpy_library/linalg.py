"""np.linalg: norms, products, and what LU, Cholesky's and QR factorisations give."""
import numpy as np

from ._common import _axis, _is_sequence
from ._factoring import _batch, _check_matrices, _check_square, _eliminate, _leading, _linear_type, _reflect, _reflected, _solve


def solve(a, b):
    a = np.asarray(a)
    b = np.asarray(b)
    _check_square(a)
    if b.ndim == 0:
        raise ValueError("solve: Input operand 1 does not have enough dimensions")
    columns = b[:, None] if b.ndim == 1 else b
    if columns.shape[-2] != a.shape[-1]:
        raise ValueError("solve: Input operand 1 has a mismatch in its core dimension 0")
    leading = _leading(a, columns)
    type = np.result_type(_linear_type(a), _linear_type(b))
    x = _batch(columns, leading, type)
    _solve(_batch(a, leading, type), x)
    return np.reshape(x, leading + (columns.shape[-2:] if b.ndim > 1 else b.shape))


def inv(a):
    a = np.asarray(a)
    _check_square(a)
    factored = _batch(a, a.shape[:-2], _linear_type(a))
    x = np.array(np.broadcast_to(np.eye(a.shape[-1], dtype=factored.dtype), factored.shape))
    _solve(factored, x)
    return np.reshape(x, a.shape)


def slogdet(a):
    a = np.asarray(a)
    _check_square(a)
    factored = _batch(a, a.shape[:-2], _linear_type(a))
    moved = _eliminate(factored, None)
    diagonal = np.diagonal(factored, 0, 1, 2).copy()
    size = np.abs(diagonal)
    is_regular = np.all(size != 0, axis=1)
    if np.issubdtype(factored.dtype, np.complexfloating):
        sign = np.prod(diagonal / (size + (size == 0)), axis=1) * (1 - moved % 2 * 2).astype(size.dtype)
    else:
        sign = ((1 - (moved + np.sum(diagonal < 0, axis=1)) % 2 * 2) * is_regular).astype(size.dtype)
    logarithm = np.where(is_regular, np.sum(np.log(size), axis=1), np.full(1, -np.inf, size.dtype))
    if a.ndim == 2:
        return sign[0], logarithm[0]
    return np.reshape(sign, a.shape[:-2]), np.reshape(logarithm, a.shape[:-2])


def det(a):
    sign, logarithm = np.linalg.slogdet(a)
    return sign * np.exp(logarithm)


def cholesky(a, /, *, upper=False):
    a = np.asarray(a)
    _check_square(a)
    made = _batch(np.conj(np.matrix_transpose(a)) if upper else a, a.shape[:-2], _linear_type(a))
    for k in range(a.shape[-1]):
        root = np.sqrt(np.real(made[:, k, k]))
        made[:, k, k] = root
        made[:, k + 1:, k] /= root[:, None]
        made[:, k + 1:, k + 1:] -= made[:, k + 1:, k, None] * np.conj(made[:, None, k + 1:, k])
    if not np.all(np.real(np.diagonal(made, 0, 1, 2)) > 0):
        raise np.linalg.LinAlgError("Matrix is not positive definite")
    made = np.tril(made)
    return np.reshape(np.conj(np.matrix_transpose(made)) if upper else made, a.shape)


def qr(a, mode="reduced"):
    if mode not in ("reduced", "complete", "r"):
        if mode == "raw":
            raise NotImplementedError("`mode=` of `np.linalg.qr` is 'reduced', 'complete' or 'r'")
        raise ValueError("Unrecognized mode")
    a = np.asarray(a)
    _check_matrices(a)
    leading = a.shape[:-2]
    made = _batch(a, leading, _linear_type(a))
    factors = _reflect(made)
    rows = a.shape[-2]
    count = min(rows, a.shape[-1])
    if mode == "complete":
        count = rows
    r = np.reshape(np.triu(made[:, :count]), leading + (count, a.shape[-1]))
    if mode == "r":
        return r
    return np.reshape(_reflected(made, factors, count), leading + (rows, count)), r


def matmul(x1, x2, /):
    return np.matmul(x1, x2)


def tensordot(x1, x2, /, *, axes=2):
    return np.tensordot(x1, x2, axes=axes)


def matrix_transpose(x, /):
    return np.matrix_transpose(x)


def vecdot(x1, x2, /, *, axis=-1):
    a = np.moveaxis(np.asarray(x1), axis, -1)
    b = np.moveaxis(np.asarray(x2), axis, -1)
    if a.shape[-1] != b.shape[-1]:
        raise ValueError("vecdot: Input operand 1 has a mismatch in its core dimension 0")
    if a.dtype == np.bool_ and b.dtype == np.bool_:
        return np.any(a & b, axis=-1)
    return np.sum(np.conj(a) * b, axis=-1, dtype=np.result_type(a, b))


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.inexact):
        x = x.astype(float)
    if axis is not None and not _is_sequence(axis):
        return _vector_norm(x, ord, _axis(axis, x.ndim), keepdims)
    return _vector_norm(x, ord, axis, keepdims)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    x = np.asarray(x)
    return np.linalg.norm(x, ord, (-2, -1), keepdims)


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
