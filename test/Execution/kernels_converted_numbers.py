"""Signatures of Numba's declare what numbers become: those that a function returns, and those that its calls in the file give it."""
import numpy as np
from numba import cuda, float64, int32, int64, jit, njit, stencil, vectorize

SIZES = (0, 1, 2, 7, 33)
EXPORTED = ("whole_as_float", "wrapping", "narrow", "towards_zero", "is_odd", "as_complex", "pair", "triple", "sign", "starts_whole",
            "counted", "sure", "rough", "halved", "of_calls", "nearest", "launches", "averages", "applied", "present_above", "place_of", "squares_below")


def make_inputs(size, rng):
    return (np.int64(size - 3),)


@njit("float64(int64)")
def whole_as_float(n):
    return n * n


@jit(int32(int64, int64))
def wrapping(a, b):
    return a * b + 1


def inputs_wrapping(size, rng):
    return np.int64(2**31 - 1), np.int64(size)


@njit("uint8(int64)")
def narrow(n):
    return n * 3


@njit("int64(float64)")
def towards_zero(x):
    return x * 3


def inputs_towards_zero(size, rng):
    return (np.float64(size - 3.4),)


@njit("boolean(int64)")
def is_odd(n):
    return n % 2


@njit("complex64(float64)")
def as_complex(x):
    return x / 3


inputs_as_complex = inputs_towards_zero


@njit("Tuple((float64, int32))(int64)")
def pair(n):
    return n, n + 1


@njit("UniTuple(float32, 2)(int64)")
def triple(n):
    return n / 3, n


@njit("float64(int64)")
def sign(n):
    if n > 0:
        return 1
    elif n < 0:
        return -0.5
    return 0


@njit("float64(float64[:])")
def starts_whole(a):
    s = 0
    for x in a:
        if x > 0.5:
            s += x
    return s


@njit("int32(float64[:])")
def counted(a):
    count = 0
    for i in range(a.shape[0]):
        if a[i] > 0.5:
            count += 1
    return count


def inputs_starts_whole(size, rng):
    return (rng.random(size),)


inputs_counted = inputs_starts_whole


@njit("float64(int64)")
def sure(n):
    return None if n > 100 else n


@njit("float32(float32)")
def rough(x):
    y = x * x + x
    return y / np.float64(3)


def inputs_rough(size, rng):
    return (np.float32(size / 3),)


@njit("int64(int64)")
def halved(n):
    m = n + 1
    return m / 2


@njit("Tuple((float64, int64, float64))(float64)")
def of_calls(x):
    return rough(x) + rough(x * 2), halved(x) + halved(7), halved(x * 3.5) / 2


inputs_of_calls = inputs_towards_zero


@njit(["float32(float32)", "float64(float64)", "int64(int32)"])
def square(x):
    return x * x


@njit("float64(int64, float32, int32)")
def nearest(a, b, c):
    return square(a) / 3 + square(b) * 0.5 + square(c)


def inputs_nearest(size, rng):
    return np.int64(size), np.float32(size / 3), np.int32(size * 5000)


@cuda.jit("int32(float32, float32)", device=True)
def scaled(x, by):
    return x * by


@cuda.jit(float64(int64), device=True)
def mean_of_three(n):
    return n / 3


@cuda.jit("void(float64[:], float64[:])")
def of_device_functions(a, out):
    i = cuda.grid(1)
    if i < a.shape[0]:
        out[i] = scaled(a[i], 10) + scaled(i, 2.75) / 4 + mean_of_three(a[i] * 9)


@njit("void(float64[:], float64[:])")
def launches(a, out):
    of_device_functions[1 + a.shape[0] // 16, 16](a, out)


def inputs_launches(size, rng):
    return rng.random(size) * 4, np.zeros(size)


@vectorize(["int32(int32, int32)"])
def averaged(a, b):
    return (a + b) / 2


@njit("int32[:](int32[:], int32[:])")
def averages(a, b):
    return averaged(a, b) + averaged.reduce(a, initial=3)


def inputs_averages(size, rng):
    return rng.integers(0, 99, size).astype(np.int32), rng.integers(0, 99, size).astype(np.int32)


def plain(x, n):
    return x * n


wide = njit("float64(float64, int64)")(plain)
cut = jit(int64(float64, int64), nopython=True)(plain)
on_device = cuda.jit(int32(float64, int32), device=True)(plain)
plain = njit("float32(float32, int64)")(plain)


@cuda.jit("void(float64[:])")
def of_applied(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = on_device(out[i], 3)


@njit("void(float64[:], float64[:])")
def applied(a, out):
    for i in range(a.shape[0]):
        out[i] = wide(a[i], 2.5) + cut(a[i], 3) + plain(a[i], 3)
    of_applied[3, 16](out)


inputs_applied = inputs_launches


@njit("optional(float64)(int64[:], int64)")
def present_above(a, least):
    for x in a:
        if x > least:
            return x
    return None


def inputs_present_above(size, rng):
    return rng.integers(0, 9, size), np.int64(6)


@njit("optional(int32)(int64[:], optional(int64))")
def place_of(a, x=None):
    for i in range(a.shape[0]):
        if x is None or a[i] == x:
            return i


inputs_place_of = inputs_present_above


@njit("ListType(int64)(int64)")
def squares_below(n):
    found = []
    k = 0
    while k * k < n:
        found.append(k * k)
        k += 1
    return found


#appyc: def around(a: f64[M, N])
@stencil
def around(a):
    return 0.25 * (a[0, 1] + a[1, 0] + a[0, -1] + a[-1, 0])


def inputs_around(size, rng):
    return (rng.random((size, size + 2)),)


#appyc: def clipped(x: f64[N], most: float)
@np.vectorize
def clipped(x, most):
    return most if x > most else x


def inputs_clipped(size, rng):
    return rng.random(size + 1), 0.5
