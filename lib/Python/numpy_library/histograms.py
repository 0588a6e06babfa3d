"""How many numbers fall into which bin."""
import numpy as np

from ._common import _is_constant, _is_sequence


def _outer_edges(a, range):
    """Between which the bins lie; of the type in which NumPy finds the others."""
    if range is not None:
        first = np.float64(range[0])
        last = np.float64(range[1])
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError("supplied range is not finite")
        return _parted(first, last)
    numbers = a if np.issubdtype(a.dtype, np.floating) else a.astype(np.float64)
    lowest = numbers.min(initial=np.inf)
    highest = numbers.max(initial=-np.inf)
    if len(a) > 0 and not (np.isfinite(lowest) and np.isfinite(highest)):
        raise ValueError("autodetected range is not finite")
    return _parted(np.where(len(a) > 0, lowest, 0), np.where(len(a) > 0, highest, 1))


def _parted(first, last):
    wider = 0.5 if first == last else 0.0
    return first - wider, last + wider


def _is_number(bins):
    return not _is_sequence(bins) and np.ndim(bins) == 0


def _checked_numbers(a):
    a = np.asarray(a)
    if np.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError("histograms take real numbers; write `a.real`")
    return a.astype(np.uint8) if a.dtype == np.bool_ else a


def _width_named(a, name):
    """How wide bins are by a rule of statistics."""
    n = float(a.size)
    if name == "sqrt":
        return np.ptp(a) / np.sqrt(n)
    if name == "sturges":
        return np.ptp(a) / (np.log2(n) + 1.0)
    if name == "rice":
        return np.ptp(a) / (2.0 * n ** (1.0 / 3.0))
    if name == "scott":
        return (24.0 * np.pi**0.5 / n) ** (1.0 / 3.0) * np.std(a)
    if name == "fd":
        quartiles = np.percentile(a, [25, 75])
        return 2.0 * (quartiles[1] - quartiles[0]) * n ** (-1.0 / 3.0)
    if name == "auto":
        return min(max(_width_named(a, "fd"), _width_named(a, "sqrt") / 2), _width_named(a, "sturges"))
    raise NotImplementedError("`bins=` of a histogram is 'auto', 'fd', 'rice', 'scott', 'sqrt' or 'sturges' here; count them by hand")


def _count_named(a, name, range, weights):
    if weights is not None:
        raise TypeError("Automated estimation of the number of bins is not supported for weighted data")
    first, last = _outer_edges(a, range)
    kept = a[(a >= first) & (a <= last)]
    count = 1
    if len(kept) > 0:
        width = np.float64(_width_named(kept, name))
        if np.issubdtype(a.dtype, np.integer) and width < 1.0 and width != 0.0:
            width = np.float64(1.0)
        if width != 0.0:
            count = int(np.ceil(np.float64(last - first) / width))
    return count


def _outer_edges_of(a, bins, range):
    if bins < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return _outer_edges(a, range)


def _edges(a, bins, range):
    if _is_number(bins):
        first, last = _outer_edges_of(a, bins, range)
        return np.linspace(first, last, bins + 1)
    return _given_edges(bins)


def _given_edges(bins):
    edges = np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if len(edges) == 0:
        raise NotImplementedError("histograms have at least one edge")
    if np.any(edges[:-1] > edges[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def _even_edges(a, bins, first, last):
    """np.histogram's own have the type of the numbers."""
    edges = np.linspace(first, last, bins + 1).astype(a.dtype if np.issubdtype(a.dtype, np.floating) else np.float64)
    if np.any(edges[:-1] >= edges[1:]):
        raise ValueError("Too many bins for data range. Cannot create this many finite-sized bins.")
    return edges


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    a = np.ravel(_checked_numbers(a))
    if isinstance(bins, str):
        return _edges_of_one(a, _count_named(a, bins, range, weights), range)
    return _edges_of_one(a, bins, range)


def _edges_of_one(a, bins, range):
    if not _is_number(bins):
        return _given_edges(bins)
    first, last = _outer_edges_of(a, bins, range)
    return _even_edges(a, bins, first, last)


def histogram(a, bins=10, range=None, density=None, weights=None):
    if isinstance(bins, str):
        flat = np.ravel(_checked_numbers(a))
        return _histogram(flat, _count_named(flat, bins, range, weights), range, density, None)
    return _histogram(a, bins, range, density, weights)


def _histogram(a, bins, range, density, weights):
    shape = np.asarray(a).shape
    a = np.ravel(_checked_numbers(a))
    if _is_number(bins):
        first, last = _outer_edges_of(a, bins, range)
        edges = _even_edges(a, bins, first, last)
    else:
        edges = _given_edges(bins)
    count = len(edges) - 1
    heavy = None
    kind = np.int64
    if weights is not None:
        if np.asarray(weights).shape != shape:
            raise ValueError("weights should have the same shape as a.")
        heavy = np.ravel(weights)
        kind = heavy.dtype
        if kind == np.bool_ and not _is_number(bins) and len(a) > 0:
            raise TypeError("Cannot cast ufunc 'add' output from dtype('int64') to dtype('bool') with casting rule 'same_kind'")
    # NumPy adds in float64 and rounds at the end.
    sums = np.zeros(count, np.float64 if np.issubdtype(kind, np.floating) else kind)
    if _is_number(bins):
        _count_evenly(sums, a, edges, first, last, heavy)
    else:
        _count_between(sums, a, edges, heavy)
    counts = sums.astype(kind)
    if density is not None and density != False:
        return counts / np.diff(edges).astype(np.float64) / counts.sum(), edges
    return counts, edges


def _count_evenly(counts, a, edges, first, last, weights):
    bins = len(counts)
    for i in range(len(a)):
        value = a[i]
        if value >= first and value <= last:
            k = min(int((np.float64(value) - first) / (np.float64(last) - first) * bins), bins - 1)
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


def _bins_of_all(a, edges):
    found = np.empty(len(a), np.int64)
    for i in range(len(a)):
        found[i] = _bin_of(a[i], edges)
    return found


def _numbers_below(n):
    """Over which a loop is written out."""
    found = ()
    for k in range(n):
        found = found + (k,)
    return found


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    return _histogram_of_points(sample, bins, range, density, weights)


def _histogram_of_points(sample, bins, range, density, weights):
    columns = ()
    if _is_sequence(sample):
        kind = np.asarray(sample[0]).dtype
        for one in sample:
            kind = np.result_type(kind, np.asarray(one).dtype)
        for one in sample:
            if np.asarray(one).shape != np.asarray(sample[0]).shape:
                raise ValueError("setting an array element with a sequence.")
            columns = columns + (_checked_numbers(np.asarray(one).astype(kind)),)
    else:
        points = np.asarray(sample)
        if points.ndim == 1:
            columns = (_checked_numbers(points),)
        elif points.ndim == 2:
            if not _is_constant(points.shape[1]):
                raise NotImplementedError("how many coordinates the points of `np.histogramdd` have is known here: `f64[N, 3]`, or a tuple of vectors")
            for d in _numbers_below(points.shape[1]):
                columns = columns + (_checked_numbers(points[:, d]),)
        else:
            raise ValueError("too many values to unpack (expected 2)")
    edges = ()
    shape = ()
    for d in _numbers_below(len(columns)):
        if _is_number(bins):
            one = bins
        else:
            if len(bins) != len(columns):
                raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
            one = bins[d]
        if range is not None and len(range) != len(columns):
            raise ValueError("range argument must have one entry per dimension")
        if _is_number(one) and range is None and columns[d].dtype == np.float32 and len(columns[d]) == 0:
            raise NotImplementedError("the edges for no float32 are float64 in NumPy; give `range=`")
        edges = edges + (_edges(columns[d], one, None if range is None else range[d]),)
        shape = shape + (len(edges[d]) - 1,)
    total = 1
    for d in _numbers_below(len(columns)):
        total = total * shape[d]
    places = np.zeros(len(columns[0]), np.int64)
    for d in _numbers_below(len(columns)):
        k = _bins_of_all(columns[d], edges[d])
        places = np.where((places < 0) | (k < 0), -1, places * shape[d] + k)
    counts = np.zeros(total)
    if weights is not None:
        heavy = np.asarray(weights)
        if heavy.shape != places.shape:
            raise ValueError("The weights and list don't have the same length.")
    for i in np.arange(len(places)):
        if places[i] >= 0:
            counts[places[i]] += 1.0 if weights is None else heavy[i]
    counts = np.reshape(counts, shape)
    if density is not None and density != False:
        found = counts.sum()
        for d in _numbers_below(len(columns)):
            along = ()
            for other in _numbers_below(len(columns)):
                along = along + (shape[d] if other == d else 1,)
            counts = counts / np.reshape(np.diff(edges[d]), along)
        counts = counts / found
    return counts, list(edges)


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    both = (bins, bins)
    if _is_sequence(bins) and len(bins) == 2:
        both = (bins[0], bins[1])
    counts, edges = _histogram_of_points((x, y), both, range, density, weights)
    return counts, edges[0], edges[1]
