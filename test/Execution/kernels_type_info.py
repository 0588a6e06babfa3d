"""What NumPy says of types, other names of types, np.r_ and np.c_."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 5)


def make_inputs(size, rng):
    return rng.random(size).astype(np.float32), rng.integers(-5, 5, size)


def of_floats(a: f32[N], i: i64[N]):
    f = np.finfo(np.float64)
    g = np.finfo(a.dtype)
    return (f.max, f.min, f.eps, f.tiny, f.smallest_normal, f.smallest_subnormal, f.resolution, f.epsneg, f.bits, f.precision), (
        g.max, g.min, g.eps, g.tiny, g.resolution, g.nmant, g.maxexp, g.minexp, g.machep, g.negep, g.nexp, g.iexp), np.finfo(complex).eps, a + g.eps


def of_integers(a: f32[N], i: i64[N]):
    return (np.iinfo(np.int8).min, np.iinfo(np.uint8).max, np.iinfo("i4").max, np.iinfo(i.dtype).min, np.iinfo(i.dtype).max, np.iinfo(np.uint32).max,
            np.iinfo(np.uint64).min, np.iinfo(np.int16).bits), np.minimum(i, np.iinfo(np.int64).max), np.zeros(2, np.iinfo(np.uint16).dtype)


def other_names(a: f32[N], i: i64[N]):
    return np.zeros(2, np.intc), i.astype(np.ubyte), i.astype(np.short), np.zeros(1, np.longlong), np.zeros(1, np.ulonglong), i.astype(np.uintc)


def joined(a: f32[N], i: i64[N]):
    return np.r_[a, 1.0, a[::-1]], np.c_[a, i], np.c_[i, np.zeros((i.size, 2))], np.r_[1, i, 2.5]


def bits(a: f64[N], b: f32[N], k: i8[N], u: u64[N]):
    mantissas = a.view(np.int64) & 0xFFFFFFFFFFFFF
    signs = b.view(np.uint32) >> 31
    s = 0
    for i in range(len(a)):
        s += int(a[i].view(np.uint64) >> 52) + int(k[i].view(np.uint8))
    same = a.view()
    return mantissas, signs, u.view("f8") + 0.0, (a * 2).view(np.int64)[::-1], s, same[1:] + 0


def inputs_bits(size, rng):
    values = rng.choice([0.0, -0.0, 1.5, -np.inf, 3e-310, 0.1], size)
    return values, values.astype(np.float32), rng.integers(-128, 128, size).astype(np.int8), rng.integers(0, 2**52, size).astype(np.uint64)
