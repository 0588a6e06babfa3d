"""Python's integers past 63 bits that are cut to their last 64: hashes, random numbers."""
from __future__ import annotations

import numpy as np

SIZES = (0, 1, 5, 33)
LAST = (1 << 64) - 1
TOP = 1 << 63  # so that what is returned is past 63 bits


def hashed(n: int):
    h = 0xCBF29CE484222325
    for i in range(n):
        h = h ^ i
        h = h * 0x100000001B3
        h &= 0xFFFFFFFFFFFFFFFF
    return h | TOP, h >> 11, h & 0xFF, h % 1000, h // 3, h / 2**64, float(h), h > 5, n < h, h == h | 1, bool(h), ~h & LAST | TOP, -h & 0xFFFF


def congruential(seed: int, n: int):
    x = seed
    out = np.zeros(n)
    for i in range(n):
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        out[i] = (x >> 33) / 2**31
    return out, out * 2.5 / 2**64


def shifted(n: int, x: float):
    state = n + 1
    for _ in range(n):
        state ^= (state << 13) & LAST
        state ^= state >> 7
        state ^= (state << 17) & LAST
    y = x if state % 2 else 0.5
    return state % 1000003, y


def mixed(n: int):
    z = (n + 0x9E3779B97F4A7C15) & LAST
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & LAST
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & LAST
    return (z ^ (z >> 31)) >> 1


def rotated(n: int):
    def rotl(x, k):
        return ((x << k) | (x >> (64 - k))) & LAST

    s = [1, n, 3]
    out = []
    for k in range(1, 7):
        out.append(rotl(s[1] * 0x9E3779B97F4A7C15 & LAST, k) >> 1)
        s[1] += k
    return out


def negative(n: int):
    x = (-n * 3 - 1) & LAST
    return x >> 1, (x ^ LAST) & 0xFFFF, -n % 2**64 >> 1


def inputs_congruential(size, rng):
    return 12345, size


def inputs_shifted(size, rng):
    return size, 1.5


def make_inputs(size, rng):
    return (size,)
