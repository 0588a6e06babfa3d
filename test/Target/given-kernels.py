# A kernel of the user's reads like the source on both targets.
# RUN: %appyc %s --target=cuda -o - --no-wrapper | FileCheck %s
# RUN: %appyc %s --target=cpu -o - --no-wrapper | FileCheck %s --check-prefix=CPU
from numba import cuda, float32


@cuda.jit("void(f4[:,:], f4[:], i4)")
def rows(a, out, n):
    tile = cuda.shared.array(64, float32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    tile[t] = a[i, 0]
    cuda.syncthreads()
    if i < n:
        cuda.atomic.add(out, i, tile[t])


# CHECK: __global__ void rows_kernel(const float* a, float* out, int32_t n, index_t a_1)
# CHECK: __shared__ float tile[64];
# CHECK: const index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;
# CHECK: const index_t t = (index_t)threadIdx.x;
# CHECK: tile[t] = a[i * a_1];
# CHECK: __syncthreads();
# CHECK: if (i < n)
# CHECK: atomicAdd(&out[i], tile[t]);
# CHECK: rows_kernel<index_t><<<dim3((unsigned)grid_x, (unsigned)grid_y, (unsigned)grid_z),
# CHECK-NEXT: dim3((unsigned)block_x, (unsigned)block_y, (unsigned)block_z), 0, stream>>>(a, out, n, a_1);

# CPU: const auto rows_kernel_1 = [&]({{.*}}const Thread& thread, {{.*}}Team& team) {
# CPU: float* tile = team.shared<float>(0);
# CPU: const int64_t i = thread.blockIdx.x * thread.blockDim.x + thread.threadIdx.x;
# CPU: team.barrier();
# CPU: fetch_add(&out[i], tile[t]);
# CPU: run_blocks(Position{grid_x, grid_y, grid_z}, Position{block_x, block_y, block_z}, 256, rows_kernel_1);
