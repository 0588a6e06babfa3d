"""Sizes of results that are computed: by NumPy's small integers, which wrap, and by Python's. A size of these programs is
a place in a list of extreme values."""
from __future__ import annotations

import numpy as np

VALUES = (0, 1, 2, 7, 100, -1, -3, -100, "min", "max")
SIZES = tuple(range(len(VALUES)))


def value(dtype, size):
    """The value in the type; out of its range, the nearest."""
    info, wanted = np.iinfo(dtype), VALUES[size]
    if wanted in ("min", "max"):
        return np.dtype(dtype).type(getattr(info, wanted))
    return np.dtype(dtype).type(min(max(wanted, info.min), info.max))


def of_i8(k: i8):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros((k >> 1) % 61), np.zeros((k ^ 21) % 61),
            np.zeros(abs(k) % 61), np.zeros((~k) % 61), np.zeros((k - 100) % 61), np.zeros((k * k + k) % 61))


def of_u8(k: u8):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros((k >> 1) % 61), np.zeros((k ^ 21) % 61),
            np.zeros(abs(k) % 61), np.zeros((~k) % 61), np.zeros((k - 100) % 61), np.zeros((k * k + k) % 61))


def of_i16(k: i16):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros((k >> 1) % 61), np.zeros((k * k + k) % 61))


def of_u16(k: u16):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros((~k) % 61), np.zeros((k * k + k) % 61))


def of_i32(k: i32):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros(abs(k) % 61), np.zeros((k * k + k) % 61))


def of_u32(k: u32):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros((~k) % 61), np.zeros((k * k + k) % 61))


def of_i64(k: i64):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros(abs(k) % 61), np.zeros((k * k + k) % 61))


def of_u64(k: u64):
    return (np.zeros((k + 10) % 61), np.ones((k * 3) % 61), np.zeros((10 - k) % 61), np.full((k // 3) % 61, 2),
            np.zeros((-k) % 61), np.zeros((k << 2) % 61), np.zeros((~k) % 61), np.zeros((k * k + k) % 61))


for _dtype in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"):
    globals()[f"inputs_of_{_dtype}"] = (lambda dtype: lambda size, rng: (value(dtype, size),))(np.dtype(
        {"i": "int", "u": "uint"}[_dtype[0]] + _dtype[1:]))


def wrapped(k: u8):
    return np.ones(k - 10)


def negative(k: i8):
    return np.zeros((2, k + k))


def of_python(n: int, m: int):
    return np.zeros((n * m, max(n, m) // 2, n % 5))


def too_large(n: int):
    return np.zeros(n * n)


def cut(a: f64[N], k: u32):
    return a[:k - 3] * 2, a[k - 3:] * 2, a[k:k + 2] * 2, a[-k:] * 2, a[::-1][:k] * 2


def cut_signed(a: f64[N], k: i8):
    return a[:k - 3] * 2, a[k + 100:] * 2, a[k:k * 2] * 2, a[k::3] * 2, a[k::-2] * 2


def inputs_wrapped(size, rng):
    return (value(np.uint8, size),)


def inputs_negative(size, rng):
    return (value(np.int8, size),)


def inputs_of_python(size, rng):
    return size - 2, 7 - size


def inputs_too_large(size, rng):
    return (2 ** (40 + size),)


def inputs_cut(size, rng):
    return rng.random(9), value(np.uint32, size)


def inputs_cut_signed(size, rng):
    return rng.random(9), value(np.int8, size)
