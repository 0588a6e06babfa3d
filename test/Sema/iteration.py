# What cannot be run over, and iterators where only a `for` can take them.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
from __future__ import annotations

import numpy as np


def over_a_number(n: int):
    for x in n:
# CHECK: iteration.py:[[@LINE-1]]:14: error: a `for` runs over ranges, arrays, tuples, and enumerate, zip and reversed of these, not a scalar of i64
        n += x
    return n


def rest_of_many(a: f64[N, M]):
    first, *rest = a
# CHECK: iteration.py:[[@LINE-1]]:5: error: `*` takes the rest of numbers here; write subscripts, `a[0], a[1:]`
    return first


def kept(a: f64[N]):
    z = zip(a, a)
# CHECK: iteration.py:[[@LINE-1]]:5: error: an iterator cannot be kept in a variable
    return 1


def both(z):
    for _ in range(2):
        for x, y in z:
            x += y


def passed(a: f64[N]):
    both(zip(a, a))
# CHECK: iteration.py:[[@LINE-1]]:5: error: an iterator is used up by its first loop; pass what it runs over


def twice(a: f64[N]):
    for x in reversed(enumerate(a)):
# CHECK: iteration.py:[[@LINE-1]]:14: error: reversed() takes an array, a tuple or a range, as in Python
        pass


def three_of_two(a: f64[N]):
    for x, y, z in zip(a, a):
# CHECK: iteration.py:[[@LINE-1]]:9: error: cannot unpack a tuple of 2 into 3 names
        pass


def two_of_three(m: f64[N, 3]):
    for x, y in m:
# CHECK: iteration.py:[[@LINE-1]]:9: error: 2 values are to be unpacked: 3 and 2
        pass


def annotated(a: f64[N]):
    #pragma parallel for
    for k in (1, 2):
# CHECK: iteration.py:[[@LINE-2]]:{{[0-9]+}}: error: a loop over a tuple is written out; drop its pragma
        a[k] = 0


def ranges_on_paths(n: int):
    r = range(n)
    if n > 3:
        r = range(3)
# CHECK: iteration.py:[[@LINE-1]]:{{[0-9]+}}: error: the two paths give a range and a range; make them alike
    return len(r)


def strictly(a: f64[N]):
    for x, y in zip(a, a, strict=True):
# CHECK: iteration.py:[[@LINE-1]]:17: error: `strict=True` is not translated; compare the lengths before
        pass
