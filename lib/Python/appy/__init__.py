"""appy for CPython: annotated files run unchanged, sequentially, with NumPy's results.

appyc reads the same names as annotations and translates them. Here they have their plain meaning: `jit` returns the
function, `prange` counts, an atomic update is an update, and a vector index is a NumPy index array that ends at its
bound. Pragmas are comments and need nothing.

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

__all__ = [
    "MVL", "abs", "acos", "arccos", "arcsin", "arctan", "asin", "atan", "atomic_add", "atomic_and", "atomic_max",
    "atomic_min", "atomic_or", "atomic_sub", "atomic_xor", "buffer", "ceil", "cos", "cpu_shader", "debug_barrier",
    "dot", "exp", "flip", "floor", "jit", "log", "matmul", "max", "maximum", "mean", "min", "minimum", "mv", "prange",
    "range", "shader", "sin", "sqrt", "step", "sum", "tanh", "vidx", "vindex", "where",
]
