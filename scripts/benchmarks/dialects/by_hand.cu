// What the programs of this folder are measured against.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cstdint>

__global__ void axpy_kernel(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

__global__ void product_kernel(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][16], b[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float total = 0;
  for (int tile = 0; tile < n / 16; ++tile) {
    a[threadIdx.y][threadIdx.x] = A[y * n + tile * 16 + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(tile * 16 + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) total += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[y * n + x] = total;
}

__global__ void total_kernel(const float* x, float* out, int n) {
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  for (int step = 16; step > 0; step /= 2) s += __shfl_down_sync(0xffffffffu, s, step);
  if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}

extern "C" {

void axpy(const float* x, float* y, float a, int n) { axpy_kernel<<<(n + 255) / 256, 256>>>(x, y, a, n); }
void product(const float* A, const float* B, float* C, int n) {
  product_kernel<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(A, B, C, n);
}
void total(const float* x, float* out, int n) { total_kernel<<<1056, 256>>>(x, out, n); }

int copy(void* to, const void* from, size_t bytes) { return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice); }
int synchronize() { return cudaDeviceSynchronize(); }

// With room == nullptr these say how much room they need.
int ordered(void* room, size_t* bytes, const float* x, float* out, int n) {
  return cub::DeviceRadixSort::SortKeys(room, *bytes, x, out, n);
}
int running(void* room, size_t* bytes, const float* x, float* out, int n) {
  return cub::DeviceScan::InclusiveSum(room, *bytes, x, out, n);
}
int distinct(void* room, size_t* bytes, const int32_t* x, int32_t* sorted, int32_t* out, int64_t* count, int n) {
  size_t of_sort = 0, of_select = 0;
  cub::DeviceRadixSort::SortKeys(nullptr, of_sort, x, sorted, n);
  cub::DeviceSelect::Unique(nullptr, of_select, sorted, out, count, n);
  *bytes = of_sort > of_select ? of_sort : of_select;
  if (!room) return 0;
  cub::DeviceRadixSort::SortKeys(room, of_sort, x, sorted, n);
  return cub::DeviceSelect::Unique(room, of_select, sorted, out, count, n);
}

}
