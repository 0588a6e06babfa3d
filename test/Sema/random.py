# Of np.random: what is no function of generators here, what cannot be seeded, and NumPy's own errors.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s --implicit-check-not=error:
from __future__ import annotations

import numpy as np


def method(n: int):
    rng = np.random.default_rng(3)
    # CHECK: random.py:[[@LINE+1]]:12: error: `.bytes` of a np.random.Generator is not translated; generators have `.beta`, {{.*}}`.zipf`, others are for the caller
    return rng.bytes(n)


def seeds(n: int):
    # CHECK: random.py:[[@LINE+1]]:12: error: `np.random.default_rng`: np.random takes a number as its seed or key
    return np.random.default_rng((1, 2)).random(n)


def fractional(n: int):
    # CHECK: random.py:[[@LINE+1]]:32: error: `np.random.Philox`: TypeError: SeedSequence expects int or sequence of ints for entropy
    return np.random.Generator(np.random.Philox(1.5)).random(n)


def both(n: int):
    # CHECK: random.py:[[@LINE+1]]:32: error: `np.random.Philox`: ValueError: seed and key cannot be both used
    return np.random.Generator(np.random.Philox(1, key=2)).random(n)


def counter(n: int):
    # CHECK: random.py:[[@LINE+1]]:32: error: `counter=` of `np.random.Philox` is not translated
    return np.random.Generator(np.random.Philox(key=1, counter=4)).random(n)


def other_bits(n: int):
    # CHECK: random.py:[[@LINE+1]]:32: error: `np.random.MT19937` is not translated: write `np.random.default_rng(seed)`
    return np.random.Generator(np.random.MT19937(1)).random(n)


def no_bits(n: int):
    # CHECK: random.py:[[@LINE+1]]:12: error: `np.random.Generator` takes `np.random.Philox(...)` or `np.random.PCG64(...)`, not a scalar of i64
    return np.random.Generator(n).random(n)


def of_bits(n: int):
    bits = np.random.Philox(3)
    # CHECK: random.py:[[@LINE+1]]:12: error: `.random` of a np.random.Philox is not translated
    return bits.random(n)


def small_integers(n: int):
    # CHECK: random.py:[[@LINE+1]]:12: error: `.integers` gives np.int64 and np.int32 here; convert them with `.astype`
    return np.random.default_rng(3).integers(0, 9, n, dtype=np.uint8)


def array_bounds(a: i64[N]):
    # CHECK: random.py:[[@LINE+1]]:12: error: `.integers` takes numbers as its bounds
    return np.random.default_rng(3).integers(a)


def empty_range(n: int):
    # CHECK: random.py:[[@LINE+1]]:12: error: `.integers`: ValueError: low >= high
    return np.random.default_rng(3).integers(5, 5, n)


# CHECK: random.py:[[@LINE+1]]:5: error: `returned` returns a np.random.Generator; return scalars, arrays, or tuples, lists and dicts of them
def returned(n: int):
    return np.random.default_rng(3)
