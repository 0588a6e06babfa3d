# Loops that are said to be parallel, and have in them what has all threads to itself or stands in order, are as if nothing were said: sorts take
# all rows at once then.
# RUN: %appyc %s --emit=ir --remarks -o /dev/null 2>&1 | FileCheck %s
import appy
import numpy as np


def in_a_parallel_loop(m: f64[M, N]):
    #pragma parallel for
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: a sort has all threads to itself: the loop is as one without an annotation
    for i in range(m.shape[0]):
        m[i] = np.sort(m[i])


def below_one(m: f64[M, N], out: f64[M]):
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: a sort has all threads to itself
    for i in appy.prange(m.shape[0]):
        for j in range(2):
            out[i] = np.median(m[i]) + j


def transformed_in_a_loop(m: c128[M, N]):
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: a Fourier transform has all threads to itself
    for i in appy.prange(m.shape[0]):
        m[i] = np.fft.fft(m[i])


def factored_in_a_loop(c: f64[K, N, N], s: f64[K, N]):
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: a factorisation has all threads to itself
    for i in appy.prange(c.shape[0]):
        s[i] = np.linalg.svdvals(c[i])


def in_any_order(n: int):
    a = []
    #pragma parallel for
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: a list changes its length in order
    for i in range(n):
        a.append(i)
    return a


def drawn(n: int, out: f64[N]):
    rng = np.random.default_rng(3)
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: the numbers of a generator are drawn in order
    for i in appy.prange(out.shape[0]):
        out[i] = rng.random()


def folded(x: f64[N, M], out: f64[M]):
    # CHECK: :[[#@LINE+1]]:{{.*}}remark: a whole array is updated by all iterations
    for i in appy.prange(x.shape[0]):
        out += x[i]
