"""What a `for` runs over, by the language reference: arrays, tuples, enumerate, zip, reversed, ranges that are values."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 33)


def make_inputs(size, rng):
    return rng.integers(-3, 6, size) / 2.0, rng.integers(-3, 6, (size, 3)) / 2.0


def elements(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x in a:
        s += x * x
    return s


def integer_elements(k: i32[N]):
    s = 0
    for x in k:
        s += x
    return s


def inputs_integer_elements(size, rng):
    return (rng.integers(-3, 100, size).astype(np.int32),)


sizes_integer_elements = (1, 2, 7, 33)  # the sum of none is Python's 0


def rows_are_views(a: f64[N], m: f64[N, 3]):
    for row in m:
        row[0] = row[1] + row[2]
        row[1:] *= 2


def changes_are_seen(a: f64[N], m: f64[N, 3]):
    s = 0.0
    i = 0
    for x in a:
        i += 1
        if i < a.shape[0]:
            a[i] += x
        s += x
    return s


def evaluated_once(a: f64[N], m: f64[N, 3]):
    s = 0.0
    b = a
    for x in b:
        b = m[:, 0] + 1
        s += x
    return s


def of_a_slice(a: f64[N], m: f64[N, 3]):
    n = 1
    s = 0.0
    for x in a[n::2]:
        n += 1
        s += x * n
    for y in (a * 2)[::-1]:
        s = s / 2 + y
    return s, n


def numbered(a: f64[N], m: f64[N, 3]):
    for i, x in enumerate(a):
        a[i] = x * i


def numbered_from(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for i, row in enumerate(m, 5):
        s += i * row.sum()
    for j, x in enumerate(a[1:], start=-1):
        s -= j * x
    return s


def in_pairs(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x, y in zip(a, m[:, 1]):
        s += x * y
    return s


def shortest(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x, row, i in zip(a[2:], m, range(3, 50, 4)):
        s += x * row[0] * i
    return s


def nested(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for i, (x, row) in enumerate(zip(a, m)):
        for j, y in enumerate(row):
            if y < 0:
                continue
            s += i * x + j * y
    return s


def backwards(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x in reversed(a):
        s = 0.5 * s + x
    for i in reversed(range(1, a.shape[0], 3)):
        s = 0.5 * s + i
    for i, x in enumerate(reversed(a)):
        s = 0.5 * s + x * i
    return s


def taken_apart(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x, y, z in m:
        s += x * y - z
    return s


def array_taken_apart(a: f64[N], m: f64[N, 3]):
    p, q, r = np.array([1.0, 2.0, 3.0]) * 2
    return p + 10 * q + 100 * r


def over_a_tuple(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for k in (3, 1, 2):
        s = 10 * s + k
        for x in a:
            s += k * x
    return s, k


def over_unlike_items(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for b in (a, m[:, 0], m):
        s += b.sum()
        b *= 2
    for name, k in ((2, 1.5), (0, 4)):
        s += m.shape[1] * k + name
    return s


def over_a_list(a: f64[N], m: f64[N, 3]):
    s = 0
    for i, k in enumerate([5, 7]):
        for j in range(k):
            s += i * j + 1
    return s


def leaves_a_tuple(a: f64[N], m: f64[N, 3]):
    n = 0
    for k in (1, 2, 4, 8):
        n += k
        if n > a.shape[0]:
            break
        if k == 2:
            continue
        n += 1
    else:
        n = -n
    return n, k


def returns_from_a_tuple(a: f64[N], m: f64[N, 3]):
    for b in (a, m[:, 1], m[:, 2]):
        for i, x in enumerate(b):
            if x > 2:
                return i, x
            b[i] = 0
    return -1, 0.0


def returns_the_row(a: f64[N], m: f64[N, 3]):
    for i, row in enumerate(m):
        if row[0] > 1:
            return row.sum() + i
        row[:] = 9
    return -1.0


def left_while_numbered(a: f64[N], m: f64[N, 3]):
    last, i = 0.0, 100
    for i, x in enumerate(a):
        if x == 2:
            break
        last += x
    else:
        i = -1
    return i, last


def inputs_left_while_numbered(size, rng):
    return rng.integers(-3, 6, size + 1) / 2.0, rng.random((size + 1, 3))


def range_as_value(a: f64[N], m: f64[N, 3]):
    r = range(1, 2 * a.shape[0], 3)
    s = len(r)
    for i in r:
        s += i
    for j in r:
        s -= 2 * j
    if len(r) > 1:
        s += 100 * r[1] + r[-1]
    return s


def range_bounds_kept(a: f64[N], m: f64[N, 3]):
    n = a.shape[0]
    r = range(n)
    n = 0
    s = 0
    for i in r:
        n += 1
        s += i
    return s, n, len(range(10, 3)), len(range(10, 3, -2)), len(range(-5, n, 4))


def count(r, x):
    n = 0
    for i in r:
        n += i * x
    return n


def range_as_argument(a: f64[N], m: f64[N, 3]):
    return count(range(a.shape[0]), 3) + count(range(5, -2, -2), 2)


def arrays_exchanged(a: f64[N], b: f64[N]):
    s = 0.0
    t = a.copy()
    for x in t:
        a[:] = t + b
        b[:] = a
        s += x
    return s


def inputs_arrays_exchanged(size, rng):
    return rng.random(size), rng.random(size)


def index_kept(a: f64[N], m: f64[N, 3]):
    i = -7
    x = 50.0
    for i, x in enumerate(a):
        pass
    return i, x


def index_changed(a: f64[N], m: f64[N, 3]):
    s = 0
    for i, x in enumerate(a):
        i *= 2
        s += i
    return s


def reads_own_index(a: f64[N], m: f64[N, 3]):
    out = np.zeros(a.shape[0])
    for i, x in enumerate(a):
        for x in m[i]:
            out[i] += x
        out[i] += x
    return out


def one_name_for_two_loops(n: int):
    """Where the inner loop makes no step, the name is the outer one's."""
    s = 0
    for i in range(5):
        for i in range(n):
            s += 1
        s = s * 3 + i
    return s, i


def inputs_one_name_for_two_loops(size, rng):
    return (size % 4,)


def read_by_else(a: f64[N], n: int):
    for i, x in enumerate(a):
        pass
    else:
        n = i
    for k in range(3):
        pass
    else:
        n += k
    return n


def inputs_read_by_else(size, rng):
    return rng.random(size + 1), 5


def elements_in_order(m: f64[N, M], k: i32[N]):
    total, s = 0.0, 0
    for x in np.nditer(m):
        total = total * 0.5 + x
    for x in m.T.flat:
        total = total * 0.5 - x
    for i, x in enumerate(np.nditer(k)):
        s += i * x
    return total, s


def elements_changed(m: f64[N, M], k: i32[N]):
    for x in np.nditer(m, op_flags=["readwrite"]):
        x[...] = 2 * x + 1
    for x, y in zip(np.nditer(k, op_flags=["readwrite"]), m.flat):
        x[...] += 3
        m[-1, -1] += x * y


def inputs_elements_in_order(size, rng):
    return rng.integers(0, 9, (size, 3)).astype(float), rng.integers(0, 9, size).astype(np.int32)


inputs_elements_changed = inputs_elements_in_order
sizes_elements_in_order = sizes_elements_changed = (1, 2, 7)


def members_of_ranges(k: i64[N], n: int):
    s = 0
    for i in range(len(k)):
        if k[i] in range(n):
            s += 1
        if int(k[i]) not in range(20, n, -3):
            s += 10
    return s, n in range(2, 40, 5), 7 in range(2, 40, 5)


def inputs_members_of_ranges(size, rng):
    return rng.integers(-5, 25, size), size
