"""Methods of np.random.Generator that draw from what other distributions make up; the first parameter is its state. None are NumPy's
numbers (distributions.py)."""
import numpy as np

from ._common import _is_sequence
from .distributions import (_binomial, _check_above, _check_number, _delivered_counts, _delivered_numbers, _fraction, _log_gammas, _normal_pair, _normals,
                            _of_own_stream, _own_block, _own_fractions, _shuffle_places)
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


def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
    counts = np.asarray(colors)
    if counts.ndim != 1 or not np.issubdtype(counts.dtype, np.integer):
        raise ValueError("colors must be a one-dimensional sequence of nonnegative integers")
    drawn = int(_check_number(nsample))
    if np.any(counts < 0) or drawn < 0:
        raise ValueError("colors and nsample must be nonnegative")
    if drawn > np.sum(counts):
        raise ValueError("nsample > sum(colors)")
    key = _of_own_stream(self)
    made = np.zeros((_elements(size), len(counts)), np.int64)
    for i in range(made.shape[0]):
        left = drawn
        rest = int(np.sum(counts))
        for j in range(len(counts)):
            rest = rest - int(counts[j])
            found = _urn(key, i * len(counts) + j, int(counts[j]), rest, left)
            made[i, j] = found
            left = left - found
    return _in_rows(made, size)


def _angle(key, place, kappa):
    """Best and Fisher, Efficient simulation of the von Mises distribution, 1979; of great kappas a normal one."""
    if kappa < 1e-8:
        return np.pi * (2 * _fraction(_own_block(key, place, 0)[0]) - 1)
    if kappa > 1e6:
        one, two, three, four = _own_block(key, place, 0)
        return np.arctan2(np.sin(_normal_pair(one, two)[0] / np.sqrt(kappa)), np.cos(_normal_pair(one, two)[0] / np.sqrt(kappa)))
    r = 1 + np.sqrt(1 + 4 * kappa * kappa)
    rho = (r - np.sqrt(2 * r)) / (2 * kappa)
    s = 1 / kappa + kappa if kappa < 1e-5 else (1 + rho * rho) / (2 * rho)
    turn = 0
    found = 0.0
    searching = True
    while searching:
        one, two, three, four = _own_block(key, place, turn)
        turn = turn + 1
        z = np.cos(np.pi * _fraction(one))
        w = (1 + s * z) / (s + z)
        y = kappa * (s - w)
        v = _fraction(two)
        if y * (2 - y) >= v or np.log(y / v) + 1 - y >= 0:
            found = np.arccos(np.minimum(np.maximum(w, -1.0), 1.0))
            if _fraction(three) < 0.5:
                found = -found
            searching = False
    return found


def vonmises(self, mu, kappa, size=None):
    middle = np.float64(_check_number(mu))
    narrow = np.float64(_check_number(kappa))
    if not narrow >= 0:
        raise ValueError("kappa < 0 or kappa is NaN")
    key = _of_own_stream(self)
    made = np.empty(_elements(size))
    for i in range(len(made)):
        angle = middle + _angle(key, i, narrow)
        made[i] = angle - 2 * np.pi * np.floor((angle + np.pi) / (2 * np.pi))
    return _delivered_numbers(made, size)


def zipf(self, a, size=None):
    """Devroye, Non-uniform random variate generation, 1986, X.6.1."""
    power = np.float64(_check_number(a))
    if not power > 1:
        raise ValueError("a <= 1 or a is NaN")
    key = _of_own_stream(self)
    made = np.ones(_elements(size), np.int64)
    rest = power - 1
    b = np.power(2.0, rest)
    least = np.power(9.223372036854775e18, -rest)
    for i in range(len(made)):
        turn = 0
        searching = power < 1025
        while searching:
            words = _own_block(key, i, turn)
            turn = turn + 1
            u = _fraction(words[0])
            x = np.floor(np.power(u + (1 - u) * least, -1 / rest))
            if x >= 1 and x < 9.2e18:
                t = np.power(1 + 1 / x, rest)
                if _fraction(words[1]) * x * (t - 1) / (b - 1) <= t / b:
                    made[i] = np.int64(x)
                    searching = False
    return _delivered_counts(made, size)


def permuted(self, x, *, axis=None, out=None):
    """NumPy's numbers, as `shuffle` is."""
    if out is not None:
        raise NotImplementedError("`out=` of `.permuted` is not translated; write `out[...] = `")
    a = np.asarray(x)
    if axis is None:
        places = np.arange(a.size)
        _shuffle_places(self, places)
        return np.reshape(np.ravel(a)[places], a.shape)
    lines = np.moveaxis(a, axis, -1)
    made = np.empty(lines.shape, a.dtype)
    for at in np.ndindex(lines.shape[:-1]):
        places = np.arange(lines.shape[-1])
        _shuffle_places(self, places)
        made[at] = lines[at][places]
    return np.moveaxis(made, -1, axis)


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
