//===- cublas_v2.h - cuBLAS for the emulation: what generated code calls of it
//-----------------------------------------------//
#pragma once
#include "cuda_runtime.h"

typedef struct cublasContext* cublasHandle_t;
enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_INVALID_VALUE = 7
};
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
struct cuComplex {
  float x, y;
};
struct cuDoubleComplex {
  double x, y;
};

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
const char* cublasGetStatusString(cublasStatus_t status);

// gemm: c = alpha * op(a) @ op(b) + beta * c, column by column; syrkx: one triangle of c = alpha * op(a) @
// op(b).T + beta * c. The factors lie in host memory.
#define EMULATION_PRODUCTS(gemm, syrkx, T)                                                                   \
  cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t aOp, cublasOperation_t bOp, int64_t m,        \
                      int64_t n, int64_t k, const T* alpha, const T* a, int64_t lda, const T* b,             \
                      int64_t ldb, const T* beta, T* c, int64_t ldc);                                        \
  cublasStatus_t syrkx(cublasHandle_t handle, cublasFillMode_t part, cublasOperation_t op, int64_t n,        \
                       int64_t k, const T* alpha, const T* a, int64_t lda, const T* b, int64_t ldb,          \
                       const T* beta, T* c, int64_t ldc);
EMULATION_PRODUCTS(cublasSgemm_64, cublasSsyrkx_64, float)
EMULATION_PRODUCTS(cublasDgemm_64, cublasDsyrkx_64, double)
EMULATION_PRODUCTS(cublasCgemm_64, cublasCsyrkx_64, cuComplex)
EMULATION_PRODUCTS(cublasZgemm_64, cublasZsyrkx_64, cuDoubleComplex)
#undef EMULATION_PRODUCTS
}
