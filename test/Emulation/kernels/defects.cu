// A defect a kernel; `run(name)` launches it.
#include <cstring>
#include <cuda_runtime.h>

__global__ void missing_barrier(double *a) {
  __shared__ double tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void in_place_stencil(double *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0) a[i] = a[i - 1] + 1;
}
__global__ void unguarded_sum(double *a) { a[0] += a[threadIdx.x]; }
__global__ void overlapping_blocks(double *a) { a[blockIdx.x * (blockDim.x - 1) + threadIdx.x] = blockIdx.x; }
__global__ void blocks_share_a_sum(double *a) {
  if (threadIdx.x == 0) a[0] += 1;
}
__global__ void ticket_without_fence(double *a, unsigned *ticket) {
  if (threadIdx.x != 0) return;
  a[blockIdx.x] = 1;
  if (atomicAdd(ticket, 1u) == gridDim.x - 1) a[9] = a[0] + a[1];
}
__global__ void skipped_barrier(double *a) {
  if (threadIdx.x < 40) __syncthreads();
  a[threadIdx.x] = 1;
}
__global__ void two_barriers(double *a) {
  if (threadIdx.x < 40) {
    a[threadIdx.x] = 1;
    __syncthreads();
  } else {
    __syncthreads();
  }
}
__global__ void exit_before_barrier(double *a) {
  if (threadIdx.x >= 60) return;
  __syncthreads();
  a[threadIdx.x] = 1;
}
__global__ void past_the_end(double *a) { a[blockIdx.x * blockDim.x + threadIdx.x + 50] = 0; }
__global__ void past_shared(double *a) {
  extern __shared__ double tile[];
  tile[threadIdx.x] = 1;
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x];
}
__global__ void host_pointer(double *a, const double *host) { a[0] = host[0]; }
__global__ void shuffle_after_exit(double *a) {
  if (threadIdx.x % 32 > 15) return;
  double value = a[threadIdx.x];
  a[threadIdx.x] = value + __shfl_down_sync(0xffffffffu, value, 8);
}
__global__ void warp_synchronous(double *a) {
  __shared__ double tile[32];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 16) tile[threadIdx.x] += tile[threadIdx.x + 16];
  if (threadIdx.x < 8) tile[threadIdx.x] += tile[threadIdx.x + 8];
  a[threadIdx.x] = tile[0];
}
__global__ void uninitialised(double *a) {
  __shared__ double tile[64];
  if (threadIdx.x == 0) tile[0] = 1;
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x];
}

extern "C" int run(const char *name, double *host) {
  double *a;
  unsigned *ticket;
  cudaMalloc((void **)&a, 100 * sizeof(double));
  cudaMalloc((void **)&ticket, sizeof(unsigned));
  cudaMemset(a, 0, 100 * sizeof(double));
  cudaMemset(ticket, 0, sizeof(unsigned));
  if (!strcmp(name, "missing_barrier")) missing_barrier<<<1, 64>>>(a);
  if (!strcmp(name, "in_place_stencil")) in_place_stencil<<<1, 64>>>(a);
  if (!strcmp(name, "in_place_stencil_blocks")) in_place_stencil<<<3, 1>>>(a);
  if (!strcmp(name, "unguarded_sum")) unguarded_sum<<<1, 64>>>(a);
  if (!strcmp(name, "overlapping_blocks")) overlapping_blocks<<<2, 32>>>(a);
  if (!strcmp(name, "blocks_share_a_sum")) blocks_share_a_sum<<<2, 32>>>(a);
  if (!strcmp(name, "ticket_without_fence")) ticket_without_fence<<<2, 32>>>(a, ticket);
  if (!strcmp(name, "skipped_barrier")) skipped_barrier<<<1, 64>>>(a);
  if (!strcmp(name, "two_barriers")) two_barriers<<<1, 64>>>(a);
  if (!strcmp(name, "exit_before_barrier")) exit_before_barrier<<<1, 64>>>(a);
  if (!strcmp(name, "past_the_end")) past_the_end<<<1, 64>>>(a);
  if (!strcmp(name, "past_shared")) past_shared<<<1, 32, 31 * sizeof(double)>>>(a);
  if (!strcmp(name, "host_pointer")) host_pointer<<<1, 1>>>(a, host);
  if (!strcmp(name, "host_reads_device")) host[0] = a[3];
  if (!strcmp(name, "shuffle_after_exit")) shuffle_after_exit<<<1, 32>>>(a);
  if (!strcmp(name, "warp_synchronous")) warp_synchronous<<<1, 32>>>(a);
  if (!strcmp(name, "uninitialised")) uninitialised<<<1, 64>>>(a);
  if (!strcmp(name, "copy_past_the_end")) cudaMemcpy(host, a, 101 * sizeof(double), cudaMemcpyDeviceToHost);
  if (!strcmp(name, "wrong_copy_kind")) return cudaMemcpy(a, ticket, 4, cudaMemcpyHostToDevice);
  cudaMemcpy(host, a, 64 * sizeof(double), cudaMemcpyDeviceToHost);
  return cudaGetLastError();
}
