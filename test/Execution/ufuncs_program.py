"""Ufuncs for test_ufuncs.py, in the spellings that Numba and NumbaPro have."""
import numba
from numba import float64, guvectorize, void
from numbapro import vectorize, float32
from numba import types as nbt


@vectorize(['f4(f4, f4)', float64(float64, float64), 'int64(int64, int64)'], target='parallel')
def big(a, b):
    """The larger one."""
    if a > b:
        return a
    return b


@numba.vectorize([float32(float32, float32, float32)], target='gpu')
def saxpy(a, x, y):
    return a * x + y


@vectorize('complex64(complex64, complex64)', target='cuda')
def vmult(a, b):
    return a * b


@vectorize([nbt.boolean(nbt.int32)], nopython=True)
def is_odd(n):
    return n % 2 == 1


@vectorize(['i8(i8, i8)'], identity=0)
def plus(a, b):
    return a + b


@guvectorize([void(float64[:, :], float64[:, :], float64[:, :])], '(m,n),(n,p)->(m,p)')
def product(a, b, out):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            out[i, j] = s


@guvectorize([(float64[:], float64, float64[:])], '(n),()->()', target='parallel')
def power_sum(a, s, out):
    t = 0.0
    for i in range(len(a)):
        t += a[i] * s
    out[0] = t


@guvectorize(['void(i8[:], i8[:], i8[:], i8[:])'], '(n),()->(n),()')
def shifted(a, by, out, total):
    t = 0
    for i in range(a.shape[0]):
        out[i] = a[i] + by[0]
        t += a[i]
    total[0] = t
