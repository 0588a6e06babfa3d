"""Types in the notations of Numba, Pythran and Pyccel: files of theirs, as they stand."""
import numba as nb
import numpy as np
from numba import float64, int64, njit, prange, types, void
from pyccel.decorators import types as pyccel_types


@njit("f8(f8[:], i8)", parallel=True, fastmath=True)
def by_string(a, n):
    total = 0.0
    for i in prange(a.shape[0]):
        total += a[i] * n
    return total


@nb.jit(["void(f4[:], f4)", "void(f8[::1], f8)"], nopython=True)
def by_list(a, s):
    for i in range(a.shape[0]):
        a[i] = a[i] * s


@njit(float64[:](float64[:, ::1], types.int64))
def by_objects(m, k):
    return m.sum(axis=1) * k


@njit((nb.float64[:], int64))
def by_tuple(a, n):
    return a[::-1] + n


@njit(void(types.Array(float64, 2, "C")), parallel=True)
def by_array(m):
    for i in prange(m.shape[0]):
        for j in prange(m.shape[1]):
            m[i, j] = m[i, j] + i - j


@nb.njit("UniTuple(f8, 2)(f8[:])")
def by_results(a):
    return a.sum(), np.abs(a).sum()


@njit("f8[:, :](f8[::1, :], Array(float64, 3, 'F'))")
def by_columns(m, cube):
    m[:, 1:] += m[:, :-1] * 2.0
    m += cube[1]
    cube[0, :, 0] = m.sum(axis=1)
    return m[1:, ::-1]


@njit("void(f8[:])")
def serial_ranges(a):
    for i in prange(1, a.shape[0]):
        a[i] = a[i] + a[i - 1]


@njit
def helper(x):
    return x * x + 1.0


@njit(signature_or_function="f8[:](f8[:])")
def by_keyword(a):
    return helper(a)


#pythran export exported(float64[:,:], int), exported_rows(float[][],
#                        float)
def exported(a, n):
    return a * n + n


def exported_rows(a, s=2.0):
    return a.sum(axis=1) + s


# pythran export alternatives(float32[:] or float64[:] order(C), int?)
def alternatives(a, n=3):
    return a * n


#pythran export fortran(float64[:,:] order(F), float64[:,:] order(C))
def fortran(m, k):
    m += k[1:] * 2.0
    return m[1:, ::-1]


#pythran export of_lists(int list list, float list, str)
def of_lists(rows, xs, kind):
    return [sum(r) * (2 if kind == "twice" else 1) for r in rows], sum(xs), kind


def inputs_of_lists(size, rng):
    return [list(range(k)) for k in range(size % 7)], list(rng.random(size + 1)), ("twice", "once")[size % 2]


@pyccel_types('float[:,:]', 'const int')
def decorated(m, k):
    m += k


#$ header function by_header(float64[:], double) results(double)
def by_header(a, s):
    return (a * s).sum()


def by_text(m: 'float[:,:]', k: 'int'):
    m *= k


def inputs_by_string(size, rng):
    return rng.integers(-9, 9, size).astype(float), 3


def inputs_by_list(size, rng):
    return rng.random(size, dtype=np.float32), np.float32(1.5)


def inputs_by_objects(size, rng):
    return rng.random((size, 3)), 5


def inputs_by_tuple(size, rng):
    return rng.random(size), 2


def inputs_by_array(size, rng):
    return (rng.random((size, 5)),)


def inputs_exported(size, rng):
    return rng.random((size, 3)), 4


def inputs_exported_rows(size, rng):
    return rng.random((size, 3)), 0.5


def inputs_alternatives(size, rng):
    return rng.random(size, dtype=np.float32), 7


def inputs_decorated(size, rng):
    return rng.random((3, size)), 4


def inputs_by_header(size, rng):
    return rng.integers(-9, 9, size).astype(float), 0.5


def inputs_by_columns(size, rng):
    cube = rng.random((2, 4, size + 1))
    return np.asfortranarray(rng.random((4, size + 1))), np.asfortranarray(cube) if size % 2 else cube


def inputs_fortran(size, rng):
    return np.asfortranarray(rng.random((4, size + 1))), rng.random((5, size + 1))


def inputs_by_results(size, rng):
    return (rng.integers(-9, 9, size).astype(float),)


inputs_serial_ranges = inputs_by_results
inputs_by_text = inputs_decorated
EXPORTED = ("of_pythons", "by_string", "by_list", "by_objects", "by_tuple", "by_array", "by_columns", "by_results", "serial_ranges", "by_keyword",
            "exported", "exported_rows", "fortran", "alternatives", "decorated", "by_header",
            "of_lists")
SIZES = (0, 1, 2, 3, 33, 129)


def make_inputs(size, rng):
    return (rng.random(size),)


@njit("f8(UniTuple(i8, 3), Tuple((i8, f8)), ListType(f8), List(Tuple((i8, i8))), unicode_type, i8)")
def of_pythons(triple, pair, numbers, pairs, text, n):
    s = 0.0
    for k in range(len(triple)):
        s += triple[k] * pair[1]
    for x in numbers:
        s -= x
    for a, b in pairs:
        s += a * b + pair[0]
    for c in text:
        if c in "aeiou":
            s += 0.5
    count = [0] * (n + 1)
    count[n] = 5
    return s + len(count) + count[-1] + sum(n * [1, 2])


def inputs_of_pythons(size, rng):
    pairs = [(k, k + 1) for k in range(size)]
    return (size, 2, 3), (4, 2.5), rng.random(size).tolist(), pairs, "hello appyc"[:size], np.int64(size % 5)
