"""Elements that the data choose, which a step reads and changes: counters that tell places, the best of each group, what was last."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 2, 31, 64, 65, 257, 1000)


def by_counting(a: i64[N], k: int):
    count = np.zeros(k + 1, dtype=np.int64)
    for v in a:
        count[v + 1] += 1
    for i in range(k):
        count[i + 1] += count[i]
    out, order = np.zeros_like(a), np.zeros_like(a)
    for i in range(len(a)):
        out[count[a[i]]] = a[i]
        order[count[a[i]]] = i
        count[a[i]] += 1
    return out, order, count


def inputs_by_counting(size, rng):
    return rng.integers(0, 7, size), 7


def from_the_end(a: i32[N], k: int):
    """As textbooks have it: the last of the equal ones first, and the counter before the store."""
    count = np.zeros(k, dtype=np.int32)
    for v in a:
        count[v] += 1
    count = np.cumsum(count).astype(np.int32)
    order = np.full(len(a), -1)
    for i in range(len(a) - 1, -1, -1):
        count[a[i]] -= 1
        order[count[a[i]]] = i
    return order, count


def inputs_from_the_end(size, rng):
    return rng.integers(0, 9, size).astype(np.int32), 9


def rows_of_entries(row: i64[E], col: i64[E], data: f64[E], n: int):
    starts = np.zeros(n + 1, dtype=np.int64)
    for e in range(len(row)):
        starts[row[e] + 1] += 1
    starts = np.cumsum(starts)
    following = starts[:-1].copy()
    cols, values = np.zeros_like(col), np.zeros_like(data)
    for e in range(len(row)):
        r = row[e]
        at = following[r]
        cols[at] = col[e]
        values[at] = data[e]
        following[r] += 1
    return starts, cols, values, following


def inputs_rows_of_entries(size, rng):
    n = max(size // 5, 1)
    return rng.integers(0, n, size), rng.integers(0, 99, size), rng.random(size), n


def buckets(x: f64[N], k: int):
    count = np.zeros(k, dtype=np.int64)
    table = np.full((k, x.shape[0]), -1.0)
    rank = np.zeros(x.shape[0])
    for i in range(len(x)):
        b = int(x[i] * k)
        table[b, count[b]] = x[i]
        count[b] += 1
        rank[i] = count[b] * 2
    return table, count, rank


def inputs_buckets(size, rng):
    return rng.random(size), 6


def places_that_meet(key: i64[N], x: f64[N], start: i64[K]):
    """Counters from which on others have stored as well: the last store stays."""
    out = np.zeros(len(x) + 40)
    at = start.copy()
    for i in range(len(x)):
        out[at[key[i]]] = x[i]
        at[key[i]] += 1
    return out, at


def inputs_places_that_meet(size, rng):
    return rng.integers(-5, 5, size), rng.random(size), rng.integers(0, 40, 5)


def key_from_counter(x: i64[N]):
    """Not so: what a step finds chooses the element of the next one."""
    count = np.zeros(10, dtype=np.int64)
    trail = np.zeros(len(x), dtype=np.int64)
    where = 0
    for i in range(len(x)):
        trail[i] = count[where]
        count[where] += 1
        where = (where + trail[i] + x[i]) % 10
    return trail, count


def inputs_key_from_counter(size, rng):
    return (rng.integers(0, 10, size),)


def nearest(key: i64[N], d: f64[N], x: f32[N], m: int):
    best = np.full(m, np.inf)
    who = np.full(m, -1)
    changes = 0
    for i in range(len(d)):
        if d[i] < best[key[i]]:
            best[key[i]] = d[i]
            who[key[i]] = i
            changes += 1
    low = np.full((m, 2), np.float32(9))
    for i in range(len(d) - 1, -1, -1):
        k = key[i]
        low[k, 1] = low[k, 0]
        if x[i] < low[k, 0]:
            low[k, 0] = x[i]
    return best, who, changes, low


def inputs_nearest(size, rng):
    m = max(size // 7, 1)
    d = np.round(rng.random(size), 1)
    d[rng.random(size) < 0.1] = np.nan
    return rng.integers(0, m, size), d, rng.random(size).astype(np.float32), m


def since_the_last(sensor: i64[N], t: f64[N], m: int):
    last, mean, count = np.full(m, -1.0), np.zeros(m), np.zeros(m)
    out = np.zeros(len(t))
    late = False
    for i in range(len(t)):
        s = sensor[i]
        if last[s] >= 0:
            out[i] = t[i] - last[s]
            late = late or out[i] > 0.9
        last[s] = t[i]
        count[s] += 1
        mean[s] += (t[i] - mean[s]) / count[s]
    return out, last, mean, late


def inputs_since_the_last(size, rng):
    m = max(size // 9, 1)
    return rng.integers(-m, m, size), rng.random(size), m


def chained(x: i64[N], k: int):
    """A table of chains; which of them have an element twice."""
    head, following = np.full(k, -1), np.full(len(x), -1)
    for i in range(len(x)):
        h = x[i] % k
        following[i] = head[h]
        head[h] = i
    return head, following


def inputs_chained(size, rng):
    return rng.integers(-99, 99, size), 7


def of_two_elements(a: i64[N], b: i64[N], m: int):
    """Not so: a step reads what one of another element stores."""
    level = np.zeros(m, dtype=np.int64)
    for i in range(len(a)):
        if level[a[i]] >= level[b[i]]:
            level[a[i]] = level[b[i]] + 1
    return level


def inputs_of_two_elements(size, rng):
    m = max(size // 9, 1)
    return rng.integers(0, m, size), rng.integers(0, m, size), m
