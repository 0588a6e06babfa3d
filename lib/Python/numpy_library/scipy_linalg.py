"""scipy.linalg, where it is NumPy's or close to it."""
import numpy as np


def norm(a, ord=None, axis=None, keepdims=False):
    return np.linalg.norm(a, ord, axis, keepdims)


def inv(a):
    return np.linalg.inv(a)


def det(a):
    return np.linalg.det(a)


def solve(a, b):
    return np.linalg.solve(a, b)


def svdvals(a):
    return np.linalg.svd(a, compute_uv=False)


def svd(a, full_matrices=True, compute_uv=True):
    return np.linalg.svd(a, full_matrices, compute_uv)


def eigvalsh(a):
    return np.linalg.eigvalsh(a)


def eigh(a):
    return np.linalg.eigh(a)


def cholesky(a, lower=False):
    factor = np.linalg.cholesky(a)
    return factor if lower else np.conj(factor.T)


def pinv(a):
    return np.linalg.pinv(a)


def toeplitz(c, r=None):
    column = np.asarray(c)
    if column.ndim != 1 or np.issubdtype(column.dtype, np.complexfloating):
        raise NotImplementedError("`scipy.linalg.toeplitz` is translated of real vectors")
    row = column if r is None else np.asarray(r)
    m = len(column)
    n = len(row)
    made = np.empty((m, n), np.result_type(column, row))
    for i in range(m):
        for j in range(n):
            made[i, j] = column[i - j] if i >= j else row[j - i]
    return made


def block_diag(*arrs):
    kind = np.result_type(*arrs)
    m = 0
    n = 0
    for one in arrs:
        block = np.atleast_2d(one)
        m = m + block.shape[0]
        n = n + block.shape[1]
    made = np.zeros((m, n), kind)
    i = 0
    j = 0
    for one in arrs:
        block = np.atleast_2d(one)
        made[i:i + block.shape[0], j:j + block.shape[1]] = block
        i = i + block.shape[0]
        j = j + block.shape[1]
    return made


def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True):
    rows = np.asarray(a)
    known = np.asarray(b)
    if rows.ndim != 2:
        raise ValueError("expected square matrix")
    if rows.shape[0] != rows.shape[1]:
        raise ValueError("expected square matrix")
    if trans == 2 or trans == "C":
        raise NotImplementedError("`trans=2` of `scipy.linalg.solve_triangular` is not translated; write `np.conj(a).T`")
    turned = trans == 1 or trans == "T"
    if turned:
        rows = np.transpose(rows)
    n = rows.shape[0]
    x = known.astype(np.result_type(rows, known, np.float32))
    for k in range(n):
        i = k if lower != turned else n - 1 - k
        if not unit_diagonal:
            if rows[i, i] == 0:
                raise np.linalg.LinAlgError("singular matrix")
            x[i] = x[i] / rows[i, i]
        for j in range(n):
            if (j > i) if lower != turned else (j < i):
                x[j] = x[j] - rows[j, i] * x[i]
    return x
