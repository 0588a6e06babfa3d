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


def _counted(data):
    """Each number once, as they come first, and how often it is there."""
    x = np.asarray(data)
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    begins = [k for k in range(len(x)) if k == 0 or ordered[k] != ordered[k - 1]]
    first = order[begins]
    counts = np.diff(np.append(begins, len(x)))
    came = np.argsort(first)
    return first[came], counts[came]


def mode(data):
    _require_points(data, 1)
    first, counts = _counted(data)
    return data[first[np.argmax(counts)]]


def multimode(data):
    if len(data) == 0:
        return []
    first, counts = _counted(data)
    most = np.max(counts)
    return [data[first[k]] for k in range(len(first)) if counts[k] == most]


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise NotImplementedError("this many groups there are not, where Python raises statistics.StatisticsError")
    x = sorted(data)
    _require_points(x, 2)
    size = len(x)
    found = []
    for i in range(1, n):
        if method == "inclusive":
            j = i * (size - 1) // n
            delta = i * (size - 1) - j * n
            found.append((x[j] * (n - delta) + x[j + 1] * delta) / n)
        else:
            j = min(max(i * (size + 1) // n, 1), size - 1)
            delta = i * (size + 1) - j * n
            found.append((x[j - 1] * (n - delta) + x[j] * delta) / n)
    return found


def _from_means(x, y):
    """As many numbers on both sides, each less the mean of its side."""
    a = np.asarray(x) + 0.0
    b = np.asarray(y) + 0.0
    if len(a) != len(b):
        raise NotImplementedError("this is asked of as many numbers on both sides; Python raises statistics.StatisticsError else")
    _require_points(a, 2)
    return a - np.sum(a) / len(a), b - np.sum(b) / len(b)


def covariance(x, y, /):
    a, b = _from_means(x, y)
    return float(np.sum(a * b) / (len(a) - 1))


def correlation(x, y, /):
    a, b = _from_means(x, y)
    across = np.sum(a * a) * np.sum(b * b)
    if across == 0.0:
        raise NotImplementedError("one side is constant, where Python raises statistics.StatisticsError; test it before")
    return float(np.sum(a * b) / np.sqrt(across))
