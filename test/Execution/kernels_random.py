"""np.random's generators: NumPy's own numbers, bit for bit, in whichever order and size they are drawn."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
TRANSLATE_OPTIONS = ("--fmad=off",)
SIZES = (0, 1, 2, 3, 257, 1000)


def of_philox(n: int, seed: int):
    g = np.random.Generator(np.random.Philox(seed))
    return g.random(n), g.random(), g.uniform(-2, 3, (n, 2))


def inputs_of_philox(size, rng):
    return size, size * 12345678901


def of_halves(n: int):
    g = np.random.Generator(np.random.Philox(key=5))
    return g.random(n, dtype=np.float32), g.random(dtype=np.float32), g.random((2, n))


def inputs_of_halves(size, rng):
    return (size,)


def of_two(n: int, key: u64):
    g = np.random.Generator(np.random.Philox(key=key))
    h = np.random.Generator(np.random.Philox(12))
    return g.random(n) - h.random(n), g.integers(5), h.random()


def inputs_of_two(size, rng):
    return size, np.uint64(2**63 + size)


def of_default(n: int, seed: int):
    rng = np.random.default_rng(seed)
    return rng.random(n), rng.random(), rng.uniform(1, 2, n)


def inputs_of_default(size, rng):
    return size, 42 + size


def below_ten(n: int):
    rng = np.random.default_rng(3)
    return rng.integers(10, size=n), rng.integers(-3, 4, (n, 2), dtype=np.int32)


def inputs_below_ten(size, rng):
    return (size,)


def bounded(n: int, low: int, high: int):
    rng = np.random.default_rng(3)
    return rng.integers(low, high, n), rng.integers(low, high, endpoint=True)


sizes_bounded = range(24)


def inputs_bounded(size, rng):
    low, high = ((0, 10), (-5, 6), (0, 3 * 2**30), (0, 2**32), (-(2**63), 2**63 - 1), (-(2**62), 2**62 + 2**61), (7, 8), (0, 2**32 - 1))[size % 8]
    return (0, 5, 300)[size // 8], low, high


def of_rounds(n: int):
    rng = np.random.default_rng(5)
    inside = 0
    for i in range(n):
        x = rng.random()
        y = rng.random()
        if x * x + y * y < 1:
            inside += 1
    return inside, rng.random()


def inputs_of_rounds(size, rng):
    return (size,)


def helper(generator, n):
    return generator.random(n)[::-1]


def passed_on(n: int, which: int):
    rng = np.random.default_rng(9)
    if which > 0:
        a = helper(rng, n)
    else:
        a = rng.random(n) * 2
    return a, rng.random()


def inputs_passed_on(size, rng):
    return size, size % 2
