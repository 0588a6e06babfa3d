"""Found by scripts/fuzz --wild: numbers and sizes at the edge of what their types say."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 3)
WIDE = True


def plus_of_truth(a: u8[N]):
    return a // +True, a ** (+True)


def inputs_plus_of_truth(size, rng):
    return (np.arange(size, dtype=np.uint8) + 250,)


def counted_is_numpys(a: f64[N], k: int):
    return (k // ((k != k) >> np.count_nonzero(a)), np.count_nonzero(a) + np.int8(1))


def inputs_counted_is_numpys(size, rng):
    return np.arange(size) - 1.0, 7


def bound_past_64_bits(a: i32[N], k: u64):
    a[k:] = 5
    return a[:k]


def inputs_bound_past_64_bits(size, rng):
    return np.arange(size, dtype=np.int32), np.uint64(2**64 - 1)


def bound_past_32_bits(a: u16[N, N]):
    a[1099511627776::2, 0::-2] *= 3


def inputs_bound_past_32_bits(size, rng):
    return (np.ones((size, size), np.uint16),)


def powers_of_nothing(a: i32[N], k: i32):
    return a[:0] ** k


def inputs_powers_of_nothing(size, rng):
    return np.ones(size, np.int32), np.int32(-1)


def total_and_size(a: bool[N], b: f64[:]):
    total = 0
    for i in range(a.shape[0]):
        total += a[i]
    return total + b.shape[0]


def inputs_total_and_size(size, rng):
    return np.ones(size, bool), np.zeros(size + 2)
