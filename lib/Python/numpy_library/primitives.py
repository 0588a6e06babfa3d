"""appy's primitives beside `appy.map` and `appy.zipwith`, which are the compiler's own where the function is an expression."""
import numpy as np


def _mapped(function, kind, x):
    a = np.asarray(x)
    flat = np.ravel(a)
    made = np.empty(len(flat), kind)
    for i in range(len(flat)):
        made[i] = function(flat[i])
    return np.reshape(made, a.shape)


def _zipped(function, kind, x, y):
    both = np.broadcast_arrays(np.asarray(x), np.asarray(y))
    first = np.ravel(both[0])
    second = np.ravel(both[1])
    made = np.empty(len(first), kind)
    for i in range(len(first)):
        made[i] = function(first[i], second[i])
    return np.reshape(made, both[0].shape)


def _folded_in_parts(f, flat, init):
    """Of an associative function: the parts at once, then these in order."""
    n = len(flat)
    share = 512
    parts = (n + share - 1) // share
    folded = np.empty(parts, flat.dtype)
    for k in range(parts):
        part = flat[k * share]
        for i in range(k * share + 1, min(n, (k + 1) * share)):
            part = f(part, flat[i])
        folded[k] = part
    total = init
    for k in range(parts):
        total = f(total, folded[k])
    return total


def reduce(f, x, init, associative=False):
    flat = np.ravel(np.asarray(x))
    n = len(flat)
    if associative and n > 0:
        return _folded_in_parts(f, flat, init)
    total = init
    for i in range(n):
        total = f(total, flat[i])
    return total


def scan(f, x):
    made = np.array(x)
    if made.ndim != 1:
        raise NotImplementedError("`appy.scan` takes an array of one dimension")
    for i in range(1, len(made)):
        made[i] = f(made[i - 1], made[i])
    return made


def scatter(a, index, values):
    made = np.asarray(a).copy()
    made[index] = values
    return made


def sort(x):
    return np.sort(x)


def k_select(x, k):
    return np.argsort(x, kind="stable")[len(x) - k:]


def histogram(keys, n):
    counts = np.zeros(n, np.int64)
    for i in range(len(keys)):
        counts[keys[i]] += 1
    return counts


def unique(x):
    return np.unique(x)


def random(n, seed):
    return np.random.default_rng(seed).random(n)
