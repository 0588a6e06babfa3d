"""Eigenvalues and singular values of batches of matrices, in double precision as NumPy computes them, whatever the type of the results."""
import numpy as np

from ._common import _eigen_rows, _general_eigen_rows, _singular_rows
from ._factoring import _batch, _check_square, _eliminate, _linear_type, _substitute


def _double_type(a):
    return np.result_type(_linear_type(a), np.float64)


def _real_type(type):
    return np.zeros(0, type).real.dtype


def _hermitian_parts(a, UPLO, has_vectors):
    """The eigenvalues, and behind them the eigenvectors or what is left of the matrices."""
    a = np.asarray(a)
    _check_square(a)
    if UPLO not in ("L", "U", "l", "u"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    read = a if UPLO in ("L", "l") else np.conj(np.matrix_transpose(a))
    made = _batch(read, a.shape[:-2], _double_type(a))
    if not np.all(np.isfinite(np.tril(made))):
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    values = np.empty((made.shape[0], a.shape[-1]))
    _eigen_rows(has_vectors, made, values)
    return np.reshape(values.astype(_real_type(_linear_type(a)), copy=False), a.shape[:-1]), made


def _singular_parts(a, full_matrices, has_vectors):
    """u, s and vh of a batch, or nothing of use in the place of u and vh."""
    rows = a.shape[-2]
    columns = a.shape[-1]
    given = _batch(a, a.shape[:-2], _double_type(a))
    if np.any(np.isnan(given)) if not has_vectors else not np.all(np.isfinite(given)):
        raise np.linalg.LinAlgError("SVD did not converge")
    short = min(rows, columns)
    long = max(rows, columns)
    count = given.shape[0]
    made = np.zeros((count, long if full_matrices and has_vectors else short, long), given.dtype)
    for i in range(count):
        for j in range(short):
            for k in range(long):
                made[i, j, k] = given[i, j, k] if rows <= columns else given[i, k, j]
    if not has_vectors:  # of infinities, LAPACK says NaN
        is_infinite = np.any(np.isinf(made), axis=(1, 2))
        for i in range(count):
            if is_infinite[i]:
                made[i] = 0
    values = np.empty((count, short))
    turned = np.empty((count, short, short) if has_vectors else (count, 0, 0), given.dtype)
    _singular_rows(has_vectors, made, values, turned)
    if not has_vectors:
        for i in range(count):
            if is_infinite[i]:
                values[i] = np.nan
    return turned, values, made


def _laid_out(wide, tall, is_wide, shape):
    """`wide`, or the transpose of `tall`, of batches."""
    laid = np.empty(shape, wide.dtype)
    for i in range(shape[0]):
        for j in range(shape[1]):
            for k in range(shape[2]):
                laid[i, j, k] = wide[i, j, k] if is_wide else tall[i, k, j]
    return laid


def _general_parts(a, has_vectors):
    """The eigenvalues, and in rows the eigenvectors, or nothing of use."""
    a = np.asarray(a)
    _check_square(a)
    if not np.all(np.isfinite(a)):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
    made = _batch(a, a.shape[:-2], np.complex128)
    values = np.empty((made.shape[0], a.shape[-1]), np.complex128)
    _general_eigen_rows(has_vectors, made, values)
    if not np.issubdtype(a.dtype, np.complexfloating):
        return np.reshape(_reals(values, a).astype(_linear_type(a), copy=False), a.shape[:-1]), made.real
    return np.reshape(values.astype(a.dtype, copy=False), a.shape[:-1]), made


def _reals(values, a):
    """Of a real matrix, where that is what they are but for rounding."""
    n = a.shape[-1]
    given = np.reshape(a, (values.shape[0], n * n)).astype(np.float64)
    least = 4 * n * np.finfo(np.float64).eps * np.sqrt(np.sum(given * given, axis=1))
    for i in range(values.shape[0]):
        if np.any(abs(values[i].imag) > least[i]):
            raise NotImplementedError("this matrix has complex eigenvalues, of which NumPy makes complex arrays: write `a.astype(np.complex128)`")
    return values.real


def _for_each_matrix(tolerance):
    """What singular values are compared with: one number for all, or one for each matrix."""
    return np.float64(tolerance) if np.ndim(tolerance) == 0 else np.asarray(tolerance)[..., None]


def _inverse_or_zeros(a):
    """a^-1, or zeros for those that have none; which have none."""
    factored = _batch(a, a.shape[:-2], _double_type(a))
    x = np.array(np.broadcast_to(np.eye(a.shape[-1], dtype=factored.dtype), factored.shape))
    _eliminate(factored, x)
    is_singular = np.any(np.diagonal(factored, 0, 1, 2) == 0, axis=1)
    for k in range(a.shape[-1]):
        factored[:, k, k] += is_singular
    _substitute(factored, x)
    x[:] = np.where(is_singular[:, None, None], np.zeros(1, x.dtype), x)
    return np.reshape(x, a.shape), np.reshape(is_singular, a.shape[:-2])
