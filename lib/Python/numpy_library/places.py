"""Where elements stand: one number and several, triangles, choices by number."""
import numpy as np

from ._common import _is_sequence


def unravel_index(indices, shape, order="C"):
    if order != "C" and order != "F":
        raise ValueError("only 'C' or 'F' order is permitted")
    places = np.asarray(indices)
    if not np.issubdtype(places.dtype, np.integer):
        raise TypeError("only int indices permitted")
    extents = shape if _is_sequence(shape) else (shape,)
    count = 1
    for extent in extents:
        count = count * extent
    if np.any((places < 0) | (places >= count)):
        raise ValueError("index is out of bounds for array of this shape")
    rest = places.astype(np.int64)
    found = ()
    for k in range(len(extents)):
        d = k if order == "F" else len(extents) - 1 - k
        extent = np.int64(max(extents[d], 1))
        one = rest % extent
        found = found + (one,) if order == "F" else (one,) + found
        rest = rest // extent
    return found


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    if order != "C" and order != "F":
        raise ValueError("only 'C' or 'F' order is permitted")
    if mode not in ("raise", "wrap", "clip"):
        raise NotImplementedError("`mode=` of `np.ravel_multi_index` is 'raise', 'wrap' or 'clip'")
    extents = dims if _is_sequence(dims) else (dims,)
    if not _is_sequence(multi_index):
        if np.ndim(multi_index) == 0 or multi_index.shape[0] != len(extents):
            raise ValueError("parameter multi_index must be a sequence of length %d" % len(extents))
        rows = ()
        for k in range(len(extents)):
            rows = rows + (multi_index[k],)
        multi_index = rows
    if len(multi_index) != len(extents):
        raise ValueError("parameter multi_index must be a sequence of the length of dims")
    place = np.int64(0)
    for k in range(len(extents)):
        d = len(extents) - 1 - k if order == "F" else k
        if not np.issubdtype(np.asarray(multi_index[d]).dtype, np.integer):
            raise TypeError("only int indices permitted")
        index = np.asarray(multi_index[d]).astype(np.int64)
        if mode == "wrap":
            index = index % extents[d]
        elif mode == "clip":
            index = np.minimum(np.maximum(index, 0), extents[d] - 1)
        elif np.any((index < 0) | (index >= extents[d])):
            raise ValueError("invalid entry in coordinates array")
        place = place * extents[d] + index
    return place


def tril_indices(n, k=0, m=None):
    return np.nonzero(np.tri(n, m, k, dtype=bool))


def triu_indices(n, k=0, m=None):
    return np.nonzero(~np.tri(n, m, k - 1, dtype=bool))


def tril_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return np.tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr, k=0):
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return np.triu_indices(arr.shape[0], k, arr.shape[1])


def diag_indices_from(arr):
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    for extent in arr.shape:
        if extent != arr.shape[0]:
            raise ValueError("All dimensions of input must be of equal length")
    return np.diag_indices(arr.shape[0], arr.ndim)


def choose(a, choices, out=None, mode="raise"):
    if out is not None:
        raise NotImplementedError("`out=` of `np.choose` is not translated; assign the result")
    if mode not in ("raise", "wrap", "clip"):
        raise NotImplementedError("`mode=` of `np.choose` is 'raise', 'wrap' or 'clip'")
    if not _is_sequence(choices):
        raise NotImplementedError("the choices of `np.choose` are written as a tuple or list of them")
    number = np.asarray(a)
    if not np.issubdtype(number.dtype, np.integer) or number.dtype == np.uint64:
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    number = number.astype(np.int64)
    count = len(choices)
    if mode == "raise":
        if np.any((number < 0) | (number >= count)):
            raise ValueError("invalid entry in choice array")
    number = number % count if mode == "wrap" else np.minimum(np.maximum(number, 0), count - 1)
    arrays = ()
    for one in choices:
        arrays = arrays + (np.asarray(one) if _is_sequence(one) else one,)
    kind = np.result_type(*arrays)
    choices = arrays
    arrays = ()
    for one in choices:
        arrays = arrays + (np.asarray(one),)
    chosen = arrays[count - 1].astype(kind)
    for k in range(count - 2, -1, -1):
        chosen = np.where(number == k, arrays[k].astype(kind), chosen)
    return chosen + np.zeros(number.shape, kind) if kind != np.bool_ else chosen | np.zeros(number.shape, bool)
