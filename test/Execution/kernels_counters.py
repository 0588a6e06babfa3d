"""Scalars that loops count up: places in packed triangles, positions from the end, several steps an iteration, steps that inner
loops and the call's numbers make, nests over three; what counts under a condition stays."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 3, 17)


def make_inputs(size, rng):
    return rng.uniform(-1.0, 1.0, (size, 3)), rng.uniform(-1.0, 1.0, size), size % 4 + 1, rng.integers(0, 5, size)


def distances(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Pairs one after the other, as in a list of distances."""
    n = len(points)
    out = np.empty(n * (n - 1) // 2)
    first = np.empty(n * (n - 1) // 2, dtype=np.int64)
    k = 0
    for i in range(n):
        for j in range(i + 1, n):
            s = 0.0
            for d in range(points.shape[1]):
                s += (points[i, d] - points[j, d]) ** 2
            out[k] = np.sqrt(s)
            first[k] = i
            k += 1
    return out, first, k


def packed(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Rows of a lower triangle: by a counter, by its formula, from the end."""
    n = len(x)
    counted = np.zeros(n * (n + 1) // 2)
    formula = np.zeros(n * (n + 1) // 2)
    backwards = np.zeros(n * (n + 1) // 2)
    at = 0
    back = len(backwards) - 1
    for i in range(n):
        for j in range(i + 1):
            counted[at] = x[i] * x[j]
            at = at + 1
            formula[i * (i + 1) // 2 + j] = x[i] - x[j]
            backwards[back] = x[i] + 2 * x[j]
            back -= 1
    return counted, formula, backwards


def upper(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    n = len(x)
    out = np.zeros(n * (n - 1) // 2)
    for i in range(n):
        for j in range(i + 1, n):
            out[i * n - i * (i + 1) // 2 + j - i - 1] = x[i] - x[j]
    return out


def several(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Two elements an iteration; steps of the call's; a branch whose sides count alike; what is read behind the loop."""
    n = len(x)
    pairs = np.zeros(2 * n)
    wide = np.zeros(step * n + 1)
    k = 0
    w = 0
    for i in range(n):
        pairs[k] = x[i]
        k += 1
        if x[i] > 0:
            pairs[k] = -x[i]
            k += 1
        else:
            k += 1
        wide[w] = x[n - 1 - i]
        w += step
    wide[w] = 5.0
    return pairs, wide, k, w


def rectangles(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """A nest of three, a loop that goes down, one that may be empty, and a counter that each row begins anew."""
    n, d = points.shape
    out = np.zeros(n * d * step)
    rows = np.zeros((n, n))
    k = len(out)
    for i in range(n - 1, -1, -1):
        for j in range(d):
            for r in range(step):
                k -= 1
                out[k] = points[i, j] + r
        p = 0
        for j in range(i, n):
            rows[i, p] = x[j]
            p += 1
    m = 3
    for i in range(n):
        for j in range(step - 3):
            m += 2
        rows[i, i] += m
    return out, rows, k, m


def uneven(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Steps that differ: by the iteration, by the data, under a condition; a range that begins behind its end."""
    n = len(x)
    squares = np.zeros(n * n + 1)
    kept = np.zeros(n)
    k = 0
    for i in range(n):
        squares[k] = x[i]
        k += 2 * i + 1
    c = 0
    total = 0
    starts = np.zeros(n, dtype=np.int64)
    for i in range(n):
        if x[i] > 0:
            kept[c] = x[i]
            c += 1
        starts[i] = total
        total += keys[i]
    late = np.zeros(n)
    p = 0
    for i in range(n):
        for j in range(i + 5, n):
            p += 1
        late[i] = p
    return squares, kept[:c], starts, late, k, total


def gathers(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Counters that are read as numbers, and elements read by them."""
    n = len(x)
    a = np.zeros(n)
    b = np.zeros((n, n))
    k = n
    q = 0
    for i in range(n):
        k -= 1
        a[i] = x[k] * k
        for j in range(n):
            b[i, j] = x[q % n] + q
            q += 1
    return a, b


def walks(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Places that data move, in rows that each collect what is there."""
    n = len(x)
    out = np.zeros(n)
    pos = 0
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += x[pos % n]
            pos += keys[j]
        out[i] = s / step
    return out, pos


def windows(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """Means of as many elements as the call says, one behind the other."""
    out = np.zeros(len(x) // step)
    pos = 0
    for i in range(len(out)):
        s = 0.0
        for j in range(step):
            s += x[pos]
            pos += 1
        out[i] = s / step
    return out


def squares(points: f64[N, D], x: f64[N], step: i64, keys: i64[N]):
    """As long as a square is no larger: of numbers around squares, below 0, and far beyond what a float tells apart."""
    n = len(x) * 7 + step
    least = np.arange(n + 1)
    i = 2
    while i * i <= n:
        if least[i] == i:
            for j in range(i * i, n + 1, i):
                if least[j] == j:
                    least[j] = i
        i += 1
    composite = np.zeros(n, dtype=np.bool_)
    p = 2
    while n > p ** 2:
        if not composite[p]:
            composite[p * p::p] = True
        p += 1
    steps = 0
    for m in (-3, 0, 1, 15, 16, 17, 24, 25, n):
        d = 0
        while d * d < m:
            steps = steps * 3 % 10007 + d
            d += 1
        steps += d
    far = 94906266
    while far * far <= 9007199515875288:
        far += 1
    near = 3037000498
    while near * near <= 9223372030926249000:
        near += 1
    return least, composite, i, p, steps, far, near
