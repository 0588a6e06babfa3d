"""Folds that keep what they pass: cumsum, ufunc.accumulate, reduceat; ufunc.at, where equal indices count each time."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 2, 7, 33)


def sums(a: f64[N], m: f64[M, N], t: i32[N], b: bool[N]):
    return (np.cumsum(a), m.cumsum(), np.cumsum(m, axis=0), m.cumsum(1), np.cumsum(m, -1, dtype=np.float32), t.cumsum(), np.cumsum(b),
            np.cumsum(t, dtype="f4"), np.cumsum(m.T, axis=1), np.cumsum(a[::-1])[::-1])


def products(a: f32[N], m: f64[M, N], t: u8[N]):
    return np.cumprod(a), m.cumprod(axis=0), np.cumprod(m * 0.5), t.cumprod(), np.cumprod([1.0, 2.0, 3.0])


def accumulated(a: f64[N], m: f64[M, N], t: i16[N], b: bool[N]):
    return (np.add.accumulate(a), np.maximum.accumulate(m, axis=1), np.minimum.accumulate(m), np.subtract.accumulate(a),
            np.multiply.accumulate(t), np.bitwise_or.accumulate(t), np.logical_and.accumulate(b), np.logical_or.accumulate(t),
            np.divide.accumulate(m, 1), np.maximum.accumulate(t), np.add.accumulate(b), np.fmax.accumulate(a))


def parts(a: f64[N], m: f64[M, N], k: i64[K], t: i8[N]):
    return (np.maximum.reduceat(a, k), np.add.reduceat(m, k, axis=1), np.add.reduceat(t, k), np.multiply.reduceat(t, [0, 1, 0]),
            np.minimum.reduceat(m.T, k))


def counted(h: i64[K], i: i64[N], w: i32[N]):
    np.add.at(h, i, 1)
    np.add.at(h, i, w)
    np.subtract.at(h, i[::2], w[::2])
    np.bitwise_xor.at(h, i, w)
    np.maximum.at(h, i, w)
    np.multiply.at(h, [0, 0], 3)


def collected(h: f64[K], g: f32[K, 2], i: i64[N], w: f64[N]):
    np.add.at(h, i, w)
    np.divide.at(h, i, 2)
    np.add.at(g, (i, 0), w)
    np.add.at(g, i, 1.00000001)
    np.negative.at(g, (i, 1))
    np.maximum.at(h, i, h[0])
    np.add.at(h, [1, 1, 1], h[:3])


def narrow(h: u8[K], i: i64[N], w: i64[N]):
    np.add.at(h, i, w)
    np.maximum.at(h, i, w)


def in_a_loop(m: f64[M, N], out: f64[M, N]):
    for i in range(m.shape[0]):
        out[i] = np.cumsum(m[i])
        np.add.at(out, (i, [0, 0]), 1.0)


def inputs_sums(size, rng):
    return (rng.random(size), rng.random((size + 1, size)), rng.integers(-9, 9, size, dtype=np.int32), rng.random(size) < 0.5)


def inputs_products(size, rng):
    return (rng.random(size).astype(np.float32) * 2, rng.random((size + 1, size)) * 2, rng.integers(0, 99, size, dtype=np.uint8))


def inputs_accumulated(size, rng):
    a = rng.random(size)
    a[::5] = np.nan
    return a, rng.random((size + 1, size)) + 0.5, rng.integers(-99, 99, size, dtype=np.int16), rng.random(size) < 0.9


def inputs_parts(size, rng):
    n = size + 3
    return rng.random(n), rng.random((2, n)), rng.integers(0, n, size), rng.integers(-99, 99, n, dtype=np.int8)


def inputs_counted(size, rng):
    return rng.integers(0, 9, 5), rng.integers(-5, 5, size), rng.integers(-99, 99, size, dtype=np.int32)


def inputs_collected(size, rng):
    return rng.random(4) * 1e7, (rng.random((4, 2)) * 2**24).astype(np.float32), rng.integers(-4, 4, size), rng.random(size)


def inputs_narrow(size, rng):
    return rng.integers(0, 255, 4, dtype=np.uint8), rng.integers(-4, 4, size), rng.integers(-999, 999, size)


def inputs_in_a_loop(size, rng):
    return rng.random((size, size + 1)), np.zeros((size, size + 1))


def updated_by_what_changes(v: i64[N], w: f64[N], s: f64[N]):
    """The operand is read before anything is stored."""
    np.subtract.at(v, [0, 0, 0], v[0])
    np.multiply.at(w, np.zeros(3, dtype=np.int64), w[-1])
    np.add.at(s, [-1, 0, -1], s[0] + s[-1])


def inputs_updated_by_what_changes(size, rng):
    return rng.integers(-9, 9, size), rng.random(size), rng.random(size)


sizes_updated_by_what_changes = (1, 2, 33)


def folded_one_after_the_other(k: i64[N], a: f64[N], m: i32[N, 3]):
    if len(k) > 0:
        return (np.bitwise_or.reduce(k), np.bitwise_and.reduce(k), np.bitwise_xor.reduce(m, axis=1), np.subtract.reduce(a), np.hypot.reduce(a),
                np.bitwise_or.reduce(m), np.logical_xor.reduce(m > 0, axis=1), np.bitwise_xor.reduce(m, keepdims=True))
    return (np.bitwise_or.reduce(k), np.bitwise_and.reduce(k), np.bitwise_xor.reduce(m, axis=1), 0.0, np.hypot.reduce(a),
            np.bitwise_or.reduce(m), np.logical_xor.reduce(m > 0, axis=1), np.bitwise_xor.reduce(m, keepdims=True))


def inputs_folded_one_after_the_other(size, rng):
    return rng.integers(-9, 99, size), rng.random(size), rng.integers(-9, 99, (size, 3)).astype(np.int32)
