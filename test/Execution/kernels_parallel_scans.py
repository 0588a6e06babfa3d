"""What loops fold and keep at each step, which all threads scan: sums, extremes and counts of all types, carried by scalars and by
elements, several at once, up and down, read before and behind; and what must stay in order."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 257, 2047, 2049, 6151)
NUMBERS = (1, 2, 257, 2049, 6151)


def sums(a: f64[N], b: f32[N], c: i8[N], d: i64[N], e: u8[N], f: bool[N], z: c128[N]):
    return (np.cumsum(a), b.cumsum(), np.cumsum(c), np.cumsum(d), np.cumsum(e), np.cumsum(f), np.cumsum(z), np.cumsum(c, dtype=np.int8),
            np.add.accumulate(e, dtype=np.uint8), np.cumsum(a[::-1])[::-1], np.cumsum(a * a + 1)[1:])


def inputs_sums(size, rng):
    return (rng.random(size) - 0.25, rng.random(size).astype(np.float32), rng.integers(-128, 128, size, dtype=np.int8),
            rng.integers(-2**62, 2**62, size), rng.integers(0, 256, size, dtype=np.uint8), rng.random(size) < 0.5,
            rng.random(size) - 1j * rng.random(size))


def products(a: i8[N], b: i64[N], c: u8[N], d: f64[N]):
    return np.cumprod(a), np.cumprod(b), np.multiply.accumulate(c, dtype=np.uint8), np.cumprod(d)


def inputs_products(size, rng):
    d = np.arange(size) * 1.0 if size > 2000 else rng.random(size) + 0.5
    return (rng.choice(np.array([-1, 1, 3], dtype=np.int8), size), rng.integers(-50, 50, size) * 2 + 1,
            rng.integers(0, 128, size, dtype=np.uint8) * 2 + 1, d)


def extremes(a: f64[N], b: f32[N], c: i32[N], d: u8[N], e: bool[N], f: i64[N]):
    return (np.maximum.accumulate(a), np.minimum.accumulate(a), np.maximum.accumulate(b), np.minimum.accumulate(c), np.maximum.accumulate(c),
            np.maximum.accumulate(d), np.logical_or.accumulate(e), np.logical_and.accumulate(e), np.minimum.accumulate(f), np.maximum.accumulate(e))


def inputs_extremes(size, rng):
    a, b = np.cumsum(rng.standard_normal(size)), rng.standard_normal(size).astype(np.float32)
    a[size * 3 // 4:size * 3 // 4 + 1] = np.nan
    b[:size // 3] = -np.inf
    e = np.zeros(size, dtype=bool) if size % 2 else np.ones(size, dtype=bool)
    e[size * 2 // 3:size * 2 // 3 + 1] ^= True
    return a, b, np.cumsum(rng.integers(-9, 10, size)).astype(np.int32), rng.integers(0, 256, size, dtype=np.uint8), e, -np.arange(size)


def by_scalars(a: f64[N], b: i64[N], out: f64[N], before: f64[N], count: i64[N]):
    """A sum with what was before it, a count of what holds, and what is left at the end."""
    s = 1.5
    n = 0
    for i in range(a.shape[0]):
        x = a[i] * 2
        before[i] = s + b[i]
        if b[i] > 3:
            n += 1
        s += x
        out[i] = s * x
        count[i] = n
    return s, n


def inputs_by_scalars(size, rng):
    return rng.random(size), rng.integers(0, 9, size), np.zeros(size), np.zeros(size), np.zeros(size, dtype=np.int64)


def by_elements(a: f64[N], b: f64[N], c: i64[N], m: f64[N, 3]):
    """The element before holds what was folded: from its own start, in place, every second one, down a column."""
    for i in range(1, a.shape[0]):
        b[i] = b[i - 1] + a[i]
    for i in range(1, a.shape[0]):
        a[i] += a[i - 1]
    for i in range(2, a.shape[0], 2):
        c[i] = max(c[i - 2], c[i])
    for i in range(a.shape[0] - 2, -1, -1):
        m[i, 1] = m[i + 1, 1] + m[i, 0]
    return a[-1] + b[0]


def inputs_by_elements(size, rng):
    return rng.random(size), rng.random(size), rng.integers(-99, 99, size), rng.random((size, 3))


sizes_by_elements = NUMBERS


def downwards(a: f64[N], low: f64[N], high: f64[N]):
    """NaN changes neither extreme that comparisons find, but for the first one."""
    least = a[-1]
    most = a[-1]
    for i in range(a.shape[0] - 1, -1, -1):
        if a[i] < least:
            least = a[i]
        most = max(most, a[i])
        low[i] = least
        high[i] = most - least
    return least, most


def inputs_downwards(size, rng):
    a = rng.standard_normal(size)
    a[::7] = np.nan
    if size != 257:
        a[-1:] = 0.0
    return a, np.zeros(size), np.zeros(size)


sizes_downwards = NUMBERS


def one_of_another(a: i64[N], out: i64[N], out2: i64[N]):
    """A sum of sums; a total that only collects; what is subtracted."""
    s = 0
    t = 0
    total = 0
    for i in range(a.shape[0]):
        s = s + a[i] - i
        t = s + t
        total += t * a[i]
        out[i] = t
        out2[i] = s - t
    return total, s


def inputs_one_of_another(size, rng):
    return rng.integers(-9, 9, size), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)


def of_rows(a: f64[N, 5], w: f64[5], out: f64[N]):
    """Each step's operand is a sum itself."""
    s = 0.0
    for i in range(a.shape[0]):
        t = 0.0
        for j in range(5):
            t += a[i, j] * w[j]
        s += t
        out[i] = s
    return out.sum()


def inputs_of_rows(size, rng):
    return rng.random((size, 5)), rng.random(5), np.zeros(size)


def in_steps(a: f64[N], k: int):
    """In a loop of the host, whose other statements need all that is scanned."""
    last = 0.0
    for step in range(k):
        c = np.cumsum(a)
        a = c / (c[-1] + 1) + a
        last += c[0]
    return a, last


def inputs_in_steps(size, rng):
    return rng.random(size), 3


sizes_in_steps = (1, 257, 2049)


def guarded(a: f64[N], k: i64[N], out: bool[N], out2: bool[N]):
    """What `and` has decided is not evaluated: k may point anywhere behind it."""
    is_rising = True
    for i in range(1, a.shape[0]):
        is_rising = is_rising and a[i] > a[i - 1]
        out[i] = is_rising
    is_known = True
    for i in range(a.shape[0]):
        is_known = is_known and k[i] >= 0
        is_known = is_known and a[k[i]] > -9
        out2[i] = is_known


def inputs_guarded(size, rng):
    a, k = np.arange(size) * 1.0, rng.integers(0, max(size, 1), size)
    a[size // 2:] -= 5
    k[size // 3:] = -10**7
    return a, k, np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)


def in_order(a: f64[N], b: f64[N], out: f64[N], c: f64[N]):
    """Steps that see what others have stored, recurrences, operands that what is scanned decides, two orders of one extreme."""
    s = 0.0
    x = 1.0
    t = 0.0
    m = 0.0
    for i in range(1, a.shape[0]):
        s += b[i]
        b[i] = s * 0.5
        a[i - 1] = b[i - 1] + s
        x = a[i] * 0.5 * x + b[i]
        t += a[i] if t < 3 else -a[i]
        m = max(a[i], m)
        out[i] = x + t + m
    for i in range(1, a.shape[0]):
        c[i] = c[i] + c[i - 1] * 0.5
    return s, x, t


def inputs_in_order(size, rng):
    return rng.random(size), rng.random(size), np.zeros(size), rng.random(size)


def what_a_store_changes(a: f64[N], b: f64[N], k: i64[N]):
    """Operands that an earlier statement or step has stored."""
    s = 0.0
    for i in range(a.shape[0]):
        a[i] = b[i] + 1
        s += a[i]
        b[i] = s
    s = 0.0
    for i in range(a.shape[0]):
        s += a[k[i]]
        a[i] = s
    return s


def inputs_what_a_store_changes(size, rng):
    return rng.random(size), rng.random(size), rng.integers(0, max(size, 1), size)


def few_rows(m: f64[M, N], k: i32[N, M], w: f64[M], out: f64[M, N], ends: f64[M]):
    """Each row's folds, by all threads where rows are few and long; down columns, with a start of its own, and what is left at its end."""
    for i in range(m.shape[0]):
        s = w[i]
        for j in range(m.shape[1]):
            s += m[i, j] * m[i, j]
            out[i, j] = s / (j + 1)
        ends[i] = s * 2
    sums = np.cumsum(m, axis=1)
    for i in range(m.shape[0]):
        for j in range(m.shape[1] - 2, -1, -1):
            m[i, j] = max(m[i, j + 1], m[i, j])
    return sums, np.maximum.accumulate(k, axis=0), np.cumsum(k, axis=1), np.cumsum(k, axis=0)


def inputs_few_rows(size, rng):
    return (rng.random((3, size)), rng.integers(-99, 99, (size, 3), dtype=np.int32), rng.random(3), np.zeros((3, size)), np.zeros(3))


def rows_in_order(m: f64[M, N], out: f64[M, N], w: f64[M]):
    """What an iteration needs besides its folds, or sees of its row's other steps."""
    for i in range(m.shape[0]):
        scale = w[i] * 2
        s = 0.0
        for j in range(m.shape[1]):
            s += m[i, j] * scale
            out[i, j] = s
    for i in range(m.shape[0]):
        s = 0.0
        for j in range(m.shape[1]):
            out[i, j] += s
            s += m[i, j]
    for i in range(m.shape[0]):
        s = 0.0
        for j in range(1, m.shape[1]):
            s += m[i, j - 1]
            m[i, j] = s


def inputs_rows_in_order(size, rng):
    return rng.random((3, size)), np.zeros((3, size)), rng.random(3)


def under_conditions(a: f64[N], out: f64[N], number: i64[N], ends: bool[N], k: i64[N]):
    """Branches that fold several and store; what only a first step decides, whose neighbour is none of the array's."""
    n = 0
    s = 0.0
    for i in range(a.shape[0]):
        if a[i] > 0.5:
            n += 1
            s -= a[i]
            number[i] = n
        out[i] = s
    for i in range(a.shape[0] - 1, -1, -1):
        ends[i] = i == a.shape[0] - 1 or ends[i + 1]
    for i in range(a.shape[0] - 1, -1, -1):
        k[i] = k[i + 1] + k[i] if i < a.shape[0] - 1 else k[i]
    return n, s


def inputs_under_conditions(size, rng):
    return rng.random(size), np.zeros(size), np.zeros(size, dtype=np.int64), rng.random(size) < 0.5, rng.integers(0, 9, size)


def rows_from_before(m: f64[M, N], out: f64[M, N]):
    """What a row's steps see of the step before them."""
    for i in range(m.shape[0]):
        s = m[i, 0]
        for j in range(1, m.shape[1]):
            out[i, j] = s
            s = s + m[i, j]


def inputs_rows_from_before(size, rng):
    return rng.random((3, size)), np.zeros((3, size))


sizes_rows_from_before = (1, 2049)


def chosen_otherwise(p: f64[N], k: i64[N], low: f64[N]):
    """What one branch hands on and the other one collects, NaN among it."""
    least = np.inf
    best, after = 0.0, 0
    for i in range(len(p)):
        if p[i] < least:
            least = p[i]
        elif p[i] - least > best:
            best = p[i] - least
        low[i] = least
    passed = 0
    for i in range(len(k)):
        if k[i] % 3 == 0:
            passed += k[i]
        else:
            after += passed
            passed -= 1
    return least, best, passed, after


def inputs_chosen_otherwise(size, rng):
    p = np.cumsum(rng.standard_normal(size))
    p[size // 2:size // 2 + 1] = np.nan
    return p, rng.integers(0, 50, size), np.zeros(size)


def float_products(r: f64[N], f: f32[N], m: f64[M, N], out: f64[N], alive: f64[N]):
    """Wealth, what is still there, rows; a product that an `if` leaves out; what leaves the range of its type, and comes back."""
    w = 2.0
    s = 1.0
    for i in range(len(r)):
        w *= 1 + r[i]
        if r[i] > 0:
            s = s * (1.0 - 1.0 / (len(r) - i + 1))
        out[i] = w * s
    for i in range(m.shape[0]):
        p = 1.0
        for j in range(m.shape[1]):
            p *= m[i, j]
            m[i, j] = p
    return w, np.cumprod(f), np.cumprod(alive), np.cumprod(np.where(r > 0, 1e300, 1e-299)), np.cumprod(-1 - r), np.cumprod(1 / alive)


def inputs_float_products(size, rng):
    m = rng.random((5, size)) + 0.53
    m[1] = np.where(np.arange(size) % 400 < 200, 1e-3, 1e3)  # vanishes, or loses digits, on its way
    m[2] = np.where(np.arange(size) % 800 < 400, 1e2, 1e-2)
    m[3, size // 2:] = 0.0
    m[3, size // 3:size // 3 + 1] = np.nan
    m[4, size // 3:size // 3 + 1] = -np.inf
    return (rng.standard_normal(size) * 0.01, (rng.random(size) + 0.53).astype(np.float32), m, np.zeros(size),
            (np.arange(size) < size // 2) * 1.0)
