"""Sparse PCA by random directions, as NumPy text and as explicit kernels: of each column the k largest entries, and the best column."""
import math

import numpy as np
from numba import cuda, float64

SIZES = (1, 2, 4)
ROWS = 32


#appyc: def spca_numpy(V: f64[:, :], C: f64[:, :], k: i64)
def spca_numpy(V, C, k):
    lengths = np.sqrt(np.sum(C * C, axis=0))
    A = V @ (C / lengths)
    order = np.argsort(A, axis=0)
    best = -1.0
    x = np.zeros(V.shape[0])
    for i in range(A.shape[1]):
        chosen = order[-k:, i]
        values = A[chosen, i]
        size = np.linalg.norm(values)
        if size > best:
            best = size
            x[:] = 0.0
            x[chosen] = values / size
    return best, x


@cuda.jit
def normalise(C, out):
    j = cuda.grid(1)
    if j >= C.shape[1]:
        return
    total = 0.0
    for i in range(C.shape[0]):
        total += C[i, j] * C[i, j]
    for i in range(C.shape[0]):
        out[i, j] = C[i, j] / math.sqrt(total)


@cuda.jit
def select(V, C, k, sizes):
    """A block takes a column: its entries in shared memory, from which the k largest are taken one by one."""
    column = cuda.shared.array(ROWS, float64)
    best = cuda.shared.array(ROWS, float64)
    place = cuda.shared.array(ROWS, np.int64)
    t = cuda.threadIdx.x
    j = cuda.blockIdx.x
    total = 0.0
    if t < V.shape[0]:
        for d in range(V.shape[1]):
            total += V[t, d] * C[d, j]
    column[t] = total if t < V.shape[0] else -math.inf
    squares = 0.0
    for step in range(k):
        best[t] = column[t]
        place[t] = t
        cuda.syncthreads()
        half = ROWS // 2
        while half > 0:
            if t < half and best[t + half] > best[t]:
                best[t] = best[t + half]
                place[t] = place[t + half]
            cuda.syncthreads()
            half //= 2
        squares += best[0] * best[0]
        if t == place[0]:
            column[t] = -math.inf
        cuda.syncthreads()
    if t == 0:
        sizes[j] = math.sqrt(squares)


#appyc: def spca_kernels(V: f64[:, :], C: f64[:, :], k: i64)
def spca_kernels(V, C, k):
    given = cuda.to_device(V)
    directions = cuda.to_device(C)
    unit = cuda.device_array(C.shape, np.float64, order="F")
    sizes = cuda.device_array(C.shape[1])
    stream = cuda.stream()
    normalise[(C.shape[1] + 31) // 32, 32, stream](directions, unit)
    select[C.shape[1], ROWS, stream](given, unit, k, sizes)
    stream.synchronize()
    found = sizes.copy_to_host()
    winner = np.argmax(found)
    A = V @ unit.copy_to_host()[:, winner]
    chosen = np.argsort(A)[-k:]
    x = np.zeros(V.shape[0])
    x[chosen] = A[chosen] / found[winner]
    return found[winner], x


def inputs_spca_numpy(size, rng):
    return rng.normal(size=(20, 3)), rng.normal(size=(3, size)), 4


inputs_spca_kernels = inputs_spca_numpy


@cuda.jit(fastmath=True, max_registers=64)
def products(V, C, A):
    i, j = cuda.grid(2)
    if i < A.shape[0] and j < A.shape[1]:
        total = 0.0
        for k in range(V.shape[1]):
            total += V[i, k] * C[k, j]
        A[i, j] = total


@cuda.jit
def largest(A, places, k):
    i = cuda.grid(1)
    if i < A.shape[1]:
        for j in range(k):
            best = -1
            for r in range(A.shape[0]):
                taken = False
                for q in range(j):
                    if places[q, i] == r:
                        taken = True
                if not taken and (best < 0 or A[r, i] > A[best, i]):
                    best = r
            places[j, i] = best


@cuda.jit
def norms(A, places, out):
    i = cuda.grid(1)
    if i < A.shape[1]:
        total = 0.0
        for j in range(places.shape[0]):
            total += A[places[j, i], i] ** 2
        out[i] = math.sqrt(total)


#appyc: def spca_in_chunks(V: f64[:, :], samples: i64, k: i64)
def spca_in_chunks(V, samples, k):
    """As the slides have it: some samples at a time, while any remain."""
    p, d = V.shape
    rng = np.random.default_rng(1)
    stream = cuda.stream()
    given = cuda.to_device(V, stream=stream)
    remaining = samples
    best = -1.0
    x = np.zeros(p)
    while remaining > 0:
        n = min(remaining, 3)
        remaining -= n
        directions = cuda.to_device(rng.random((d, n)), stream=stream)
        unit = cuda.device_array((d, n), order="F")
        A = cuda.device_array((p, n), order="F", dtype=np.float64)
        places = cuda.device_array((k, n), dtype=np.int64, order="F")
        lengths = cuda.device_array(n, stream=stream)
        normalise[(n + 31) // 32, 32, stream](directions, unit)
        products[((p + 7) // 8, (n + 7) // 8), (8, 8), stream](given, unit, A)
        largest[(n + 31) // 32, 32, stream](A, places, k)
        norms[(n + 31) // 32, 32, stream](A, places, lengths)
        found = lengths.copy_to_host(stream=stream)
        stream.synchronize()
        winner = found.argmax()
        if found[winner] > best:
            best = found[winner]
            chosen = places.copy_to_host(stream=stream)[:, winner]
            x[:] = 0.0
            x[chosen] = A.copy_to_host(stream=stream)[chosen, winner] / best
    return x, best


def inputs_spca_in_chunks(size, rng):
    return rng.normal(size=(20, 3)), 2 * size, 4
