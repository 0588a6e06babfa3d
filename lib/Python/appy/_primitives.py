"""Functions of functions, and what sorts, selects and counts: as plain NumPy, in order."""
import builtins
import functools

import numpy as np


def _of_each(f, *arrays):
    arrays = np.broadcast_arrays(*arrays)
    if arrays[0].size == 0:  # the function's type is that of what it gives for a zero
        return np.empty(arrays[0].shape, np.asarray(f(*(a.dtype.type(0) for a in arrays))).dtype)
    items = [f(*element) for element in zip(*(a.ravel() for a in arrays))]
    return np.array(items, np.asarray(items[0]).dtype).reshape(arrays[0].shape)


def map(f, x):
    """f of each element."""
    return _of_each(f, np.asarray(x))


def zipwith(f, x, y):
    """f of the elements of x and y, broadcast together."""
    return _of_each(f, np.asarray(x), np.asarray(y))


def reduce(f, x, init, associative=False):
    """f(f(init, x[0]), x[1]) and so on; `associative` allows to fold parts of x first."""
    return functools.reduce(f, np.ravel(x), init)


def scan(f, x):
    """What `reduce` has after each element, x[0] first."""
    made = np.array(x)
    for i in builtins.range(1, len(made)):
        made[i] = f(made[i - 1], made[i])
    return made


def scatter(a, index, values):
    """A copy of `a` in which a[index[i]] is values[i], the last one where an index repeats."""
    made = np.array(a)
    made[index] = values
    return made


def sort(x):
    """In ascending order along the last axis."""
    return np.sort(x)


def k_select(x, k):
    """Where the k largest elements are, in ascending order; of equal ones the later."""
    return np.argsort(x, kind="stable")[len(x) - k:]


def histogram(keys, n):
    """How often each of 0 ... n - 1 is among the keys."""
    counts = np.zeros(n, np.int64)
    np.add.at(counts, keys, 1)
    return counts


def unique(x):
    """The different elements in ascending order."""
    return np.unique(x)


def random(n, seed):
    """NumPy's: default_rng(seed).random(n)."""
    return np.random.default_rng(seed).random(n)
