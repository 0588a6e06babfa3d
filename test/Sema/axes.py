# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
# Shapes that do not hold the elements, views that cannot be told from copies, stores that are lost.
from __future__ import annotations
import numpy as np


def sizes(a: f64[4, 6]):
    return a.reshape(5, 5).sum()
# CHECK: axes.py:8:{{[0-9]+}}: error: cannot reshape array of size 24 into shape (5, 5): 24 and 25


def rest(a: f64[4, 6]):
    return a.reshape(-1, 7).sum()
# CHECK: axes.py:13:{{[0-9]+}}: error: cannot reshape array of size 24 into shape (-1, 7)


def two_open(a: f64[4, 6]):
    return a.reshape(-1, -1).sum()
# CHECK: axes.py:18:{{[0-9]+}}: error: NumPy can find one size that is given as -1, not two


def fraction(a: f64[4, 6]):
    return a.reshape(2.0, 12).sum()
# CHECK: axes.py:23:{{[0-9]+}}: error: the shape of `.reshape` is of integers, not


def order(a: f64[4, 6]):
    return a.reshape(24, order="A").sum()
# CHECK: axes.py:28:{{[0-9]+}}: error: `order=` of `.reshape` is not translated but for


def seen_through_a_copy(a: f64[M, N]):
    b = a.T.reshape(-1)
    b[:] = 0.0
    return a.sum()
# CHECK: axes.py:34:{{[0-9]+}}: error: `b` is a copy here: NumPy may show `a` itself, which this store does not reach


def returned_copy(a: f64[M, N]):
    return a.T.reshape(-1)
# CHECK: axes.py:40:{{[0-9]+}}: error: NumPy returns memory of `a` here, in a form of which appyc makes a copy; write `.copy()`


def lost(a: f64[M, N]):
    a.T.reshape(-1)[:] = 1.0
# CHECK: axes.py:45:{{[0-9]+}}: error: NumPy gives memory of `a` or a copy here, as sizes and order are


def read_only(v: f64[N], n: i64):
    b = np.broadcast_to(v, (n, v.shape[0]))
    b[0] = 1.0
# CHECK: axes.py:51:{{[0-9]+}}: error: NumPy lets nobody store into what np.broadcast_to gives


def no_axis(a: f64[M, N]):
    return np.swapaxes(a, 0, 2).sum() + np.moveaxis(a, (0, 0), (1, 0)).sum()
# CHECK: axes.py:56:{{[0-9]+}}: error: an axis of `np.swapaxes` is an integer known at compile time, from -2 to 1
# CHECK: axes.py:56:{{[0-9]+}}: error: `np.moveaxis` names an axis twice


def not_one(a: f64[3, N]):
    return a.squeeze(0).sum()
# CHECK: axes.py:62:{{[0-9]+}}: error: an axis that squeeze takes away has one element: 3 and 1


def flat(a: f64[N]):
    return a.flat + 1.0
# CHECK: axes.py:67:{{[0-9]+}}: error: the method `.flat` cannot be an operand here


def flat_called(a: f64[N]):
    return a.flat()
# CHECK: axes.py:72:{{[0-9]+}}: error: `.flat` cannot be called


def lost_flat(a: f64[N]):
    (a + 1.0).flat[0] = 2.0
# CHECK: axes.py:77:{{[0-9]+}}: error: what is stored by `.flat` here is lost


def float_index(a: f64[N]):
    return np.take(a, [0.5]) + a[[0.5, 1.0]]
# CHECK: axes.py:82:{{[0-9]+}}: error: the indices of `np.take` are integers that an int64 holds, not f64
# CHECK: axes.py:82:{{[0-9]+}}: error: an index array holds integers, not f64


def other_mode(a: f64[N]):
    return np.take(a, [7], mode="no")
# CHECK: axes.py:88:{{[0-9]+}}: error: `mode=` of `np.take` is not translated but for 'raise' or 'wrap' or 'clip'


def lost_update(a: f64[N]):
    np.add.at(a + 1.0, [0], 1.0)
# CHECK: axes.py:93:{{[0-9]+}}: error: `np.add.at` stores into an array that has a name, or a slice of one


def no_scan(a: f64[N]):
    return np.arctan2.accumulate(a)
# CHECK: axes.py:98:{{[0-9]+}}: error: np.arctan2 is not translated element by element; write a loop


def open_grid(n: i64):
    return np.mgrid[0:n, 1j:2]
# CHECK: axes.py:103:{{[0-9]+}}: error: np.mgrid and np.ogrid take slices of numbers
