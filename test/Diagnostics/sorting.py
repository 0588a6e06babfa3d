# Where a sort, a Fourier transform or a factorisation cannot stand, and what is not done of NumPy's.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import appy
import numpy as np


def in_a_parallel_loop(m: f64[M, N]):
    #pragma parallel for
    for i in range(m.shape[0]):
        m[i] = np.sort(m[i])
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}a sort has all threads to itself and stands in no parallel loop; drop the loop's annotation, or write it before the loop, for all rows at once with `axis`


def below_one(m: f64[M, N], out: f64[M]):
    for i in appy.prange(m.shape[0]):
        for j in range(2):
            out[i] = np.median(m[i]) + j
# CHECK: :[[#@LINE-1]]:{{.*}} error: `np.median`: a sort has all threads to itself


def transformed_in_a_loop(m: c128[M, N]):
    for i in appy.prange(m.shape[0]):
        m[i] = np.fft.fft(m[i])
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}a Fourier transform has all threads to itself


def a_number(s: f64):
    return np.sort(s)
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}axis -1 is out of bounds for array of dimension 0


def counted(v: f64[N], m: f64[N, M]):
    return np.repeat(v, m)
# CHECK: :[[#@LINE-1]]:{{.*}} error: `np.repeat`: `repeats` is a number or a vector
# CHECK-NOT: error: the size


def weighted(a: f64[N]):
    return np.quantile(a, 0.5, method="inverted_cdf")
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}this `method=` of quantiles is not translated


def factored_in_a_loop(c: f64[K, N, N], s: f64[K, N]):
    for i in appy.prange(c.shape[0]):
        s[i] = np.linalg.svdvals(c[i])
# CHECK: :[[#@LINE-1]]:{{.*}} error: {{.*}}a factorisation has all threads to itself
