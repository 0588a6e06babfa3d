# --check-races: what is assumed runs in order and keeps who touched each element first; what is proven stays as it is.
# RUN: %appyc %s --check-races --target=cpu -o - --wrapper=/dev/null | FileCheck %s
# RUN: %appyc %s --check-races -o - --wrapper=/dev/null | FileCheck --check-prefix=CUDA %s
# RUN: %appyc %s -o - --wrapper=/dev/null | FileCheck --check-prefix=PLAIN %s
# RUN: %appyc %s --check-races -o - --wrapper=/dev/null --remarks 2>&1 >/dev/null | FileCheck --check-prefix=REMARK %s
def histogram(x: f64[M], k: i64[N], v: f64[N]):
    #pragma parallel for
    for i in range(v.shape[0]):
        v[i] = v[i] * 2.0
    #pragma parallel for
    for i in range(k.shape[0]):
        x[k[i]] = v[i]


# Shadow memory is made and cleared once; nothing is kept of `k` and `v`, which no two iterations share.
# CHECK-LABEL: extern "C" int {{.*}}_histogram(
# CHECK-NOT: v_writer
# CHECK: Temporary<int64_t> x_writer_memory(M);
# CHECK: x_writer[i] = 0;
# CHECK: Temporary<int64_t> race_memory(2);
# CHECK: #pragma omp parallel for simd
# CHECK: v[i] *= 2.0;
# CHECK-NOT: #pragma omp
# CHECK: race[1] = race[0];
# CHECK-NEXT: for (int64_t i = 0; i < N; ++i) {
# CHECK-NEXT: const int64_t now = wrap_add(race[0], 1);
# CHECK-NEXT: race[0] = now;
# CHECK-NEXT: const int64_t begin = race[1];
# CHECK-NEXT: // x[k[i]] = v[i]
# CHECK-NEXT: const int64_t element = wrap_index(k[i], M);
# CHECK-NEXT: const int64_t seen = x_writer[element];
# CHECK-NEXT: if (seen > begin && seen != now)
# CHECK-NEXT: return fail_with(RuntimeError,
# CHECK-NEXT: "check-races.py:11: loop `i` has a race: iteration i=%lld writes x[%lld], iteration i=%lld writes it too, in line 12",
# CHECK-NEXT: wrap_sub(wrap_sub(seen, begin), 1), element, i);
# CHECK-NEXT: if (x_writer[element] <= begin)
# CHECK-NEXT: x_writer[element] = now;
# CHECK: = v[i];

# One thread runs the loop; two words to clear are no work for others.
# CUDA: for (index_t i = 0; i < 2; ++i)
# CUDA-NEXT: race[i] = 0;
# CUDA-NOT: threadIdx
# CUDA: for (index_t i = 0; i < N; ++i) {
# CUDA-NEXT: if (fault[0] == 0) {
# CUDA-NEXT: const int64_t now
# CUDA: if (const int status = fetch(&found

# PLAIN-NOT: race[
# PLAIN: assumed independent (annotation)
# PLAIN-NOT: race[

# REMARK: check-races.py:11:5: remark: loop `i` runs in order and is checked for races [assumed]
