# What pragmas claim of loops and statements is checked where names and shapes are known.
# RUN: not %appyc %s -o - --remarks 2>&1 | FileCheck %s
import numpy as np
import appy


def loops(a: f64[N], b: f64[N], n: i64):
    N = a.shape[0]
    s = 0.0
    #pragma parallel for shared(nothing)
    for i in range(N):
        s += a[i]
    #pragma parallel for to(a)
    for i in range(N):
        a[i] = 1.0
    #pragma parallel for reduction(+:t)
    for i in range(N):
        s += a[i]
    #pragma parallel for reduction(*:s)
    for i in range(N):
        s += a[i]
    #pragma sequential for
    for i in appy.prange(N):
        a[i] = 1.0
    for i in appy.range(N, paralel=True):
        a[i] = 1.0
    #pragma parallel for simd(n)
    for i in range(N):
        a[i] = 1.0
    return s


def statements(a: f64[M, N], s: f64[M], t: f64[M], BN=0):
    M, N = a.shape
    #pragma :M=>parallel :N=>reduce(sum:t)
    s[:M] = np.sum(a[:M, :N], axis=1)
    #pragma :M=>parallel :N=>reduce(max)
    s[:M] = np.sum(a[:M, :N], axis=1)
    #pragma :M=>reduce(sum) :N=>reduce(sum)
    s[:M] = np.sum(a[:M, :N], axis=1)
    #pragma :M=>parallel,block(BN)
    s[:M] = t[:M]
    #pragma :4=>le(3)
    s[:4] = t[:4]
    #pragma :N=>parallel
    s[:M] = t[:M]
    #pragma :N=>reduce(sum:u)
    t[0] = np.sum(a[0, :N])


def scratch(a: f64[N], n: i64):
    #pragma parallel for
    for i in range(a.shape[0]):
        b = appy.buffer(n)
        b[0] = a[i]


def atomics(a: f64[N], k: i64[N]):
    #pragma parallel for
    for i in range(a.shape[0]):
        #pragma atomic
        a[k[i]] = max(1.0, a[k[i]])
        #pragma atomic
        a[k[i]] |= 1



# CHECK: :10:{{.*}} error: `nothing` in `shared` is not defined before this loop [bad-directive]
# CHECK: :13:{{.*}} remark: `to` changes nothing: appyc finds out by itself which data moves [ignored]
# CHECK: :16:{{.*}} error: the loop does not change `t`, which its pragma calls a reduction [bad-directive]
# CHECK: :19:{{.*}} error: not every assignment to `s` in the loop is a step of a reduction by prod [bad-directive]
# CHECK: :22:{{.*}} error: the pragma says `sequential for`, but the loop runs over a parallel range; drop one of the two [bad-directive]
# CHECK: :25:{{.*}} error: `appy.range` has no parameter `paralel`; did you mean `parallel`? [type-mismatch]
# CHECK: :27:{{.*}} error: `n` is not a constant; give a number, a parameter with a literal default, or a key of `tune` [bad-directive]
# CHECK: :35:{{.*}} error: the statement reduces into `s`, not into `t` [bad-directive]
# CHECK: :37:{{.*}} error: the statement does not reduce `:N` by max [bad-directive]
# CHECK: :39:{{.*}} error: no dimension `:M` is reduced in this statement [bad-directive]
# CHECK: :41:{{.*}} error: `BN` is 0 here; a size is a positive integer [bad-directive]
# CHECK: :43:{{.*}} error: the dimension `:4` has 4 elements, more than the 3 promised [bad-directive]
# CHECK: :45:{{.*}} error: no dimension of this statement runs over `:N` [bad-directive]
# CHECK: :47:{{.*}} error: the statement reduces into `t`, not into `u` [bad-directive]
# CHECK: :54:{{.*}} error: the size of appy.buffer is a positive number known at compile time; use np.empty for other sizes [bad-directive]
# CHECK: :62:{{.*}} error: Python's `max(e, x)` forgets x when e is NaN, so the order of updates would matter; write the element first [bad-directive]
# CHECK: :64:{{.*}} error: an atomic update of f64 by i64 would change its type [type-mismatch]
