# The generated kernel reads like the source: its names, its lines as comments.
# RUN: %appyc %s -o - | FileCheck %s
# RUN: %appyc %s --target=cpu -o - | FileCheck --check-prefix=CPU %s
def axpy(alpha: f64, x: f64[N], y: f64[N]):
    for i in range(x.shape[0]):
        y[i] = alpha * x[i] + y[i]
# CHECK: // build: nvcc {{.*}} -shared
# CHECK: __global__ void axpy_kernel(const double* __restrict__ x, double* __restrict__ y, double alpha, index_t N) {
# CHECK-NEXT: for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
# CHECK: y[i] = alpha * x[i] + y[i];
# CPU: #pragma omp parallel for{{.*}} schedule(static)
# CPU: for (int64_t i = 0; i < N; ++i)


def doubled(n: int, x: f64[:]):
    for j in range(-n if n < 0 else 3 * n):
        x[j] = 2.0 * x[j]
# CPU-LABEL: doubled(
# CPU: if ((n < 0 ? -n : n * 3) > 8192)
