# Each line of the kernel is traced to the line of this file that it comes from.
# RUN: %appyc %s --no-versions --no-wrapper -o %t.cu
# RUN: %appyc %s --no-versions --emit=line-map -o %t.lines
# RUN: %python -c "generated = open('%t.cu').read().split('\n'); source = open('%s').read().split('\n'); [print(source[int(b) - 1].strip(), '<-', generated[int(a) - 1].strip()) for a, b in map(str.split, open('%t.lines'))]" | FileCheck %s
def twice(v):
    return v + v
def scaled_sums(a: f64[M, N], sums: f64[M]):
    for i in range(a.shape[0]):
        total = 0.0
        for j in range(a.shape[1]):
            total += twice(a[i, j])
        sums[i] = total
# CHECK: for i in range(a.shape[0]): <- for (index_t i = blockIdx.x * blockDim.y + threadIdx.y; i < M; i += gridDim.x * blockDim.y) {
# CHECK: total = 0.0 <- double total = 0.0;
# CHECK: for j in range(a.shape[1]): <- for (index_t j = (index_t)threadIdx.x * width; j < N; j += (index_t)blockDim.x * width) {
# CHECK: total += twice(a[i, j]) <- const auto a_vector = load_vector<width>(&a[i * N + j]);
# CHECK: total += twice(a[i, j]) <- total += v_1 + v_1;
# CHECK: for j in range(a.shape[1]): <- total = group_reduce_apart<Sum>(total);
# CHECK: sums[i] = total <- if (threadIdx.x == 0) sums[i] = total;
# CHECK: for i in range(a.shape[0]): <- kernel<<<blocks_for(ceil_div(M, threads.y)), threads, 0, stream>>>(a, sums, M, N);
