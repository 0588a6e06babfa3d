"""Folds of few columns, folds of what is selected, and folds of few points over much, as programs about bodies and clusters have them."""
from __future__ import annotations

import numpy as np

SIZES = (1, 5, 33, 700)


def make_inputs(size, rng):
    return rng.random((size, 3)) + 0.1, rng.integers(0, 4, size)


def forces(x: f64[N, 3], k: i64[N]):
    """One power a pair for all three columns."""
    d = x[None, :, :] - x[:, None, :]
    r2 = (d ** 2).sum(axis=2) + 0.01
    return (d * (k[None, :] * r2 ** -1.5)[:, :, None]).sum(axis=1)


def columns_apart(x: f64[N, 3], k: i64[N]):
    """The quotient is the columns' in one fold and not in the other."""
    same = np.zeros((len(x), 2))
    other = np.zeros((len(x), 2))
    for i in range(len(x)):
        for j in range(2):
            for m in range(len(x)):
                same[i, j] += x[m, j] / (x[m, 2] + i)
                other[i, j] += x[m, 2] / (x[m, j] + i)
    return same, other


def centres(x: f64[N, 3], k: i64[N]):
    """What is selected is needed for its sums and its number alone."""
    made = np.zeros((7, 3))
    for c in range(7):
        members = x[k == c]
        if len(members) > 0:
            made[c] = members.mean(axis=0)
    return made


def centres_of_many(x: f64[N, D], k: i64[N], made: f64[K, D]):
    for c in range(len(made)):
        members = x[k == c]
        if len(members) > 1:
            made[c] = members.max(axis=0) - members.sum(axis=0) / len(members)


def inputs_centres_of_many(size, rng):
    return rng.random((size, 7)), rng.integers(0, 9, size), rng.random((9, 7))


def loops_over_selected(x: f64[N, 3], k: i64[N]):
    """In order, where the order shows; the mask's own array is not touched, and where it is, the list stays."""
    total, seen = 0.0, np.zeros(len(x))
    for i in np.flatnonzero(k > 1):
        total = total * 0.5 + x[i, 0]
        seen[i] = x[i, 1] + 1
    for i in np.flatnonzero(k > 2):
        k[i] -= 1
        if i + 1 < len(k):
            k[i + 1] = 0
    for v in x[k == 1]:
        total -= v[2]
    return total, seen


def selected_and_listed(x: f64[N, 3], k: i64[N]):
    """The list is returned, too."""
    at = np.flatnonzero(k < 3)
    return x[at, 1].sum(), at, len(at)


def of_two_masks(x: f64[N, 3], k: i64[N]):
    few = x[(k > 0) & (x[:, 0] > 0.5)]
    return few[:, 1].sum() + (few[:, 0] * few[:, 2]).sum(), len(few)


def few_long(x: f64[N, 3], k: i64[N]):
    """Nine sums over all bodies: cut in chunks."""
    y = x - x.mean(axis=0)
    spread = np.zeros((3, 3))
    for a in range(3):
        for b in range(3):
            s = 0.0
            for i in range(len(x)):
                s += abs(y[i, a] - y[i, b]) * k[i]
            spread[a, b] = s
    return spread


def weighted(w: f32[K, D], x: f32[N, D], at: i32[N]):
    """Of few points in two loops, under a condition on the first."""
    out = np.zeros((w.shape[0], w.shape[1]), dtype=np.float32)
    for c in range(w.shape[0]):
        if w[c, 0] > 0.2:
            for d in range(w.shape[1]):
                s = np.float32(0)
                for i in range(len(x)):
                    s += x[i, d] * np.float32(at[i] == c)
                out[c, d] = s * w[c, d]
    return out


def inputs_weighted(size, rng):
    return (rng.random((4, 5), dtype=np.float32), rng.random((size, 5), dtype=np.float32),
            rng.integers(0, 4, size).astype(np.int32))


def kept_in_rows(x: f64[N, 3], k: i64[N]):
    """The distances are needed again behind the fold."""
    d = np.sqrt((x[:, None, 0] - x[None, :, 0]) ** 2 + (x[:, None, 1] - x[None, :, 1]) ** 2)
    return d.argmin(axis=1), d.sum(axis=1), d.max()


def moved_and_bounced(x: f64[N, 3], k: i64[N]):
    """What is kept of a mask's points by their number is kept by the point; both masks are one."""
    f = np.stack([x, x + 1, x * 2])
    wall = x > 0.6
    for step in range(2):
        for c in range(3):
            f[c] = np.roll(f[c], (c, 1 - c), axis=(0, 1))
        kept = f[::-1][:, wall]
        f *= 0.5
        f[:, wall] = kept
    return f


def lists_that_differ(x: f64[N, 3], k: i64[N]):
    """One list is changed, one mask; a number is asked for behind the loop."""
    first = np.flatnonzero(k == 1)
    if len(first) > 0:
        first[0] = 0
    again = np.flatnonzero(k == 1)
    y = x[again, 0]
    k[again] = 2
    third = np.flatnonzero(k == 2)
    n = len(again)
    for i in range(n):
        y[i] += i
    return first.sum(), y.sum(), x[third, 1].sum(), n


def matrices_in_turn(f: f64[K, M, N], w: f64[K]):
    """A temporary of each, and one sweep that needs it whole."""
    for k in range(f.shape[0]):
        t = np.sqrt(f[k] + w[k])
        f[k] = t[::-1, ::-1] - t


def inputs_matrices_in_turn(size, rng):
    size = min(size, 40)
    return rng.random((3, size, size + 2)), rng.random(3)


def matrices_backwards(f: f64[K, M, N], out: f64[M, N]):
    for k in range(f.shape[0] - 1, 0, -2):
        t = f[k] * 2
        f[k] = t[:, ::-1]
        out[:, :] += f[k]


def inputs_matrices_backwards(size, rng):
    size = min(size, 40)
    return rng.random((6, size, size + 2)), rng.random((size, size + 2))


def pivoted(a: f64[N, N]):
    """What is exchanged is asked by the kernels in each step, and by the host only what comes out."""
    order = np.arange(len(a))
    swaps = 0
    for k in range(len(a) - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            order[[k, p]] = order[[p, k]]
            swaps += 1
        a[k + 1:, k] /= a[k, k]
        a[k + 1:, k + 1:] -= np.outer(a[k + 1:, k], a[k, k + 1:])
    return order, swaps


def inputs_pivoted(size, rng):
    size = min(size, 33)
    return (rng.random((size, size)) + np.eye(size),)


def improved_where_better(x: f64[N, 3], k: i64[N]):
    """A branch that changes what it asks by, one with two sides, and one around an open loop of the host."""
    best = x[:, 0].copy()
    for step in range(4):
        y = x[:, step % 3] * (1 + step)
        if y.sum() < best.sum() * 1.5:
            best[:] = y + best
            x[:, 0] = best
        else:
            best *= 1.25
        if y.max() > 1.0:
            for t in range(step):
                best += y * t
    return best
