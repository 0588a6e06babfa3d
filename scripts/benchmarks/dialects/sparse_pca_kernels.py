"""The same as explicit kernels: a warp takes a sample, and a lane every 32nd entry."""
import math

import numpy as np
from numba import cuda, float64

LANES = 32
ENTRIES = 32  # of a lane: up to 1024 rows
COMPONENTS = 4  # the most


@cuda.jit
def select(V, C, k, sizes):
    entries = cuda.local.array(ENTRIES, float64)
    lane = cuda.threadIdx.x
    j = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    if j >= C.shape[1]:
        return
    unit = cuda.local.array(COMPONENTS, float64)
    length = 0.0
    for d in range(COMPONENTS):
        unit[d] = C[d, j] if d < C.shape[0] else 0.0
        length += unit[d] * unit[d]
    length = math.sqrt(length)
    for d in range(COMPONENTS):
        unit[d] /= length
    for e in range(ENTRIES):
        row = e * LANES + lane
        value = 0.0
        if row < V.shape[0]:
            for d in range(COMPONENTS):
                if d < C.shape[0]:
                    value += V[row, d] * unit[d]
        entries[e] = value if row < V.shape[0] else -math.inf
    squares = 0.0
    for step in range(k):
        best = -math.inf
        for e in range(ENTRIES):
            best = max(best, entries[e])
        most = best
        offset = 16
        while offset > 0:
            most = max(most, cuda.shfl_xor_sync(0xFFFFFFFF, most, offset))
            offset //= 2
        squares += most * most
        holders = cuda.ballot_sync(0xFFFFFFFF, best == most)
        if lane == cuda.ffs(holders) - 1:
            taken = False
            for e in range(ENTRIES):
                if entries[e] == most and not taken:
                    entries[e] = -math.inf
                    taken = True
    if lane == 0:
        sizes[j] = math.sqrt(squares)


#appyc: def sparse_pca(V: f64[P, D], C: f64[D, S], k: int)
def sparse_pca(V, C, k):
    sizes = cuda.device_array(C.shape[1])
    select[(C.shape[1] + 7) // 8, (LANES, 8)](V, C, k, sizes)
    winner = np.argmax(sizes)
    entries = V @ (C[:, winner] / np.linalg.norm(C[:, winner]))
    chosen = np.argsort(entries)[-k:]
    x = np.zeros(V.shape[0])
    x[chosen] = entries[chosen] / sizes[winner]
    return sizes[winner], x
