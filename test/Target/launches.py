# How launches are written: one that may begin before the kernel before it has ended, one of a cluster, a step of a CUDA graph.
# RUN: %appyc %s -o - --disable-pass=cluster-loops --disable-pass=steps-inside --disable-pass=tile-time | FileCheck --check-prefix=GRAPH %s
# RUN: %appyc %s -o - --disable-pass=steps-inside --disable-pass=tile-time | FileCheck --check-prefix=CLUSTER %s
# RUN: %appyc %s -o - --target=cpu | FileCheck --check-prefix=CPU %s
# CPU-NOT: {{cluster|overlapping|Graphs|previous_kernel}}


# GRAPH:      inline void wait_for_previous_kernel() {
# GRAPH-NEXT: #if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
# GRAPH-NEXT: cudaGridDependencySynchronize();
# GRAPH-NEXT: #endif
# GRAPH:      void launch_overlapping(Kernel kernel, dim3 grid, dim3 threads, cudaStream_t stream, Arguments... arguments) {
# GRAPH-NEXT: if (!is_code_of_90(kernel)) {
# GRAPH-NEXT: kernel<<<grid, threads, 0, stream>>>(arguments...);
def relax(steps: i64, a: f64[N], b: f64[N]):
    for t in range(steps):
        b[1:-1] = a[:-2] + a[2:]
        a[1:-1] = 0.5 * b[1:-1]
# GRAPH-LABEL: __global__ void relax_b(
# GRAPH-NEXT: wait_for_previous_kernel();
# GRAPH-NEXT: for (
# GRAPH-LABEL: extern "C" int {{.*}}_relax(
# GRAPH:      const auto step = [&](cudaStream_t stream) {
# GRAPH:      launch_overlapping(relax_b<index_t>, blocks_for(ceil_div(N - 2, 256)), 256, stream, a, b, N);
# GRAPH:      };
# GRAPH-NEXT: repeat_recorded(steps, 2, step, stream, a, b, N);

# Arrays that are written between barriers of a cluster are not __restrict__.
# CLUSTER-LABEL: __global__ void __launch_bounds__(512, 1) relax_a_b(double* a, double* b,
# CLUSTER:      for (index_t t = 0; t < steps; ++t) {
# CLUSTER-NEXT: cluster_barrier();
# CLUSTER:      const int64_t touched =
# CLUSTER:      if (touched <= 16384)
# CLUSTER-NEXT: relax_a_b<index_t><<<1, 512, 0, stream>>>(a, b, steps, N);
# CLUSTER-NEXT: else if (touched <= 131072) {
# CLUSTER-NEXT: launch_cluster<relax_a_b<index_t>>(16, 512, stream, a, b, steps, N);


# One graph for each set of arguments.
def sources(steps: i64, a: f64[N], f: f64[T]):
    for t in range(f.shape[0]):
        a[:] = 0.5 * a + f[t]
# GRAPH-LABEL: extern "C" int {{.*}}_sources(
# GRAPH: const auto launches = [&](cudaStream_t stream) {
# GRAPH-NEXT: // a[:] = 0.5 * a + f[t]
# GRAPH-NEXT: for (int64_t t = 0; t < T; ++t)
# GRAPH: replay_recorded(T, 1, launches, stream, a, f, N, T);
