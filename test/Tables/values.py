"""The element types and the values at which NumPy's rules show: extremes, signs, zeros, infinities and NaN."""
from __future__ import annotations

import itertools

import numpy as np

DTYPES = {"bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
          "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f32": np.float32, "f64": np.float64,
          "c64": np.complex64, "c128": np.complex128}
PAIRS = list(itertools.product(DTYPES, repeat=2))


def kind(name):
    """NumPy's letter: b(ool), i, u, f or c."""
    return np.dtype(DTYPES[name]).kind


def specials(name):
    """Every kind of value that the type has."""
    dtype = DTYPES[name]
    if kind(name) == "b":
        return np.array([False, True])
    if kind(name) in "iu":
        info = np.iinfo(dtype)
        wanted = [0, 1, 2, 3, 7, 8, 31, 63, 64, 100, -1, -2, -3, -7, -64]
        inside = [v for v in wanted if info.min <= v <= info.max]
        return np.array([*inside, info.min, info.min + 1, info.max - 1, info.max], dtype=dtype)
    info = np.finfo(np.empty(0, dtype).real.dtype)
    if kind(name) == "f":
        positive = [0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 7.25, 1e10, float(info.tiny), float(info.max), np.inf]
        return np.array([*positive, *(-v for v in positive), np.nan], dtype=dtype)
    parts = [0.0, -0.0, 1.0, -2.5, 3.0, np.inf, -np.inf, np.nan]
    return np.array([complex(a, b) for a in parts for b in parts], dtype=dtype)


def finite(name):
    """The same without infinities, NaN and what overflows at once."""
    values = specials(name)
    if kind(name) not in "fc":
        return values
    values = values[np.isfinite(values)]
    return values[np.abs(values) < 1e20]


def plain(name, count, seed=0):
    """Small whole numbers with both signs where the type has them: sums and products of a few are exact."""
    low, high = (0, 2) if kind(name) == "b" else (0, 4) if kind(name) == "u" else (-3, 4)
    values = np.random.default_rng(seed).integers(low, high, size=(count, 2))
    if kind(name) == "c":
        return (values[:, 0] + 1j * values[:, 1]).astype(DTYPES[name])
    return values[:, 0].astype(DTYPES[name])


def crossed(a, b):
    """All pairs of a value of `a` and one of `b`, as two arrays."""
    return np.repeat(a, len(b)), np.tile(b, len(a))


def thinned(values, count):
    """At most `count` of the values, evenly chosen, the first and the last among them."""
    if len(values) <= count:
        return values
    return values[np.unique(np.linspace(0, len(values) - 1, count).astype(int))]
