# Signatures that Numba 0.68's own parser takes, in all its spellings of types: each is taken here, too.
# RUN: %appyc %s -fsyntax-only
from numba import cuda, float32, float64, guvectorize, jit, njit, types, vectorize


@jit(["void(f8[:], i4)", "none(f8[:,:], i4)", "(f8[:,::1], i4)", "(f8[::1,:], i4)", "(f8[::1], i4)", "(f8[::2], i4)", "(f8[::1,::1], i4)",
      "void(f8[:,::1,:], i4)", "void(types.f8[:], types.i4)", " void ( f8 [ : ] , i4 ) ", "void(f8[:,], i4)", "void(f8[: :1], i4)",
      "void(f8[::-1], i4)", "void((f8[:]), ((i4)))", "(f8[:], i4,)", "void(f8[:], i4,)"])
def layouts(a, n):
    pass


@jit(["void(Array(f8, 2, 'C'), i4)", "void(Array(f8, 2, 'F'), i4)", "void(Array(f8, 1, 'A', readonly=True), i4)",
      "void(Array(dtype=f8, ndim=1, layout='C'), i4)", "void(types.Array(types.f8, 3, layout='C'), i4)"])
def arrays(a, n):
    pass


@jit("UniTuple(f8, 2)(f8[:], i4)")
def pair(a, n):
    return a[0], a[0] + n


@jit(types.Tuple((types.f8, types.i8))(types.f8[:], types.i8))
def other_pair(a, n):
    return a[0], n


@njit("f8()")
def nothing():
    return 1.0


@njit("(f8,)", cache=True)
def one(x):
    return x


@njit("f8(f8)", parallel=True, fastmath=True)
def options(x):
    return x


@njit(parallel=True)
def helper(x):
    return x


#appyc: def asks(x: f64)
@jit(nopython=True)
def asks(x):
    return helper(x)


@jit([
    "void(boolean[:], boolean)",
    "void(bool_[:], bool_)",
    "void(b1[:], b1)",
    "void(bool[:], bool)",
    "void(int8[:], int8)",
    "void(i1[:], i1)",
    "void(char[:], char)",
    "void(int16[:], int16)",
    "void(i2[:], i2)",
    "void(short[:], short)",
    "void(int32[:], int32)",
    "void(i4[:], i4)",
    "void(intc[:], intc)",
])
def names_0(a, n):
    pass


@jit([
    "void(int64[:], int64)",
    "void(i8[:], i8)",
    "void(int_[:], int_)",
    "void(long_[:], long_)",
    "void(longlong[:], longlong)",
    "void(intp[:], intp)",
    "void(ssize_t[:], ssize_t)",
    "void(uint8[:], uint8)",
    "void(u1[:], u1)",
    "void(uchar[:], uchar)",
    "void(byte[:], byte)",
    "void(uint16[:], uint16)",
])
def names_1(a, n):
    pass


@jit([
    "void(u2[:], u2)",
    "void(ushort[:], ushort)",
    "void(uint32[:], uint32)",
    "void(u4[:], u4)",
    "void(uintc[:], uintc)",
    "void(uint64[:], uint64)",
    "void(u8[:], u8)",
    "void(uint[:], uint)",
    "void(ulong[:], ulong)",
    "void(ulonglong[:], ulonglong)",
    "void(uintp[:], uintp)",
    "void(size_t[:], size_t)",
])
def names_2(a, n):
    pass


@jit([
    "void(float32[:], float32)",
    "void(f4[:], f4)",
    "void(float64[:], float64)",
    "void(f8[:], f8)",
    "void(double[:], double)",
    "void(complex64[:], complex64)",
    "void(c8[:], c8)",
    "void(complex128[:], complex128)",
    "void(c16[:], c16)",
])
def names_3(a, n):
    pass


signature = "float64(float64[:], int64)"
binary = float64(float64, float64)
signatures = ["float32(float32, float32)", binary]
vector = float64[:]
matrix = types.float64[:, ::1]
real = float64
single = float32
layout = "(n)->()"
rows = [(vector, vector)]


@njit(signature)
def by_name(a, n):
    return a[0] * n


@njit(binary, cache=True)
def by_object(a, b):
    return a + b


@vectorize(signatures)
def by_names(a, b):
    return a * b


@njit(real(vector, matrix))
def of_aliases(a, m):
    return a.sum() + m.sum()


@cuda.jit(types.void(single[:], single))
def kernel_of_aliases(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= x


@guvectorize(rows, layout)
def by_rows(a, out):
    out[0] = a.sum()
