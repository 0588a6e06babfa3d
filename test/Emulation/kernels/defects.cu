// A defect a kernel; `run(name)` launches it.
#include <cooperative_groups.h>
#include <cstdint>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

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
__global__ void half_written(double *a, double *b) {
  if (threadIdx.x % 2 == 0) b[threadIdx.x] = 1;
  a[threadIdx.x] = b[threadIdx.x];
}
__global__ void just_past_the_end(float *a, int n) { a[n] = 0; }
__global__ void before_the_start(float *a) { a[-1] = 0; }
__global__ void past_a_static_array(double *a) {
  __shared__ double tile[8], other[8];
  tile[threadIdx.x] = other[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 0) a[0] = tile[threadIdx.x + 8] + other[0];
}
__global__ void shuffle_is_no_barrier(double *a) {
  __shared__ double tile[32];
  tile[threadIdx.x] = a[threadIdx.x];
  double value = __shfl_xor_sync(0xffffffffu, a[threadIdx.x], 1);
  a[threadIdx.x] = value + tile[31 - threadIdx.x];
}
__global__ void skipped_grid_barrier(double *a) {
  if (blockIdx.x == 0) return;
  if (threadIdx.x == 0) a[blockIdx.x] = 1;
  cg::this_grid().sync();
}
__global__ void two_grid_barriers(double *a) {
  if (blockIdx.x == 0)
    cg::this_grid().sync();
  else
    cg::this_grid().sync();
  if (threadIdx.x == 0) a[blockIdx.x] = 1;
}
__global__ void missing_grid_barrier(double *a) {
  if (threadIdx.x > 0) return;
  a[blockIdx.x] = 1;
  a[8 + blockIdx.x] = a[1 - blockIdx.x];
}
// As generated code divides its workspace.
struct Arena {
  char *next;
  template <class T> T *take(int64_t count) {
    char *part = next;
    next += (count * sizeof(T) + 255) / 256 * 256;
    return reinterpret_cast<T*>(part);
  }
};
__device__ void copy_into(double *to, const double *from, int i) { to[i] = from[i]; }
__global__ void copy_array(const double *from, double *to) { copy_into(to, from, (int)threadIdx.x); }

// Clusters of two blocks.
__global__ void cluster_without_barriers(double *a, bool atStart, bool between, bool atEnd) {
  __shared__ double mine;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) mine = a[blockIdx.x];
  if (atStart) cluster.sync();
  if (threadIdx.x == 0) {
    double *theirs = cluster.map_shared_rank(&mine, cluster.block_rank() ^ 1);
    a[8 + blockIdx.x] = *theirs;
    if (between) mine = 1;
  }
  if (atEnd) cluster.sync();
}
__global__ void skipped_cluster_barrier(double *a) {
  if (blockIdx.x % 2 == 0) cg::this_cluster().sync();
  if (threadIdx.x == 0) a[blockIdx.x] = 1;
}
__global__ void waits_without_arriving(double *) { __cluster_barrier_wait(); }
__global__ void arrives_twice(double *) {
  __cluster_barrier_arrive();
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}
// The step after writes what another block has read.
__global__ void memory_of_another_block(double *a) {
  const int i = int(16 * blockIdx.x + threadIdx.x), n = 32;
  if (threadIdx.x < 16) a[n + i] = a[n - 1 - i];
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (threadIdx.x < 16) {
    a[i] = a[2 * n - 1 - i];
    a[n + i] = 1;
  }
}
__global__ void only_the_block_waits(double *a) {
  const int i = int(16 * blockIdx.x + threadIdx.x), n = 32;
  if (threadIdx.x < 16) a[i] = 1;
  __syncthreads();
  if (threadIdx.x < 16) a[n + i] = a[n - 1 - i];
}
__global__ void clusters_share_an_element(double *a) {
  if (threadIdx.x == 0 && cg::this_cluster().block_rank() == 0) a[0] = 1;
  cg::this_cluster().sync();
}

template <class... Parameters, class... Arguments>
static void launchWith(cudaLaunchAttributeID id, int blocks, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];
  attribute[0].id = id;
  if (id == cudaLaunchAttributeCooperative) {
    attribute[0].val.cooperative = 1;
  } else {
    attribute[0].val.clusterDim.x = 2;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  }
  config.gridDim = (unsigned)blocks;
  config.blockDim = 32;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, arguments...);
}

// Both are launched so that they may begin before the kernel before them has ended.
__global__ void reads_before_waiting(double *a) {
  const double first = a[0];
  cudaGridDependencySynchronize();
  a[threadIdx.x + 1] = first;
}
__global__ void ends_without_waiting(double *a) {
  if (threadIdx.x == 7) return;
  cudaGridDependencySynchronize();
  a[threadIdx.x] = 1.0;
}

static void runBetweenBlocks(const char *name, double *a) {
  const auto grid = cudaLaunchAttributeCooperative, cluster = cudaLaunchAttributeClusterDimension;
  if (!strcmp(name, "skipped_grid_barrier")) launchWith(grid, 2, skipped_grid_barrier, a);
  if (!strcmp(name, "two_grid_barriers")) launchWith(grid, 2, two_grid_barriers, a);
  if (!strcmp(name, "missing_grid_barrier")) launchWith(grid, 2, missing_grid_barrier, a);
  if (!strcmp(name, "cluster_start")) launchWith(cluster, 2, cluster_without_barriers, a, false, false, true);
  if (!strcmp(name, "cluster_end")) launchWith(cluster, 2, cluster_without_barriers, a, true, false, false);
  if (!strcmp(name, "cluster_race")) launchWith(cluster, 2, cluster_without_barriers, a, true, true, true);
  if (!strcmp(name, "skipped_cluster_barrier")) launchWith(cluster, 2, skipped_cluster_barrier, a);
  if (!strcmp(name, "waits_without_arriving")) launchWith(cluster, 2, waits_without_arriving, a);
  if (!strcmp(name, "arrives_twice")) launchWith(cluster, 2, arrives_twice, a);
  if (!strcmp(name, "memory_of_another_block")) launchWith(cluster, 2, memory_of_another_block, a);
  if (!strcmp(name, "only_the_block_waits")) launchWith(cluster, 2, only_the_block_waits, a);
  if (!strcmp(name, "clusters_share_an_element")) launchWith(cluster, 4, clusters_share_an_element, a);
  const auto early = cudaLaunchAttributeProgrammaticStreamSerialization;
  if (!strcmp(name, "reads_before_waiting")) launchWith(early, 1, reads_before_waiting, a);
  if (!strcmp(name, "ends_without_waiting")) launchWith(early, 1, ends_without_waiting, a);
}

// A sort whose memory lacks some of the bytes that it asks for.
int sort(double *keys, double *other, int64_t count, size_t missing) {
  size_t bytes = 0;
  void *memory = nullptr;
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, other, count);
  cudaMalloc(&memory, bytes);
  bytes -= missing;
  const cudaError_t status = cub::DeviceRadixSort::SortKeys(memory, bytes, keys, other, count);
  cudaFree(memory);
  return status;
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
  runBetweenBlocks(name, a);
  if (!strcmp(name, "half_written")) {
    double *b;
    cudaMalloc((void **)&b, 64 * sizeof(double));
    half_written<<<1, 64>>>(a, b);
    cudaFree(b);
  }
  if (!strcmp(name, "just_past_the_end")) just_past_the_end<<<1, 1>>>((float *)ticket, 1);
  if (!strcmp(name, "before_the_start")) before_the_start<<<1, 1>>>((float *)ticket);
  if (!strcmp(name, "past_a_static_array")) past_a_static_array<<<1, 8>>>(a);
  if (!strcmp(name, "shuffle_is_no_barrier")) shuffle_is_no_barrier<<<1, 32>>>(a);
  if (!strncmp(name, "workspace", 9)) {
    Arena arena{(char *)a};
    double *first = arena.take<double>(31), *second = arena.take<double>(32);
    if (!strcmp(name, "workspace_overrun")) copy_array<<<1, 32>>>(a + 64, first);
    if (!strcmp(name, "workspace_kept")) copy_array<<<1, 32>>>(second, a);
  }
  if (!strcmp(name, "sort_past_the_end")) sort(a, a, 101, 0);
  if (!strcmp(name, "sort_of_host_memory")) sort(host, a, 63, 0);
  if (!strcmp(name, "sort_of_nothing")) {
    double *b;
    cudaMalloc((void **)&b, 64 * sizeof(double));
    sort(b, a, 64, 0);
  }
  if (!strcmp(name, "sort_in_too_little_memory")) return sort(a, a, 64, 1);
  if (!strcmp(name, "copy_of_nothing")) {
    double *b;
    cudaMalloc((void **)&b, sizeof(double));
    cudaMemcpy(host, b, sizeof(double), cudaMemcpyDeviceToHost);
  }
  if (!strcmp(name, "copy_past_the_end")) cudaMemcpy(host, a, 101 * sizeof(double), cudaMemcpyDeviceToHost);
  if (!strcmp(name, "wrong_copy_kind")) return cudaMemcpy(a, ticket, 4, cudaMemcpyHostToDevice);
  cudaMemcpy(host, a, 64 * sizeof(double), cudaMemcpyDeviceToHost);
  return cudaGetLastError();
}
