"""Functions of `itertools` that keep what they run over; to the compiler what they return is run over once, as in CPython."""
import numpy as np

from ._common import _is_constant


def _picked(pool, places, r):
    """A tuple of the items at the first `r` places, of which the translation knows how many they are."""
    if r == 1:
        return (pool[places[0]],)
    return _picked(pool, places, r - 1) + (pool[places[r - 1]],)


def _tuples_at(pool, places):
    """A tuple for each row of places; the compiler's own."""
    return [tuple(pool[k] for k in row) for row in places]


def _places(n, r, is_rising, may_repeat):
    """The rows of `r` places out of `n`, in order."""
    if r < 0:
        raise ValueError("r must be non-negative")
    top = n + r - 1 if may_repeat and is_rising and r > 0 else n
    count = 1
    for k in range(r):
        count = count * (top - k)
        if is_rising:
            count = count // (k + 1)
    found = np.empty((count, r), dtype=np.int64)
    places = np.zeros(r, dtype=np.int64)
    row = 0
    at = 0
    if r == 0 or count == 0:
        at = -1
    else:
        places[0] = -1
    while at >= 0:
        places[at] += 1
        if places[at] >= n:
            at -= 1
        else:
            is_free = True
            if not is_rising:
                for k in range(at):
                    if places[k] == places[at]:
                        is_free = False
            if is_free and at == r - 1:
                found[row] = places
                row += 1
            elif is_free:
                at += 1
                places[at] = -1
                if is_rising and may_repeat:
                    places[at] = places[at - 1] - 1
                elif is_rising:
                    places[at] = places[at - 1]
    return found


def _orders(pool, r, is_rising, may_repeat):
    """All tuples of `r` items in the order of their places, which rise, or are all different: `may_repeat` allows the same again."""
    if not _is_constant(r):
        return _tuples_at(pool, _places(len(pool), r, is_rising, may_repeat))
    n = len(pool)
    found = []
    places = [0] * r
    at = 0
    places[0] = -1
    while at >= 0:
        places[at] += 1
        if places[at] >= n:
            at -= 1
        else:
            is_free = True
            if not is_rising:
                for k in range(at):
                    if places[k] == places[at]:
                        is_free = False
            if is_free and at == r - 1:
                found.append(_picked(pool, places, r))
            elif is_free:
                at += 1
                places[at] = -1
                if is_rising and may_repeat:
                    places[at] = places[at - 1] - 1
                elif is_rising:
                    places[at] = places[at - 1]
    return found


def accumulate(iterable, func=None, *, initial=None):
    found = []
    if initial is not None:
        found.append(initial)
    for x in iterable:
        if len(found) == 0:
            found.append(x)
        else:
            found.append(found[-1] + x if func is None else func(found[-1], x))
    return found


def _combinations_of_two(pool):
    n = len(pool)
    found = []
    for i in range(n):
        for j in range(i + 1, n):
            found.append((pool[i], pool[j]))
    return found


def _combinations_of_three(pool):
    n = len(pool)
    found = []
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                found.append((pool[i], pool[j], pool[k]))
    return found


def combinations(iterable, r):
    if _is_constant(r) and r == 2:
        return _combinations_of_two(list(iterable))
    if _is_constant(r) and r == 3:
        return _combinations_of_three(list(iterable))
    return _orders(list(iterable), r, True, False)


def _combinations_with_replacement_of_two(pool):
    n = len(pool)
    found = []
    for i in range(n):
        for j in range(i, n):
            found.append((pool[i], pool[j]))
    return found


def _combinations_with_replacement_of_three(pool):
    n = len(pool)
    found = []
    for i in range(n):
        for j in range(i, n):
            for k in range(j, n):
                found.append((pool[i], pool[j], pool[k]))
    return found


def combinations_with_replacement(iterable, r):
    if _is_constant(r) and r == 2:
        return _combinations_with_replacement_of_two(list(iterable))
    if _is_constant(r) and r == 3:
        return _combinations_with_replacement_of_three(list(iterable))
    return _orders(list(iterable), r, True, True)


def _permutations_of_two(pool):
    n = len(pool)
    found = []
    for i in range(n):
        for j in range(n):
            if i != j:
                found.append((pool[i], pool[j]))
    return found


def _permutations_of_three(pool):
    n = len(pool)
    found = []
    for i in range(n):
        for j in range(n):
            for k in range(n):
                if i != j and i != k and j != k:
                    found.append((pool[i], pool[j], pool[k]))
    return found


def permutations(iterable, r=None):
    if _is_constant(r) and r == 2:
        return _permutations_of_two(list(iterable))
    if _is_constant(r) and r == 3:
        return _permutations_of_three(list(iterable))
    pool = list(iterable)
    return _orders(pool, len(pool) if r is None else r, False, False)


def zip_longest(*iterables, fillvalue=None):
    if len(iterables) != 2:
        raise NotImplementedError("`itertools.zip_longest` is translated of two iterables")
    a = list(iterables[0])
    b = list(iterables[1])
    found = []
    for k in range(max(len(a), len(b))):
        found.append((a[k] if k < len(a) else fillvalue, b[k] if k < len(b) else fillvalue))
    return found


def takewhile(predicate, iterable):
    found = []
    for x in iterable:
        if not predicate(x):
            break
        found.append(x)
    return found


def dropwhile(predicate, iterable):
    found = []
    taking = False
    for x in iterable:
        if not taking:
            taking = not predicate(x)
        if taking:
            found.append(x)
    return found


def filterfalse(predicate, iterable):
    return [x for x in iterable if not predicate(x)]


def compress(data, selectors):
    return [x for x, keep in zip(data, selectors) if keep]


def starmap(function, iterable):
    return [function(*x) for x in iterable]


def _groups(items, keys, starts, ends):
    """The key of each group, and its items; the compiler's own."""
    return [(keys[i], items[i:j]) for i, j in zip(starts, ends)]


def groupby(iterable, key=None):
    items = list(iterable)
    keys = items if key is None else [key(x) for x in items]
    starts = [k for k in range(len(keys)) if k == 0 or keys[k] != keys[k - 1]]
    return _groups(items, keys, starts, starts[1:] + [len(keys)])
