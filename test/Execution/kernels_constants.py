"""Constants of the file: computed numbers, tuples, arrays; tables indexed by variables; what groups as Python groups it."""
from __future__ import annotations

import math

import numpy as np

N2 = 3 * 4
PI2 = np.pi * 2
ROOT2: float = math.sqrt(2.0)
SINGLE = np.float32(0.1)
SMALL = np.int8(100)
A, (B, C) = 2, (3, 5)
LOW = HIGH = 7
REBOUND = 1
PAIR, REBOUND = 1, 2
PAIR, REBOUND = LATEST, OTHER = 10, 20
OF_REBOUND = REBOUND * 3
OFFSETS = ((-1, 0), (1, 0), (0, -1), (0, 1))
NESTED = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
TAPS = (0.25, 0.5, 0.25)
WEIGHTS = np.array([1.0, 2.0, 1.0])
TABLE = np.array([[1, 2, 3], [4, 5, 6]], dtype=np.int32)
SCALED = WEIGHTS / 4
FLAGS = np.array([True, False, True, True])
STENCIL = np.array([[0.25, 0.5, 0.25], [0.5, -3.0, 0.5], [0.25, 0.5, 0.25]], dtype=np.float32)
PHASES = np.array([1.0, 1j, -1.0, -1j, 0.5 + 0.5j])
LENGTHS = np.array([3, 0, 7, 1, 2, 5])
HALVES = LENGTHS / 2

SIZES = (0, 1, 2, 3, 17, 33, 71)
CODES = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4)
SQUARES = (0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324, 361, 400, 441, 484, 529, 576, 625,
           676, 729, 784, 841, 900, 961, 1024, 1089, 1156, 1225, 1296, 1369, 1444, 1521, 1600, 1681, 1764, 1849, 1936, 2025,
           2116, 2209, 2304, 2401, 2500, 2601, 2704, 2809, 2916, 3025, 3136, 3249, 3364, 3481, 3600, 3721, 3844, 3969, 4096,
           4225, 4356)
kind = np.float32


def inputs(size, rng):
    return (rng.random(size),)


make_inputs = inputs


def numbers(a: f64[N]):
    return a * PI2 + ROOT2, a + N2, A * B + C + LOW + HIGH


def bound_again(a: f64[N]):
    return a * REBOUND + PAIR, a * OF_REBOUND + LATEST * OTHER


def strong_numbers(a: f64[N]):
    return a.astype(np.float32) * SINGLE, a.astype(np.int8) + SMALL, kind(0.3)


def tuple_by_loop(a: f64[N]):
    out = np.zeros(a.shape[0])
    for i in range(1, a.shape[0] - 1):
        for k in range(3):
            out[i] += TAPS[k] * a[i + k - 1]
    return out


def long_tuple(a: f64[N]):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i] * SQUARES[i % 67] + SQUARES[-1 - i % 67]
    return out


def tuple_of_tuples(a: f64[N]):
    total = 0.0
    for i in range(a.shape[0]):
        for k in range(len(OFFSETS)):
            di, dj = OFFSETS[k]
            total += a[i] * di + dj + OFFSETS[k][0] * OFFSETS[-k - 1][1]
    return total


def list_of_lists(k: i64, a: f64[N]):
    return a * NESTED[k][0] + NESTED[k][1]


def inputs_list_of_lists(size, rng):
    return size % 3, rng.random(size)


def array_by_loop(a: f64[N]):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for k in range(3):
            out[i] += WEIGHTS[k] * SCALED[2 - k] * a[i]
    return out


def array_of_two_axes(i: i64, a: f64[N]):
    t = 0
    for j in range(3):
        t += TABLE[i, j] * TABLE[-1, j - 3]
    return t, TABLE[i].copy(), TABLE[:, 1] * 2, a[: TABLE[0, 1]]


def inputs_array_of_two_axes(size, rng):
    return -(size % 2), rng.random(size)


def whole_arrays(a: f64[N]):
    return WEIGHTS.sum(), (WEIGHTS * 2).copy(), FLAGS & True, TABLE.T @ TABLE, WEIGHTS.shape[0], len(TABLE)


def codes(a: f64[N]):
    out = np.zeros(a.shape[0], dtype=np.int64)
    for i in range(a.shape[0]):
        out[i] = CODES[i % len(CODES)]
    return out


def local_tables(a: f64[N]):
    w = np.array([0.5, 0.25, 0.125])
    t = (2, 3, 5, 7)
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = w[i % 3] * t[i % 4]
    return out


def tables_that_change(a: f64[N]):
    w = np.array([0.5, 0.25, 0.125])
    own = WEIGHTS.copy()
    for i in range(a.shape[0]):
        w[i % 3] += a[i]
        own[(i + 1) % 3] -= w[i % 3]
    return w, own


def precedence(a: i64[N], b: i64[N], c: i64):
    return a ^ b & c, a | b ^ c & a, -a ** 2 & b, a & b == c, a ^ (a >> 1) & 255 | c


def inputs_precedence(size, rng):
    return rng.integers(-9, 9, size), rng.integers(-9, 9, size), 5


def parts_of_parts(a: f64[N]):
    (x, y), z = (a + 1, a - 1), a * 2
    [p, (q, r)], s = [1, (2, 3)], 4
    return x * y + z, p + q * r * s


def table_of_two_axes(a: f32[N, N]):
    out = np.zeros_like(a)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            for di in range(3):
                for dj in range(3):
                    out[i, j] += STENCIL[di, dj] * a[i + di - 1, j + dj - 1]
    return out


def inputs_table_of_two_axes(size, rng):
    return (rng.random((size, size)).astype(np.float32),)


def table_under_indices(a: f64[N], k: i64[N]):
    """From memory, negative ones too; in products, conditions and sums."""
    total = 0.0
    for i in range(a.shape[0]):
        total += HALVES[k[i]] if LENGTHS[k[i]] > 1 else a[i]
    return PHASES[k % 5] * a, LENGTHS[k], total, HALVES[k].max(initial=0.0)


def inputs_table_under_indices(size, rng):
    return rng.random(size), rng.integers(-6, 6, size)


def sizes_from_a_table(k: i64):
    a = np.zeros(LENGTHS[k] + 1)
    for i in range(LENGTHS[k]):
        a[i] = HALVES[i % 6]
    return a


def inputs_sizes_from_a_table(size, rng):
    return (size % 6,)


def table_of_a_row(a: f64[N, 9]):
    """Lanes side by side read neighbouring constants."""
    w = np.array([0.5, 0.25, 0.125, 1.0, 2.0, 4.0, 8.0, -1.0, 0.0])
    return (a * w).sum(axis=1), a @ w, a + w


def inputs_table_of_a_row(size, rng):
    return (rng.random((size, 9)),)


KERNEL = np.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0]])
TURNED = KERNEL.T
WEIGHT = 2.5


def other_names(x: f64[N], k: int):
    global WEIGHT
    return (TURNED[k % 3] * WEIGHT).sum() + KERNEL[k % 2, 1] + (TURNED @ np.ones(2)).sum() * x.sum(), 2 ** k, 10 ** (k % 3)


def inputs_other_names(size, rng):
    return rng.random(size), size % 40


def escaped(limit: int, w: int):
    steps = np.zeros(w, dtype=np.int64)
    for i in range(w):
        z = 0j
        c = complex(i / 7 - 1.5, 0.3)
        for n in range(limit):
            if abs(z) > 2:
                break
            z = z * z + c
        else:
            n = limit
        steps[i] = n
    return steps


def inputs_escaped(size, rng):
    return 20, size
