// Kernels without defects: each entry returns a CUDA error and leaves its results in host memory.
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <class T> struct DeviceArray {
  T *data = nullptr;
  int64_t count;
  DeviceArray(const T *host, int64_t n) : count(n) {
    cudaMalloc((void **)&data, n * sizeof(T));
    cudaMemcpy(data, host, n * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(data); }
  void copyTo(T *host) { cudaMemcpy(host, data, count * sizeof(T), cudaMemcpyDeviceToHost); }
};

// A block sum through static shared memory; a template with a comma in its name and a launch over two lines.
template <int Threads, class T> __global__ void __launch_bounds__(Threads) blockSum(const T *__restrict__ a, int64_t n, T *out) {
  __shared__ T partial[Threads];
  int64_t i = (int64_t)blockIdx.x * Threads + threadIdx.x;
  partial[threadIdx.x] = i < n ? a[i] : T(0);
  __syncthreads();
  for (int stride = Threads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
extern "C" int block_sum(double *a, int64_t n, double *out) {
  int64_t blocks = (n + 127) / 128;
  DeviceArray<double> x(a, n), y(out, blocks);
  blockSum<128, double><<<dim3((unsigned)blocks),
                          dim3(128), 0, nullptr>>>(x.data, n, y.data);
  y.copyTo(out);
  return cudaGetLastError();
}

// A sum of all elements in one launch: shuffles, shared memory over warps, and the last block adds the partial sums.
__device__ unsigned finishedBlocks = 0;
__global__ void totalSum(const double *a, int64_t n, double *partial, double *out) {
  __shared__ double ofWarp[32];
  __shared__ bool last;
  double sum = 0;
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x) sum += a[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) ofWarp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < blockDim.x / 32; ++w) sum += ofWarp[w];
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&finishedBlocks, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    double total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
    *out = total;
    finishedBlocks = 0;
  }
}
extern "C" int total_sum(double *a, int64_t n, double *out) {
  double partialSums[8] = {};
  DeviceArray<double> x(a, n), p(partialSums, 8), y(out, 1);
  totalSum<<<8, 64>>>(x.data, n, p.data, y.data);
  y.copyTo(out);
  return cudaGetLastError();
}

// Values of 4, 8 and 16 bytes through shuffles.
struct alignas(8) Complex {
  double re, im;
};
template <class T> __global__ void reverseWarp(T *a) {
  int lane = threadIdx.x % 32;
  T *mine = a + threadIdx.x - lane;
  T value = mine[lane];
  value = __shfl_sync(0xffffffffu, value, 31 - lane);
  mine[lane] = value;
}
extern "C" int reverse_warps(float *f, int64_t *k) {
  DeviceArray<float> x(f, 64);
  DeviceArray<int64_t> y(k, 64);
  reverseWarp<float><<<1, 64>>>(x.data);
  reverseWarp<int64_t><<<1, 64>>>(y.data);
  x.copyTo(f);
  y.copyTo(k);
  return cudaGetLastError();
}

// How many lanes before this one have its value, and how many all; the last warp has half its lanes.
template <class T> __global__ void rankInWarp(const T *a, int *before, int *all) {
  const unsigned lanes = threadIdx.x < 32 ? 0xffffffffu : 0xffffu, lane = threadIdx.x % 32;
  const unsigned same = __match_any_sync(lanes, a[threadIdx.x]);
  before[threadIdx.x] = __popc(same & ((1u << lane) - 1));
  all[threadIdx.x] = __popc(same);
}
extern "C" int rank_in_warps(int *k, int64_t *wide, int *results) {
  DeviceArray<int> x(k, 48), before(results, 48), all(results, 48);
  DeviceArray<int64_t> y(wide, 48);
  rankInWarp<int><<<1, 48>>>(x.data, before.data, all.data);
  before.copyTo(results);
  all.copyTo(results + 48);
  rankInWarp<long long><<<1, 48>>>(reinterpret_cast<long long *>(y.data), before.data, all.data);
  before.copyTo(results + 96);
  all.copyTo(results + 144);
  return cudaGetLastError();
}

// Dynamic shared memory, sized at the launch.
__global__ void reverseBlock(double *a, int n) {
  extern __shared__ double tile[];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[n - 1 - threadIdx.x];
}
extern "C" int reverse_block(double *a, int64_t n) {
  DeviceArray<double> x(a, n);
  reverseBlock<<<1, (unsigned)n, n * sizeof(double)>>>(x.data, (int)n);
  x.copyTo(a);
  return cudaGetLastError();
}

// Atomics of all types.
__global__ void countAll(const int *labels, int n, int *i32, unsigned long long *u64, double *f64, float *f32, int *largest) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = labels[i];
  atomicAdd(&i32[k], 1);
  atomicAdd(&u64[k], (unsigned long long)1);
  atomicAdd(&f64[k], 0.5);
  atomicAdd(&f32[k], 0.25f);
  atomicMax(largest, i);
}
extern "C" int count_all(int *labels, int64_t n, int *i32, unsigned long long *u64, double *f64, float *f32, int *largest) {
  DeviceArray<int> l(labels, n), a(i32, 4), m(largest, 1);
  DeviceArray<unsigned long long> b(u64, 4);
  DeviceArray<double> c(f64, 4);
  DeviceArray<float> d(f32, 4);
  countAll<<<(unsigned)((n + 63) / 64), 64>>>(l.data, (int)n, a.data, b.data, c.data, d.data, m.data);
  a.copyTo(i32);
  b.copyTo(u64);
  c.copyTo(f64);
  d.copyTo(f32);
  m.copyTo(largest);
  return cudaGetLastError();
}

// A time loop in one cooperative launch, and the same as a captured graph.
__device__ void averageStep(const double *a, double *b, int n, int first, int stride) {
  for (int i = 1 + first; i < n - 1; i += stride) b[i] = 0.5 * (a[i - 1] + a[i + 1]);
}
__global__ void averageSteps(double *a, double *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int t = 0; t < steps; ++t) {
    averageStep(a, b, n, (int)grid.thread_rank(), (int)grid.size());
    grid.sync();
    double *swap = a;
    a = b;
    b = swap;
  }
}
extern "C" int cooperative_steps(double *a, int64_t n, int steps) {
  DeviceArray<double> x(a, n), y(a, n);
  cudaLaunchConfig_t config = {};
  config.gridDim = 3;
  config.blockDim = 32;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeCooperative;
  attribute[0].val.cooperative = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, averageSteps, x.data, y.data, (int)n, steps);
  (steps % 2 ? y : x).copyTo(a);
  return cudaGetLastError();
}
__global__ void averageOnce(const double *a, double *b, int n) {
  averageStep(a, b, n, (int)(blockIdx.x * blockDim.x + threadIdx.x), (int)(gridDim.x * blockDim.x));
}
extern "C" int graph_steps(double *a, int64_t n, int pairs) {
  DeviceArray<double> x(a, n), y(a, n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  averageOnce<<<2, 32, 0, stream>>>(x.data, y.data, (int)n);
  averageOnce<<<2, 32, 0, stream>>>(y.data, x.data, (int)n);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int t = 0; t < pairs; ++t) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  x.copyTo(a);
  return cudaGetLastError();
}

// A graph that is captured inside a call, with memory of its own; recorded once, executed twice.
extern "C" int graph_with_memory(double *a, int64_t n) {
  DeviceArray<double> x(a, n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCaptureStatus status[2];
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  cudaStreamIsCapturing(stream, &status[0]);
  double *y = nullptr;
  cudaMallocAsync((void **)&y, n * sizeof(double), stream);
  cudaMemcpyAsync(y, x.data, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
  averageOnce<<<2, 32, 0, stream>>>(x.data, y, (int)n);
  cudaMemcpyAsync(x.data, y, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
  cudaFreeAsync(y, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaStreamIsCapturing(stream, &status[1]);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(executable);
  cudaStreamDestroy(stream);
  x.copyTo(a);
  bool seen = status[0] == cudaStreamCaptureStatusActive && status[1] == cudaStreamCaptureStatusNone;
  return seen ? cudaGetLastError() : -1;
}
// What a capture refuses: returns the three errors.
extern "C" void refused_captures(int *errors) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  errors[0] = cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  errors[1] = cudaStreamSynchronize(stream);
  errors[2] = cudaStreamEndCapture(stream, &graph);
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

// A grid barrier of the kernel's own: an atomic counter that the first threads of the blocks wait for.
__device__ unsigned arrivedBlocks = 0;
__global__ void exchangeBetweenBlocks(double *a, double *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  b[i] = 2.0 * a[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrivedBlocks, 1u);
    while (*(volatile unsigned *)&arrivedBlocks < gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
  a[i] = b[n - 1 - i];
}
extern "C" int own_grid_barrier(double *a) {
  DeviceArray<double> x(a, 64), y(a, 64);
  void *arguments[] = {&x.data, &y.data};
  cudaLaunchCooperativeKernel(exchangeBetweenBlocks, dim3(2), dim3(32), arguments, 0, nullptr);
  x.copyTo(a);
  return cudaGetLastError();
}

// Clusters: each block has a part of the array in shared memory, static and dynamic, and reaches its neighbours'.
__global__ void averageInCluster(double *a, int steps) {
  cg::cluster_group cluster = cg::this_cluster();
  __shared__ double fixed[32];
  extern __shared__ double moving[];
  const int ranks = (int)cluster.num_blocks(), rank = (int)cluster.block_rank(), lane = (int)threadIdx.x;
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  double *now = fixed, *next = moving;
  now[lane] = a[i];
  cluster.sync();
  for (int t = 0; t < steps; ++t) {
    const double *left = cluster.map_shared_rank(now, (rank + ranks - 1) % ranks);
    const double *right = cluster.map_shared_rank(now, (rank + 1) % ranks);
    next[lane] = 0.5 * ((lane > 0 ? now[lane - 1] : left[31]) + (lane < 31 ? now[lane + 1] : right[0]));
    cluster.sync();
    double *swap = now;
    now = next;
    next = swap;
  }
  a[i] = now[lane];
}

// Through global memory, with the intrinsics.
__global__ void averageInMemory(double *a, double *b, int n, int steps) {
  const int first = (int)(blockIdx.x * blockDim.x + threadIdx.x), by = (int)(gridDim.x * blockDim.x);
  for (int t = 0; t < steps; ++t) {
    for (int i = first; i < n; i += by) b[i] = 0.5 * (a[(i + n - 1) % n] + a[(i + 1) % n]);
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    for (int i = first; i < n; i += by) a[i] = b[i];
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
}
extern "C" int memory_steps(double *a, int64_t n, int steps, int blocks) {
  DeviceArray<double> x(a, n), y(a, n);
  cudaFuncAttributes code;
  if (cudaError_t error = cudaFuncGetAttributes(&code, averageInMemory)) return error;
  if (code.ptxVersion < 90) return cudaErrorInvalidClusterSize;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(unsigned(blocks));
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {unsigned(blocks), 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  if (cudaError_t error = cudaFuncSetAttribute(averageInMemory, cudaFuncAttributeNonPortableClusterSizeAllowed, 1))
    return error;
  if (cudaError_t error = cudaLaunchKernelEx(&config, averageInMemory, x.data, y.data, int(n), steps)) return error;
  x.copyTo(a);
  return cudaGetLastError();
}
extern "C" int cluster_steps(double *a, int64_t n, int steps, int blocks) {
  DeviceArray<double> x(a, n);
  cudaLaunchConfig_t config = {};
  config.gridDim = (unsigned)(n / 32);
  config.blockDim = 32;
  config.dynamicSmemBytes = 32 * sizeof(double);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = (unsigned)blocks;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaError_t error = cudaLaunchKernelEx(&config, averageInCluster, x.data, steps);
  x.copyTo(a);
  cudaGetLastError();
  return error;
}

// Neighbouring bytes are different memory.
__global__ void fillBytes(unsigned char *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = (unsigned char)(a[i] + i);
}
extern "C" int fill_bytes(unsigned char *a, int64_t n) {
  DeviceArray<unsigned char> x(a, n);
  fillBytes<<<3, 32>>>(x.data, (int)n);
  x.copyTo(a);
  return cudaGetLastError();
}

// Lanes of a warp exchange through shared memory, ordered by __syncwarp.
__global__ void rotateWarp(double *a) {
  __shared__ double slot[32];
  slot[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  double value = slot[(threadIdx.x + 1) % 32];
  __syncwarp();
  slot[threadIdx.x] = value;
  __syncwarp();
  a[threadIdx.x] = slot[31 - threadIdx.x];
}
// Groups of four lanes meet for themselves, some more often than others, and at times with all of the warp.
__global__ void sumInGroups(const int *rows, int *sums) {
  const unsigned lane = threadIdx.x, mask = 0xfu << lane / 4 * 4;
  int total = 0;
  for (int row = 0; row < rows[lane / 4]; ++row) {
    int value = int(lane) + row;
    for (int distance = 2; distance > 0; distance /= 2) value += __shfl_xor_sync(mask, value, distance);
    __syncwarp(mask);
    total += value;
  }
  __syncwarp();
  sums[lane] = total + __shfl_xor_sync(0xffffffffu, total, 4);
}
extern "C" int sum_in_groups(const int *rows, int *sums) {
  DeviceArray<int> x(rows, 8), y(sums, 32);
  sumInGroups<<<1, 32>>>(x.data, y.data);
  y.copyTo(sums);
  return cudaGetLastError();
}
static thread_local int hostVariable = 0; // what is not shared memory stays as it is
extern "C" int rotate_warp(double *a) {
  DeviceArray<double> x(a, 32);
  hostVariable = 7;
  rotateWarp<<<1, 32>>>(x.data);
  x.copyTo(a);
  return hostVariable == 7 ? cudaGetLastError() : -1;
}

// c = a @ b + 0.5 of 16 x 8 and 8 x 8 numbers on tensor cores.
__global__ void multiplyTile(const double *a, const double *b, double *c) {
  const int r = threadIdx.x / 4, s = threadIdx.x % 4;
  double sum[4] = {0.5, 0.5, 0.5, 0.5};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
               : "d"(a[r * 8 + s]), "d"(a[(r + 8) * 8 + s]), "d"(a[r * 8 + s + 4]), "d"(a[(r + 8) * 8 + s + 4]),
                 "d"(b[s * 8 + r]), "d"(b[(s + 4) * 8 + r]));
  for (int n = 0; n < 4; ++n) c[(r + n / 2 * 8) * 8 + 2 * s + n % 2] = sum[n];
}
extern "C" int multiply_tile(double *a, double *b, double *c) {
  DeviceArray<double> x(a, 16 * 8), y(b, 8 * 8), z(c, 16 * 8);
  multiplyTile<<<1, 32>>>(x.data, y.data, z.data);
  z.copyTo(c);
  return cudaGetLastError();
}

extern "C" int too_many_threads(double *a) {
  rotateWarp<<<1, 2048>>>(a);
  return cudaGetLastError();
}

// A kernel that may begin before the one before it has ended; code that cannot wait is launched as always.
__global__ void averageAfterWait(const double *a, double *b, int n) {
  cudaGridDependencySynchronize();
  for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += (int)(gridDim.x * blockDim.x))
    b[i] = 0.5 * (a[(i + n - 1) % n] + a[(i + 1) % n]);
}
template <auto kernel, class... Arguments>
cudaError_t launch_early(unsigned blocks, unsigned threads, cudaStream_t stream, Arguments... arguments) {
  cudaFuncAttributes code;
  if (cudaError_t error = cudaFuncGetAttributes(&code, kernel)) return error;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = code.ptxVersion < 90 ? 0 : 1;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}
extern "C" int overlapping_steps(double *a, int64_t n, int steps, bool recorded) {
  DeviceArray<double> x(a, n), y(a, n);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamCreate(&stream);
  if (recorded) cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int t = 0; t < steps; ++t) {
    launch_early<averageAfterWait>(3, 32, stream, x.data, y.data, n);
    launch_early<averageAfterWait>(3, 32, stream, y.data, x.data, n);
  }
  if (recorded) {
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph);
    cudaGraphLaunch(executable, stream);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  x.copyTo(a);
  return cudaGetLastError();
}
