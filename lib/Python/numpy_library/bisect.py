"""Places in sorted lists and vectors, as CPython's `bisect` finds them, which asks whatever the order is."""


def _place_in_order(a, x, lo, hi, is_behind):
    """Where x goes; `is_behind`: behind those that equal it."""
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first = lo
    last = len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if not x < a[middle] if is_behind else a[middle] < x:
            first = middle + 1
        else:
            last = middle
    return first


def bisect_left(a, x, lo=0, hi=None):
    return _place_in_order(a, x, lo, hi, False)


def bisect_right(a, x, lo=0, hi=None):
    return _place_in_order(a, x, lo, hi, True)


def bisect(a, x, lo=0, hi=None):
    return _place_in_order(a, x, lo, hi, True)


def insort_left(a, x, lo=0, hi=None):
    a.insert(_place_in_order(a, x, lo, hi, False), x)


def insort_right(a, x, lo=0, hi=None):
    a.insert(_place_in_order(a, x, lo, hi, True), x)


def insort(a, x, lo=0, hi=None):
    a.insert(_place_in_order(a, x, lo, hi, True), x)
