//===- cufft.cuh - discrete Fourier transforms by cuFFT ------------------------------------------------===//
#pragma once
#include "complex.h"
#include "host_cuda.h"

//@ cufftCreate
// What is used of cuFFT is declared here, with numbers for its enumerations: it takes nvcc less time than its header.
extern "C" {
int cufftCreate(int* plan);
int cufftDestroy(int plan);
int cufftSetStream(int plan, cudaStream_t stream);
int cufftSetAutoAllocation(int plan, int allocate);
int cufftSetWorkArea(int plan, void* memory);
int cufftMakePlanMany64(int plan, int rank, long long int* extents, long long int* embedding,
                        long long int stride, long long int distance, long long int* embedding_after,
                        long long int stride_after, long long int distance_after, int type,
                        long long int count, size_t* bytes);
}

//@ cufftExecC2C : Complex
extern "C" int cufftExecC2C(int plan, Complex<float>* from, Complex<float>* to, int sign);

//@ cufftExecZ2Z : Complex
extern "C" int cufftExecZ2Z(int plan, Complex<double>* from, Complex<double>* to, int sign);

//@ cufft_type
// cufftType and cufftResult.
enum { CUFFT_C2C = 0x29, CUFFT_Z2Z = 0x69, CUFFT_SUCCESS = 0, CUFFT_ALLOC_FAILED = 2 };

//@ cufft_check : fail cufft_type
inline int cufft_check(int result) {
  if (result == CUFFT_SUCCESS) return Ok;
  char message[64];
  snprintf(message, sizeof(message), "cuFFT failed with status %d", result);
  return fail(result == CUFFT_ALLOC_FAILED ? MemoryError : RuntimeError, message);
}

//@ Plans Plan : check fail cufftCreate cufft_check Lock
// The plans of the transforms last made. Their memory for work is that of each call.
struct Plan {
  int device, type;
  long long int rows, length;
  int handle;
  size_t bytes;     // for work
  bool is_captured; // by a graph, which goes on using its tables
  Plan* next;
};
class Plans {
  static constexpr int most = 16;
  Plan* first_ = nullptr; // in the order of their last use
  int count_ = 0;

  static void destroy(Plan* plan) {
    cufftDestroy(plan->handle);
    delete plan;
  }
  // Of a device that is idle then: nobody uses the plan any more.
  void destroy_oldest(int device) {
    Plan** oldest = nullptr;
    for (Plan** p = &first_; *p; p = &(*p)->next)
      if ((*p)->device == device && !(*p)->is_captured) oldest = p;
    if (!oldest || cudaDeviceSynchronize() != cudaSuccess) return;
    Plan* const plan = *oldest;
    *oldest = plan->next;
    destroy(plan);
    --count_;
  }
  Plan* take(const Plan& wanted) {
    for (Plan** p = &first_; *p; p = &(*p)->next) {
      Plan* const plan = *p;
      if (plan->device != wanted.device || plan->type != wanted.type || plan->rows != wanted.rows ||
          plan->length != wanted.length)
        continue;
      *p = plan->next;
      return plan;
    }
    return nullptr;
  }
  static int make(Plan& plan) {
    if (const int status = cufft_check(cufftCreate(&plan.handle))) return status;
    int result = cufftSetAutoAllocation(plan.handle, 0);
    if (result == CUFFT_SUCCESS)
      result = cufftMakePlanMany64(plan.handle, 1, &plan.length, nullptr, 1, plan.length, nullptr, 1,
                                   plan.length, plan.type, plan.rows, &plan.bytes);
    if (result != CUFFT_SUCCESS) cufftDestroy(plan.handle);
    return cufft_check(result);
  }

public:
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; // held from find() until the transform is launched
  int find(Plan*& found, int type, int64_t rows, int64_t length, cudaStream_t stream) {
    Plan wanted{0, type, rows, length, 0, 0, false, nullptr};
    if (const int status = check(cudaGetDevice(&wanted.device))) return status;
    cudaStreamCaptureStatus captures = cudaStreamCaptureStatusNone;
    if (const int status = check(cudaStreamIsCapturing(stream, &captures))) return status;
    found = take(wanted);
    if (!found) {
      if (captures != cudaStreamCaptureStatusNone) // cuFFT makes no plan then
        return fail(RuntimeError,
                    "call this with the same sizes before a graph records it: cuFFT has to plan it");
      if (count_ >= most) destroy_oldest(wanted.device);
      if (const int status = make(wanted)) return status;
      found = new Plan(wanted);
      ++count_;
    }
    found->is_captured |= captures != cudaStreamCaptureStatusNone;
    found->next = first_;
    first_ = found;
    return cufft_check(cufftSetStream(found->handle, stream));
  }
  void release() {
    const Lock lock(mutex);
    int device = 0;
    cudaGetDevice(&device);
    while (Plan* const plan = first_) {
      first_ = plan->next;
      cudaSetDevice(plan->device);
      cudaDeviceSynchronize();
      destroy(plan);
    }
    cudaSetDevice(device);
    count_ = 0;
  }
};

//@ plans : Plans
inline Plans& plans() {
  static Plans all;
  return all;
}

//@ complex_transform_rows : plans cufftExecC2C cufftExecZ2Z cufft_type Temporary check
template <class T>
int transform_rows(Complex<T>* data, int64_t rows, int64_t length, int64_t sign, cudaStream_t stream) {
  constexpr bool is_single = sizeof(T) == 4;
  if (rows <= 0 || length <= 1) return Ok;
  const Lock lock(plans().mutex);
  Plan* plan;
  if (const int status = plans().find(plan, is_single ? CUFFT_C2C : CUFFT_Z2Z, rows, length, stream))
    return status;
  const Temporary<char> memory(int64_t(plan->bytes), stream);
  if (!memory.data) return check(cudaErrorMemoryAllocation);
  if (const int status = cufft_check(cufftSetWorkArea(plan->handle, memory.data))) return status;
  if constexpr (is_single)
    return cufft_check(cufftExecC2C(plan->handle, data, data, int(sign)));
  else
    return cufft_check(cufftExecZ2Z(plan->handle, data, data, int(sign)));
}
