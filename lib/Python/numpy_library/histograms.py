"""How many numbers fall into which bin."""
import numpy as np

from ._common import _is_sequence


def _outer_edges(a, range):
    """Between which the bins lie."""
    first = 0.0
    last = 1.0
    if range is not None:
        first = np.float64(range[0])
        last = np.float64(range[1])
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError("supplied range is not finite")
    elif len(a) > 0:
        first = np.float64(a.min())
        last = np.float64(a.max())
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError("autodetected range is not finite")
    wider = 0.5 if first == last else 0.0
    return first - wider, last + wider


def _is_number(bins):
    return not _is_sequence(bins) and np.ndim(bins) == 0


def _checked_numbers(a):
    a = np.ravel(a)
    if a.dtype != np.float64 and not np.issubdtype(a.dtype, np.integer):
        raise NotImplementedError("histograms take float64 or integers; convert with .astype")
    return a


def _edges(a, bins, range):
    if _is_number(bins):
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        first, last = _outer_edges(a, range)
        return np.linspace(first, last, bins + 1, dtype=np.float64)
    edges = np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if len(edges) == 0:
        raise NotImplementedError("histograms have at least one edge")
    if np.any(edges[:-1] > edges[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    return _edges(_checked_numbers(a), bins, range)


def histogram(a, bins=10, range=None, density=None, weights=None):
    shape = np.asarray(a).shape
    a = _checked_numbers(a)
    edges = _edges(a, bins, range)
    count = len(edges) - 1
    heavy = None
    if weights is not None:
        if np.asarray(weights).shape != shape:
            raise ValueError("weights should have the same shape as a.")
        heavy = np.ravel(weights)
        if heavy.dtype != np.float64:
            raise NotImplementedError("`weights=` of `np.histogram` are float64; convert with .astype")
    counts = np.zeros(count, np.int64 if heavy is None else np.float64)
    if _is_number(bins):
        first, last = _outer_edges(a, range)
        _count_evenly(counts, a, edges, first, last, heavy)
    else:
        _count_between(counts, a, edges, heavy)
    if density is not None and density != False:
        return counts / np.diff(edges) / counts.sum(), edges
    return counts, edges


def _count_evenly(counts, a, edges, first, last, weights):
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


def _bin_of(value, edges):
    """-1 outside; the last bin has both its edges."""
    last = len(edges) - 1
    k = np.searchsorted(edges, value, "right") - 1
    if k == last and value == edges[last]:
        return last - 1
    return k if k < last else -1


def _count_between(counts, a, edges, weights):
    for i in range(len(a)):
        k = _bin_of(a[i], edges)
        if k >= 0:
            counts[k] += 1 if weights is None else weights[i]


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    x = _checked_numbers(x).astype(np.float64)
    y = _checked_numbers(y).astype(np.float64)
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    one = bins
    other = bins
    if _is_sequence(bins) and len(bins) == 2:
        one = bins[0]
        other = bins[1]
    across = _edges(x, one, None if range is None else range[0])
    along = _edges(y, other, None if range is None else range[1])
    heavy = None
    if weights is not None:
        heavy = np.asarray(weights)
        if heavy.shape != x.shape:
            raise ValueError("The weights and list don't have the same length.")
        heavy = heavy.astype(np.float64)
    counts = np.zeros((len(across) - 1, len(along) - 1))
    for i in np.arange(len(x)):
        k = _bin_of(x[i], across)
        m = _bin_of(y[i], along)
        if k >= 0 and m >= 0:
            counts[k, m] += 1.0 if heavy is None else heavy[i]
    if density is not None and density != False:
        return counts / np.diff(across)[:, None] / np.diff(along)[None, :] / counts.sum(), across, along
    return counts, across, along
