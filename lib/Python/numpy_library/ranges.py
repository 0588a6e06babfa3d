"""Numbers in rows, and grids of them."""
import numpy as np

from ._common import _is_sequence


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if np.ndim(start) != 0 or np.ndim(stop) != 0 or np.ndim(base) != 0:
        raise NotImplementedError("`np.logspace` takes numbers")
    powers = np.power(base, np.linspace(start, stop, num, endpoint))
    return powers if dtype is None else powers.astype(dtype, copy=False)


def _linspace(start, stop, num, endpoint, retstep, dtype, axis):
    """`np.linspace` of arrays, with a step, or of integers."""
    if _is_sequence(axis):
        raise TypeError("`axis=` of `np.linspace` is one number")
    first = np.asarray(start) * 1.0
    last = np.asarray(stop) * 1.0
    delta = np.asarray(last - first)
    parts = num - 1 if endpoint else num
    if retstep and delta.ndim > 0 and parts <= 0:
        raise NotImplementedError("the step of `np.linspace` between arrays is one number where there are no parts")
    step = delta / parts if parts > 0 else delta * np.nan
    if delta.ndim == 0:
        values = np.linspace(start, stop, num, endpoint)
    else:
        rows = np.reshape(np.arange(num), (num,) + (1,) * delta.ndim)
        if parts > 0:
            values = np.where(np.any(step == 0), rows / max(parts, 1) * delta, rows * step) + first
        else:
            values = rows * delta + first
        if endpoint:
            values = np.where((rows == num - 1) & (rows > 0), last, values)
    if axis != 0:
        values = np.moveaxis(values, 0, axis)
    if dtype is not None:
        values = (np.floor(values) if np.issubdtype(dtype, np.integer) else values).astype(dtype)
    if retstep:
        return values, step
    return values


def _spaced(start, stop, count):
    """`start:stop:5j` of `np.mgrid`."""
    n = int(abs(count))
    step = (stop - start) / (n - 1) if n != 1 else 1.0
    return np.arange(n) * step + start


def _spaced_by(start, stop, step):
    """`start:stop:0.5` of `np.mgrid`."""
    return np.arange(int(np.ceil((stop - start) / step))) * step + start


def _grid(x, d, ndim):
    """A vector along axis `d` of `ndim`."""
    for _ in range(ndim - 1 - d):
        x = x[..., None]
    for _ in range(d):
        x = x[None]
    return x


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if indexing != "xy" and indexing != "ij":
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    ndim = len(xi)
    vectors = ()
    shape = ()
    for one in xi:
        one = np.atleast_1d(one)
        if one.ndim != 1:
            raise NotImplementedError("`np.meshgrid` takes vectors")
        vectors = vectors + (one,)
        shape = shape + (one.shape[0],)
    turned = indexing == "xy" and ndim > 1
    if turned:
        shape = (shape[1], shape[0]) + shape[2:]
    if not copy:
        raise NotImplementedError("`copy=False` of `np.meshgrid` is not translated; leave it out")
    grids = ()
    for d in range(ndim):
        at = (1 - d) if turned and d < 2 else d
        along = _grid(vectors[d], at, ndim)
        if sparse:
            grids = grids + (np.copy(along),)
        else:
            grid = np.empty(shape, along.dtype)
            grid[...] = along
            grids = grids + (grid,)
    return grids


def indices(dimensions, dtype=int, sparse=False):
    if not _is_sequence(dimensions):
        raise TypeError("the dimensions of `np.indices` are a tuple")
    ndim = len(dimensions)
    if sparse:
        grids = ()
        for d in range(ndim):
            grids = grids + (_grid(np.arange(dimensions[d], dtype=dtype), d, ndim),)
        return grids
    made = np.empty((ndim,) + (*dimensions,), dtype)
    for d in range(ndim):
        made[d] = _grid(np.arange(dimensions[d], dtype=dtype), d, ndim)
    return made


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    if np.ndim(start) != 0 or np.ndim(stop) != 0:
        raise NotImplementedError("`np.geomspace` takes numbers")
    first = np.float64(start)
    last = np.float64(stop)
    if (first == 0) | (last == 0):
        raise ValueError("Geometric sequence cannot include zero")
    sign = np.sign(first)
    values = np.logspace(np.log10(first / sign), np.log10(last / sign), num, endpoint, 10.0)
    k = np.arange(num)
    values = np.where(k == 0, first / sign, values)
    if endpoint:
        values = np.where((k == num - 1) & (k > 0), last / sign, values)
    values = values * sign
    return values if dtype is None else values.astype(dtype, copy=False)


def _window(M):
    """The places of a window's samples, from -1 to 1, times the width."""
    return 1 - M + 2 * np.arange(M)


def hanning(M):
    return 0.5 + 0.5 * np.cos(np.pi * _window(M) / max(M - 1, 1))


def hamming(M):
    return 0.54 + 0.46 * np.cos(np.pi * _window(M) / max(M - 1, 1))


def blackman(M):
    n = _window(M)
    value = 0.42 + 0.5 * np.cos(np.pi * n / max(M - 1, 1)) + 0.08 * np.cos(2.0 * np.pi * n / max(M - 1, 1))
    return np.where(M == 1, 1.0, value)  # 0.42 + 0.5 + 0.08 is less


def bartlett(M):
    n = _window(M)
    return np.where(n <= 0, 1 + n / max(M - 1, 1), 1 - n / max(M - 1, 1))


def diag_indices(n, ndim=2):
    along = np.arange(n)
    return (along,) * ndim


def _bessel(x):
    """I0 of a number that is not below zero: its power series, or the one in 1/x where that ends sooner."""
    total = 1.0
    term = 1.0
    k = 1.0
    if x <= 40:
        while term > total * 1e-17:
            term = term * (x / (2 * k)) * (x / (2 * k))
            total = total + term
            k = k + 1
        return total
    while term > total * 1e-17 and k < 2 * x:
        term = term * (2 * k - 1) * (2 * k - 1) / (8 * k * x)
        total = total + term
        k = k + 1
    half = np.exp(x / 2)
    return half * (total / np.sqrt(2 * np.pi * x)) * half


def i0(x):
    x = np.asarray(x)
    if np.issubdtype(x.dtype, np.complexfloating):
        raise TypeError("i0 not supported for complex values")
    flat = np.ravel(abs(x.astype(np.float64)))
    values = np.empty(flat.shape)
    for i in range(len(flat)):
        values[i] = _bessel(flat[i]) if flat[i] == flat[i] else flat[i]
    kind = x.dtype if np.issubdtype(x.dtype, np.floating) else np.zeros(0).dtype
    made = np.reshape(values.astype(kind), x.shape)
    return np.where(np.isinf(np.exp(abs(x).astype(kind))), np.inf, made).astype(kind)  # of which NumPy's is a multiple


def kaiser(M, beta):
    middle = (M - 1) / 2.0
    n = np.arange(M)
    value = np.i0(beta * np.sqrt(1 - ((n - middle) / max(middle, 0.5)) ** 2.0)) / np.i0(np.zeros(1) + beta)[0]
    return np.where(M == 1, 1.0, value)


def fromiter(iter, dtype, count=-1, *, like=None):
    items = list(iter)
    if count >= 0:
        if len(items) < count:
            raise ValueError("iterator too short: Expected %d but iterator had only %d items." % (count, len(items)))
        items = items[:count]
    return np.array(items, dtype)
