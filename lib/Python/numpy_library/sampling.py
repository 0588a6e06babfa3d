"""Signals and samples: products with a shift, places in sorted arrays, counts."""
import numpy as np

from ._common import _is_sequence


def _correlated(a, v, first, count):
    """sum over k of a[n + k] * v[k] for n = first, first + 1, ..."""
    kind = np.result_type(a, v)
    out = np.zeros(count, kind)
    for i in range(count):
        total = np.zeros((), kind)[()]
        for k in range(max(0, -(i + first)), min(len(v), len(a) - (i + first))):
            total = total + a[i + first + k].astype(kind) * v[k].astype(kind)
        out[i] = total
    return out


def _inside(a, v, mode):
    """The products of which all, or the middle, is wanted; `a` is the longer one."""
    if len(v) > len(a):
        raise NotImplementedError("`mode=` other than 'full' is translated where the second array is not the longer one")
    if mode == "same":
        return _correlated(a, v, -(len(v) // 2), len(a))
    return _correlated(a, v, 0, len(a) - len(v) + 1)


def _checked(a, v, mode):
    if mode != "full" and mode != "same" and mode != "valid":
        raise ValueError("mode must be one of 'valid', 'same', or 'full'")
    if a.ndim != 1 or v.ndim != 1:
        raise ValueError("object too deep for desired array")
    if len(a) == 0:
        raise ValueError("first array argument cannot be empty")
    if len(v) == 0:
        raise ValueError("second array argument cannot be empty")


def convolve(a, v, mode="full"):
    a = np.asarray(a)
    v = np.asarray(v)
    _checked(a, v, mode)
    if mode == "full":
        return _correlated(a, v[::-1], 1 - len(v), len(a) + len(v) - 1)
    return _inside(a, v[::-1], mode)


def correlate(a, v, mode="valid"):
    a = np.asarray(a)
    v = np.asarray(v)
    _checked(a, v, mode)
    turned = np.conj(v) if np.issubdtype(v.dtype, np.complexfloating) else v
    if mode == "full":
        return _correlated(a, turned, 1 - len(v), len(a) + len(v) - 1)
    return _inside(a, turned, mode)


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


def searchsorted(a, v, side="left", sorter=None):
    a = np.asarray(a)
    v = np.asarray(v)
    if sorter is not None:
        raise NotImplementedError("`sorter=` of `np.searchsorted` is not translated; index the array by it first")
    if side != "left" and side != "right":
        raise ValueError("search side must be 'left' or 'right'")
    if v.ndim == 0:
        return _place(a, v, side == "right")
    if v.ndim != 1:
        raise NotImplementedError("`np.searchsorted` takes a number or a vector of them")
    places = np.empty(v.shape, np.int64)
    for i in range(len(v)):
        places[i] = _place(a, v[i], side == "right")
    return places


def _place(a, value, right):
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) // 2
        if (a[middle] <= value or value != value) if right else (a[middle] < value or (value != value and a[middle] == a[middle])):
            low = middle + 1
        else:
            high = middle
    return np.int64(low)


def digitize(x, bins, right=False):
    bins = np.asarray(bins)
    if np.issubdtype(np.asarray(x).dtype, np.complexfloating):
        raise TypeError("x may not be complex")
    if np.any(bins[1:] < bins[:-1]):
        raise NotImplementedError("the bins of `np.digitize` increase")
    return np.searchsorted(bins, x, "left" if right else "right")


def _interpolated(value, xp, fp, left, right):
    n = len(xp)
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if value >= xp[middle]:
            low = middle + 1
        else:
            high = middle
    k = min(max(low - 1, 0), n - 2)
    slope = (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])
    result = slope * (value - xp[k]) + fp[k]
    if result != result:
        result = slope * (value - xp[k + 1]) + fp[k + 1]
        if result != result and fp[k] == fp[k + 1]:
            result = fp[k]
    if value != value:
        result = value
    elif low == 0:
        result = left
    elif value > xp[n - 1]:
        result = right
    elif value == xp[low - 1]:
        result = fp[low - 1]
    return result


def interp(x, xp, fp, left=None, right=None, period=None):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating) or np.issubdtype(np.asarray(xp).dtype, np.complexfloating):
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
    xp = np.asarray(xp).astype(np.float64)
    fp = np.asarray(fp)
    if period is not None:
        raise NotImplementedError("`period=` of `np.interp` is not translated")
    if np.issubdtype(fp.dtype, np.complexfloating):
        raise NotImplementedError("`np.interp` of complex numbers is not translated; take `.real` and `.imag`")
    fp = fp.astype(np.float64)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    if len(xp) == 1:
        raise NotImplementedError("`np.interp` between fewer than two points")
    low = fp[0] if left is None else np.float64(left)
    high = fp[-1] if right is None else np.float64(right)
    if x.ndim == 0:
        return _interpolated(np.float64(x), xp, fp, low, high)
    if x.ndim != 1:
        raise NotImplementedError("`np.interp` takes a number or a vector of them")
    values = np.empty(x.shape)
    for i in range(len(x)):
        values[i] = _interpolated(np.float64(x[i]), xp, fp, low, high)
    return values


def histogram(a, bins=10, range=None, density=None, weights=None):
    a = np.asarray(a)
    if np.ndim(bins) != 0 or a.ndim != 1:
        raise NotImplementedError("`np.histogram` takes a vector and a number of bins")
    if a.dtype != np.float64 and not np.issubdtype(a.dtype, np.integer):
        raise NotImplementedError("`np.histogram` takes float64 or integers; convert with .astype")
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    first = 0.0
    last = 1.0
    if range is not None:
        first = np.float64(range[0])
        last = np.float64(range[1])
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
    elif len(a) > 0:
        first = np.float64(a.min())
        last = np.float64(a.max())
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError("autodetected range is not finite")
    wider = 0.5 if first == last else 0.0
    first = first - wider
    last = last + wider
    edges = np.linspace(first, last, bins + 1, dtype=np.float64)
    if weights is None:
        counts = np.zeros(bins, np.int64)
        _count(counts, a, edges, first, last, None)
    else:
        heavy = np.asarray(weights)
        if heavy.shape != a.shape:
            raise ValueError("weights should have the same shape as a.")
        if heavy.dtype != np.float64:
            raise NotImplementedError("`weights=` of `np.histogram` are float64; convert with .astype")
        counts = np.zeros(bins)
        _count(counts, a, edges, first, last, heavy)
    if density is not None and density != False:
        return counts / np.diff(edges) / counts.sum(), edges
    return counts, edges


def _count(counts, a, edges, first, last, weights):
    bins = len(counts)
    for i in range(len(a)):
        value = np.float64(a[i])
        if value >= first and value <= last:
            k = min(int((value - first) / (last - first) * bins), bins - 1)
            if value < edges[k]:
                k = k - 1
            elif value >= edges[k + 1] and k != bins - 1:
                k = k + 1
            counts[k] += 1 if weights is None else weights[i]


def bincount(x, /, weights=None, minlength=0):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("object too deep for desired array")
    if not np.issubdtype(x.dtype, np.integer) and x.dtype != np.bool_ or x.dtype == np.uint64:
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    places = x.astype(np.int64)
    if np.min(places, initial=0) < 0:
        raise ValueError("'list' argument must have no negative elements")
    size = max(np.max(places, initial=-1) + 1, minlength)
    if weights is None:
        counts = np.zeros(size, np.int64)
        for i in range(len(places)):
            counts[places[i]] += 1
        return counts
    weights = np.asarray(weights)
    if weights.shape != x.shape:
        raise ValueError("The weights and list don't have the same length.")
    if np.issubdtype(weights.dtype, np.complexfloating):
        raise TypeError("Cannot cast array data from complex to float64 according to the rule 'safe'")
    if len(places) == 0:
        raise NotImplementedError("`np.bincount` of no numbers with weights: NumPy gives integers")
    sums = np.zeros(size, np.float64)
    for i in range(len(places)):
        sums[places[i]] += weights[i].astype(np.float64)
    return sums
