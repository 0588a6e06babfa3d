"""Numbers in rows, and grids of them."""
import numpy as np

from ._common import _is_sequence


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    if np.ndim(start) != 0 or np.ndim(stop) != 0 or np.ndim(base) != 0:
        raise NotImplementedError("`np.logspace` takes numbers")
    powers = np.power(base, np.linspace(start, stop, num, endpoint))
    return powers if dtype is None else powers.astype(dtype, copy=False)


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
