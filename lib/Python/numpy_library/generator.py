"""Methods of np.random.Generator; the first parameter is its state."""
import numpy as np

from ._bits import _half_words, _high_product, _words
from ._common import _is_sequence


def _elements(size):
    if size is None:
        return 1
    count = 1
    for extent in size if _is_sequence(size) else (size,):
        if extent < 0:
            raise ValueError("negative dimensions are not allowed")
        count = count * extent
    return count


def _in_shape(numbers, size):
    return np.reshape(numbers, size) if _is_sequence(size) else numbers


def _fractions(state, size, type):
    if type == np.float32:
        return (_half_words(state, _elements(size)) >> 8).astype(np.float32) * np.float32(1 / 16777216)
    return (_words(state, _elements(size)) >> 11).astype(np.float64) * (1 / 9007199254740992)


def random(self, size=None, dtype=np.float64, out=None):
    if out is not None:
        raise NotImplementedError("`out=` of `.random` is not translated; write `out[...] = `")
    type = np.zeros(0, dtype).dtype
    if type != np.float64 and type != np.float32:
        raise TypeError("Unsupported dtype for random")
    numbers = _fractions(self, size, type)
    return float(numbers[0]) if size is None else _in_shape(numbers, size)


def uniform(self, low=0.0, high=1.0, size=None):
    if np.ndim(low) != 0 or np.ndim(high) != 0:
        shape = np.broadcast_shapes(np.shape(low), np.shape(high)) if size is None else size
        first = np.asarray(low).astype(np.float64)
        spans = np.broadcast_to(np.asarray(high) - first, shape)
        if not np.all(np.isfinite(spans)):
            raise OverflowError("Range exceeds valid bounds")
        if np.any(spans < 0):
            raise ValueError("high - low < 0")
        return first + spans * np.reshape(_fractions(self, _elements(shape), np.float64), shape)
    low = float(low)
    span = float(high) - low
    if not np.isfinite(span):
        raise OverflowError("high - low range exceeds valid bounds")
    if span < 0:
        raise ValueError("high - low < 0")
    numbers = low + span * _fractions(self, size, np.float64)
    return float(numbers[0]) if size is None else _in_shape(numbers, size)


def _below(draw, least, bounds, is_wide):
    """A draw as a number below the bound, and whether it counts (Lemire, Fast random integer generation in an interval, 2019)."""
    if is_wide:
        return _high_product(draw, bounds), draw * bounds >= least
    return (draw * bounds) >> 32, ((draw * bounds) & np.uint64(0xFFFFFFFF)) >= least


def _draws(state, count, is_wide):
    return _words(state, count) if is_wide else _half_words(state, count)


def _bounded(state, count, bounds, is_wide):
    """Numbers below the bound. Draws that do not count are rare: where there are any, all are taken in turn."""
    most = np.uint64(0xFFFFFFFFFFFFFFFF if is_wide else 0xFFFFFFFF)
    least = (most - bounds + 1) % bounds
    draws = _draws(state, count, is_wide)
    made = np.empty(count, np.uint64)
    skipped = 0
    for k in range(count):
        number, counts = _below(draws[k], least, bounds, is_wide)
        made[k] = number
        if not counts:
            skipped += 1
    if skipped > 0:
        at = 0
        for k in range(count):
            number, counts = _below(draws[k], least, bounds, is_wide)
            if counts:
                made[at] = number
                at += 1
        while at < count:
            number, counts = _below(_draws(state, 1, is_wide)[0], least, bounds, is_wide)
            if counts:
                made[at] = number
                at += 1
    return made


def _integers(state, first, last, count):
    """From the first to the last."""
    begin = np.uint64(np.int64(first))
    span = np.uint64(np.int64(last)) - begin
    made = np.zeros(count, np.uint64)
    if span == np.uint64(0xFFFFFFFFFFFFFFFF):
        made[...] = _words(state, count)
    elif span > np.uint64(0xFFFFFFFF):
        made[...] = _bounded(state, count, span + 1, True)
    elif span == np.uint64(0xFFFFFFFF):
        made[...] = _half_words(state, count)
    elif span > 0:
        made[...] = _bounded(state, count, span + 1, False)
    made += begin
    return made.astype(np.int64)


def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
    if np.ndim(low) != 0 or (high is not None and np.ndim(high) != 0):
        raise NotImplementedError("`.integers` takes numbers as its bounds")
    type = np.zeros(0, dtype).dtype
    if type != np.int64 and type != np.int32:
        raise NotImplementedError("`.integers` gives np.int64 and np.int32 here; convert them with `.astype`")
    first = 0 if high is None else int(low)
    last = int(low if high is None else high) - (0 if endpoint else 1)
    if type == np.int32 and first < -(2**31):
        raise ValueError("low is out of bounds for int32")
    if type == np.int32 and last >= 2**31:
        raise ValueError("high is out of bounds for int32")
    if endpoint:
        if last < first:
            raise ValueError("low > high")
    elif last < first:
        raise ValueError("low >= high")
    numbers = _integers(self, first, last, _elements(size))
    if size is not None:
        return _in_shape(numbers.astype(np.int32) if type == np.int32 else numbers, size)
    if type == np.int32:
        return np.int32(numbers[0])
    return int(numbers[0]) if dtype is int else numbers[0]
