"""scipy.linalg, where it is NumPy's or close to it."""
import numpy as np

from ._factoring import _linear_type


def norm(a, ord=None, axis=None, keepdims=False):
    return np.linalg.norm(a, ord, axis, keepdims)


def inv(a):
    return np.linalg.inv(a)


def det(a):
    return np.linalg.det(a)


def solve(a, b):
    return np.linalg.solve(a, b)


def lstsq(a, b, cond=None):
    a = np.asarray(a)
    b = np.asarray(b)
    type = np.result_type(_linear_type(a), _linear_type(b))
    x, residuals, rank, s = np.linalg.lstsq(a, b, np.finfo(type).eps if cond is None else cond)
    if b.ndim > 1:
        return x, residuals, int(rank), s
    if a.shape[0] <= a.shape[1] or rank < a.shape[1]:
        raise NotImplementedError("`scipy.linalg.lstsq` has no residuals where nothing is left over or the rank is less; write `np.linalg.lstsq`")
    return x, residuals[0], int(rank), s


def svdvals(a):
    return np.linalg.svd(a, compute_uv=False)


def svd(a, full_matrices=True, compute_uv=True):
    if not compute_uv:
        return np.linalg.svd(a, full_matrices, compute_uv)
    u, s, vh = np.linalg.svd(a, full_matrices)
    return u, s, vh


def eigvalsh(a):
    return np.linalg.eigvalsh(a)


def eigh(a, *, eigvals_only=False):
    if eigvals_only:
        return np.linalg.eigvalsh(a)
    values, vectors = np.linalg.eigh(a)
    return values, vectors


def lu_factor(a):
    """By rows, of which the largest is chosen in each column; and with which row each has changed places."""
    factored = np.array(a)
    factored = factored.astype(_linear_type(factored))
    if factored.ndim != 2:
        raise NotImplementedError("`scipy.linalg.lu_factor` is translated of one matrix")
    if factored.shape[0] != factored.shape[1]:
        raise NotImplementedError("`scipy.linalg.lu_factor` is translated of square matrices")
    n = factored.shape[0]
    places = np.zeros(n, np.int32)
    for k in range(n):
        p = k + np.argmax(np.abs(factored[k:, k]))
        places[k] = p
        kept = factored[k].copy()
        factored[k] = factored[p]
        factored[p] = kept
        if factored[k, k] != 0:
            factored[k + 1:, k] /= factored[k, k]
            factored[k + 1:, k + 1:] -= np.outer(factored[k + 1:, k], factored[k, k + 1:])
    return factored, places


def lu_solve(lu_and_piv, b):
    factored, places = lu_and_piv
    x = np.array(b).astype(np.result_type(factored, b))
    n = factored.shape[0]
    for k in range(n):
        p = places[k]
        kept = np.copy(x[k])
        x[k] = x[p]
        x[p] = kept
    for k in range(n):
        for i in range(k + 1, n):
            x[i] = x[i] - factored[i, k] * x[k]
    for step in range(n):
        k = n - 1 - step
        x[k] = x[k] / factored[k, k]
        for i in range(k):
            x[i] = x[i] - factored[i, k] * x[k]
    return x


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


def circulant(c):
    column = np.asarray(c)
    if column.ndim != 1:
        raise NotImplementedError("`scipy.linalg.circulant` is translated of a vector")
    n = len(column)
    made = np.empty((n, n), column.dtype)
    for i in range(n):
        for j in range(n):
            made[i, j] = column[(i - j) % n]
    return made


def hankel(c, r=None):
    column = np.asarray(c)
    row = np.zeros_like(column) if r is None else np.asarray(r)
    if column.ndim != 1 or row.ndim != 1:
        raise NotImplementedError("`scipy.linalg.hankel` is translated of vectors")
    m = len(column)
    n = len(row)
    made = np.empty((m, n), np.result_type(column, row))
    for i in range(m):
        for j in range(n):
            made[i, j] = column[i + j] if i + j < m else row[i + j - m + 1]
    return made


def hilbert(n):
    made = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            made[i, j] = 1.0 / (i + j + 1)
    return made


def qr(a, mode="full"):
    if mode == "r":
        return (np.linalg.qr(a, "complete")[1],)
    if mode != "full" and mode != "economic":
        raise NotImplementedError("`mode=` of `scipy.linalg.qr` is 'full', 'r' or 'economic'")
    q, r = np.linalg.qr(a, "complete" if mode == "full" else "reduced")
    return q, r


def expm(A):
    """The Pade approximant of degree 13, scaled and squared (Higham, The scaling and squaring method for the matrix exponential
    revisited, 2005)."""
    a = np.asarray(A)
    if a.ndim != 2:
        raise NotImplementedError("`scipy.linalg.expm` is translated of one matrix")
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    kind = np.result_type(a, np.float32) if np.issubdtype(a.dtype, np.inexact) else np.float64
    wide = a.astype(np.result_type(kind, np.float64))
    size = np.max(np.sum(np.abs(wide), axis=0), initial=0.0)
    halvings = 0
    while size > 5.371920351148152:
        size = size / 2
        halvings += 1
    x = wide * 0.5 ** halvings
    one = np.eye(a.shape[0], dtype=x.dtype)
    x2 = x @ x
    x4 = x2 @ x2
    x6 = x4 @ x2
    odd = x @ (x6 @ (x6 + 16380.0 * x4 + 40840800.0 * x2) + 33522128640.0 * x6 + 10559470521600.0 * x4 + 1187353796428800.0 * x2
               + 32382376266240000.0 * one)
    even = x6 @ (182.0 * x6 + 960960.0 * x4 + 1323241920.0 * x2) + 670442572800.0 * x6 + 129060195264000.0 * x4 + 7771770303897600.0 * x2 \
        + 64764752532480000.0 * one
    made = np.linalg.solve(even - odd, even + odd)
    for _ in range(halvings):
        made[...] = made @ made
    return made.astype(kind)


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
