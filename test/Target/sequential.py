# Every level is written as plain loops: no threads, no kernels, whatever the passes before have mapped.
# RUN: %appyc %s --target=sequential --stop-after=lower-to-loops -o - | FileCheck --check-prefixes=CHECK,LOOPS %s
# RUN: %appyc %s --target=sequential -o - | FileCheck --check-prefixes=CHECK,KERNELS %s
# RUN: %appyc %s --target=sequential --emit=ir --stop-after=prove-parallel | FileCheck --check-prefix=IR %s
# RUN: %appyc %s --target=sequential --list-passes | FileCheck --check-prefix=PASSES %s
# IR: # level loop
# PASSES: map-kernels
def row_sums(m: f64[M, N], out: f64[M]):
    M, N = m.shape
    #pragma parallel for
    for i in range(M):
        total = 0.0
        #pragma simd
        for j in range(N):
            total += m[i, j]
        #pragma atomic
        out[0] += total
# CHECK: extern "C" int {{.*}}_row_sums(
# CHECK-NOT: #pragma omp
# LOOPS: for (int64_t i = 0; i < M; ++i) {
# KERNELS: for (int64_t c = 0; c < chunks; ++c) {
# CHECK: double total = 0.0;
# CHECK: for (int64_t j = 0; j < N; ++j)
# LOOPS: out[0] += total;
# KERNELS: out_value_chunk += total;
# CHECK-NOT: {{__global__|<<<|__syncthreads}}
