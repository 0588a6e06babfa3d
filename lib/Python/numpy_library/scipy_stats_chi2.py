"""scipy.stats.chi2: functions of the chi-square distribution."""
import numpy as np

from .special import _incomplete_gamma
from .special import _of_numbers


def _shifted(x, loc, scale):
    return (np.float64(x) - np.float64(loc)) / np.float64(scale)


def _chi2_below(df, x):
    return np.nan if not df > 0 or x != x else 0.0 if x <= 0 else _incomplete_gamma(df / 2, x / 2, False)


def _chi2_above(df, x):
    return np.nan if not df > 0 or x != x else 1.0 if x <= 0 else _incomplete_gamma(df / 2, x / 2, True)


def cdf(x, df, loc=0, scale=1):
    return _of_numbers(_chi2_below, df, _shifted(x, loc, scale))


def sf(x, df, loc=0, scale=1):
    return _of_numbers(_chi2_above, df, _shifted(x, loc, scale))
