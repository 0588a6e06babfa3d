"""Signals and samples: products with a shift, places in sorted arrays, counts."""
import numpy as np

from ._common import _is_constant


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


def _is_first_shorter(a, v):
    """As far as translation knows."""
    return _is_constant(len(a)) and (not _is_constant(len(v)) or len(v) > len(a))


def _needs_longer(longer, shorter):
    if len(shorter) > len(longer):
        raise NotImplementedError("`mode='same'` is translated where the array of which the length is open, or the first, is the longer one")


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
    if _is_first_shorter(a, v):
        return np.convolve(v, a, mode)
    turned = v[::-1]
    if mode == "same":
        _needs_longer(a, v)
        return _correlated(a, turned, -(len(v) // 2), len(a))
    return _correlated(a, turned, min(len(a) - len(v), 0), abs(len(a) - len(v)) + 1)


def correlate(a, v, mode="valid"):
    a = np.asarray(a)
    v = np.asarray(v)
    _checked(a, v, mode)
    turned = np.conj(v) if np.issubdtype(v.dtype, np.complexfloating) else v
    if mode == "full":
        return _correlated(a, turned, 1 - len(v), len(a) + len(v) - 1)
    if mode == "same":
        if _is_first_shorter(a, v):
            _needs_longer(v, a)
            return _correlated(a, turned, len(a) // 2 + 1 - len(v), len(v))
        _needs_longer(a, v)
        return _correlated(a, turned, -(len(v) // 2), len(a))
    return _correlated(a, turned, min(len(a) - len(v), 0), abs(len(a) - len(v)) + 1)


def searchsorted(a, v, side="left", sorter=None):
    a = np.asarray(a)
    v = np.asarray(v)
    if sorter is not None:
        order = np.asarray(sorter)
        if not np.issubdtype(order.dtype, np.integer) or order.ndim != 1:
            raise TypeError("sorter must only contain integers")
        if len(order) != len(a):
            raise ValueError("sorter.size must equal x.size")
        a = a[order]
    if side != "left" and side != "right":
        raise ValueError("search side must be 'left' or 'right'")
    place = _complex_place if np.issubdtype(np.result_type(a.dtype, v.dtype), np.complexfloating) else _place
    if v.ndim == 0:
        return place(a, v, side == "right")
    flat = np.ravel(v)
    places = np.empty(flat.shape, np.int64)
    for i in range(len(flat)):
        places[i] = place(a, flat[i], side == "right")
    return np.reshape(places, v.shape)


def _is_below(a, b):
    """In the order in which complex numbers are sorted: NaN behind all else, in the real part first."""
    x = a.real
    y = b.real
    if x < y:
        return a.imag == a.imag or b.imag != b.imag
    if x > y:
        return b.imag != b.imag and a.imag == a.imag
    if x == y or (x != x and y != y):
        return a.imag < b.imag or (b.imag != b.imag and a.imag == a.imag)
    return y != y


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


def _complex_place(a, value, right):
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) // 2
        if not _is_below(value, a[middle]) if right else _is_below(a[middle], value):
            low = middle + 1
        else:
            high = middle
    return np.int64(low)


def digitize(x, bins, right=False):
    bins = np.asarray(bins)
    if np.issubdtype(np.asarray(x).dtype, np.complexfloating):
        raise TypeError("x may not be complex")
    falls = np.any(bins[1:] < bins[:-1])
    if falls and np.any(bins[1:] > bins[:-1]):
        raise ValueError("bins must be monotonically increasing or decreasing")
    found = np.searchsorted(np.where(falls, bins[::-1], bins), x, "left" if right else "right")
    return np.where(falls, len(bins) - found, found)


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
    k = max(min(low - 1, n - 2), 0)
    after = min(k + 1, n - 1)
    slope = (fp[after] - fp[k]) / (xp[after] - xp[k])
    result = slope * (value - xp[k]) + fp[k]
    if result != result:
        result = slope * (value - xp[after]) + fp[after]
        if result != result and fp[k] == fp[after]:
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


def _all_interpolated(x, xp, fp, low, high):
    if x.ndim == 0:
        return _interpolated(np.float64(x), xp, fp, low, high)
    flat = np.ravel(x)
    values = np.empty(flat.shape)
    for i in range(len(flat)):
        values[i] = _interpolated(flat[i], xp, fp, low, high)
    return np.reshape(values, x.shape)


def interp(x, xp, fp, left=None, right=None, period=None):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating) or np.issubdtype(np.asarray(xp).dtype, np.complexfloating):
        if period is not None and np.size(xp) > 0:
            raise NotImplementedError("`np.interp` at complex numbers is not translated; take `.real`")
        if period is not None:
            raise ValueError("array of sample points is empty")
        raise TypeError("Cannot cast array data from dtype('complex128') to dtype('float64') according to the rule 'safe'")
    xp = np.asarray(xp).astype(np.float64)
    fp = np.asarray(fp)
    if np.issubdtype(fp.dtype, np.complexfloating):
        raise NotImplementedError("`np.interp` of complex numbers is not translated; take `.real` and `.imag`")
    fp = fp.astype(np.float64)
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("Data points must be 1-D sequences")
    if len(xp) != len(fp):
        raise ValueError("fp and xp are not of the same length.")
    if len(xp) == 0:
        raise ValueError("array of sample points is empty")
    low = fp[0] if left is None or period is not None else np.float64(left)
    high = fp[-1] if right is None or period is not None else np.float64(right)
    if period is None:
        return _all_interpolated(x.astype(np.float64), xp, fp, low, high)
    width = abs(np.float64(period))
    if width == 0:
        raise ValueError("period must be a non-zero value")
    xp = xp % width
    order = np.argsort(xp, kind="stable")
    xp = xp[order]
    fp = fp[order]
    xp = np.concatenate((xp[-1:] - width, xp, xp[:1] + width))
    fp = np.concatenate((fp[-1:], fp, fp[:1]))
    return _all_interpolated(x.astype(np.float64) % width, xp, fp, low, high)


def bincount(x, /, weights=None, minlength=0):
    x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError("object too deep for desired array")
    if not np.issubdtype(x.dtype, np.integer) and x.dtype != np.bool_ or x.dtype == np.uint64:
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    places = x.astype(np.int64)
    if not np.issubdtype(x.dtype, np.unsignedinteger) and np.min(places, initial=0) < 0:
        raise ValueError("'list' argument must have no negative elements")
    if x.dtype == np.uint8 and _is_constant(minlength) and minlength >= 256:  # nobody has to look
        size = minlength
    else:
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
