"""Methods of arrays; the first parameter is the array."""
import numpy as np


def clip(self, /, min=None, max=None, out=None):
    return np.clip(self, min, max, out)


def repeat(self, repeats, /, axis=None):
    return np.repeat(self, repeats, axis)


def tolist(self, /):
    if self.ndim == 2:
        return [_numbers_of(row) for row in self]
    if self.ndim == 3:
        return [[_numbers_of(row) for row in rows] for rows in self]
    if self.ndim != 1:
        raise NotImplementedError("`.tolist()` is translated of arrays with at most 3 dimensions; index the array itself")
    return _numbers_of(self)


def _numbers_of(self):
    """A vector's, as Python's own."""
    kind = self.dtype
    if np.issubdtype(kind, np.complexfloating):
        return [complex(x) for x in self]
    if np.issubdtype(kind, np.floating):
        return [float(x) for x in self]
    if kind == np.bool_:
        return [bool(x) for x in self]
    return [int(x) for x in self]


def choose(self, /, choices, out=None, mode="raise"):
    return np.choose(self, choices, out, mode)


def round(self, /, decimals=0, out=None):
    return np.round(self, decimals, out)


def trace(self, /, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return np.trace(self, offset, axis1, axis2, dtype, out)


def diagonal(self, /, offset=0, axis1=0, axis2=1):
    return np.diagonal(self, offset, axis1, axis2)


def searchsorted(self, v, /, side="left", sorter=None):
    return np.searchsorted(self, v, side, sorter)


def sort(self, /, axis=-1, kind=None, order=None, *, stable=None):
    self[...] = np.sort(self, axis, kind, order, stable=stable)


def argsort(self, /, axis=-1, kind=None, order=None, *, stable=None):
    return np.argsort(self, axis, kind, order, stable=stable)


def partition(self, kth, /, axis=-1, kind="introselect", order=None):
    self[...] = np.partition(self, kth, axis, kind, order)


def argpartition(self, kth, /, axis=-1, kind="introselect", order=None):
    return np.argpartition(self, kth, axis, kind, order)
