"""scipy.stats.t: functions of Student's distribution."""
import numpy as np

from ._common import _log_gamma
from .special import _beta_part
from .special import _of_numbers


def _student_below(df, z):
    """How likely it is that a number is below z."""
    if df != df or z != z or not df > 0:
        return np.nan
    if np.isinf(z):
        return 1.0 if z > 0 else 0.0
    tail = 0.5 * _beta_part(df / 2, 0.5, df / (df + z * z)) if z * z > df else 0.5 - 0.5 * _beta_part(0.5, df / 2, z * z / (df + z * z))
    return 1 - tail if z > 0 else tail


def _standard_of(x, loc, scale):
    return np.where(np.float64(scale) > 0, (np.float64(x) - np.float64(loc)) / np.float64(scale), np.nan)


def cdf(x, df, loc=0, scale=1):
    return _of_numbers(_student_below, df, _standard_of(x, loc, scale))


def sf(x, df, loc=0, scale=1):
    return _of_numbers(_student_below, df, -_standard_of(x, loc, scale))


def pdf(x, df, loc=0, scale=1):
    z = _standard_of(x, loc, scale)
    n = np.float64(df)
    front = np.exp(_log_gamma((n + 1) / 2) - _log_gamma(n / 2)) / np.sqrt(n * np.pi)
    return np.where(n > 0, front * (1 + z * z / n) ** (-(n + 1) / 2) / np.float64(scale), np.nan)


def _student_quantile(df, p):
    """Where the distribution has come to p: bisection, as it rises."""
    if df != df or p != p or not df > 0 or p < 0 or p > 1:
        return np.nan
    if p == 0 or p == 1:
        return np.inf if p == 1 else -np.inf
    q = min(p, 1 - p)
    low = -1.0
    while _student_below(df, low) > q:
        low = low * 2
    high = 0.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if _student_below(df, middle) < q:
            low = middle
        else:
            high = middle
    found = 0.5 * (low + high)
    return -found if p > 0.5 else found


def ppf(q, df, loc=0, scale=1):
    return _of_numbers(_student_quantile, df, q) * np.float64(scale) + np.float64(loc)
