# Numbers whose type depends on the path: what would differ is refused, with what to write instead.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import math

import numpy as np


def narrow_or_python(v: i32[N]):
    k = 0
    for i in range(v.shape[0]):
        k += i * i
        # CHECK: :[[#@LINE-1]]:9: error: a number is Python's int on one path and i32 on another
        if v[i] < 0:
            k += v[i]
    return k


def two_types(a: u8, b: i64, k: int):
    x = a if k > 0 else b
    return x + x
    # CHECK: :[[#@LINE-1]]:12: error: a number is u8 on one path and i64 on another


def no_common_type(a: u64, b: f64):
    x = a or b
    # CHECK: :[[#@LINE-1]]:9: error: this is u64 on one path and f64 on another, which no one type holds exactly
    return x % 10


# A whole number or a float: as floats they give the same, as an index or with an i32 they do not.
def whole_or_float(n: int, x: float, a: i32[N]):
    y = n if n > 2 else x
    s = y / 2 + a[0] * 1.5
    return a * y
    # CHECK: :[[#@LINE-1]]:12: error: this computes as


def python_or_numpy(c: int, w: float, b: f64, a: f32[N]):
    x = w if c > 0 else b
    return a * x
    # CHECK: :[[#@LINE-1]]:12: error: this computes as an array of f64 with 1 dimension(s) on one path and as an array of f32


def wraps_below_zero(n: int, a: u8[N]):
    s = 0
    for i in range(n):
        s += a[i]
    return s - 1
    # CHECK: :[[#@LINE-1]]:12: error: this computes as u8 on one path and as Python's int on another


def past_64_bits(a: f64[N], n: int):
    x = a + 2 ** 65
    # CHECK: :[[#@LINE-1]]:13: error: integers past 64 bits are not supported
    y = a * 10 ** 20
    # CHECK: :[[#@LINE-1]]:13: error: integers past 64 bits are not supported
    z = n + (1 << 70)
    # CHECK: :[[#@LINE-1]]:14: error: integers past 64 bits are not supported
    w = -2**63 - 1
    # CHECK: :[[#@LINE-1]]:9: error: integers past 64 bits are not supported
    v = n * 0x9E3779B97F4A7C15 >> 3
    # CHECK: :[[#@LINE-1]]:9: error: of Python's integers past 63 bits the last 64 are known here; cut it to these before
    u = np.int64(0x9E3779B97F4A7C15)
    # CHECK: :[[#@LINE-1]]:9: error: the integer 11400714819323198485 does not fit into i64


def powers(n: int, k: int, a: i64[N], b: i64[N], out: i64[N]):
    out[0] = n ** k
    for i in range(a.shape[0]):
        out[i] = n ** int(b[i])
        out[i] = a[i] ** b[i]
        # CHECK: :[[#@LINE-1]]:18: error: NumPy raises where an integer has a negative exponent


def constants(a: f64[3], b: u8[N]):
    x = a[3]
    # CHECK: :[[#@LINE-1]]:11: error: index 3 is out of bounds for 3 element(s)
    y = a[-4]
    # CHECK: :[[#@LINE-1]]:11: error: index -4 is out of bounds for 3 element(s)
    z = np.full(3, 300, dtype=np.uint8)
    # CHECK: :[[#@LINE-1]]:9: error: the integer 300 does not fit into u8
    return math.sqrt(a)
    # CHECK: :[[#@LINE-1]]:12: error: `math.sqrt` takes a real number, not an array


# In f32 the two may be equal, in f64 not.
def compared(q: f32, a: f64[N]):
    t = 0.1
    for x in a:
        if x > 5.0:
            t += x
    return q == t
    # CHECK: :[[#@LINE-1]]:12: error: floats are compared in one type on one path and in another on another; convert them


def compared_with_zero(q: f32, a: f64[N]):
    t = 0.0
    for x in a:
        if x > 5.0:
            t = x
    return q == t
    # CHECK-NOT: :[[#@LINE-1]]:


# 0 on both paths, which is Python's on one of them alone.
def known(c: int, a: u8[N]):
    s = 0
    if c > 0:
        s = np.abs(s)
    return np.maximum(a, s)
    # CHECK: :[[#@LINE-1]]:12: error: this computes as


# An array of numbers that are all whole on one path is one of integers there.
def of_none(x: f64[N]):
    return np.array([0 if x[0] < 0 else x[0], 1 if x[0] < 0 else 2.5])
# CHECK: :[[@LINE-1]]:12: error: the type of this array depends on the path that was taken
