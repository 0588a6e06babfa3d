# Calls give types in ParPy's files, too: what `parpy.operators` has, labels, and functions of headers are no code of another kind.
# RUN: %appyc %s --target=cpu -o %t.cpp --remarks 2>&1 | FileCheck %s
import numpy as np
import parpy
from parpy.operators import exp


@parpy.external("__popc", parpy.CompileBackend.Cuda, parpy.Target.Device)
def popcount(n: parpy.types.I32) -> parpy.types.I32:
    return n.bit_count()


# CHECK: remark: the types of `axpy` come from its call in line {{[0-9]+}}: `#appyc: def axpy(a: float, x: f64[:], y: f64[:], N: int)`
@parpy.jit
def axpy(a, x, y, N):
    parpy.label('N')
    for i in range(N):
        y[i] = a * x[i] + exp(y[i])


N = 1024
x = np.ones(N)
y = np.zeros_like(x)
axpy(2.5, x, y, N, opts=parpy.par({'N': parpy.threads(128)}))
assert np.allclose(y, 3.5)
