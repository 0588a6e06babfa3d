"""Places in sorted lists and vectors, as CPython's `bisect` finds them, which asks whatever the order is."""


def _place_left(a, x, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first = lo
    last = len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if a[middle] < x:
            first = middle + 1
        else:
            last = middle
    return first


def _place_right(a, x, lo, hi):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first = lo
    last = len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if x < a[middle]:
            last = middle
        else:
            first = middle + 1
    return first


def bisect_left(a, x, lo=0, hi=None):
    return _place_left(a, x, lo, hi)


def bisect_right(a, x, lo=0, hi=None):
    return _place_right(a, x, lo, hi)


def bisect(a, x, lo=0, hi=None):
    return _place_right(a, x, lo, hi)


def insort_left(a, x, lo=0, hi=None):
    a.insert(_place_left(a, x, lo, hi), x)


def insort_right(a, x, lo=0, hi=None):
    a.insert(_place_right(a, x, lo, hi), x)


def insort(a, x, lo=0, hi=None):
    a.insert(_place_right(a, x, lo, hi), x)
