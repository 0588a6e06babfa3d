# Clauses and properties that are unknown or contradict each other name what is known.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import numpy as np


def loops(a: f64[N]):
    N = a.shape[0]
    s = 0.0
    #pragma parallel for vectorised
    for i in range(N):
        a[i] = 1.0
    #pragma parallel for shard(s)
    for i in range(N):
        s += a[i]
    #pragma parallel for reduction(mean:s)
    for i in range(N):
        s += a[i]
    #pragma parallel for simd(32) block(64)
    for i in range(N):
        a[i] = 1.0
    #pragma parallel for shared
    for i in range(N):
        s += a[i]
    #pragma workshare for
    for i in range(N):
        s += a[i]
    return s


def statements(a: f64[M, N], s: f64[M], t: f64[M]):
    M, N = a.shape
    #pragma :M=>parallel :N=>vector
    s[:M] = np.sum(a[:M, :N], axis=1)
    #pragma :M=>parallel,block(4),simd(8)
    s[:M] = t[:M]
    #pragma :M:0=>parallel
    s[:M] = t[:M]
    #pragma :M=>parallel :N=>reduce(sum),reduction(sum)
    s[:M] = np.sum(a[:M, :N], axis=1)


# CHECK: :9:{{.*}} error: unknown clause `vectorised`; known are `simd`, `block`, `num_warps`, `reduction`, `shared` [unknown-pragma]
# CHECK: :12:{{.*}} error: unknown clause `shard`; did you mean `shared`? [unknown-pragma]
# CHECK: :15:{{.*}} error: unknown reduction `mean`; known are `+`, `*`, `max`, `min` [unknown-pragma]
# CHECK: :18:{{.*}} error: the vector length is given twice: `32` and `64` [unknown-pragma]
# CHECK: :21:{{.*}} error: `shared` needs names: `shared(x)` [unknown-pragma]
# CHECK: :24:{{.*}} error: write `workshare` without `for` [unknown-pragma]
# CHECK: :32:{{.*}} error: unknown property `vector`; known are `parallel`, `block`, `simd`, `single_block`, `le`, `reduce` [unknown-pragma]
# CHECK: :34:{{.*}} error: `block` is given twice [unknown-pragma]
# CHECK: :36:{{.*}} error: the step of a dimension is a positive integer, as in `1:N:2=>parallel` [unknown-pragma]
# CHECK: :38:{{.*}} error: `reduction(sum)` is given twice [unknown-pragma]
