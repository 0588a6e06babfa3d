//===- Cublas.cpp - matrix products, as slowly as can be
//------------------------------------------------------------------------//
// As cuBLAS: checks its arguments, does not read c where beta is 0, nor a and b where alpha is 0.
#include "Check.h"
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

/// Which elements of the target count.
enum class Part { Whole, Lower, Upper };

template <class T> struct Product {
  cublasOperation_t aOp, bOp;
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

template <class T> cublasStatus_t multiply(cublasHandle_t handle, const Product<T>& p, Part part) {
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

#define EMULATION_PRODUCTS(gemm, syrkx, T, Number)                                                           \
  cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t aOp, cublasOperation_t bOp, int64_t m,        \
                      int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda, const T* b,             \
                      int64_t ldb, const T* beta, T* c, int64_t ldc) {                                       \
    auto in = [](const T* p) { return reinterpret_cast<const Number*>(p); };                                 \
    return multiply<Number>(handle,                                                                          \
                            {aOp, bOp, m, n, k, *in(alpha), in(a), lda, in(b), ldb, *in(beta),               \
                             reinterpret_cast<Number*>(c), ldc},                                             \
                            Part::Whole);                                                                    \
  }                                                                                                          \
  cublasStatus_t syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int64_t n,        \
                       int64_t k, const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb,          \
                       const T* beta, T* c, int64_t ldc) {                                                   \
    auto in = [](const T* p) { return reinterpret_cast<const Number*>(p); };                                 \
    const auto bOp = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;                                          \
    return multiply<Number>(handle,                                                                          \
                            {op, bOp, n, n, k, *in(alpha), in(a), lda, in(b), ldb, *in(beta),                \
                             reinterpret_cast<Number*>(c), ldc},                                             \
                            part == CUBLAS_FILL_MODE_LOWER ? Part::Lower : Part::Upper);                     \
  }
EMULATION_PRODUCTS(cublasSgemm_64, cublasSsyrkx_64, float, float)
EMULATION_PRODUCTS(cublasDgemm_64, cublasDsyrkx_64, double, double)
EMULATION_PRODUCTS(cublasCgemm_64, cublasCsyrkx_64, cuComplex, std::complex<float>)
EMULATION_PRODUCTS(cublasZgemm_64, cublasZsyrkx_64, cuDoubleComplex, std::complex<double>)
}
