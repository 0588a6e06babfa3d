//===- Cublas.cpp - matrix products, as slowly as can be
//------------------------------------------------------------------------//
// As cuBLAS: checks its arguments, does not read c where beta is 0, nor a and b where alpha is 0.
#include "Memory.h"
#include "Stream.h"
#include <complex>
#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t stream = nullptr;
};

namespace emulation {

/// Ends the process when the columns are not all in one device allocation.
static void requireDevice(const void* place, int64_t rows, int64_t columns, int64_t pitch, size_t size) {
  if (rows <= 0 || columns <= 0) return;
  const Allocation* found = findAllocation(place);
  const char* end = static_cast<const char*>(place) + size_t((columns - 1) * pitch + rows) * size;
  if (!found) fail("a matrix given to cuBLAS is not in device memory");
  if (end > found->begin + found->bytes) fail("a matrix given to cuBLAS runs past its allocation");
}

template <class T> T element(const T* m, int64_t pitch, cublasOperation_t op, int64_t i, int64_t j) {
  return op == CUBLAS_OP_N ? m[i + j * pitch] : m[j + i * pitch];
}

template <class T>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t aOp, cublasOperation_t bOp, int64_t m, int64_t n,
                    int64_t k, T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T beta, T* c,
                    int64_t ldc) {
  const int64_t aRows = aOp == CUBLAS_OP_N ? m : k, bRows = bOp == CUBLAS_OP_N ? k : n;
  const int64_t one = 1;
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || k < 0 || lda < std::max(one, aRows) || ldb < std::max(one, bRows) ||
      ldc < std::max(one, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  requireDevice(a, aRows, aOp == CUBLAS_OP_N ? k : m, lda, sizeof(T));
  requireDevice(b, bRows, bOp == CUBLAS_OP_N ? n : k, ldb, sizeof(T));
  requireDevice(c, m, n, ldc, sizeof(T));
  submit(handle->stream, [=] {
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i) {
        T sum{};
        if (alpha != T(0))
          for (int64_t l = 0; l < k; ++l) sum += element(a, lda, aOp, i, l) * element(b, ldb, bOp, l, j);
        T& target = c[i + j * ldc];
        target = beta == T(0) ? alpha * sum : alpha * sum + beta * target;
      }
  });
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace emulation
using namespace emulation;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  return *handle = new cublasContext, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) { return delete handle, CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  return handle->stream = stream, CUBLAS_STATUS_SUCCESS;
}
const char* cublasGetStatusString(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "success" : "an invalid argument of cuBLAS";
}

#define EMULATION_GEMM(name, T, Number)                                                                      \
  cublasStatus_t name(cublasHandle_t handle, cublasOperation_t aOp, cublasOperation_t bOp, int64_t m,        \
                      int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda, const T* b,             \
                      int64_t ldb, const T* beta, T* c, int64_t ldc) {                                       \
    auto numbers = [](const T* p) { return reinterpret_cast<const Number*>(p); };                            \
    return gemm<Number>(handle, aOp, bOp, m, n, k, *numbers(alpha), numbers(a), lda, numbers(b), ldb,        \
                        *numbers(beta), reinterpret_cast<Number*>(c), ldc);                                  \
  }
EMULATION_GEMM(cublasSgemm_64, float, float)
EMULATION_GEMM(cublasDgemm_64, double, double)
EMULATION_GEMM(cublasCgemm_64, cuComplex, std::complex<float>)
EMULATION_GEMM(cublasZgemm_64, cuDoubleComplex, std::complex<double>)
}
