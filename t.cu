// t.cu: made by appyc 0.1.0 from t.py
//   appyc t.py
// build: nvcc -O1 -std=c++17 --threads=2 -Xptxas --split-compile=0 -gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90 -shared -Xcompiler -fPIC t.cu -o libt.so
// a * b + c may be rounded once instead of twice (fused multiply-add); nvcc -fmad=false keeps NumPy's two roundings

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <type_traits>
#include <cuda_runtime.h>

namespace {

// The type of a parameter that follows the first one's: `wrap_add(x, 1)` is in x's type.
template <class T> using Same = std::common_type_t<T>;

// Unsigned type, not narrower than int, in which signed T is computed so that it wraps.
template <class T> using Wrapping = std::common_type_t<unsigned, std::make_unsigned_t<T>>;

// Integers wrap in NumPy; in C++ the overflow of signed ones is undefined.
template <class T> __host__ __device__ inline T wrap_add(T a, Same<T> b) { return T(Wrapping<T>(a) + Wrapping<T>(b)); }

// Message of the calling thread's last failure.
thread_local char last_error[512];

enum Status {
  Ok,
  ValueError,
  IndexError,
  ZeroDivisionError,
  TypeError,
  MemoryError,
  RuntimeError,
  OverflowError,
  UnboundLocalError,
  NotImplementedError
};

inline int fail(Status status, const char* message) {
  snprintf(last_error, sizeof(last_error), "%s", message);
  return status;
}

// Whether 32-bit indices reach all of it, with room for a stride more.
inline bool fits_int32(std::initializer_list<int64_t> numbers) {
  const int64_t limit = int64_t(1) << 30;
  for (int64_t number : numbers)
    if (number <= -limit || number >= limit) return false;
  return true;
}

inline int check(cudaError_t error) {
  if (error == cudaSuccess) return Ok;
  return fail(error == cudaErrorMemoryAllocation ? MemoryError : RuntimeError, cudaGetErrorString(error));
}

// Hands out parts of the workspace, each on a boundary of 256 bytes.
struct Arena {
  char* next;
  explicit Arena(void* workspace) : next(static_cast<char*>(workspace)) {}
  template <class T> static size_t size(int64_t count) {
    return (size_t(count > 0 ? count : 0) * sizeof(T) + 255) / 256 * 256;
  }
  template <class T> T* take(int64_t count) {
    char* part = next;
    next += size<T>(count);
    return reinterpret_cast<T*>(part);
  }
};

// Copies one element from the device, after all that was launched before.
template <class T> int fetch(T* target, const T* source, cudaStream_t stream) {
  const cudaError_t copied = cudaMemcpyAsync(target, source, sizeof(T), cudaMemcpyDeviceToHost, stream);
  return check(copied == cudaSuccess ? cudaStreamSynchronize(stream) : copied);
}

template <class index_t>
__global__ void f_kernel(double* __restrict__ a, int64_t* __restrict__ result_device) {
  int64_t i = 0;
  // while i < 5:
  while (i < 5) {
    // a[0] += counts_down(i)
    a[0] += 2.0;
    // i += 1
    i = wrap_add(i, 1);
  }
  // return i
  result_device[0] = i;
}

template <class index_t>
int f_host(double* a, int64_t* result_out, void* workspace, cudaStream_t stream) {
  Arena arena(workspace);
  int64_t* result_device = arena.take<int64_t>(1);
  // i = 0
  f_kernel<index_t><<<1, 1, 0, stream>>>(a, result_device);
  // return i
  int64_t result = 0;
  if (const int status = fetch(&result, result_device, stream); status != 0)
    return status;
  *result_out = result;
  return check(cudaGetLastError());
}

} // namespace

extern "C" int appyc_t_f(double* a, int64_t N, int64_t* result_out, void* workspace, cudaStream_t stream) {
  if (fits_int32({N}))
    return f_host<int32_t>(a, result_out, workspace, stream);
  return f_host<int64_t>(a, result_out, workspace, stream);
}

extern "C" size_t appyc_t_f_workspace(int64_t /*N*/) {
  return Arena::size<int64_t>(1);
}

extern "C" const char* appyc_t_error() {
  return last_error;
}

extern "C" const char* appyc_t_abi() {
  return "1027f8866a768550";
}

// Device memory, for callers whose arrays are in host memory.
extern "C" void* appyc_t_device_alloc(size_t bytes) {
  void* memory = nullptr;
  return check(cudaMalloc(&memory, bytes > 0 ? bytes : 1)) == Ok ? memory : nullptr;
}
extern "C" int appyc_t_device_free(void* memory) { return check(cudaFree(memory)); }
extern "C" int appyc_t_copy_to_device(void* to, const void* from, size_t bytes) {
  return check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
extern "C" int appyc_t_copy_to_host(void* to, const void* from, size_t bytes) {
  return check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
extern "C" int appyc_t_synchronize(void* stream) {
  return check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)));
}
extern "C" int appyc_t_is_capturing(void* stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status);
  return status != cudaStreamCaptureStatusNone;
}
extern "C" int appyc_t_device() {
  int device = -1;
  return check(cudaGetDevice(&device)) == Ok ? device : -1;
}
