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
    """By the first signature to which all operands can be cast safely, as NumPy's ufuncs do."""
    def types_of(given):
        text = given[:given.index("(")].strip() if isinstance(given, str) else ""
        return [p.dtype for p in cuda.signature_of(given)], cuda.type_named(text).dtype if text else given.result.dtype

    rows = [types_of(s) for s in (signatures if isinstance(signatures, list) else [signatures])]

    def made(function):
        def called(*operands, out=None):
            for types, result in rows:
                if all(np.result_type(o, t) == t for o, t in zip(operands, types)):
                    full = np.broadcast_arrays(*(np.asarray(o, t) for o, t in zip(operands, types)))
                    values = np.empty(full[0].shape, result) if out is None else out
                    values[...] = np.array([function(*(f[at] for f in full)) for at in np.ndindex(full[0].shape)], result).reshape(full[0].shape)
                    return values[()] if out is None else out
            raise TypeError("no signature")

        return called

    return made


njit = jit
prange = builtins.range
void = none = cuda.Type()
boolean, float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128 = (
    cuda.Type(t) for t in (np.bool_, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
                           np.complex64, np.complex128))
f4, f8, i4, i8, u4, u8 = float32, float64, int32, int64, uint32, uint64
types = _types.SimpleNamespace(void=void, float64=float64, int64=int64, float32=float32, int32=int32, Array=lambda *_: float64)
