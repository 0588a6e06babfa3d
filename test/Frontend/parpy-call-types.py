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


def schedules(n):  # of several functions at once
    counts = {'N': parpy.threads(n), 'M': parpy.threads(n).tpb(64)}
    return parpy.par(counts)


N = 1024
x = np.ones(N)
y = np.zeros_like(x)
axpy(2.5, x, y, N, opts=schedules(N))
assert np.allclose(y, 3.5)


# CHECK: remark: the types of `shifted` come from its call in line {{[0-9]+}}: `#appyc: def shifted(x: f64[:, :], weights: f64[:, :], M: int)`
@parpy.jit
def shifted(x, weights, M):
    parpy.label('M')
    for i in range(M):
        x[i, 0] += weights[i, 0]


rows = np.fromfunction(lambda i, j: i * (j + 2) / N, (8, 4), dtype=np.float64)
shifted(rows, np.random.default_rng(0).dirichlet(np.ones(4), 8), 8, opts=schedules(8))


# CHECK: remark: the types of `chosen` come from its call in line {{[0-9]+}}: `#appyc: def chosen(rows: i64[:], cols: i64[:], places: i64[:], y: f64[:])`
@parpy.jit
def chosen(rows, cols, places, y):
    parpy.label('P')
    for k in range(4):
        y[k] = rows[k] + cols[k] + places[k]


at, behind = np.nonzero(rows > 0.5)
chosen(at, np.where(rows > 0.5)[1], np.flatnonzero(rows), np.zeros(4), opts=parpy.par({'P': parpy.threads(4)}))
