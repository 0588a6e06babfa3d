"""Lists in memory: appended to, stored into, joined, repeated, returned; what Python's own numbers and NumPy's are in them."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 12)


def appended(a: i64[N], n: int):
    squares, evens, pairs = [], [], []
    for i in range(n):
        squares.append(i * i)
        for j in range(i):
            pairs.append(i * 10 + j)
    for x in a:
        if x % 2 == 0:
            evens.append(x)
    return squares, evens, np.array(pairs, dtype=np.int64), len(pairs)


def inputs_appended(size, rng):
    return rng.integers(0, 50, size), size


def sieve(limit: int):
    a = [True] * limit
    a[0] = a[1] = False
    primes = []
    for (i, isprime) in enumerate(a):
        if isprime:
            primes.append(i)
            for n in range(i * i, limit, i):
                a[n] = False
    return primes


def inputs_sieve(size, rng):
    return (size * 5 + 2,)


def stack(n: int):
    items = [n]
    total = 0
    for i in range(n):
        items.append(i)
        if i % 3 == 0:
            total += items.pop()
    depth = len(items)
    while items:
        total = (total * 3 + items.pop()) % 1000003
    items.append(total)
    return total, depth, items


def inputs_stack(size, rng):
    return (size,)


def shared_by_names(n: int):
    a = []
    b = a
    for i in range(n):
        a.append(i)
    if n > 3:
        b[0] = 99
    return len(b), a


def inputs_shared_by_names(size, rng):
    return (size,)


def extended(n: int):
    a = [1, 2]
    a.extend([3, 4])
    a += [n]
    a.extend(range(n))
    c = list(a)
    c.append(-1)
    a[0] = 7
    d = a[1:] + c
    c.clear()
    return a, d, a[-1], [0] * 3 + a, [1, 2] * n, c, len(d)


def inputs_extended(size, rng):
    return (size,)


def grid(n: int):
    m = [[0] * n for i in range(n)]
    for i in range(n):
        for j in range(n):
            m[i][j] += i * j + 1
    t = [[0, 0, 0], [0, 0, 0]]
    t[1][2] = n
    total = 0
    for row in m:
        total += sum(row)
    return m, total, t[1][2] + t[0][1]


def inputs_grid(size, rng):
    return (size,)


def by_row(a: f64[M, N]):
    """A list of each step's own, whose room depends on the step."""
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        found = []
        for j in range(min(i, a.shape[1])):
            if a[i, j] > 0:
                found.append(a[i, j] * 1.5)
        out[i] = sum(found) + len(found)
    return out


def inputs_by_row(size, rng):
    return (rng.random((size, 9)) - 0.5,)


def add_all(into, values, scale):
    for v in values:
        put(into, v * scale)
    return len(into)


def put(where, v):
    where.append(v)


def in_helpers(a: f64[N]):
    found = []
    k = add_all(found, a, 2.0)
    k += add_all(found, a, 3.0)
    return np.array(found), k


def inputs_in_helpers(size, rng):
    return (rng.random(size),)


def left(a: f64[N]):
    found = []
    for i in range(a.shape[0]):
        if a[i] > 0.9:
            break
        found.append(a[i])
        if a[i] > 0.5:
            continue
        found.append(a[i] * 2)
    else:
        found.append(-1.0)
    return np.array(found), len(found)


def inputs_left(size, rng):
    return (rng.random(size) * (0.9 if size % 2 else 1.2),)


def sums_by_class(a: f64[N], k: i64[N], n: int):
    """Zeros of Python's to which NumPy's numbers are added."""
    sums, counts, means = [0.0] * 4, [0] * 4, [0] * n
    for i in range(len(a)):
        sums[k[i]] += a[i]
        counts[k[i]] += 1
    for i in range(n):
        means[i] += 0.5 * i
    return np.array([sums[j] / max(counts[j], 1) for j in range(4)]), counts, sum(means)


def inputs_sums_by_class(size, rng):
    return rng.random(size), rng.integers(0, 4, size), size + 1


def members(a: i64[N], n: int, x: int):
    items = list(range(n))
    return x in a, x in items, n in [1, 2, 3], not items, x not in items


def inputs_members(size, rng):
    return rng.integers(0, 9, size), size, 4


def rows_stored(a: f64[M, N], n: int):
    b = np.zeros((n, 2))
    for i in range(n):
        b[i] = [i, i + 0.5]
    c = np.zeros(3, dtype=np.int64)
    c[:] = (1, 2, n)
    return b, c


def inputs_rows_stored(size, rng):
    return rng.random((size, size)), size


def complexes(x: float, y: float):
    z = complex(x, y)
    w = complex(float("inf"), -0.0)
    return z * z, z.imag, w, complex(2), complex(x, imag=1)


def inputs_complexes(size, rng):
    return rng.random(), -float(size)


def rooms(n: int, m: int):
    """Each loop adds as many as it has steps, which follow from the outer one's."""
    l = []
    for i in range(n):
        for j in range(-2 * i, 5):
            l.append(j)
        for j in range(5 - i):
            l.append(j)
        for j in range(10, -i, -1):
            l.append(j)
        for j in range(i, min(m, 2 * i)):
            l.append(j)
        for j in range(i, 0, -2):
            l.append(j)
            for k in range(j, m):
                l.append(k)
    return l


def inputs_rooms(size, rng):
    return size, (size * 5) % 11


def early(n: int, t: int):
    l = []
    for i in range(n):
        for j in range(i, n):
            if j * i > t:
                break
            l.append(j)
            if i == 7:
                return l, i
        l.append(-i)
    return l, -1


def inputs_early(size, rng):
    return size, 20 if size % 2 else 3000


def from_another(n: int):
    l = []
    m = []
    for i in range(n):
        m.append(i)
        l.extend(m)
    return len(l), sum(l), m


def inputs_from_another(size, rng):
    return (size,)


def nested_call(n: int):
    l = []
    def add(x):
        l.append(x)
    for i in range(n):
        add(i * 2)
    return l


def inputs_nested_call(size, rng):
    return (size,)


def cleared(n: int):
    l = []
    k = []
    for i in range(n):
        k.clear()
        for j in range(i):
            k.append(j)
        l.append(len(k) + sum(k))
    return l, k


def inputs_cleared(size, rng):
    return (size,)


def unpacked(n: int):
    l = [1, 2, 3]
    a, b, c = l
    l[1] = n
    return a, b, c, l


def inputs_unpacked(size, rng):
    return (size,)


def named_like_builtins(list: i64[N], complex: c128[N], n: int):
    found = []
    for i in range(n):
        if list[i] > 3:
            found.append(list[i])
    return found, complex.sum()


def inputs_named_like_builtins(size, rng):
    return rng.integers(0, 9, size), rng.random(size) + 1j, size


def rows_changed(n: int, x: float):
    rows = [[x for i in range(n)] for j in range(2)]
    for row in rows:
        row[0] += 1.5
    last = rows[1]
    last[0] *= 2
    return rows


sizes_rows_changed = (1, 2, 7)


def inputs_rows_changed(size, rng):
    return size, 0.5


def of_computed(a: f64[N], k: i64[N], n: int):
    twice = list(a * 2)
    return list(k + n), twice, list(a)


def inputs_of_computed(size, rng):
    return rng.random(size), rng.integers(0, 9, size), size


def sums_of_truths(a: f64[N], x: float, n: int):
    flags = [v > x for v in a]
    own = [i > 2 for i in range(n)]
    return sum(flags), sum(own), sum(flags) + sum(own) * 10, sum([v <= x for v in range(n)]), max([k for k in range(n + 1)])


def inputs_sums_of_truths(size, rng):
    return rng.random(size + 1), 0.5, size + 1


def next_greater(a: i64[N]):
    stack, found = [], np.full(a.shape[0], -1)
    for i in range(a.shape[0]):
        while stack and a[stack[-1]] < a[i]:
            found[stack.pop()] = i
        stack.append(i)
    return found, 1 if (stack and a[0] > 3) or a.shape[0] > 2 else 0


def inputs_next_greater(size, rng):
    return (rng.integers(0, 9, size + 1),)


def slices_stored(a: f64[N], n: int):
    """As many items as there are."""
    k = [1, 2, 3, 4]
    k[:2] = [5, n]
    k[-1:] = [9]
    x = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    x[1:3] = [float(a.sum()), 7.0]
    x[::2] = (1.0, 2.0, 3.0)
    y = [0.5] * len(a)
    for i in range(1, len(a) - 1):
        y[i:i + 2] = [float(a[i]), float(a[i + 1])]
    y[:] = y[::-1]
    return k, x, y


def inputs_slices_stored(size, rng):
    return rng.random(size), size
