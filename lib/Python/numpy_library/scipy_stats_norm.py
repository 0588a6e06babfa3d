"""scipy.stats.norm: functions of the normal distribution."""
import numpy as np

from ._common import _erfc
from .special import _normal_quantile


def _standard(x, loc, scale):
    if np.issubdtype(np.result_type(x, loc, scale), np.complexfloating):
        raise NotImplementedError("functions of scipy.stats are translated for real numbers")
    return (np.float64(x) - np.float64(loc)) / np.float64(scale)


def _where_valid(found, scale):
    """NaN where the scale is none."""
    return np.where(np.float64(scale) > 0, found, np.nan)


def pdf(x, loc=0, scale=1):
    z = _standard(x, loc, scale)
    return _where_valid(np.exp(-z * z / 2.0) / np.sqrt(2 * np.pi) / scale, scale)


def logpdf(x, loc=0, scale=1):
    z = _standard(x, loc, scale)
    return _where_valid(-z * z / 2.0 - np.log(np.sqrt(2 * np.pi)) - np.log(np.float64(scale)), scale)


def cdf(x, loc=0, scale=1):
    return _where_valid(0.5 * _erfc(_standard(x, loc, scale) * -np.sqrt(0.5)), scale)


def sf(x, loc=0, scale=1):
    return _where_valid(0.5 * _erfc(_standard(x, loc, scale) * np.sqrt(0.5)), scale)


def ppf(q, loc=0, scale=1):
    p = np.float64(q)
    return _where_valid(_normal_quantile(p, p - 0.5) * scale + loc, scale)


def isf(q, loc=0, scale=1):
    p = np.float64(q)
    return _where_valid(-_normal_quantile(p, p - 0.5) * scale + loc, scale)
