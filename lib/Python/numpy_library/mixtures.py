"""Methods of np.random.Generator that draw from what other distributions make up; the first parameter is its state. None are NumPy's
numbers (distributions.py)."""
import numpy as np

from ._common import _is_sequence
from .distributions import (_binomial, _check_above, _check_number, _delivered_counts, _delivered_numbers, _fraction, _log_gammas, _normals, _of_own_stream,
                            _own_block, _own_fractions)
from .generator import _elements


def _in_rows(made, size):
    """One row for each element of the shape."""
    if size is None:
        return made[0]
    return np.reshape(made, (size if _is_sequence(size) else (size,)) + (made.shape[1],))


def wald(self, mean, scale, size=None):
    """Michael, Schucany and Haas, Generating random variates using transformations with multiple roots, 1976."""
    count = _elements(size)
    middle = _check_above(mean)
    spread = _check_above(scale)
    y = middle * _normals(self, count) ** 2
    x = middle + middle / (2 * spread) * (y - np.sqrt(4 * spread * y + y * y))
    return _delivered_numbers(np.where(_own_fractions(self, count) <= middle / (middle + x), x, middle * middle / x), size)


def logseries(self, p, size=None):
    """Kemp, Efficient generation of logarithmically distributed pseudo-random variables, 1981."""
    chance = np.float64(_check_number(p))
    if not (chance > 0 and chance < 1):
        raise ValueError("p <= 0, p >= 1 or p is NaN")
    count = _elements(size)
    v = _own_fractions(self, count)
    q = -np.expm1(np.log1p(-chance) * _own_fractions(self, count))
    made = np.where(v <= q * q, np.floor(1 + np.log(v) / np.log(q)), np.where(v >= q, 1.0, 2.0))
    return _delivered_counts(np.maximum(made, 1.0).astype(np.int64), size)


def _noncentral(self, df, nonc, count):
    freedom = _check_above(df)
    away = np.float64(_check_number(nonc))
    if not away >= 0:
        raise ValueError("nonc < 0 or nonc is NaN")
    if freedom <= 1:
        raise NotImplementedError("`.noncentral_chisquare` takes more than one degree of freedom here")
    rest = 2 * np.exp(_log_gammas(self, (freedom - 1) / 2, count))
    return rest + (_normals(self, count) + np.sqrt(away)) ** 2


def noncentral_chisquare(self, df, nonc, size=None):
    return _delivered_numbers(_noncentral(self, df, nonc, _elements(size)), size)


def noncentral_f(self, dfnum, dfden, nonc, size=None):
    count = _elements(size)
    top = _noncentral(self, dfnum, nonc, count) / _check_above(dfnum)
    return _delivered_numbers(top / (2 * np.exp(_log_gammas(self, _check_above(dfden) / 2, count)) / dfden), size)


def _urn(key, place, good, bad, drawn):
    """How many of those drawn are good ones; so many blocks of four draws."""
    found = 0
    left = good
    others = bad
    for turn in range((drawn + 3) // 4):
        words = _own_block(key, place, turn)
        for k in range(4):
            if 4 * turn + k < drawn:
                if (1.0 - _fraction(words[k])) * (left + others) < left:
                    found = found + 1
                    left = left - 1
                else:
                    others = others - 1
    return found


def hypergeometric(self, ngood, nbad, nsample, size=None):
    good = int(_check_number(ngood))
    bad = int(_check_number(nbad))
    drawn = int(_check_number(nsample))
    if good < 0 or bad < 0 or drawn < 0:
        raise ValueError("ngood, nbad and nsample must be nonnegative")
    if drawn > good + bad:
        raise ValueError("ngood + nbad < nsample")
    key = _of_own_stream(self)
    made = np.empty(_elements(size), np.int64)
    for i in range(len(made)):
        made[i] = _urn(key, i, good, bad, drawn)
    return _delivered_counts(made, size)


def multinomial(self, n, pvals, size=None):
    trials = _check_number(n)
    if not np.issubdtype(np.asarray(n).dtype, np.integer):
        raise NotImplementedError("`n` of `.multinomial` is an integer")
    if trials < 0:
        raise ValueError("n < 0")
    p = np.asarray(pvals).astype(np.float64)
    if p.ndim != 1:
        raise NotImplementedError("`pvals` of `.multinomial` is a vector")
    if not (np.all(p >= 0) and np.all(p <= 1)):
        raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    if np.sum(p[:-1]) > 1.0 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")
    key = _of_own_stream(self)
    made = np.zeros((_elements(size), len(p)), np.int64)
    for i in range(made.shape[0]):
        left = np.float64(trials)
        rest = 1.0
        for j in range(len(p) - 1):
            chance = min(p[j] / rest, 1.0) if rest > 0 else 1.0
            drawn = _binomial(key, i * len(p) + j, left, min(chance, 1.0 - chance))
            drawn = drawn if chance <= 0.5 else left - drawn
            made[i, j] = np.int64(drawn)
            left = left - drawn
            rest = rest - p[j]
        if len(p) > 0:
            made[i, len(p) - 1] = np.int64(left)
    return _in_rows(made, size)


def dirichlet(self, alpha, size=None):
    shapes = np.asarray(alpha).astype(np.float64)
    if shapes.ndim != 1:
        raise ValueError("alpha must be a one-dimensional array")
    if not np.all(shapes > 0):
        raise ValueError("alpha < 0")
    count = _elements(size)
    made = np.empty((count, len(shapes)))
    for j in range(len(shapes)):
        made[:, j] = _log_gammas(self, shapes[j], count)
    made = np.exp(made - np.max(made, axis=1, keepdims=True, initial=-np.inf))
    return _in_rows(made / np.sum(made, axis=1, keepdims=True), size)


def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
    middle = np.asarray(mean).astype(np.float64)
    spread = np.asarray(cov).astype(np.float64)
    if middle.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if spread.ndim != 2:
        raise ValueError("cov must be 2 dimensional and square")
    if spread.shape[0] != spread.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if middle.shape[0] != spread.shape[0]:
        raise ValueError("mean and cov must have same length")
    n = len(middle)
    plain = np.reshape(_normals(self, _elements(size) * n), (_elements(size), n))
    values, vectors = np.linalg.eigh(spread)
    return _in_rows(middle + (plain * np.sqrt(np.maximum(values, 0.0))) @ vectors.T, size)
