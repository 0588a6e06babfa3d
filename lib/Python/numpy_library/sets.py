"""Vectors as sets."""
import numpy as np

from ._common import _axis, _first_of_runs, _order_of_rows, _sorted_rows


def _begins(a, equal_nan):
    """Where an element of the sorted vector is not as the one before; NaN are all one if they count as equal."""
    places = np.arange(a.shape[0])
    before = a[np.maximum(places - 1, 0)]
    differs = a != before
    if equal_nan and np.issubdtype(a.dtype, np.inexact):
        differs = differs & ~(np.isnan(a) & np.isnan(before))
    return differs | (places == 0)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    ar = np.asarray(ar)
    if axis is not None and (ar.ndim != 1 or axis not in (0, -1)):
        return _unique_rows(ar, return_index, return_inverse, return_counts, axis)
    flat = ar if ar.ndim == 1 else np.ravel(ar)
    order = flat
    if return_index or return_inverse:
        order = _order_of_rows(flat)
        ascending = flat[order]
    else:
        ascending = _sorted_rows(flat)
    is_alone = not return_index and not return_inverse and not return_counts
    if is_alone and equal_nan and not np.issubdtype(ar.dtype, np.complexfloating):
        return _first_of_runs(ascending)
    begins = _begins(ascending, equal_nan)
    if is_alone:
        return ascending[begins]
    first = np.flatnonzero(begins)
    result = (ascending[first],)
    if return_index:
        result = result + (order[first],)
    if return_inverse:
        inverse = np.empty(flat.shape, np.int64)
        inverse[order] = np.cumsum(begins) - 1
        result = result + (np.reshape(inverse, ar.shape) if axis is None else inverse,)
    if return_counts:
        counts = np.empty(first.shape, np.int64)
        counts[:-1] = first[1:] - first[:-1]
        counts[-1:] = flat.size - first[-1:]
        result = result + (counts,)
    return result


def _unique_rows(ar, return_index, return_inverse, return_counts, axis):
    """Whole rows count as one element; NaN are never equal in them."""
    if np.issubdtype(ar.dtype, np.complexfloating):
        raise NotImplementedError("`axis=` of `np.unique` is not translated for complex numbers")
    at = _axis(axis, ar.ndim)
    moved = np.moveaxis(ar, at, 0)
    count = moved.shape[0]
    width = 1
    for d in range(1, ar.ndim):
        width = width * moved.shape[d]
    rows = np.reshape(moved, (count, width)) if ar.ndim != 2 else moved
    order = np.arange(count)
    for k in range(rows.shape[1] - 1, -1, -1):
        order[...] = order[_order_of_rows(rows[order, k])]
    ascending = rows[order]
    begins = np.ones(count, bool)
    begins[1:] = np.any(ascending[1:] != ascending[:-1], 1)
    first = np.flatnonzero(begins)
    found = ascending[first]
    if ar.ndim != 2:
        found = np.reshape(found, (found.shape[0],) + moved.shape[1:])
    result = (found if at == 0 else np.copy(np.moveaxis(found, 0, at)),)
    if return_index:
        result = result + (order[first],)
    if return_inverse:
        inverse = np.empty(count, np.int64)
        inverse[order] = np.cumsum(begins) - 1
        result = result + (inverse,)
    if return_counts:
        counts = np.empty(first.shape, np.int64)
        counts[:-1] = first[1:] - first[:-1]
        counts[-1:] = count - first[-1:]
        result = result + (counts,)
    return result[0] if len(result) == 1 else result


def union1d(ar1, ar2):
    return np.unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    if return_indices:
        return _intersection_with_indices(np.ravel(ar1), np.ravel(ar2), assume_unique)
    a = np.ravel(ar1) if assume_unique else np.unique(ar1)
    b = np.ravel(ar2) if assume_unique else np.unique(ar2)
    both = _sorted_rows(np.concatenate((a, b)))
    return both[:-1][both[1:] == both[:-1]]


def _intersection_with_indices(a, b, assume_unique):
    if assume_unique:
        both = np.concatenate((a, b))
        order = _order_of_rows(both)
        both = both[order]
        at = np.flatnonzero(both[1:] == both[:-1])
        return both[at], order[at], order[at + 1] - len(a)
    first, place = np.unique(a, return_index=True)
    second, other = np.unique(b, return_index=True)
    common, at, of = _intersection_with_indices(first, second, True)
    return common, place[at], other[of]


def setxor1d(ar1, ar2, assume_unique=False):
    a = np.ravel(ar1) if assume_unique else np.unique(ar1)
    b = np.ravel(ar2) if assume_unique else np.unique(ar2)
    both = _sorted_rows(np.concatenate((a, b)))
    alone = np.ones(both.shape, bool)
    alone[1:] = both[1:] != both[:-1]
    alone[:-1] = alone[:-1] & (both[1:] != both[:-1])
    return both[alone]


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    element = np.asarray(element)
    if kind is not None and kind != "sort":
        raise NotImplementedError("`kind=` of `np.isin` is None or 'sort'")
    tests = np.ravel(test_elements)
    common = np.result_type(element.dtype, tests.dtype)
    if np.issubdtype(common, np.floating) and np.issubdtype(element.dtype, np.integer) and np.issubdtype(tests.dtype, np.integer):
        raise NotImplementedError("`np.isin` of int64 and uint64: convert one of them with .astype")
    found = _among(np.ravel(element).astype(common), _sorted_rows(tests.astype(common)))
    return np.reshape(~found if invert else found, element.shape)


def _among(a, ascending):
    """Which elements of `a` are in the sorted vector."""
    found = np.zeros(a.shape, bool)
    for i in range(len(a)):
        low = 0
        high = len(ascending)
        while low < high:
            middle = (low + high) // 2
            if ascending[middle] < a[i]:
                low = middle + 1
            else:
                high = middle
        if low < len(ascending):
            found[i] = ascending[low] == a[i]
    return found


def setdiff1d(ar1, ar2, assume_unique=False):
    a = np.ravel(ar1) if assume_unique else np.unique(ar1)
    return a[np.isin(a, ar2, invert=True)]
