"""Python's `statistics`, of floats: of integers some of them give whole numbers where these come out even."""
import numpy as np


def _statistics_floats(data):
    x = np.asarray(data)
    if not np.issubdtype(x.dtype, np.floating):
        raise NotImplementedError("of integers this is a whole number where it comes out even; convert them to floats, or write `statistics.fmean`, `np.median`")
    return x


def _statistics_kind(value, data):
    if isinstance(data, np.ndarray):
        return value
    return float(value)


def _require_points(x, least):
    if len(x) < least:
        raise NotImplementedError("this is asked of too few numbers, where Python raises statistics.StatisticsError; test `len(data)` before")


def _squared_deviations(x, least):
    _require_points(x, least)
    if len(x) == 0:
        return 0.0
    return np.sum((x - np.sum(x) / len(x)) ** 2)


def mean(data):
    x = _statistics_floats(data)
    _require_points(x, 1)
    return _statistics_kind(np.sum(x) / len(x), data)


def fmean(data):
    x = np.asarray(data) + 0.0
    _require_points(x, 1)
    return float(np.sum(x) / len(x))


def median(data):
    x = np.sort(_statistics_floats(data))
    _require_points(x, 1)
    n = len(x)
    return _statistics_kind(x[n // 2] if n % 2 == 1 else (x[n // 2 - 1] + x[n // 2]) / 2, data)


def variance(data):
    x = _statistics_floats(data)
    return _statistics_kind(_squared_deviations(x, 2) / (len(x) - 1), data)


def pvariance(data):
    x = _statistics_floats(data)
    return _statistics_kind(_squared_deviations(x, 1) / len(x), data)


def stdev(data):
    x = np.asarray(data) + 0.0
    return float(np.sqrt(_squared_deviations(x, 2) / (len(x) - 1)))


def pstdev(data):
    x = np.asarray(data) + 0.0
    return float(np.sqrt(_squared_deviations(x, 1) / len(x)))


def median_low(data):
    x = sorted(data)
    _require_points(x, 1)
    return x[(len(x) - 1) // 2]


def median_high(data):
    x = sorted(data)
    _require_points(x, 1)
    return x[len(x) // 2]


def harmonic_mean(data):
    x = _statistics_floats(data)
    _require_points(x, 1)
    if np.any(x < 0.0):
        raise NotImplementedError("negative values have no harmonic mean, where Python raises statistics.StatisticsError; test them before")
    if np.any(x == 0.0):
        return 0.0
    return float(len(x) / np.sum(1.0 / x))


def geometric_mean(data):
    x = np.asarray(data) + 0.0
    _require_points(x, 1)
    if np.any(x <= 0.0):
        raise NotImplementedError("the geometric mean is one of positive numbers; Python raises statistics.StatisticsError for others; test them before")
    return float(np.exp(np.sum(np.log(x)) / len(x)))
