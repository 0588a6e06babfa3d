import numba as nb
from numba import njit, void, float64


@njit("f8(f8[:][:])")
def twice(a):
    return a[0, 0]


@nb.jit(["f8(f8[:])", "f8(strange)"])
def named(a):
    return a[0]


@nb.njit(nb.float64(nb.float64[::1, :]))
def columns(a):
    return a[0, 0]


@njit("f8")
def bare(a):
    return a


@njit(void(float64[:], float64))
def many(a):
    a[0] = 1.0


# pythran export other(float64[:])
# pythran export f(float64 list)
# pythran export f(float128)
def f(a):
    return a
