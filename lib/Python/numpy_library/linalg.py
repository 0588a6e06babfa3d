"""np.linalg: norms, products, and what factorisations give."""
from collections import namedtuple

import numpy as np

from ._common import _axis, _cholesky_rows, _has_all_threads, _is_constant, _is_sequence, _kept, _solve_columns
from ._spectra import _double_type, _for_each_matrix, _general_parts, _hermitian_parts, _inverse_or_zeros, _laid_out, _real_type, _singular_parts
from ._factoring import _batch, _check_matrices, _check_square, _eliminate, _is_small, _leading, _linear_type, _reflect, _reflected, _solve

EigResult = namedtuple("EigResult", "eigenvalues eigenvectors")
EighResult = namedtuple("EighResult", "eigenvalues eigenvectors")
QRResult = namedtuple("QRResult", "Q R")
SlogdetResult = namedtuple("SlogdetResult", "sign logabsdet")
SVDResult = namedtuple("SVDResult", "U S Vh")


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
    if a.ndim == 2 and columns.ndim == 2 and not _is_small(a, columns) and _has_all_threads():
        x = np.array(np.matrix_transpose(columns), np.result_type(type, np.float64))
        factored = np.array(np.matrix_transpose(a), x.dtype)
        _solve_columns(factored, x)
        return np.reshape(np.matrix_transpose(x).astype(type, copy=False), b.shape)
    x = _batch(columns, leading, type)
    _solve(_batch(a, leading, type), x)
    return np.reshape(x, leading + (columns.shape[-2:] if b.ndim > 1 else b.shape))


def inv(a):
    a = np.asarray(a)
    _check_square(a)
    if a.ndim == 2 and not _is_small(a) and _has_all_threads():
        return np.linalg.solve(a, np.eye(a.shape[0], dtype=_linear_type(a)))
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
        return SlogdetResult(sign[0], logarithm[0])
    return SlogdetResult(np.reshape(sign, a.shape[:-2]), np.reshape(logarithm, a.shape[:-2]))


def det(a):
    sign, logarithm = np.linalg.slogdet(a)
    return sign * np.exp(logarithm)


def cholesky(a, /, *, upper=False):
    a = np.asarray(a)
    _check_square(a)
    lower = np.conj(np.matrix_transpose(a)) if upper else a
    if a.ndim == 2 and not _is_small(a) and _has_all_threads():
        made = np.array(lower, np.result_type(a.dtype, np.float64))
        _cholesky_rows(made)
        if not np.all(np.real(np.diagonal(made)) > 0):
            raise np.linalg.LinAlgError("Matrix is not positive definite")
        made = np.tril(made).astype(_linear_type(a), copy=False)
        return np.conj(np.matrix_transpose(made)) if upper else made
    made = _batch(lower, a.shape[:-2], _linear_type(a))
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
    return QRResult(np.reshape(_reflected(made, factors, count), leading + (rows, count)), r)


def eigh(a, UPLO="L"):
    a = np.asarray(a)
    values, made = _hermitian_parts(a, UPLO, 1)
    vectors = np.conj(np.matrix_transpose(made)).astype(_linear_type(a), copy=False)
    return EighResult(values, np.reshape(vectors, a.shape))


def eigvalsh(a, UPLO="L"):
    values, _ = _hermitian_parts(a, UPLO, 0)
    return values


def eig(a):
    a = np.asarray(a)
    values, made = _general_parts(a, 1)
    return EigResult(values, np.reshape(np.matrix_transpose(made).astype(_linear_type(a), copy=False), a.shape))


def eigvals(a):
    values, _ = _general_parts(a, 0)
    return values


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    a = np.asarray(a)
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    _check_matrices(a)
    leading = a.shape[:-2]
    rows = a.shape[-2]
    columns = a.shape[-1]
    short = min(rows, columns)
    turned, values, made = _singular_parts(a, full_matrices, 1 if compute_uv else 0)
    s = np.reshape(values.astype(_real_type(_linear_type(a)), copy=False), leading + (short,))
    if not compute_uv:
        return s
    is_wide = rows <= columns
    u_columns = rows if full_matrices else short
    vh_rows = columns if full_matrices else short
    u = _laid_out(turned, made, is_wide, (made.shape[0], rows, u_columns)).astype(_linear_type(a), copy=False)
    vh = _laid_out(made, turned, is_wide, (made.shape[0], vh_rows, columns)).astype(_linear_type(a), copy=False)
    return SVDResult(np.reshape(u, leading + (rows, u_columns)), s, np.reshape(vh, leading + (vh_rows, columns)))


def _hermitian_svd(a, compute_uv):
    if not compute_uv:
        return np.sort(np.abs(np.linalg.eigvalsh(a)))[..., ::-1]
    values, vectors = np.linalg.eigh(a)
    order = np.argsort(np.abs(values))[..., ::-1]
    values = np.take_along_axis(values, order, axis=-1)
    u = np.take_along_axis(vectors, order[..., None, :], axis=-1)
    return u, np.abs(values), np.conj(np.matrix_transpose(u * np.copysign(np.ones(1, values.dtype), values)[..., None, :]))


def svdvals(x, /):
    return np.linalg.svd(x, compute_uv=False)


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    A = np.asarray(A)
    if A.ndim < 2:
        return int(np.any(A != 0))
    s = np.linalg.svd(A, compute_uv=False, hermitian=hermitian)
    if tol is not None:
        return np.count_nonzero(s > _for_each_matrix(tol), axis=-1)
    factor = max(A.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else _for_each_matrix(rtol)
    return np.count_nonzero(s > np.max(s, axis=-1, keepdims=True, initial=0) * factor, axis=-1)


def pinv(a, rcond=None, hermitian=False, *, rtol=np._NoValue):
    a = np.asarray(a)
    if rcond is not None and rtol is not np._NoValue:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if rcond is not None:
        factor = rcond
    elif rtol is np._NoValue:
        factor = 1e-15
    elif rtol is None:
        factor = max(a.shape[-2:]) * np.finfo(a.dtype).eps
    else:
        factor = rtol
    if not np.issubdtype(a.dtype, np.inexact) and a.shape[-2] * a.shape[-1] == 0:
        raise NotImplementedError("`np.linalg.pinv` of integers that are none has their type; write `a.astype(float)`")
    u, s, vh = np.linalg.svd(np.conj(a), full_matrices=False, hermitian=hermitian)
    is_large = s > _for_each_matrix(factor) * np.max(s, axis=-1, keepdims=True, initial=0)
    inverse = is_large / (s + ~is_large)
    return np.matmul(np.matrix_transpose(vh), inverse[..., None].astype(s.dtype) * np.matrix_transpose(u))


def lstsq(a, b, rcond=None):
    a = np.asarray(a)
    b = np.asarray(b)
    columns = b[:, None] if b.ndim == 1 else b
    if a.ndim != 2 or columns.ndim != 2:
        raise np.linalg.LinAlgError("%d-dimensional array given. Array must be two-dimensional" % (a.ndim if a.ndim != 2 else columns.ndim,))
    m = a.shape[0]
    n = a.shape[1]
    if m != columns.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    type = np.result_type(_linear_type(a), _linear_type(b))
    matrix = a.astype(np.result_type(_double_type(a), _double_type(b)))
    right = columns.astype(matrix.dtype)
    if not np.all(np.isfinite(matrix)) or not np.all(np.isfinite(right)):
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    tolerance = np.finfo(np.float64).eps * max(n, m) if rcond is None else rcond
    if tolerance <= 0 or tolerance >= 1:
        tolerance = 2.0**-53
    u, s, vh = np.linalg.svd(matrix, full_matrices=False)
    is_large = s > tolerance * np.max(s, initial=0)
    rank = np.count_nonzero(is_large).astype(np.int32)
    along = (np.conj(u.T) @ right) * (is_large / (s + ~is_large))[:, None]
    x = np.conj(vh.T) @ along
    squares = np.sum(np.abs(right - matrix @ x) ** 2, axis=0)
    residuals = squares[: columns.shape[1] if rank == n and m > n else 0].astype(_real_type(type))
    return np.reshape(x.astype(type), (n,) + b.shape[1:]), residuals, rank, s.astype(_real_type(type))


def cond(x, p=None):
    x = np.asarray(x)
    _check_matrices(x)
    if x.shape[-2] * x.shape[-1] == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is None or p == 2 or p == -2:
        s = np.linalg.svd(x, compute_uv=False)
        ratio = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    else:
        _check_square(x)
        inverse, is_singular = _inverse_or_zeros(x)
        ratio = np.where(is_singular, np.inf, np.linalg.norm(x, p, (-2, -1)) * np.linalg.norm(inverse, p, (-2, -1)))
        ratio = ratio.astype(_real_type(_linear_type(x)))
    return np.where(np.isnan(ratio) & ~np.any(np.isnan(x), axis=(-2, -1)), np.inf, ratio)


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


def _power_in_steps(a, n):
    z = np.array(a)
    if np.issubdtype(a.dtype, np.inexact):
        if n < 0:
            z[:] = np.linalg.inv(a)
    elif n < 0:
        raise NotImplementedError("the exponent is negative, and the matrix one of integers: write a.astype(float)")
    result = np.array(np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape))
    k = abs(n)
    if k > 0:
        while k % 2 == 0:
            z[:] = z @ z
            k //= 2
        result[:] = z
        k //= 2
        while k > 0:
            z[:] = z @ z
            if k % 2 == 1:
                result[:] = result @ z
            k //= 2
    return result


def matrix_power(a, n):
    a = np.asarray(a)
    _check_square(a)
    if not _is_constant(n):
        return _power_in_steps(a, n)
    if n < 0:
        return np.linalg.matrix_power(np.linalg.inv(a), -n)
    if n == 0:
        return np.array(np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape))
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
    if ord != 2 and ord != -2 and ord != "nuc":
        raise ValueError("Invalid norm order for matrices.")
    s = np.linalg.svdvals(np.moveaxis(x, (row, column), (-2, -1)))
    if ord == 2:
        found = np.max(s, axis=-1, initial=0)
    elif ord == -2:
        found = np.min(s, axis=-1)
    else:
        found = np.sum(s, axis=-1)
    return _kept(found, (row, column), keepdims, x.shape)


def trace(x, /, *, offset=0, dtype=None):
    return np.trace(x, offset, x.ndim - 2, x.ndim - 1, dtype)


def diagonal(x, /, *, offset=0):
    return np.diagonal(x, offset, x.ndim - 2, x.ndim - 1)


def outer(x1, x2, /):
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError("Input arrays must be one-dimensional")
    return np.outer(x1, x2)


def cross(x1, x2, /, *, axis=-1):
    for one in (np.asarray(x1), np.asarray(x2)):
        if one.shape[axis] != 3:
            raise ValueError("Both input arrays must be (arrays of) 3-dimensional vectors")
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
