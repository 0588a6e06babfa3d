"""appy's primitives: map, zipwith, reduce, scan, scatter, sort, k_select, histogram, unique, random."""
import math

import appy
import numpy as np

SIZES = (0, 1, 2, 7, 600, 1031)


def half(v):
    return v * 0.5


def smooth(v):
    t = v * v
    return t / (1.0 + t)


#appyc: def chain(x: f64[:])
def chain(x):
    return appy.map(half, appy.map(lambda v: v + 1.0, x)), appy.map(smooth, x), appy.map(lambda v: v > 0.5, x)


def inputs_chain(size, rng):
    return (rng.random(size),)


def clipped(v, limit):
    if v > limit:
        return limit
    return v


#appyc: def zipped(x: f32[:], y: f32[:], k: i64[:])
def zipped(x, y, k):
    saxpy = appy.zipwith(lambda a, b: np.float32(2) * a + b, x, y)
    odd = appy.map(lambda v: v % 2, k)
    return saxpy, odd, appy.zipwith(lambda a, b: max(a, b), x, y), appy.zipwith(clipped, x, y)


def inputs_zipped(size, rng):
    return rng.random(size, dtype=np.float32), rng.random(size, dtype=np.float32), rng.integers(-9, 9, size)


#appyc: def table(m: f64[:, :], row: f64[:])
def table(m, row):
    return appy.zipwith(lambda a, b: a - b * math.pi, m, row), appy.map(np.exp, m).sum()


def inputs_table(size, rng):
    return rng.random((3, size)), rng.random(size)


#appyc: def folds(x: f64[:], k: i64[:])
def folds(x, k):
    total = appy.reduce(lambda a, b: a + b, x, 0.0)
    largest = appy.reduce(max, x, -1.0)
    last = appy.reduce(lambda a, b: b, k, 7, associative=True)
    divisor = appy.reduce(math.gcd, k * 6, 0, associative=True)
    return total, largest, last, divisor, appy.reduce(lambda a, b: 2 * a - b, k, 1)


def inputs_folds(size, rng):
    return rng.random(size), rng.integers(1, 50, size)


#appyc: def scans(x: f64[:], k: i64[:])
def scans(x, k):
    return appy.scan(lambda a, b: a + b, x), appy.scan(lambda a, b: a + b, k), appy.scan(max, k), appy.scan(lambda a, b: a * 0.5 + b, x)


def inputs_scans(size, rng):
    return rng.random(size), rng.integers(-9, 9, size)


#appyc: def places(x: f64[:], k: i64[:], n: i64)
def places(x, k, n):
    best = appy.k_select(x, 3)
    moved = appy.scatter(np.zeros(n), k, x)
    return best, x[best], moved, appy.sort(x), appy.histogram(k, n), appy.unique(k)


sizes_places = (3, 7, 130)


def inputs_places(size, rng):
    return rng.integers(0, 20, size) / 4.0, rng.permutation(size), size


#appyc: def drawn(n: i64)
def drawn(n):
    return appy.random(n, 42) * 2


def inputs_drawn(size, rng):
    return (size,)
