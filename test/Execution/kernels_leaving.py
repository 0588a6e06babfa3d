"""break, continue, else of loops, and return anywhere, by the language reference."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 33)


def make_inputs(size, rng):
    return (rng.integers(-1, 4, size) / 1.0,)


def make_pair(size, rng):
    return rng.integers(-1, 4, size) / 1.0, rng.integers(-3, 6, (size, 5)) / 2.0


inputs_return_from_nested = inputs_return_between = inputs_return_rows = inputs_else_of_inner = make_pair
inputs_break_outer = inputs_in_each_row = inputs_tuple_from_nested = inputs_return_argument = make_pair
inputs_else_leaves_outer = inputs_break_outer


def first_negative(a: f64[N]) -> i64:
    for i in range(a.shape[0]):
        if a[i] < 0:
            return i
    return -1


def several_returns(a: f64[N]):
    for i in range(a.shape[0]):
        if a[i] < 0:
            return -1.0
        if a[i] > 2:
            return a[i] + i
        a[i] += 1
    return 0.0


def break_keeps_index(a: f64[N]):
    i = 100
    for i in range(a.shape[0]):
        if a[i] == 3:
            break
        a[i] = -a[i]
    return i


def index_unbound(a: f64[N]):
    for i in range(0, a.shape[0], 2):
        if a[i] == 3:
            break
    return i


def break_first(a: f64[N]):
    s = 0.0
    for i in range(a.shape[0]):
        s += a[i]
        break
    return s


def continue_skips(a: f64[N]):
    s = 0.0
    for i in range(a.shape[0]):
        if a[i] < 0:
            continue
        s += a[i]
        a[i] = s
    return s


def continue_between(a: f64[N]):
    s = 0
    for i in range(a.shape[0]):
        if i % 2:
            if a[i] > 1:
                continue
            s += 10
        elif a[i] < 0:
            s -= 1
        s += i
        if i % 3 == 0:
            continue
        a[i] += s
    return s


def continue_in_while(a: f64[N]):
    i, n = 0, 0
    while i < a.shape[0]:
        i += 1
        if a[i - 1] < 1:
            continue
        n += i
    else:
        n += 1000
    return n


def break_and_continue(a: f64[N]):
    s = 0.0
    for i in range(a.shape[0] - 1, -1, -1):
        if i % 3 == 0:
            if a[i] > 1:
                s += 100
                continue
            elif a[i] < 0:
                break
            s += 0.5
        s += a[i]
    return s, i


def for_else(a: f64[N]):
    s = 0
    for i in range(a.shape[0]):
        if a[i] < 0:
            break
        s += 1
    else:
        s += 1000
    return s


def else_without_break(a: f64[N]):
    s = 0
    for i in range(a.shape[0]):
        s += i
    else:
        s += 1000
    return s


def else_of_inner(a: f64[N], m: f64[N, K]):
    found = 0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] == a[i]:
                found += j
                break
        else:
            continue
        found += 1000
    return found


def else_leaves_outer(a: f64[N], m: f64[N, K]):
    n = 0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > 1:
                break
            n += 1
        else:
            break
        n += 100
    else:
        n += 10000
    return n


def while_else(a: f64[N]):
    n = a.shape[0]
    while n > 0:
        n -= 1
        if a[n] < 0:
            break
    else:
        n = -5
    return n


def while_true(a: f64[N]):
    n = 0
    while True:
        if n >= a.shape[0] or a[n] < 0:
            break
        last = a[n]
        n += 1
    return n


def while_true_binds(a: f64[N]):
    x = 2.0
    while True:
        y = 0.5 * (x + 2 / x)
        if abs(x - y) < 1e-12:
            break
        x = y
    return y


def while_true_returns(a: f64[N]):
    n = 0
    while True:
        n += 3
        if n > a.shape[0]:
            return n


def while_sum(a: f64[N]):
    k = 0
    while a.sum() > 1:
        if k == 3:
            break
        a *= 0.5
        k += 1
    else:
        k += 50
    return k


def condition_not_asked(a: f64[N]):
    i = 0
    while a[i] < 2:
        i += 1
        if i == a.shape[0]:
            break
    return i


def inputs_condition_not_asked(size, rng):
    return (rng.integers(-1, 4, size + 1) / 1.0,)


def break_outer(a: f64[N], m: f64[N, K]):
    n = 0
    for i in range(m.shape[0]):
        stop = False
        for j in range(m.shape[1]):
            if m[i, j] > 2:
                stop = True
                break
            n += 1
        if stop:
            break
    return n


def return_from_nested(a: f64[N], m: f64[N, K]):
    n = 0
    for i in range(m.shape[0]):
        n += 1
        for j in range(m.shape[1]):
            n += 1
            k = j
            while k < m.shape[1]:
                n += 1
                if m[i, k] == 2.5:
                    return n
                k += 1
        n += 100
    return -n


def return_between(a: f64[N], m: f64[N, K]):
    for i in range(m.shape[0]):
        if a[i] > 0:
            for j in range(m.shape[1]):
                if m[i, j] > 1:
                    return i, j
        else:
            a[i] = 9
        a[i] += 1
    a[:] = 7
    return -1, -1


def tuple_from_nested(a: f64[N], m: f64[N, K]):
    best = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            best = max(best, m[i, j])
            if best > 2:
                return best, i, True
    return best, -1, False


def return_rows(a: f64[N], m: f64[N, K]):
    for i in range(m.shape[0]):
        if a[i] > 2:
            return m[i, 1:].sum()
    return a.sum()


def return_argument(a: f64[N], m: f64[N, K]):
    for i in range(m.shape[0]):
        if a[i] > 2:
            m[i, 0] = 100
            return a
        m[i, 1] = 50
    a[:] = 1
    return a


def return_in_branches(a: f64[N]):
    x = 0.0
    if a.shape[0] > 1:
        if a[0] > 1:
            x = 1.0
            if a[1] > 0:
                return x
            x = 5.0
        x += 2
    else:
        x = 9.0
    a[:] = x
    return x + 100


def return_behind_branches(a: f64[N]):
    if a.shape[0] > 2:
        for i in range(a.shape[0]):
            if a[i] < 0:
                return i
        a[0] = 3
    return -1


def nothing_returned(a: f64[N]):
    for i in range(a.shape[0]):
        if a[i] < 0:
            return
        a[i] = 5
    a[:] = 6


def find(a, x):
    for i in range(a.shape[0]):
        if a[i] == x:
            return i
    else:
        return -1


def helper_in_loop(a: f64[N]) -> f64[N]:
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        k = find(a, i % 4)
        if k < 0:
            continue
        out[i] = k
    return out


def in_each_row(a: f64[N], m: f64[N, K]):
    #pragma parallel for
    for i in range(m.shape[0]):
        n = 0
        for j in range(m.shape[1]):
            if m[i, j] > 2:
                break
            if m[i, j] < 0:
                continue
            n += 1
        else:
            n = -1
        a[i] = n


def dead_code(a: f64[N]):
    s = 0
    for i in range(a.shape[0]):
        s += 1
        continue
        s += 1000
    while s > 0:
        break
        s = 7
    return s
    a[:] = 0


def rebinds_index(a: f64[N]):
    n = 0
    for i in range(a.shape[0]):
        n += i
        i = i * 2
        if i > 8:
            break
    return n, i


def inputs_rebinds_index(size, rng):
    return (rng.random(size + 1),)


def bounds_once(a: f64[N]):
    n = a.shape[0]
    c = 0
    for i in range(n):
        n = 0
        c += 1
        if a[i] == 3:
            break
    return c, n


def step_of_argument(a: f64[N], k: i64):
    n = 0
    for i in range(a.shape[0] - 1, -1, k):
        if a[i] == 3:
            break
        n += i
    return n


def inputs_step_of_argument(size, rng):
    return rng.integers(-1, 4, size) / 1.0, -2 if size % 2 else -1


def slices_while_left(a: f64[N]):
    for i in range(a.shape[0]):
        if a[i] == 3:
            break
        a[i:i + 3] += 1
    return a.sum()


def flag_names_taken(a: f64[N]):
    left, returned, result, skipped = 1, 2, 3, 4
    for i in range(a.shape[0]):
        if a[i] > 2:
            return left + i
        if a[i] < 0:
            break
    return left + returned + result + skipped


def endless_on_a_path(a: f64[N], x: float):
    """`while True:` that is left is none that only raises."""
    k = 0
    if a.shape[0] > 2:
        k = 1
    else:
        while True:
            x += 1
            if x > 9:
                break
    for j in range(a.shape[0]):
        if a[j] > 2:
            return x + j
        while (k := k + 1) < j:
            x += k
    return x + k


def inputs_endless_on_a_path(size, rng):
    return rng.integers(-1, 4, size) / 1.0, 2.5
