"""Polynomials, of which the highest power comes first."""
import numpy as np

from ._common import _is_sequence


def roots(p):
    c = np.atleast_1d(p)
    if c.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    if not np.issubdtype(c.dtype, np.inexact):
        c = c.astype(np.float64)
    first = 0
    while first < len(c) and c[first] == 0:
        first += 1
    behind = len(c)
    while behind > first and c[behind - 1] == 0:
        behind -= 1
    count = max(behind - first - 1, 0)
    companion = np.zeros((count, count), c.dtype)
    for k in range(count):
        companion[0, k] = -c[first + k + 1] / c[first]
        if k > 0:
            companion[k, k - 1] = 1
    found = np.zeros(count + (len(c) - behind if behind > first else 0), c.dtype)
    found[:count] = np.linalg.eigvals(companion)
    return found


def polyval(p, x):
    c = np.asarray(p)
    x = np.asarray(x)
    if _is_sequence(p):  # written out
        y = np.zeros_like(x)
        for k in range(len(p)):
            y = y * x + c[k]
        return y
    if len(c) == 0:
        raise NotImplementedError("`np.polyval` of no coefficients")
    if x.ndim == 0 and c.ndim == 1:
        z = np.zeros((), np.result_type(c, x)) + 0
        for k in range(len(c)):
            z = z * x + c[k]
        return z
    values = np.zeros((c[0] + x).shape, np.result_type(c, x))
    for k in range(len(c)):
        values[...] = values * x + c[k]
    return values


def _added(a1, a2, sign):
    a = np.atleast_1d(a1)
    b = np.atleast_1d(a2)
    size = max(len(a), len(b))
    kind = np.result_type(a.dtype, b.dtype)
    total = np.zeros(size, kind)
    total[size - len(a):] = a
    if kind == np.bool_:
        if sign < 0:
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported")
        total[size - len(b):] |= b
    elif sign < 0:
        total[size - len(b):] -= b
    else:
        total[size - len(b):] += b
    return total


def poly(seq_of_zeros):
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim != 1 or np.issubdtype(zeros.dtype, np.complexfloating):
        raise NotImplementedError("`np.poly` is translated of a vector of real zeros")
    if not np.issubdtype(zeros.dtype, np.floating):
        zeros = zeros.astype(np.float64)
    n = len(zeros)
    if n == 0:
        raise NotImplementedError("`np.poly` of no zeros is a number in NumPy")
    made = np.zeros(n + 1, zeros.dtype)
    made[0] = 1
    for i in range(n):
        made[1:i + 2] = made[1:i + 2] - zeros[i] * made[:i + 1]
    return made


def polyadd(a1, a2):
    return _added(a1, a2, 1)


def polysub(a1, a2):
    return _added(a1, a2, -1)


def _trimmed(p):
    """Without the zeros before the first number that is none; the last one stays."""
    c = np.atleast_1d(np.asarray(p))
    if c.ndim != 1:
        raise ValueError("Polynomial must be 1d only.")
    if len(c) == 0:
        raise NotImplementedError("a polynomial has coefficients here")
    places = np.arange(len(c))
    first = np.min(np.where(c != 0, places, len(c)), initial=len(c))
    return c[min(first, len(c) - 1):]


def poly1d(c_or_r, r=False, variable=None):
    """What it gives at a place is all that it can say."""
    if r or variable is not None:
        raise NotImplementedError("`np.poly1d` is translated of coefficients; write `np.poly(roots)`")
    c = np.array(np.atleast_1d(np.asarray(c_or_r)))
    if c.ndim != 1:
        raise ValueError("Polynomial must be 1d only.")

    def value(x):
        return np.polyval(c, x)

    return value


def polymul(a1, a2):
    return np.convolve(_trimmed(a1), _trimmed(a2))


def polydiv(u, v):
    u = np.atleast_1d(np.asarray(u)) + 0.0
    v = np.atleast_1d(np.asarray(v)) + 0.0
    kind = np.result_type(u.dtype, v.dtype)
    q = np.zeros(max(len(u) - len(v) + 1, 1), kind)
    rest = u.astype(kind)
    scale = 1.0 / v[0]
    for k in range(len(u) - len(v) + 1):
        d = scale * rest[k]
        q[k] = d
        rest[k:k + len(v)] -= d * v
    first = 0
    while first < len(rest) - 1 and np.abs(rest[first]) <= 1e-8:
        first += 1
    return q, rest[first:]


def polyder(p, m=1):
    if m < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    c = np.asarray(p)
    for _ in range(m):
        if len(c) == 0:
            raise NotImplementedError("`np.polyder` of no coefficients")
        c = c[:-1] * np.arange(len(c) - 1, 0, -1)
    return c


def polyint(p, m=1, k=None):
    if m < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    if k is not None and (_is_sequence(k) or np.ndim(k) > 0):
        raise NotImplementedError("`k=` of `np.polyint` is a number")
    c = np.asarray(p)
    for _ in range(m):
        whole = np.zeros(len(c) + 1, np.result_type(c.dtype, np.float64, 0.0 if k is None else k))
        whole[:-1] = c / np.arange(len(c), 0, -1)
        if k is not None:
            whole[-1] = k
        c = whole
    return c


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    if full != False or cov != False:
        raise NotImplementedError("`full=` and `cov=` of `np.polyfit` are not translated")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    x = np.asarray(x) + 0.0
    y = np.asarray(y) + 0.0
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if y.ndim != 1:
        raise NotImplementedError("`np.polyfit` takes a vector of values; fit the columns one by one")
    if len(x) == 0:
        raise TypeError("expected non-empty vector for x")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    lhs = np.vander(x, deg + 1)
    if w is not None:
        heavy = np.asarray(w) + 0.0
        if heavy.shape != x.shape:
            raise TypeError("expected w and y to have the same length")
        lhs = lhs * heavy[:, None]
        y = y * heavy
    if np.issubdtype(np.result_type(x, y), np.complexfloating):
        raise NotImplementedError("`np.polyfit` of complex numbers is not translated; fit `.real` and `.imag`")
    scale = np.sqrt(np.sum(lhs * lhs, 0))
    if not np.all((scale > 0) & np.isfinite(scale)):
        raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    if len(x) < deg + 1:
        raise NotImplementedError("`np.polyfit` to fewer points than coefficients is not translated")
    q, r = np.linalg.qr(lhs / scale)
    sizes = abs(r[np.arange(deg + 1), np.arange(deg + 1)])
    least = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
    if np.min(sizes) <= 8 * least * np.max(sizes):
        raise NotImplementedError("`np.polyfit` of points that do not say what all coefficients are is not translated")
    turned = q.T @ y
    return np.linalg.solve(r, turned) / scale
