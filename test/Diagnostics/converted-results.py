# Numba converts numbers to the type that a signature declares, but complex ones to no others, and not what a function gives to itself.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
from numba import njit


@njit("float64(int64)")
def factorial(n):
    # CHECK: :[[@LINE-2]]:8: error: `factorial` returns i64, and its signature declares f64; write `-> i64`, or convert it, `np.float64(...)` [bad-signature]
    return 1 if n <= 1 else n * factorial(n - 1)


@njit("float64(complex128)")
def angle(z):
    return z * 2
    # CHECK: :[[@LINE-1]]:5: error: Numba makes no f64 of this, which is c128; take its `.real` [type-mismatch]
