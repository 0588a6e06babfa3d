//===- cublas.cuh - matrix products by cuBLAS ----------------------------------------------------------===//
#pragma once
#include "host_cuda.h"
#include "products.cuh"

//@ cublasContext
// What is used of cuBLAS 12 and later is declared here, with numbers for its enumerations: nvcc takes a second
// to read cublas_v2.h.
extern "C" {
struct cublasContext;
int cublasCreate_v2(cublasContext** handle);
int cublasSetStream_v2(cublasContext* handle, cudaStream_t stream);
const char* cublasGetStatusString(int status);
}

//@ cublasSgemm_v2_64 : cublasContext
extern "C" int cublasSgemm_v2_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n, int64_t k,
                                 const float* alpha, const float* a, int64_t lda, const float* b, int64_t ldb,
                                 const float* beta, float* c, int64_t ldc);

//@ cublasSgemmStridedBatched_64 : cublasContext
extern "C" int cublasSgemmStridedBatched_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n,
                                            int64_t k, const float* alpha, const float* a, int64_t lda,
                                            long long a_step, const float* b, int64_t ldb, long long b_step,
                                            const float* beta, float* c, int64_t ldc, long long c_step,
                                            int64_t count);

//@ cublasSsyrkx_64 : cublasContext
extern "C" int cublasSsyrkx_64(cublasContext* handle, int part, int op, int64_t n, int64_t k,
                               const float* alpha, const float* a, int64_t lda, const float* b, int64_t ldb,
                               const float* beta, float* c, int64_t ldc);

//@ cublasDgemm_v2_64 : cublasContext
extern "C" int cublasDgemm_v2_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n, int64_t k,
                                 const double* alpha, const double* a, int64_t lda, const double* b,
                                 int64_t ldb, const double* beta, double* c, int64_t ldc);

//@ cublasDgemmStridedBatched_64 : cublasContext
extern "C" int cublasDgemmStridedBatched_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n,
                                            int64_t k, const double* alpha, const double* a, int64_t lda,
                                            long long a_step, const double* b, int64_t ldb, long long b_step,
                                            const double* beta, double* c, int64_t ldc, long long c_step,
                                            int64_t count);

//@ cublasDsyrkx_64 : cublasContext
extern "C" int cublasDsyrkx_64(cublasContext* handle, int part, int op, int64_t n, int64_t k,
                               const double* alpha, const double* a, int64_t lda, const double* b,
                               int64_t ldb, const double* beta, double* c, int64_t ldc);

//@ cublasCgemm_v2_64 : cublasContext Complex
extern "C" int cublasCgemm_v2_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n, int64_t k,
                                 const Complex<float>* alpha, const Complex<float>* a, int64_t lda,
                                 const Complex<float>* b, int64_t ldb, const Complex<float>* beta,
                                 Complex<float>* c, int64_t ldc);

//@ cublasCgemmStridedBatched_64 : cublasContext Complex
extern "C" int cublasCgemmStridedBatched_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n,
                                            int64_t k, const Complex<float>* alpha, const Complex<float>* a,
                                            int64_t lda, long long a_step, const Complex<float>* b,
                                            int64_t ldb, long long b_step, const Complex<float>* beta,
                                            Complex<float>* c, int64_t ldc, long long c_step, int64_t count);

//@ cublasCsyrkx_64 : cublasContext Complex
extern "C" int cublasCsyrkx_64(cublasContext* handle, int part, int op, int64_t n, int64_t k,
                               const Complex<float>* alpha, const Complex<float>* a, int64_t lda,
                               const Complex<float>* b, int64_t ldb, const Complex<float>* beta,
                               Complex<float>* c, int64_t ldc);

//@ cublasZgemm_v2_64 : cublasContext Complex
extern "C" int cublasZgemm_v2_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n, int64_t k,
                                 const Complex<double>* alpha, const Complex<double>* a, int64_t lda,
                                 const Complex<double>* b, int64_t ldb, const Complex<double>* beta,
                                 Complex<double>* c, int64_t ldc);

//@ cublasZgemmStridedBatched_64 : cublasContext Complex
extern "C" int cublasZgemmStridedBatched_64(cublasContext* handle, int a_op, int b_op, int64_t m, int64_t n,
                                            int64_t k, const Complex<double>* alpha, const Complex<double>* a,
                                            int64_t lda, long long a_step, const Complex<double>* b,
                                            int64_t ldb, long long b_step, const Complex<double>* beta,
                                            Complex<double>* c, int64_t ldc, long long c_step, int64_t count);

//@ cublasZsyrkx_64 : cublasContext Complex
extern "C" int cublasZsyrkx_64(cublasContext* handle, int part, int op, int64_t n, int64_t k,
                               const Complex<double>* alpha, const Complex<double>* a, int64_t lda,
                               const Complex<double>* b, int64_t ldb, const Complex<double>* beta,
                               Complex<double>* c, int64_t ldc);

//@ cublas_check : fail cublasContext
inline int cublas_check(int status) {
  return status == 0 ? int(Ok) : fail(RuntimeError, cublasGetStatusString(status));
}

//@ cublas_handle cublas_mutex : check cublas_check Lock
// The current device's handle, made at its first use. Held by one thread from here until its call is made.
pthread_mutex_t cublas_mutex = PTHREAD_MUTEX_INITIALIZER;
inline int cublas_handle(cublasContext*& handle, cudaStream_t stream) {
  constexpr int devices = 64;
  static cublasContext* handles[devices];
  int device = 0;
  if (const int status = check(cudaGetDevice(&device))) return status;
  if (device >= devices) return fail(RuntimeError, "too many devices");
  if (!handles[device])
    if (const int status = cublas_check(cublasCreate_v2(&handles[device]))) return status;
  handle = handles[device];
  return cublas_check(cublasSetStream_v2(handle, stream));
}

//@ cublas_operation cublas_part
// cublasOperation_t and cublasFillMode_t.
enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };

//@ cublas_f32 : cublasSgemm_v2_64
constexpr auto cublas_gemm(const float*) { return cublasSgemm_v2_64; }

//@ cublas_f64 : cublasDgemm_v2_64
constexpr auto cublas_gemm(const double*) { return cublasDgemm_v2_64; }

//@ cublas_c64 : cublasCgemm_v2_64
constexpr auto cublas_gemm(const Complex<float>*) { return cublasCgemm_v2_64; }

//@ cublas_c128 : cublasZgemm_v2_64
constexpr auto cublas_gemm(const Complex<double>*) { return cublasZgemm_v2_64; }

//@ cublas_triangle_f32 : cublasSsyrkx_64
constexpr auto cublas_syrkx(const float*) { return cublasSsyrkx_64; }

//@ cublas_triangle_f64 : cublasDsyrkx_64
constexpr auto cublas_syrkx(const double*) { return cublasDsyrkx_64; }

//@ cublas_triangle_c64 : cublasCsyrkx_64
constexpr auto cublas_syrkx(const Complex<float>*) { return cublasCsyrkx_64; }

//@ cublas_triangle_c128 : cublasZsyrkx_64
constexpr auto cublas_syrkx(const Complex<double>*) { return cublasZsyrkx_64; }

//@ cublas_batch_f32 : cublasSgemmStridedBatched_64
constexpr auto cublas_gemm_batch(const float*) { return cublasSgemmStridedBatched_64; }

//@ cublas_batch_f64 : cublasDgemmStridedBatched_64
constexpr auto cublas_gemm_batch(const double*) { return cublasDgemmStridedBatched_64; }

//@ cublas_batch_c64 : cublasCgemmStridedBatched_64
constexpr auto cublas_gemm_batch(const Complex<float>*) { return cublasCgemmStridedBatched_64; }

//@ cublas_batch_c128 : cublasZgemmStridedBatched_64
constexpr auto cublas_gemm_batch(const Complex<double>*) { return cublasZgemmStridedBatched_64; }

//@ cublas_pitch
// The distance between columns of `length` elements; where there is one column only, memory does not say it.
inline int64_t cublas_pitch(int64_t distance, int64_t length) {
  return distance > length ? distance : length > 1 ? length : 1;
}

//@ multiply_by_cublas : Matrix Limits Update cublas_handle cublas_operation cublas_pitch
// c = alpha * a @ b + beta * c, where each matrix has contiguous rows or columns. cuBLAS counts by columns:
// it is given the transposed product.
template <Target use, class T>
int multiply_by_cublas(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                       Matrix<const T> b, T beta, Matrix<T> c, Limits<0> limits, cudaStream_t stream) {
  if (c.column != 1)
    return multiply_by_cublas<use, T>(columns, rows, inner, alpha, b.transposed(), a.transposed(), beta,
                                      c.transposed(), limits, stream);
  if (rows <= 0 || columns <= 0) return Ok;
  const Lock lock(cublas_mutex);
  cublasContext* handle;
  if (const int status = cublas_handle(handle, stream)) return status;
  inner = inner > 0 ? inner : 0;
  const bool a_rows = a.column == 1, b_rows = b.column == 1; // contiguous
  return cublas_check(cublas_gemm(c.data)(
      handle, b_rows ? CUBLAS_OP_N : CUBLAS_OP_T, a_rows ? CUBLAS_OP_N : CUBLAS_OP_T, columns, rows, inner,
      &alpha, b.data, b_rows ? cublas_pitch(b.row, columns) : cublas_pitch(b.column, inner), a.data,
      a_rows ? cublas_pitch(a.row, inner) : cublas_pitch(a.column, rows), &beta, c.data,
      cublas_pitch(c.row, columns)));
}

//@ multiply_triangle_by_cublas : Matrix Limits Update cublas_handle cublas_operation cublas_pitch
// Likewise of one triangle of a square c with contiguous rows; a and b.transposed() are laid out alike.
template <Target use, class T>
int multiply_by_cublas(int64_t rows, int64_t, int64_t inner, T alpha, Matrix<const T> a, Matrix<const T> b,
                       T beta, Matrix<T> c, Limits<1> limits, cudaStream_t stream) {
  if (rows <= 0) return Ok;
  const Lock lock(cublas_mutex);
  cublasContext* handle;
  if (const int status = cublas_handle(handle, stream)) return status;
  inner = inner > 0 ? inner : 0;
  const int part =
      limits.all[0].row < 0 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; // of the transposed
  const bool along = a.column == 1 && b.row == 1;                              // the sum goes along memory
  const int64_t length = along ? inner : rows;
  return cublas_check(cublas_syrkx(c.data)(handle, part, along ? CUBLAS_OP_T : CUBLAS_OP_N, rows, inner,
                                           &alpha, b.data, cublas_pitch(along ? b.column : b.row, length),
                                           a.data, cublas_pitch(along ? a.row : a.column, length), &beta,
                                           c.data, cublas_pitch(c.row, rows)));
}

//@ Batch
// So many matrices, and the elements from one to the next in a, b and c.
struct Batch {
  int64_t count, a, b, c;
};

//@ multiply_small : Matrix Update Batch Sum Prod
// c = alpha * a @ b + beta * c for each matrix of a batch, a thread an element.
template <Target use, class T>
__global__ void multiply_small(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                               Matrix<const T> b, T beta, Matrix<T> c, Batch batch) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x, size = rows * columns;
  for (int64_t n = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; n < batch.count * size; n += threads) {
    const int64_t l = n / size, i = n % size / columns, j = n % columns;
    T sum = {};
    for (int64_t k = 0; k < inner; ++k)
      sum = Sum::combine(sum, Prod::combine((&a.at(i, k))[l * batch.a], (&b.at(k, j))[l * batch.b]));
    T& target = (&c.at(i, j))[l * batch.c];
    sum = Prod::combine(alpha, sum);
    target = use == Update ? Sum::combine(sum, Prod::combine(beta, target)) : sum;
  }
}

//@ multiply_batch_by_cublas : multiply_small cublas_handle cublas_operation cublas_pitch check launch_grid
// Likewise by cuBLAS, which takes a block for each of the smallest matrices: they go by a thread an element.
template <Target use, class T>
int multiply_batch_by_cublas(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                             Matrix<const T> b, T beta, Matrix<T> c, Batch batch, cudaStream_t stream) {
  if (c.column != 1)
    return multiply_batch_by_cublas<use, T>(columns, rows, inner, alpha, b.transposed(), a.transposed(), beta,
                                            c.transposed(), Batch{batch.count, batch.b, batch.a, batch.c},
                                            stream);
  if (batch.count <= 0 || rows <= 0 || columns <= 0) return Ok;
  if (rows < 16 && columns < 16 && inner < 16) {
    const dim3 grid = launch_grid((batch.count * rows * columns + 255) / 256);
    multiply_small<use, T><<<grid, 256, 0, stream>>>(rows, columns, inner, alpha, a, b, beta, c, batch);
    return check(cudaGetLastError());
  }
  const Lock lock(cublas_mutex);
  cublasContext* handle;
  if (const int status = cublas_handle(handle, stream)) return status;
  inner = inner > 0 ? inner : 0;
  const bool a_rows = a.column == 1, b_rows = b.column == 1; // contiguous
  return cublas_check(cublas_gemm_batch(c.data)(
      handle, b_rows ? CUBLAS_OP_N : CUBLAS_OP_T, a_rows ? CUBLAS_OP_N : CUBLAS_OP_T, columns, rows, inner,
      &alpha, b.data, b_rows ? cublas_pitch(b.row, columns) : cublas_pitch(b.column, inner), batch.b, a.data,
      a_rows ? cublas_pitch(a.row, inner) : cublas_pitch(a.column, rows), batch.a, &beta, c.data,
      cublas_pitch(c.row, columns), batch.c, batch.count));
}

//@ scale_and_multiply : multiply_elements launch_grid
// Where a factor is 0, cuBLAS does not read what it stands before; NumPy's 0 * nan is nan. And what is no number
// is no factor of a sum that may be empty.
template <Target use, class T, Scale scale = OfTerms, int limit_count>
int scale_and_multiply(int64_t rows, int64_t columns, int64_t inner, T alpha, Matrix<const T> a,
                       Matrix<const T> b, T beta, Matrix<T> c, Limits<limit_count> limits,
                       cudaStream_t stream) {
  const dim3 grid = launch_grid((rows > 0 && columns > 0 ? rows * columns + 255 : 0) / 256);
  if (grid.x == 0) return Ok;
  const bool by_cublas = alpha != T{} && alpha - alpha == T{};
  const bool scales_first = use == Update && beta == T{};
  if (!by_cublas || scales_first)
    multiply_elements<use, T, scale, limit_count>
        <<<grid, 256, 0, stream>>>(rows, columns, by_cublas ? 0 : inner, alpha, a, b, beta, c, limits);
  if (!by_cublas) return Ok;
  return multiply_by_cublas<use, T>(rows, columns, inner, alpha, a, b, scales_first ? T{1} : beta, c, limits,
                                    stream);
}
