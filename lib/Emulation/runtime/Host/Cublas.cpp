//===- Cublas.cpp - matrix products, as slowly as can be
//------------------------------------------------------------------------//
// As cuBLAS: checks its arguments, does not read c where beta is 0, nor a and b where alpha is 0.
#include "Check.h"
#include "Memory.h"
#include "Stream.h"
#include <complex>

struct cublasContext {
  cudaStream_t stream = nullptr;
};
enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_INVALID_VALUE = 7
};
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };

namespace emulation {

/// Ends the process when the columns are not all in one device allocation.
static void requireDevice(const void* place, int64_t rows, int64_t columns, int64_t pitch, size_t size) {
  if (rows <= 0 || columns <= 0) return;
  const Allocation* found = findAllocation(place);
  const char* end = static_cast<const char*>(place) + size_t((columns - 1) * pitch + rows) * size;
  if (!found) fail("a matrix given to cuBLAS is not in device memory");
  if (end > found->begin + found->bytes) fail("a matrix given to cuBLAS runs past its allocation");
}

template <class T> T element(const T* m, int64_t pitch, int op, int64_t i, int64_t j) {
  return op == CUBLAS_OP_N ? m[i + j * pitch] : m[j + i * pitch];
}

/// Which elements of the target count.
enum class Part { Whole, Lower, Upper };

template <class T> struct Product {
  int aOp, bOp;
  int64_t m, n, k;
  T alpha;
  const T* a;
  int64_t lda;
  const T* b;
  int64_t ldb;
  T beta;
  T* c;
  int64_t ldc;
};

template <class T> void compute(const Product<T>& p, Part part) {
  for (int64_t j = 0; j < p.n; ++j)
    for (int64_t i = 0; i < p.m; ++i) {
      if ((part == Part::Lower && i < j) || (part == Part::Upper && i > j)) continue;
      T sum{};
      if (p.alpha != T(0))
        for (int64_t l = 0; l < p.k; ++l)
          sum += element(p.a, p.lda, p.aOp, i, l) * element(p.b, p.ldb, p.bOp, l, j);
      T& target = p.c[i + j * p.ldc];
      target = p.beta == T(0) ? p.alpha * sum : p.alpha * sum + p.beta * target;
      if (kCheck) noteCopy(&target, nullptr, sizeof(T));
    }
}

template <class T> int multiply(cublasContext* handle, const Product<T>& p, Part part) {
  const int64_t aRows = p.aOp == CUBLAS_OP_N ? p.m : p.k, bRows = p.bOp == CUBLAS_OP_N ? p.k : p.n;
  const int64_t one = 1;
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.lda < std::max(one, aRows) || p.ldb < std::max(one, bRows) ||
      p.ldc < std::max(one, p.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  requireDevice(p.a, aRows, p.aOp == CUBLAS_OP_N ? p.k : p.m, p.lda, sizeof(T));
  requireDevice(p.b, bRows, p.bOp == CUBLAS_OP_N ? p.n : p.k, p.ldb, sizeof(T));
  requireDevice(p.c, p.m, p.n, p.ldc, sizeof(T));
  submit(handle->stream, [=] { compute(p, part); });
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace emulation
using namespace emulation;

extern "C" {

int cublasCreate_v2(cublasContext** handle) { return *handle = new cublasContext, CUBLAS_STATUS_SUCCESS; }
int cublasSetStream_v2(cublasContext* handle, cudaStream_t stream) {
  return handle->stream = stream, CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusString(int status) {
  return status == CUBLAS_STATUS_SUCCESS ? "success" : "an invalid argument of cuBLAS";
}

#define EMULATION_PRODUCTS(gemm, batched, syrkx, T)                                                          \
  int gemm(cublasContext* handle, int aOp, int bOp, int64_t m, int64_t n, int64_t k, const T* alpha,         \
           const T* a, int64_t lda, const T* b, int64_t ldb, const T* beta, T* c, int64_t ldc) {             \
    return multiply<T>(handle, {aOp, bOp, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc}, Part::Whole);     \
  }                                                                                                          \
  int batched(cublasContext* handle, int aOp, int bOp, int64_t m, int64_t n, int64_t k, const T* alpha,      \
              const T* a, int64_t lda, long long aStep, const T* b, int64_t ldb, long long bStep,            \
              const T* beta, T* c, int64_t ldc, long long cStep, int64_t count) {                            \
    if (count < 0 || cStep < 0) return CUBLAS_STATUS_INVALID_VALUE;                                          \
    for (int64_t i = 0; i < count; ++i) {                                                                    \
      const int status = gemm(handle, aOp, bOp, m, n, k, alpha, a + i * aStep, lda, b + i * bStep, ldb,      \
                              beta, c + i * cStep, ldc);                                                     \
      if (status != CUBLAS_STATUS_SUCCESS) return status;                                                    \
    }                                                                                                        \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }                                                                                                          \
  int syrkx(cublasContext* handle, int part, int op, int64_t n, int64_t k, const T* alpha, const T* a,       \
            int64_t lda, const T* b, int64_t ldb, const T* beta, T* c, int64_t ldc) {                        \
    const int bOp = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;                                           \
    return multiply<T>(handle, {op, bOp, n, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc},                    \
                       part == CUBLAS_FILL_MODE_LOWER ? Part::Lower : Part::Upper);                          \
  }
EMULATION_PRODUCTS(cublasSgemm_v2_64, cublasSgemmStridedBatched_64, cublasSsyrkx_64, float)
EMULATION_PRODUCTS(cublasDgemm_v2_64, cublasDgemmStridedBatched_64, cublasDsyrkx_64, double)
EMULATION_PRODUCTS(cublasCgemm_v2_64, cublasCgemmStridedBatched_64, cublasCsyrkx_64, std::complex<float>)
EMULATION_PRODUCTS(cublasZgemm_v2_64, cublasZgemmStridedBatched_64, cublasZsyrkx_64, std::complex<double>)
}
