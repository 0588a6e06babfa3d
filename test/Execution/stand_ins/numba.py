"""What the tests use of Numba's names, with which functions run as CPython has them: Numba is no part of the tests."""
import builtins
import sys
import types as _types

import cuda_random_stand_in
import cuda_stand_in as cuda
import numpy as np

sys.modules["numba.cuda"] = cuda
sys.modules["numba.cuda.random"] = cuda.random = cuda_random_stand_in


def jit(*given, **options):
    if given and callable(given[0]) and not isinstance(given[0], cuda.Type):
        return given[0]
    return lambda function: function


def vectorize(signatures, **options):
    def made(function):
        return lambda *operands: np.vectorize(function, otypes=[np.result_type(*operands)])(*operands)

    return made


njit = jit
prange = builtins.range
void = none = cuda.Type()
boolean, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 = (
    cuda.Type(t) for t in (np.bool_, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
                           np.complex64, np.complex128))
f4, f8, i4, i8, u4, u8 = float32, float64, int32, int64, uint32, uint64
types = _types.SimpleNamespace(void=void, float64=float64, int64=int64, float32=float32, int32=int32, Array=lambda *_: float64)
