//===- Cufft.cpp - discrete Fourier transforms, as slowly as can be ---------------------------------------===//
// As cuFFT: a plan has memory on the device, and needs room for its work, whose contents it destroys; both are checked.
#include "Check.h"
#include "Stream.h"
#include "emulation/Libraries.h"
#include <cmath>
#include <complex>
#include <map>

enum cufftResult_t {
  CUFFT_SUCCESS = 0,
  CUFFT_INVALID_PLAN = 1,
  CUFFT_ALLOC_FAILED = 2,
  CUFFT_INVALID_VALUE = 4,
  CUFFT_INVALID_SIZE = 8,
  CUFFT_NO_WORKSPACE = 13
};
enum cufftType_t { CUFFT_C2C = 0x29, CUFFT_Z2Z = 0x69 };

namespace emulation {

struct Transform {
  int64_t length = 0, rows = 0;
  int type = 0;
  bool allocates = true;
  void* tables = nullptr; ///< cudaMalloc'ed, as cuFFT does: neither in a capture, nor left behind
  void* work = nullptr;
  size_t bytes = 0;
  cudaStream_t stream = nullptr;
};
static std::map<int, Transform> plans;
static int lastPlan = 0;

static Transform* planOf(int handle) {
  auto found = plans.find(handle);
  return found == plans.end() ? nullptr : &found->second;
}

/// Each term's angle is exact, so that the sum is as good as any.
template <class T>
void transformRow(const std::complex<T>* from, std::complex<T>* to, int64_t length, int sign) {
  std::vector<std::complex<double>> roots;
  for (int64_t k = 0; k < length; ++k)
    roots.push_back(std::polar(1.0, sign * 2 * M_PI * double(k) / double(length)));
  for (int64_t k = 0; k < length; ++k) {
    std::complex<double> sum;
    for (int64_t j = 0, at = 0; j < length; ++j, at = (at + k) % length)
      sum += std::complex<double>(from[j]) * roots[size_t(at)];
    to[k] = std::complex<T>(sum);
  }
}

template <class T>
int execute(const char* function, int handle, int type, std::complex<T>* from, std::complex<T>* to,
            int sign) {
  const Transform* plan = planOf(handle);
  if (!plan || plan->type != type) return CUFFT_INVALID_PLAN;
  if (sign != -1 && sign != 1) return CUFFT_INVALID_VALUE;
  if (!plan->allocates && !plan->work) return CUFFT_NO_WORKSPACE;
  const int64_t rows = plan->rows, length = plan->length;
  const size_t bytes = size_t(rows * length) * sizeof(*from), workBytes = plan->allocates ? 0 : plan->bytes;
  callLibrary(function,
              {{plan->tables, 1, false, true},
               {from, bytes, true, false},
               {plan->work, workBytes, false, true},
               {to, bytes, false, true}},
              plan->stream, [=](char* const* copies) {
                if (!planOf(handle)) fail("a graph uses a plan of cuFFT that has been destroyed");
                for (int64_t r = 0; r < rows; ++r)
                  transformRow(reinterpret_cast<const std::complex<T>*>(copies[1]) + r * length,
                               reinterpret_cast<std::complex<T>*>(copies[3]) + r * length, length, sign);
              });
  return CUFFT_SUCCESS;
}

} // namespace emulation
using namespace emulation;

extern "C" {

int cufftCreate(int* handle) { return plans[*handle = ++lastPlan] = {}, CUFFT_SUCCESS; }
int cufftDestroy(int handle) {
  Transform* plan = planOf(handle);
  if (!plan) return CUFFT_INVALID_PLAN;
  if (plan->tables && cudaFree(plan->tables) != cudaSuccess) return CUFFT_INVALID_VALUE;
  return plans.erase(handle), CUFFT_SUCCESS;
}
int cufftSetStream(int handle, cudaStream_t stream) {
  Transform* plan = planOf(handle);
  return plan ? plan->stream = stream, CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
int cufftSetAutoAllocation(int handle, int allocates) {
  Transform* plan = planOf(handle);
  if (!plan || plan->tables) return CUFFT_INVALID_PLAN;
  return plan->allocates = allocates != 0, CUFFT_SUCCESS;
}
int cufftSetWorkArea(int handle, void* work) {
  Transform* plan = planOf(handle);
  return plan && plan->tables ? plan->work = work, CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
/// Of rows behind each other.
int cufftMakePlanMany64(int handle, int rank, long long* extents, long long* embedding, long long stride,
                        long long distance, long long* embeddingAfter, long long strideAfter,
                        long long distanceAfter, int type, long long count, size_t* bytes) {
  Transform* plan = planOf(handle);
  if (!plan || plan->tables) return CUFFT_INVALID_PLAN;
  if (rank != 1 || extents[0] < 1 || count < 1) return CUFFT_INVALID_SIZE;
  if (embedding || embeddingAfter || stride != 1 || strideAfter != 1 || distance != extents[0] ||
      distanceAfter != extents[0] || (type != CUFFT_C2C && type != CUFFT_Z2Z))
    return CUFFT_INVALID_VALUE;
  void* tables = nullptr;
  if (cudaMalloc(&tables, 1) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  const size_t needed = *bytes = size_t(extents[0]) * 3 + 64;
  *plan = {extents[0], count, type, plan->allocates, tables, nullptr, needed, plan->stream};
  return CUFFT_SUCCESS;
}
int cufftExecC2C(int handle, std::complex<float>* from, std::complex<float>* to, int sign) {
  return execute("cufftExecC2C", handle, CUFFT_C2C, from, to, sign);
}
int cufftExecZ2Z(int handle, std::complex<double>* from, std::complex<double>* to, int sign) {
  return execute("cufftExecZ2Z", handle, CUFFT_Z2Z, from, to, sign);
}
}
