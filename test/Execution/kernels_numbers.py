"""Python's numbers and NumPy's: which a function gives, what a path leaves, what raises."""
from __future__ import annotations

import math

import numpy as np

SIZES = (0, 1, 2, 7)


def numpy_is_strong(m: int, eps: float, a: i8[N], b: f32[N]):
    return a + np.abs(m), a + np.add(m, 1), b * np.maximum(eps, 0.7), b * np.square(eps), b + np.sum(eps), b * np.floor(eps)


def inputs_numpy_is_strong(size, rng):
    return 300, 0.25, np.arange(size, dtype=np.int8), np.linspace(0, 1, size, dtype=np.float32)


def products_make_arrays(a: i8[N], b: f32[N]):
    return np.dot(a, 3), np.dot(b, 2.0), np.dot(3, a), np.outer(a, b), np.add.outer(a, b)


def inputs_products_make_arrays(size, rng):
    return np.full(size, 100, np.int8), np.linspace(0, 1, size, dtype=np.float32)


def math_is_weak(a: f32[N], x: f64, y: f32):
    return a * math.sqrt(2.0), a / math.sqrt(a.shape[0] + 1), a * math.sqrt(y), a + math.pow(x, 2), a * math.log(x * x + 1.0, 3.0)


def inputs_math_is_weak(size, rng):
    return np.linspace(0, 1, size, dtype=np.float32), np.float64(3.7), np.float32(0.1)


def math_gives_integers(x: f64, y: f32, i: i32, a: u8[N]):
    return math.floor(x), a + math.floor(x), math.ceil(y), math.trunc(-x), math.floor(i), round(x), int(y), a + round(x)


def inputs_math_gives_integers(size, rng):
    return np.float64(2.5), np.float32(-0.5), np.int32(-3), np.full(size, 254, np.uint8)


def whole_number(x: f64):
    return int(x)


def inputs_whole_number(size, rng):
    return (np.float64([2.9, np.nan, np.inf, -1e15, -2.0**63][size % 5]),)


sizes_whole_number = (0, 1, 2, 3, 4)


def accumulators(a: u8[N], b: f32[N]):
    s = 0
    t = 0.0
    for i in range(a.shape[0]):
        s += a[i]
        t += b[i]
    return s, t


def inputs_accumulators(size, rng):  # one at least: else they are Python's
    return np.full(size + 1, 100, np.uint8), np.full(size + 1, 0.1, np.float32)


def sometimes_updated(a: u8[N], b: i32[N]):
    s = 0
    k = 0
    for i in range(a.shape[0]):
        if a[i] > 2:
            s += a[i]
        k += b[i] if b[i] > 0 else 0
    return int(s), float(k), s > 3


def inputs_sometimes_updated(size, rng):
    return np.arange(size, dtype=np.uint8), np.arange(size, dtype=np.int32) - 3


def used_by_value(a: f64[N], p: i32[N], c: int):
    """An index, a condition, what is stored: right whatever the number's type is."""
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        j = p[i] if c > 0 else i
        out[i] = a[j] + (1.0 if j > 2 else 0.0)
    return out


def inputs_used_by_value(size, rng):
    return rng.random(size), rng.permutation(size).astype(np.int32), size % 2


def guarded(a: f32[N], b: f64[N]):
    for i in range(a.shape[0]):
        x = a[i] if a[i] > 0 else 0.1
        b[i] = x
        a[i] = x


def inputs_guarded(size, rng):
    return (rng.random(size) - 0.5).astype(np.float32), np.zeros(size)


def wide_constants(h: u64, a: u64[N]):
    x = np.uint64(0x9E3779B97F4A7C15)
    return (h ^ x) * x, a ^ 0xcbf29ce484222325, a + (2**63 + 3), a * np.uint64(1 << 63), -2**63, a > 0xFFFFFFFFFFFFFF00


def inputs_wide_constants(size, rng):
    return np.uint64(7), np.arange(size, dtype=np.uint64)


def array_powers(a: i64[N], b: i64[N], k: i64):
    return a ** b, k ** k


def inputs_array_powers(size, rng):
    return np.arange(size), (-1) ** size * np.arange(size) + 1, np.int64(size - 1)


def powers_where_asked(a: i16[N], k: int, j: i8, x: f64[M, M]):
    """Where `where=` does not hold, no negative exponent raises."""
    z = np.zeros(a.shape, np.int64)
    b = np.power(a, k, out=z.copy(), where=a > 5), np.power(a, j, out=z.copy(), where=a > 5), np.power(a, -1, out=z, where=a > 5)
    np.power(3, a, out=a, where=a > 0)
    return *b, a, np.polyval(x, x.shape[0]), np.polyval(x[:2], x[:, :1])


def inputs_powers_where_asked(size, rng):
    return np.arange(-1, size - 1, dtype=np.int16), 1 - size, np.int8(size - 3), rng.random((size + 1, size + 1))


def python_arithmetic(k: int, n: int, x: float, a: u8[N]):
    return k // n, k % n, k / n, x / (n + 1), a + k


def inputs_python_arithmetic(size, rng):
    return (5 if size < 3 else 300), size, 0.5, np.arange(size, dtype=np.uint8)


sizes_python_arithmetic = (0, 1, 2, 7)


def stored_integer(k: int, a: i8[N]):
    a[:] = k


def inputs_stored_integer(size, rng):
    return (200 if size > 1 else -128), np.zeros(size, np.int8)


def negations(x: f64, b: bool, k: int):
    c = not b
    return c + c, ~k, (not x) + 1, +True, abs(-k)


def inputs_negations(size, rng):
    return np.float64(size), np.bool_(size % 2), size


def wrapped_floats(x: f64[N], y: f32[N], a: u8[N], b: i16[N], c: u32[N], d: u64[N]):
    """Floats out of a narrow or unsigned type's range wrap, on every machine."""
    a[:] = x
    b[:] = y
    c[:] = y
    d[:] = x
    return np.uint8(x[0]), y.astype(np.uint16), x.astype(np.uint64)


def inputs_wrapped_floats(size, rng):
    x, y = rng.uniform(-99999.0, 99999.0, (2, size))
    stored = [np.zeros(size, t) for t in (np.uint8, np.int16, np.uint32, np.uint64)]
    return (x, y.astype(np.float32), *stored)


sizes_wrapped_floats = (1, 33, 257)


def reduced_numbers(k: int, x: float):
    """What a reduction takes is an array first, whose elements wrap."""
    a = np.prod(k, dtype=np.uint8), np.sum(k, dtype="uint8"), np.prod((k, 3), dtype=np.uint8), np.mean(k, dtype=np.float32)
    return *a, np.cumsum(k, dtype=np.int8), np.max(k), np.sum(x, dtype=np.float32), np.add.reduce((k, 300), dtype=np.int8)


def inputs_reduced_numbers(size, rng):
    return (-2, 300, 127, -129)[SIZES.index(size)], 0.1


def certain_loops(z: c128, w: c128, k: i32, x: f64[N]):
    """What a name was before a loop that always runs has no say in its type behind it."""
    for j in range(3):
        z = x.std() + j
    for w in range(2):
        k = 0.5
        if w > 0:
            break
    return z, k, w + np.int8(1)


def inputs_certain_loops(size, rng):
    return np.complex128(1j), np.complex128(2j), np.int32(3), np.arange(size + 1.0)


def divisors_of_either_kind(i: i16, k: i32, u: u64, n: int):
    """Python's own on one path, NumPy's on the other, of each width."""
    return (u or 7) / (u and 3), (i or 7) / (False or k or 300), np.float64(n / (k or 5))


def inputs_divisors_of_either_kind(size, rng):
    return np.int16(size), np.int32(size), np.uint64(size + 1), size


def rounded(a: f64[N], k: i64[N], n: int):
    out = np.empty((len(a), 4))
    for i in range(len(a)):
        out[i] = round(float(a[i]), n), round(float(a[i]), 2), round(a[i], 1), round(float(a[i]) * 1000, -2)
    return out, round(int(np.sum(k)), -1), round(2.675, 2), round(n, 3), round(-125, -1)


def inputs_rounded(size, rng):
    halves = rng.integers(-10**6, 10**6, size) * 5 / 10 ** rng.integers(0, 7, size)
    return halves, rng.integers(0, 10**6, size), size


def powers_of_remainders(k: i64[N], n: int, m: int):
    s = 0
    for i in range(len(k)):
        s += pow(int(k[i]), n + i, m) - pow(-i, 3, -m)
    return s, pow(3, 200, 10**9 + 7)


def inputs_powers_of_remainders(size, rng):
    return rng.integers(-10**9, 10**9, size), size + 40, 3037000493


def beside_lists(a: i64[N], b: f64[N], n: i32):
    c = n / list(a)
    b += list(a)
    return c, b * list(a)


def inputs_beside_lists(size, rng):
    return np.arange(size) + 1, rng.random(size), np.int32(3)
