# What threads print: texts and whole numbers, by C's printf.
# RUN: %appyc %s --target=cuda -o - --no-wrapper | FileCheck %s --check-prefixes=CHECK,CUDA
# RUN: %appyc %s --target=cpu -o - --no-wrapper | FileCheck %s
# RUN: not %appyc %s --signature='floats(f64[N])' -o - --no-wrapper 2>&1 | FileCheck %s --check-prefix=FLOATS
from numba import cuda


@cuda.jit("void(i4[:])")
def rows(a):
    i = cuda.grid(1)
    if i < a.shape[0]:
        print("100% of", i, a[i])


@cuda.jit
def floats(a):
    print(a[0])


# CUDA: #include <cstdio>
# CHECK: print_here("100%% of %lld %lld\n", (long long)i, (long long)a[i]);
# FLOATS: error: a kernel prints texts and whole numbers
