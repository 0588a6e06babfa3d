"""appy for CPython: annotated files run unchanged, sequentially, with NumPy's results.

appyc reads the same names as annotations and translates them. Here they have their plain meaning: `jit` returns the
function, `prange` counts, an atomic update is an update, and a vector index is a NumPy index array that ends at its
bound. Pragmas are comments and need nothing. The names of types and, from `appy.dims`, of sizes are for annotations.

    import numpy as np
    import appy

    @appy.jit
    def scale(a, factor):
        N = a.shape[0]
        #pragma parallel for
        for start in range(0, N, appy.MVL):
            lanes = appy.vidx(start, appy.MVL, bound=N)
            a[lanes] *= factor
"""
from ._atomic import atomic_add, atomic_and, atomic_max, atomic_min, atomic_or, atomic_sub, atomic_xor
from ._loops import MVL, buffer, cpu_shader, debug_barrier, jit, prange, range, shader, step, vidx, vindex
from ._numpy import (abs, acos, arccos, arcsin, arctan, asin, atan, ceil, cos, dot, exp, flip, floor, log, matmul, max,
                     maximum, mean, min, minimum, mv, sin, sqrt, sum, tanh, where)
from ._primitives import (histogram, k_select, map, random, reduce, scan, scatter, sort,  # noqa: F401
                          unique, zipwith)
from ._types import bool, c64, c128, dim, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64  # noqa: F401

# Without `bool` and the primitives: `from appy import *` leaves Python's.
__all__ = [
    "MVL", "abs", "acos", "arccos", "arcsin", "arctan", "asin", "atan", "atomic_add", "atomic_and", "atomic_max",
    "atomic_min", "atomic_or", "atomic_sub", "atomic_xor", "buffer", "c128", "c64", "ceil", "cos", "cpu_shader",
    "debug_barrier", "dim", "dot", "exp", "f32", "f64", "flip", "floor", "i16", "i32", "i64", "i8", "jit", "log",
    "matmul", "max", "maximum", "mean", "min", "minimum", "mv", "prange", "range", "shader", "sin", "sqrt", "step",
    "sum", "tanh", "u16", "u32", "u64", "u8", "vidx", "vindex", "where",
]
