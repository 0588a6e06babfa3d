"""What a `for` runs over, by the language reference: arrays, tuples, enumerate, zip, reversed, ranges that are values."""
from __future__ import annotations

import functools
import itertools
import math
import operator
from bisect import bisect_left
import bisect

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


def product_of_ranges(a: f64[N], m: f64[N, 3]):
    """Each item of one with each of the other; names keep what they had last."""
    s = 0.0
    i = j = -1
    for i, j in itertools.product(range(len(a)), range(3)):
        s += (i + 2 * j) * m[i, j]
    return s, i, j, [x * y for x, y in itertools.product(a, (2.0, 3.0))], [p + q for p, q in itertools.product(range(2), repeat=2)]


def pairs_and_chains(a: f64[N], m: f64[N, 3]):
    gaps = [y - x for x, y in itertools.pairwise(a)]
    ends = sum(x * x for x in itertools.chain(a, m[:, 1]))
    known = list(itertools.chain((1, 2), [3]))
    nested = sum(x for x in itertools.chain.from_iterable([a, a * 2]))
    return gaps, ends, known, nested


def inputs_pairs_and_chains(size, rng):
    return rng.integers(-3, 6, size) / 2.0, rng.integers(-3, 6, (size, 3)) / 2.0


sizes_pairs_and_chains = (1, 2, 7, 33)  # the sum of none is Python's 0


def parts_of_iterables(a: f64[N], m: f64[N, 3]):
    s = 0.0
    for x in itertools.islice(a, 2, None, 3):
        s += x
    for k, x in zip(itertools.count(3, 2), a):
        s += k * x
    for x, sign in zip(a, itertools.cycle((1.0, -1.0))):
        s += sign * x
    for x, w in zip(a, itertools.repeat(0.5)):
        s += w * x
    return s, [x for x in itertools.islice(a, 4)], [n for n in itertools.islice(range(100), 3, 20, 5)], list(itertools.repeat(7, 3))


def combined(a: f64[N], m: f64[N, 3]):
    s = 0
    for i, j in itertools.combinations(range(len(a)), 2):
        s += i * 3 + j
    for i, j in itertools.permutations((1, 2, 3), 2):
        s = s * 2 % 1000 + i - j
    for i, j in itertools.combinations_with_replacement(range(3), 2):
        s += i - 2 * j
    for i, j, k in itertools.combinations(range(5), 3):
        s += i * j + k
    for i, j, k in itertools.permutations(range(4), 3):
        s = s * 3 % 1000 + i + 2 * j + 3 * k
    return s


def arranged(a: f64[N], m: f64[N, 3]):
    """Tuples of which the run tells the length; arguments that a list gives."""
    n = len(a) % 5
    least, columns = 1e9, list(zip(*[[x, 2.0 * x, 1.0] for x in [0.5, *a[:3]]]))
    for p in itertools.permutations(range(n)):
        least = min(least, 0.0 + sum(abs(a[p[k]] - a[p[k - 1]]) * k for k in range(n)))
    tour = (0,) + list(itertools.permutations(range(n)))[0]
    some = [list(c) for c in itertools.combinations(range(6), n)]
    far = 0.0
    for row in m:
        far = max(far, math.hypot(*row[:2]), np.hypot(*(row[1:] * 2.0)))
    return least, tour[-1], some, len(list(itertools.combinations_with_replacement(range(3), n))), [sum(c) / len(c) for c in columns], far


def accumulated(a: f64[N], m: f64[N, 3]):
    return (list(itertools.accumulate(a)), list(itertools.accumulate(a, operator.mul)), [x for x in itertools.accumulate(a, max, initial=0.5)],
            list(itertools.takewhile(lambda x: x < 2, a)), list(itertools.dropwhile(lambda x: x < 1, a)),
            list(itertools.filterfalse(lambda x: x > 0, a)), list(itertools.compress(a, a > 0)), [p for p in itertools.starmap(operator.sub, [(x, x * 3) for x in a])])


def indices_in_comprehensions(a: f64[N], m: f64[N, 3]):
    return sum(m[q] * q[1] for q in np.ndindex(2, 3)) if len(a) > 1 else 0.5


def places_in_order(a: f64[N], m: f64[N, 3]):
    x = np.sort(a)
    found = [3, 5, 5, 9]
    bisect.insort(found, 5)
    bisect.insort_left(found, len(a))
    return bisect_left(x, 0.5), bisect.bisect_right(x, 0.5), bisect.bisect(x, -1.5), bisect_left([1, 3, 5], len(a)), found


def the_extreme_or(a: f64[N], m: f64[N, 3]):
    return (max(a, default=-1.0), min([x for x in a if x > 1], default=9.0), max((x for x in a if x > 50), default=2.5),
            max((), default=3), min([i for i in range(len(a)) if a[i] > 0], default=-7))


def reduced(a: f64[N], m: f64[N, 3]):
    return functools.reduce(operator.add, a), functools.reduce(lambda x, y: x * 0.5 + y, a, np.float64(1.0)), functools.reduce(max, [x * 2 for x in a]), functools.reduce(operator.mul, range(1, 6), 1)


def columns_by_zip(a: f64[N, 3], b: i64[M, N]):
    xs, ys, zs = zip(*a)
    return sum(xs), max(ys), len(zs), xs[1:], [sum(c) for c in zip(*b)], [c[0] for c in zip(*b[1:])]


def inputs_columns_by_zip(size, rng):
    return rng.random((size + 1, 3)), rng.integers(0, 9, (3, size + 1))


def evens(xs):
    for x in xs:
        if x % 2 == 0:
            yield x


def doubled(xs):
    return sum(x * 2 for x in xs)


def powers_of(n, k):
    for i in range(n):
        yield i**k


def piped(n: int):
    return sum(evens(powers_of(n, 2))), list(evens(i * 3 for i in range(n))), doubled(map(abs, [1, -2, n])), doubled(evens(range(n)))


def inputs_piped(size, rng):
    return (size,)


def best_of(a):
    it = iter(a)
    best = next(it)
    for x in it:
        if x > best:
            best = x
    return best


def named_iterators(a: i64[N], n: int):
    """What `next` takes is gone; loops run over what is left."""
    it = iter(a)
    out = []
    for x in it:
        if x % 2:
            next(it, None)
            continue
        if x > 7:
            break
        out.append(x)
    else:
        out.append(-1)
    rest = 0
    for y in it:
        rest += y
    numbers = iter(range(n))
    while True:
        k = next(numbers, None)
        if k is None:
            break
        out.append(k)
        k = next(numbers, -1)
        out.append(k * 10)
    pairs = iter(zip(a, a[1:]))
    first = next(pairs, (0, 0))
    return out, rest, first[0], sum(x * y for x, y in zip(a, a[1:]))


def inputs_named_iterators(size, rng):
    return rng.integers(0, 9, size), size


def first_missing(a: i64[N], b: f64[N, M]):
    total = best_of(b.sum(axis=1))
    return best_of(a), total


def inputs_first_missing(size, rng):
    return rng.integers(0, 9, size), rng.random((size, 3))
