"""Names that stand for different arrays on different paths."""
from __future__ import annotations

import numpy as np


def only_read(a: f64[N], b: f64[N], k: i64) -> f64[N]:
    if k % 2 == 0:
        x = a
    else:
        x = b[::-1]
    return x * 2.0 + a


def stored_before_it_is_bound(a: f64[N], b: f64[N], k: i64) -> f64:
    a[:] = a + 1.0
    x = a if k % 3 == 0 else b
    s = np.sum(x)
    b[:] = s
    return s


def chosen_in_each_iteration(a: f64[N], b: f64[N], k: i64):
    for t in range(k):
        x = a if t % 2 == 0 else b
        s = np.sum(x) * 0.25
        a[:] = a * 0.5 + s
        b[:] = b * 0.5 - s


def made_on_both_paths(a: f64[N], k: i64) -> f64[N]:
    if k % 2 == 0:
        x = np.zeros_like(a)
    else:
        x = a.copy()
    x += 1.0
    x[1:] *= 2.0
    return x


def made_here_and_dead(a: f64[N], k: i64) -> f64[N]:
    p = a + 1.0
    q = a + 2.0
    x = p if k % 2 == 0 else q
    x[:] = x * 3.0
    return x


def bound_again(a: f64[N], b: f64[N], k: i64):
    if k % 2 == 0:
        x = a
    else:
        x = b
    s = np.sum(x)
    x = a
    x[:] = x + s


def rebound_in_a_loop_that_runs(x: f64[N]) -> f64[N]:
    for t in range(3):
        x = x * 0.5 + 1.0
    x[:] += 10.0
    return x


def rebound_in_a_loop(x: f64[N], k: i64) -> f64[N]:
    x = x.copy()
    for t in range(k):
        x = x * 0.5 + 1.0
    x += 10.0
    return x


def swapped_under_if(a: f64[N], b: f64[N], k: i64):
    for t in range(k):
        if t % 3 == 1:
            a, b = b, a
        b[:] = a * 0.5 + t
    a[:] += 100.0


def swapped_in_each_branch(a: f64[N], b: f64[N], c: f64[N], k: i64):
    for t in range(k):
        if t % 2 == 0:
            a, b = b, a
        elif t % 3 == 0:
            a, b, c = b, c, a
        else:
            b, c = c, b
        a[:] = b + c * 0.25
    return a, b, c


def swapped_once(a: f64[N], b: f64[N], k: i64) -> f64:
    if k % 2 == 0:
        a, b = b, a
    a[:] = 2.0 * b
    b[1:] = 1.0
    return np.sum(a)


def swapped_by_a_third_name(a: f64[N], k: i64) -> f64[N]:
    b = np.ones_like(a)
    for s in range(k + 1):
        b[:] = b * 0.5 + a
        if s % 2 == 0:
            old = a
            a = b
            b = old
    return a - b


def third_name_read_after(a: f64[N], b: f64[N], k: i64):
    for s in range(k + 1):
        b[:] = b * 0.5 + a
        old = a
        a = b
        b = old
    old[:] = old + 7.0
    return a - b


def swapped_and_swapped_back(a: f64[N], b: f64[N], k: i64):
    for t in range(k):
        if t % 2 == 0:
            a, b = b, a
        b[1:] = a[:-1] + 1.0
        if t % 2 == 0:
            a, b = b, a
    return np.sum(a)


def inner(a, b, k):
    for t in range(k):
        b[1:-1] = 0.5 * (a[2:] + a[:-2])
    return b


def swapped_under_if_in_a_nest(a: f64[N], b: f64[N], k: i64):
    for s in range(3):
        for t in range(k):
            b[1:-1] = 0.5 * (a[2:] + a[:-2])
            if (s + t) % 2 == 0:
                a, b = b, a
        if s == 1:
            a, b = b, a
        a[:] = a + 1.0
    return b


def while_loop(a: f64[N], b: f64[N], k: i64):
    t = 0
    while t < k:
        if t % 2 == 0:
            a, b = b, a
        a[:] = b * 0.5 + t
        t += 1
    return a


def inputs_only_read(size, rng):
    return rng.random(size), rng.random(size), size


inputs_swapped_in_each_branch = lambda size, rng: (rng.random(size), rng.random(size), rng.random(size), size % 7)


def inputs_made_on_both_paths(size, rng):
    return rng.random(size), size % 5


inputs_made_here_and_dead = inputs_rebound_in_a_loop = inputs_swapped_by_a_third_name = inputs_made_on_both_paths


def inputs_rebound_in_a_loop_that_runs(size, rng):
    return (rng.random(size),)


SIZES = (0, 1, 2, 3, 4, 5, 33, 129, 257)


def make_inputs(size, rng):
    return rng.random(size), rng.random(size), size % 7


def sizes_by_the_call(a: f64[M], b: f64[N], n: int):
    t = a * 2 if len(a) > len(b) else b * 3
    if n > 2:
        u = t[1:] + n
    else:
        u = np.concatenate((a, b))
    s = 0.0
    for i in range(3):
        v = t[1:] * i if n > 1 else t * i
        s += v.sum()
    return t, u, s


def inputs_sizes_by_the_call(size, rng):
    return rng.random(size), rng.random(5), size % 4


sizes_sizes_by_the_call = (0, 1, 2, 3, 5, 6, 7)


def primes(n: int):
    """The device decides in each step, by what the step changes."""
    is_prime = np.ones(n + 1, dtype=np.bool_)
    is_prime[:2] = False
    for i in range(2, int(n ** 0.5) + 1):
        if is_prime[i]:
            is_prime[i * i::i] = False
    return is_prime


def inputs_primes(size, rng):
    return (size,)


def smallest_factors(n: int):
    s = np.zeros(n + 1, dtype=np.int64)
    for i in range(2, n + 1):
        if s[i] == 0:
            for j in range(i, n + 1, i):
                if s[j] == 0:
                    s[j] = i
    return s


inputs_smallest_factors = inputs_primes
sizes_smallest_factors = (0, 1, 2, 33, 129)


def spread(a: i64[N], step: int):
    """Nothing is known of the step: one thread's, or refused by none."""
    for i in range(len(a)):
        a[(i * step) % max(len(a), 1)] = i
    return a


def inputs_spread(size, rng):
    return rng.integers(0, 9, size), 6


def counted_on_request(a: f64[N], flag: int):
    """The number is the host's where the branch is not taken, and the device's where it is."""
    n = len(a)
    if flag > 0:
        n = 0
        for i in range(len(a)):
            if a[i] > 0.5:
                n += 1
    if n * 2 < len(a):
        a[:] = a * 2 + 1
    return n


def inputs_counted_on_request(size, rng):
    return rng.normal(size=size), size % 2


sizes_counted_on_request = (0, 1, 2, 33, 3000)


def exchanged_counts(k: i64[N], flag: int):
    """What an array decides and what the host knows change places."""
    p, q = 1, 2
    p = int((k > q).sum())
    p, q = q, p
    p = flag % 97
    p, q = q, p
    return p, q


def kept_in_steps(k: i64[N], flag: int):
    """A kernel's own number is set anew by what the host knows."""
    p, q, r, t = 1, 2, flag, 3
    for _ in range(2):
        if q % 2 == 0:
            k[:] = (k + p) % 13
            t = (t + k[r % len(k)]) % 97
        r = int((k > q).sum())
        k[r % len(k)] = t % 11
        t = len(k) % 2
    return p, q, r, t


def loops_that_go_on(a: f64[N], k: i64[N]):
    """A loop of launches in steps that the device repeats."""
    n = 0
    p, q = 1, 2
    while n < 4 and k[p % len(k)] > 1:
        for _ in range(2):
            a[:] = a * 0.5 + p
            p = (p + k[q % len(k)]) % 97
            q = (q + k[p % len(k)]) % 97
            p = len(k) % 5
        k[q % len(k)] = p
        n += 1
    return p, q, n


def inputs_exchanged_counts(size, rng):
    return rng.integers(0, 11, size), 5


def inputs_kept_in_steps(size, rng):
    return rng.integers(0, 11, size), size % 3


def inputs_loops_that_go_on(size, rng):
    return rng.normal(size=size), rng.integers(2, 11, size)


sizes_exchanged_counts = sizes_kept_in_steps = sizes_loops_that_go_on = (1, 2, 33)
