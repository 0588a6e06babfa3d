"""Elements in other places."""
import numpy as np

from ._common import _axes, _axis, _front, _is_sequence, _part, _swapped, _taken


def _rolled(a, shift, axis):
    n = a.shape[axis]
    return _taken(a, axis, (np.arange(n) - shift) % n)


def roll(a, shift, axis=None):
    a = np.asarray(a)
    if axis is None:
        if a.ndim == 1:
            return _rolled(a, shift, 0)
        return np.reshape(_rolled(np.ravel(a), shift, 0), a.shape)
    axes = axis if _is_sequence(axis) else (axis,)
    shifts = shift if _is_sequence(shift) else (shift,)
    if len(axes) != len(shifts) and len(axes) != 1 and len(shifts) != 1:
        raise ValueError("shape mismatch: objects cannot be broadcast to a single shape")
    for k in range(max(len(axes), len(shifts))):
        a = _rolled(a, shifts[0 if len(shifts) == 1 else k], _axis(axes[0 if len(axes) == 1 else k], a.ndim))
    return np.copy(a)


def flip(m, axis=None):
    m = np.asarray(m)
    for one in _axes(axis, m.ndim):
        m = _part(m, one, None, None, -1)
    return m


def flipud(m):
    m = np.asarray(m)
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return m[::-1]


def fliplr(m):
    m = np.asarray(m)
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return m[:, ::-1]


def rot90(m, k=1, axes=(0, 1)):
    m = np.asarray(m)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    for axis in axes:
        if axis < -m.ndim or axis >= m.ndim:
            raise ValueError("axis %d is out of range for array of ndim=%d" % (axis, m.ndim))
    one = _axis(axes[0], m.ndim)
    other = _axis(axes[1], m.ndim)
    if one == other:
        raise ValueError("Axes must be different.")
    turns = k % 4
    if turns == 0:
        return m[...]
    if turns == 2:
        return np.flip(m, (one, other))
    if turns == 1:
        return _swapped(np.flip(m, other), one, other)
    return np.flip(_swapped(m, one, other), other)


def tile(A, reps):
    A = np.asarray(A)
    counts = reps if _is_sequence(reps) else (reps,)
    for _ in range(A.ndim - len(counts)):
        counts = (1,) + counts
    if A.ndim == 0 and len(counts) > 0:
        return np.full(counts, A)
    for _ in range(len(counts) - A.ndim):
        A = A[None]
    for d in range(A.ndim):
        if counts[d] != 1:
            n = A.shape[d]
            A = _taken(A, d, np.arange(n * counts[d]) % n)
    return np.copy(A)


def _repeated_places(counts, n):
    """Each of `n` places as often as its count says."""
    if counts.ndim != 1:
        raise NotImplementedError("`repeats` is a number or a vector")
    if np.issubdtype(counts.dtype, np.inexact) or counts.dtype == np.uint64:
        raise TypeError("Cannot cast array data to dtype('int64') according to the rule 'safe'")
    if counts.shape[0] != n:
        raise ValueError("operands could not be broadcast together")
    if (counts < 0).any():
        raise ValueError("repeats may not contain negative values.")
    ends = np.cumsum(counts)
    return np.searchsorted(ends, np.arange(int(ends[-1]) if n > 0 else 0), side="right")


def repeat(a, repeats, axis=None):
    a = np.asarray(a)
    if axis is None:
        a = a if a.ndim == 1 else np.ravel(a)
    at = 0 if axis is None else _axis(axis, a.ndim)
    if _is_sequence(repeats) or np.ndim(repeats) > 0:
        return _taken(a, at, _repeated_places(np.asarray(repeats), a.shape[at]))
    count = int(repeats)
    if count < 0:
        raise ValueError("repeats may not contain negative values.")
    return _taken(a, at, np.arange(a.shape[at] * count) // count)


def _padding(pad_width, ndim):
    """How many before and behind each axis."""
    widths = ()
    for d in range(ndim):
        if not _is_sequence(pad_width):
            widths = widths + ((pad_width, pad_width),)
        elif not _is_sequence(pad_width[0]):
            widths = widths + ((pad_width[0], pad_width[0] if len(pad_width) == 1 else pad_width[1]),)
        else:
            if len(pad_width) != 1 and len(pad_width) != ndim:
                raise ValueError("operands could not be broadcast together with remapped shapes")
            width = pad_width[0 if len(pad_width) == 1 else d]
            widths = widths + ((width[0], width[0] if len(width) == 1 else width[1]),)
    return widths


def _mirrored(i, n, mode):
    """Where the element beyond an edge comes from."""
    if mode == "edge":
        return np.minimum(np.maximum(i, 0), n - 1)
    if mode == "wrap":
        return i % n
    if mode == "symmetric":
        k = i % (2 * n)
        return np.where(k >= n, 2 * n - 1 - k, k)
    k = i % max(2 * (n - 1), 1)
    return np.where(k >= n, 2 * (n - 1) - k, k)


def _padded_by(a, widths, values):
    """One axis after the other: the corners are the later axis's."""
    for d in range(a.ndim):
        before = a.shape[:d] + (widths[d][0],) + a.shape[d + 1:]
        after = a.shape[:d] + (widths[d][1],) + a.shape[d + 1:]
        a = np.concatenate((np.full(before, values[d][0], a.dtype), a, np.full(after, values[d][1], a.dtype)), d)
    return a


def _folded_part(a, d, first, end, mode):
    part = _part(a, d, first, end)
    if mode == "maximum":
        return np.max(part, d, keepdims=True)
    if mode == "minimum":
        return np.min(part, d, keepdims=True)
    folded = np.mean(part, d, keepdims=True) if mode == "mean" else np.median(part, d, keepdims=True)
    return (np.round(folded) if np.issubdtype(a.dtype, np.integer) else folded).astype(a.dtype)


def _padded_with(a, widths, mode, lengths):
    """What the elements nearest to an end, or all, are folded to stands before and behind it."""
    for d in range(a.ndim):
        n = a.shape[d]
        if n == 0:
            raise ValueError("stat_length of 0 yields no value for padding")
        if lengths is None:
            first = _folded_part(a, d, None, None, mode)
            last = first
        else:
            if lengths[d][0] <= 0 or lengths[d][1] <= 0:
                raise NotImplementedError("`stat_length=` of `np.pad` is positive here")
            first = _folded_part(a, d, 0, min(lengths[d][0], n), mode)
            last = _folded_part(a, d, n - min(lengths[d][1], n), n, mode)
        a = np.concatenate((np.repeat(first, widths[d][0], d), a, np.repeat(last, widths[d][1], d)), d)
    return a


def _ramp(edge, end, width, d):
    return np.linspace(end, edge, width, endpoint=False, dtype=edge.dtype, axis=d)


def _padded_by_ramps(a, widths, ends):
    for d in range(a.ndim):
        if a.shape[d] == 0:
            raise ValueError("can't extend empty axis using modes other than 'constant' or 'empty'")
        lines = _front(a, d)
        left = _ramp(lines[0], ends[d][0], widths[d][0], d)
        right = _ramp(lines[-1], ends[d][1], widths[d][1], d)
        a = np.concatenate((left, a, _part(right, d, None, None, -1)), d)
    return a


def pad(array, pad_width, mode="constant", *, constant_values=0, stat_length=None, end_values=0):
    a = np.asarray(array)
    widths = _padding(pad_width, a.ndim)
    for before, after in widths:
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
    if mode in ("maximum", "minimum", "mean", "median"):
        return _padded_with(a, widths, mode, None if stat_length is None else _padding(stat_length, a.ndim))
    if mode == "linear_ramp":
        return _padded_by_ramps(a, widths, _padding(end_values, a.ndim))
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        raise NotImplementedError("`mode=` of `np.pad` is 'constant', 'edge', 'reflect', 'symmetric', 'wrap', 'linear_ramp', 'maximum', "
                                  "'minimum', 'mean' or 'median'")
    if mode == "constant":
        if _is_sequence(constant_values) or np.ndim(constant_values) != 0:
            return _padded_by(a, widths, _padding(constant_values, a.ndim))
        shape = ()
        for d in range(a.ndim):
            shape = shape + (widths[d][0] + a.shape[d] + widths[d][1],)
        padded = np.full(shape, constant_values, a.dtype)
        inner = padded
        for d in range(a.ndim):
            inner = _part(inner, d, widths[d][0], widths[d][0] + a.shape[d])
        inner[...] = a
        return padded
    for d in range(a.ndim):
        n = a.shape[d]
        if n == 0 and (widths[d][0] > 0 or widths[d][1] > 0):
            raise ValueError("can't extend empty axis using modes other than 'constant' or 'empty'")
        a = _taken(a, d, _mirrored(np.arange(widths[d][0] + n + widths[d][1]) - widths[d][0], n, mode))
    return np.copy(a)


def trim_zeros(filt, trim="fb", axis=None):
    if _is_sequence(filt):
        raise NotImplementedError("`np.trim_zeros` of a list is a list; write `np.array(...)` around it")
    a = np.asarray(filt)
    if trim not in ("fb", "bf", "f", "b"):
        raise ValueError("unexpected character(s) in `trim`")
    if a.ndim != 1 or (axis is not None and axis not in (0, -1)):
        raise NotImplementedError("`np.trim_zeros` takes a vector")
    places = np.arange(len(a))
    first = np.min(np.where(a != 0, places, len(a)), initial=len(a)) if "f" in trim else 0
    end = np.max(np.where(a != 0, places + 1, 0), initial=0) if "b" in trim else len(a)
    return a[first:end]


def _places_of_bits(bitorder):
    if bitorder not in ("big", "little"):
        raise ValueError("'order' must be either 'little' or 'big'")
    return 7 - np.arange(8) if bitorder == "big" else np.arange(8)


def packbits(a, /, axis=None, bitorder="big"):
    if a.dtype.kind not in "biu":
        raise TypeError("Expected an input array of integer or boolean data type")
    places = _places_of_bits(bitorder)
    if axis is None:
        return np.packbits(np.ravel(a), 0, bitorder)
    rows = np.moveaxis(a != 0, axis, -1)
    n = rows.shape[-1]
    bits = np.zeros(rows.shape[:-1] + ((n + 7) // 8 * 8,), np.int64)
    bits[..., :n] = rows
    packed = np.sum(np.reshape(bits, rows.shape[:-1] + ((n + 7) // 8, 8)) << places, axis=-1)
    return np.moveaxis(packed.astype(np.uint8), -1, axis)


def unpackbits(a, /, axis=None, count=None, bitorder="big"):
    if a.dtype != np.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    places = _places_of_bits(bitorder)
    if axis is None:
        return np.unpackbits(np.ravel(a), 0, count, bitorder)
    rows = np.moveaxis(a, axis, -1)
    n = rows.shape[-1] * 8
    bits = np.reshape(rows[..., None] >> places & 1, rows.shape[:-1] + (n,)).astype(np.uint8)
    if count is not None:
        if count < -n:
            raise ValueError("-count larger than number of elements")
        if count < 0:
            bits = bits[..., :count]
        elif count <= n:
            bits = bits[..., :count]
        else:
            longer = np.zeros(rows.shape[:-1] + (count,), np.uint8)
            longer[..., :n] = bits
            bits = longer
    return np.moveaxis(bits, -1, axis)
