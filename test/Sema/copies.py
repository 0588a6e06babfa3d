# A name that stands for different arrays on different paths is a copy, which goes back where the function ends: what reads or stores
# through the other name meanwhile, and stores into copies in loops, are refused, each at its line.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import numpy as np


def stale(a: f64[N], b: f64[N], c: bool) -> f64:
    if c:
        x = a
    else:
        x = b
    a[:] = 0.0
    return np.sum(x)
# CHECK: :[[@LINE-2]]:5: error: `x` is a copy here: on some paths it would be `a` itself, and does not see this store


def stale_in_loop(a: f64[N], b: f64[N], c: bool, n: i64) -> f64:
    if c:
        x = a
    else:
        x = b
    s = 0.0
    for i in range(n):
        s += x[0]
        b[0] = s
    return s
# CHECK: :[[@LINE-2]]:9: error: `x` is a copy here: on some paths it would be `b` itself, and does not see this store


def rebound(x: f64[N], n: i64):
    for t in range(n):
        x = x + 1.0
    x[:] = 0.0
# CHECK: :[[@LINE-1]]:5: error: `x` is a copy here: on some paths it would be the former `x` itself, which this store does not reach


def both_names(a: f64[N], b: f64[N], c: bool):
    x = a if c else b
    a[0] = 3.0
    x[1] = 4.0
# CHECK: :[[@LINE-2]]:5: error: the array chosen before is a copy here: on some paths it would be `a` itself, and does not see this store


def the_other_one(a: f64[N], b: f64[N], c: bool):
    x = a if c else b
    y = b if c else a
    x[:] = 1.0
    return y
# CHECK: :[[@LINE-2]]:5: error: the array chosen before is a copy here: on some paths it would be `value` itself, and does not see this store


def in_loop(a: f64[N], b: f64[N], n: i64):
    for t in range(n):
        x = a[1:] if t % 2 == 0 else b[1:]
        x[t] = 1.0
# CHECK: :[[@LINE-1]]:9: error: the array chosen before is a copy here: on some paths it would be `a` itself, which this store does not reach


def made_in_a_parallel_loop(a: f64[N], k: i64) -> f64[N]:
    #pragma parallel for
    for t in range(k):
        x = a * t
    return x
# CHECK: :[[@LINE-1]]:12: error: `x` is an array made inside the loop; make it before and fill it there [unsupported]


def part_of_an_exchanged_array(a: f64[N], b: f64[N], k: i64) -> f64:
    for t in range(k):
        part = a[1:]
        a, b = b, a
    return np.sum(part)
# CHECK: :[[@LINE-1]]:19: error: `part` shows a part of an array that has changed places with another; take it again [unsupported]


def exchange_on_the_device(a: f64[N], b: f64[N], k: i64):
    #pragma sequential for
    for t in range(k):
        if t % 2 == 0:
            a, b = b, a
        a[0] = b[0] + 1.0
# CHECK: :[[@LINE-3]]:9: error: `a` and another array change places in a loop that runs on the device; drop its pragma, or copy [unsupported]


def real_part(z: c128[N]):
    r = z.real
    r[:] = 0.0
# CHECK: :[[@LINE-1]]:5: error: `r` is a copy here: NumPy may show `z` itself, which this store does not reach


def imaginary_part(z: c128[N]) -> f64:
    q = z.imag[1:]
    z[:] = 0.0
    return np.sum(q)
# CHECK: :[[@LINE-2]]:5: error: `q` is a copy here: NumPy may show `z` itself, and does not see this store


def perhaps_contiguous(a: f64[N]):
    b = np.ascontiguousarray(a[::2])
    b[:] = 1.0
# CHECK: :[[@LINE-1]]:5: error: `b` is a copy here: NumPy may show `a` itself


def mask_of_itself(p: bool[N, N], q: bool[N]):
    p.T[p] = False
# CHECK: :[[@LINE-1]]:5: error: NumPy reads this mask while it changes it
    q[q[::-1]] = False
# CHECK: :[[@LINE-1]]:5: error: NumPy reads this mask while it changes it


def parts_of_what_is_computed(a: f64[N], m: f64[N, M]):
    x = (m + 1)[:, ::2]
    y = x.reshape(-1)
    y[:] = 5.0
# CHECK: :[[@LINE-1]]:5: error: `y` is a copy here: NumPy may show `x` itself
    u = (a + 1)[::-1]
    v = u.ravel()
    v[:] = 5.0
# CHECK: :[[@LINE-1]]:5: error: `v` is a copy here: NumPy may show `u` itself
    return x, u


# CHECK-NOT: error:
def in_one_piece(a: f64[N], m: f64[N, M]):
    x = (m + 1)[1:]
    y = x.reshape(-1)
    y[:] = 5.0
    u = (m + 1)[:, ::2] * 2
    v = u.ravel()
    v[:] = 5.0
    return x, u


def masks(p: bool[N, N], q: bool[N]):
    p.T[p.copy()] = False
    p.T[~p] = True
    q[q] = False
    q[1:][q[1:]] = False


def copied(z: c128[N], a: f64[N]):
    r = z.real.copy()
    r[:] = 0.0
    q = z.imag
    z[:] = z + q
    b = np.ascontiguousarray(a)
    b[:] = 1.0


def of_columns(m: f64[N, M], n: i64):
    x = np.zeros((n, 4), order="F")
    y = x.ravel("F")
    y[:] = 5.0
# CHECK: :[[@LINE-1]]:5: error: `y` is a copy here: NumPy may show `x` itself
    z = np.asarray(m, order="F")
    z[0] = 1.0
# CHECK: :[[@LINE-1]]:5: error: `z` is a copy here: NumPy may show `m` itself
    return x
