//===- cusolver.cuh - factorisations by cuSOLVER ----------------------------------------------------------===//
#pragma once
#include "decompositions.h"
#include "device.cuh"
#include "general_eigen.h"
#include "host_cuda.h"

//@ cusolverDnContext
// What is used of cuSOLVER 11.1 and later is declared here, with numbers for its enumerations, as of cuBLAS.
extern "C" {
struct cusolverDnContext;
struct cusolverDnParams;
int cusolverDnCreate(cusolverDnContext** handle);
int cusolverDnCreateParams(cusolverDnParams** params);
int cusolverDnSetStream(cusolverDnContext* handle, cudaStream_t stream);
}

//@ cusolverDnXsyevd : cusolverDnContext
extern "C" {
int cusolverDnXsyevd_bufferSize(cusolverDnContext* handle, cusolverDnParams* params, int job, int part,
                                int64_t n, int a_type, const void* a, int64_t lda, int values_type,
                                const void* values, int compute_type, size_t* device_bytes,
                                size_t* host_bytes);
int cusolverDnXsyevd(cusolverDnContext* handle, cusolverDnParams* params, int job, int part, int64_t n,
                     int a_type, void* a, int64_t lda, int values_type, void* values, int compute_type,
                     void* device, size_t device_bytes, void* host, size_t host_bytes, int* info);
}

//@ cusolverDnXgesvd : cusolverDnContext
extern "C" {
int cusolverDnXgesvd_bufferSize(cusolverDnContext* handle, cusolverDnParams* params, signed char u_job,
                                signed char vh_job, int64_t m, int64_t n, int a_type, const void* a,
                                int64_t lda, int values_type, const void* values, int u_type, const void* u,
                                int64_t ldu, int vh_type, const void* vh, int64_t ldvh, int compute_type,
                                size_t* device_bytes, size_t* host_bytes);
int cusolverDnXgesvd(cusolverDnContext* handle, cusolverDnParams* params, signed char u_job,
                     signed char vh_job, int64_t m, int64_t n, int a_type, void* a, int64_t lda,
                     int values_type, void* values, int u_type, void* u, int64_t ldu, int vh_type, void* vh,
                     int64_t ldvh, int compute_type, void* device, size_t device_bytes, void* host,
                     size_t host_bytes, int* info);
}

//@ cusolverDnXgetrf : cusolverDnContext
extern "C" {
int cusolverDnXgetrf_bufferSize(cusolverDnContext* handle, cusolverDnParams* params, int64_t m, int64_t n,
                                int a_type, const void* a, int64_t lda, int compute_type,
                                size_t* device_bytes, size_t* host_bytes);
int cusolverDnXgetrf(cusolverDnContext* handle, cusolverDnParams* params, int64_t m, int64_t n, int a_type,
                     void* a, int64_t lda, int64_t* pivots, int compute_type, void* device,
                     size_t device_bytes, void* host, size_t host_bytes, int* info);
int cusolverDnXgetrs(cusolverDnContext* handle, cusolverDnParams* params, int operation, int64_t n,
                     int64_t count, int a_type, const void* a, int64_t lda, const int64_t* pivots, int b_type,
                     void* b, int64_t ldb, int* info);
}

//@ cusolverDnXpotrf : cusolverDnContext
extern "C" {
int cusolverDnXpotrf_bufferSize(cusolverDnContext* handle, cusolverDnParams* params, int part, int64_t n,
                                int a_type, const void* a, int64_t lda, int compute_type,
                                size_t* device_bytes, size_t* host_bytes);
int cusolverDnXpotrf(cusolverDnContext* handle, cusolverDnParams* params, int part, int64_t n, int a_type,
                     void* a, int64_t lda, int compute_type, void* device, size_t device_bytes, void* host,
                     size_t host_bytes, int* info);
}

//@ cusolver_status
// cusolverStatus_t.
enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_ALLOC_FAILED = 2 };

//@ cusolver_check : fail cusolver_status
inline int cusolver_check(int status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return Ok;
  char message[64];
  snprintf(message, sizeof(message), "cuSOLVER failed with status %d", status);
  return fail(status == CUSOLVER_STATUS_ALLOC_FAILED ? MemoryError : RuntimeError, message);
}

//@ Solver : check cusolver_check cusolverDnContext
// The current device's handle, made at its first use.
struct Solver {
  cusolverDnContext* handle = nullptr;
  cusolverDnParams* params = nullptr;
};

//@ solver solver_mutex : Solver Lock
// Held by one thread from here until its call is made.
pthread_mutex_t solver_mutex = PTHREAD_MUTEX_INITIALIZER;
inline int solver(Solver& found, cudaStream_t stream) {
  constexpr int devices = 64;
  static Solver solvers[devices];
  int device = 0;
  if (const int status = check(cudaGetDevice(&device))) return status;
  if (device >= devices) return fail(RuntimeError, "too many devices");
  Solver& own = solvers[device];
  if (!own.handle)
    if (const int status = cusolver_check(cusolverDnCreate(&own.handle))) return status;
  if (!own.params)
    if (const int status = cusolver_check(cusolverDnCreateParams(&own.params))) return status;
  found = own;
  return cusolver_check(cusolverDnSetStream(own.handle, stream));
}

//@ HostMemory
struct HostMemory {
  void* data;
  explicit HostMemory(size_t bytes) : data(malloc(bytes > 0 ? bytes : 1)) {}
  HostMemory(const HostMemory&) = delete;
  ~HostMemory() { free(data); }
};

//@ cuda_type_of
// Of cudaDataType, cublasFillMode_t and cusolverEigMode_t the numbers are written where they are used.
[[maybe_unused]] constexpr int cuda_type_of(const double*) { return 1; }

//@ complex_cuda_type_of : Complex cuda_type_of
constexpr int cuda_type_of(const Complex<double>*) { return 5; }

//@ converged : fetch fail LinAlgError
// What the device says of a method that may not converge, or of a matrix that it cannot factor.
inline int converged(const int* info, const char* message, cudaStream_t stream) {
  int failed = 0;
  if (const int status = fetch(stream, &failed, info)) return status;
  return failed == 0 ? int(Ok) : fail(LinAlgError, message);
}

//@ most_of_thread
// So small matrices are shared by threads, one each, where there are more.
constexpr int64_t most_of_thread = 32;

//@ eigen_kernel : eigen_matrix most_of_thread
template <class E>
__global__ void eigen_kernel(E* a, double* values, int64_t count, int64_t n, bool has_vectors, double* beside,
                             E* work, int* info) {
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < count;
       i += int64_t(blockDim.x) * gridDim.x)
    if (!eigen_matrix(a + i * n * n, n, values + i * n, beside + i * n, work + 2 * i * n, has_vectors))
      *info = 1;
}

//@ eigen_rows : eigen_kernel solver HostMemory cuda_type_of converged cusolverDnXsyevd Temporary launch_grid
// cuSOLVER counts by columns: its upper triangle is the lower one here, of the conjugate matrix.
template <class E>
int eigen_rows(E* a, double* values, int64_t count, int64_t n, int64_t has_vectors, cudaStream_t stream) {
  if (count <= 0 || n <= 0) return Ok;
  const Temporary<int> info(1, stream);
  if (!info.data) return check(cudaErrorMemoryAllocation);
  if (const int status = check(cudaMemsetAsync(info.data, 0, sizeof(int), stream))) return status;
  const char* const message = "Eigenvalues did not converge";
  if (count > 1 && n <= most_of_thread) {
    const Temporary<double> beside(count * n, stream);
    const Temporary<E> work(2 * count * n, stream);
    if (!beside.data || !work.data) return check(cudaErrorMemoryAllocation);
    eigen_kernel<E><<<launch_grid((count + 63) / 64), 64, 0, stream>>>(a, values, count, n, has_vectors != 0,
                                                                       beside.data, work.data, info.data);
    return converged(info.data, message, stream);
  }
  const Lock lock(solver_mutex);
  Solver own;
  if (const int status = solver(own, stream)) return status;
  const int type = cuda_type_of(a), real = 1, upper = 1, job = has_vectors != 0;
  size_t device_bytes = 0, host_bytes = 0;
  if (const int status = cusolver_check(cusolverDnXsyevd_bufferSize(
          own.handle, own.params, job, upper, n, type, a, n, real, values, type, &device_bytes, &host_bytes)))
    return status;
  const Temporary<char> device(int64_t(device_bytes), stream);
  const HostMemory host(host_bytes);
  if (!device.data || !host.data) return check(cudaErrorMemoryAllocation);
  for (int64_t i = 0; i < count; ++i) {
    if (const int status = cusolver_check(cusolverDnXsyevd(
            own.handle, own.params, job, upper, n, type, a + i * n * n, n, real, values + i * n, type,
            device.data, device_bytes, host.data, host_bytes, info.data)))
      return status;
    if (const int status = converged(info.data, message, stream)) return status;
  }
  return Ok;
}

//@ complex_eigen_rows : complex_parts complex_cuda_type_of eigen_rows

//@ singular_kernel : singular_matrix most_of_thread
template <class E>
__global__ void singular_kernel(E* a, double* values, E* turned, int64_t count, int64_t k, int64_t rows,
                                int64_t n, bool has_vectors, int* info) {
  for (int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x; i < count;
       i += int64_t(blockDim.x) * gridDim.x)
    if (!singular_matrix(a + i * rows * n, k, rows, n, values + i * k, turned + i * k * k, has_vectors))
      *info = 1;
}

//@ singular_rows : singular_kernel solver HostMemory cuda_type_of converged cusolverDnXgesvd Temporary launch_grid
// By columns, a matrix with as many rows as columns or more, as cuSOLVER wants them; the transposes of its results are the
// others', by rows.
template <class E>
int singular_rows(E* a, double* values, E* turned, int64_t count, int64_t k, int64_t rows, int64_t n,
                  int64_t has_vectors, cudaStream_t stream) {
  if (count <= 0 || n <= 0) return Ok;
  const Temporary<int> info(1, stream);
  if (!info.data) return check(cudaErrorMemoryAllocation);
  if (const int status = check(cudaMemsetAsync(info.data, 0, sizeof(int), stream))) return status;
  const char* const message = "SVD did not converge";
  if (k == 0 || (count > 1 && n <= most_of_thread)) {
    singular_kernel<E><<<launch_grid((count + 63) / 64), 64, 0, stream>>>(a, values, turned, count, k, rows,
                                                                          n, has_vectors != 0, info.data);
    return converged(info.data, message, stream);
  }
  const Lock lock(solver_mutex);
  Solver own;
  if (const int status = solver(own, stream)) return status;
  const int type = cuda_type_of(a), real = 1;
  const signed char u_job = !has_vectors ? 'N' : rows > k ? 'A' : 'S', vh_job = has_vectors ? 'S' : 'N';
  const Temporary<E> given(n * k, stream); // which is destroyed
  if (!given.data) return check(cudaErrorMemoryAllocation);
  size_t device_bytes = 0, host_bytes = 0;
  if (const int status = cusolver_check(
          cusolverDnXgesvd_bufferSize(own.handle, own.params, u_job, vh_job, n, k, type, given.data, n, real,
                                      values, type, a, n, type, turned, k, type, &device_bytes, &host_bytes)))
    return status;
  const Temporary<char> device(int64_t(device_bytes), stream);
  const HostMemory host(host_bytes);
  if (!device.data || !host.data) return check(cudaErrorMemoryAllocation);
  for (int64_t i = 0; i < count; ++i) {
    E* const own_rows = a + i * rows * n;
    if (const int status = check(cudaMemcpyAsync(given.data, own_rows, size_t(n * k) * sizeof(E),
                                                 cudaMemcpyDeviceToDevice, stream)))
      return status;
    if (const int status = cusolver_check(
            cusolverDnXgesvd(own.handle, own.params, u_job, vh_job, n, k, type, given.data, n, real,
                             values + i * k, type, own_rows, n, type, turned + (has_vectors ? i * k * k : 0),
                             k, type, device.data, device_bytes, host.data, host_bytes, info.data)))
      return status;
    if (const int status = converged(info.data, message, stream)) return status;
  }
  return Ok;
}

//@ complex_singular_rows : complex_parts complex_cuda_type_of singular_rows

//@ solve_on_chip : shared_of_launch
// By how much an element is preferred as a pivot, as by LAPACK.
template <class E> __device__ double pivot_size(E value) {
  if constexpr (std::is_floating_point_v<E>)
    return fabs(value);
  else
    return fabs(value.re) + fabs(value.im);
}

// Bytes of a matrix that one block has on chip, and of right sides beside it: cuSOLVER takes 0.2 ms for the smallest.
constexpr int64_t matrix_on_chip = 32 << 10, sides_on_chip = 12 << 10;

// x = a^-1 x by one block, as solve_columns, of so many right sides at a time; `info` is not 0 of a singular matrix.
template <class E>
__global__ void solve_on_chip(const E* __restrict__ a, E* x, int64_t count, int n, int sides, int* info) {
  __shared__ int pivots[64];
  E* const columns = shared_of_launch<E>(); // (i, k) is columns[k * n + i]
  E* const right = columns + n * n;
  const int thread = int(threadIdx.x), threads = int(blockDim.x);
  for (int e = thread; e < n * n; e += threads) columns[e] = a[e];
  if (thread == 0) *info = 0;
  __syncthreads();
  for (int k = 0; k < n; ++k) {
    E* const column = columns + k * n;
    if (thread < 32) {
      int best = k + thread < n ? k + thread : k;
      double size = pivot_size(column[best]);
      for (int i = best + 32; i < n; i += 32)
        if (const double own = pivot_size(column[i]); own > size) best = i, size = own;
      for (int distance = 16; distance > 0; distance /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, size, distance);
        const int place = __shfl_xor_sync(0xffffffffu, best, distance);
        if (other > size || (other == size && place < best)) best = place, size = other;
      }
      if (thread == 0) pivots[k] = size == 0 ? -1 : best;
    }
    __syncthreads();
    const int pivot = pivots[k];
    if (pivot < 0) {
      if (thread == 0) *info = k + 1;
      return;
    }
    for (int j = thread; j < n && pivot != k; j += threads) {
      const E kept = columns[j * n + k];
      columns[j * n + k] = columns[j * n + pivot];
      columns[j * n + pivot] = kept;
    }
    __syncthreads();
    for (int i = k + 1 + thread; i < n; i += threads) column[i] = column[i] / column[k];
    __syncthreads();
    const int rest = n - k - 1;
    for (int e = thread; e < rest * rest; e += threads) {
      const int i = k + 1 + e % rest, j = k + 1 + e / rest;
      columns[j * n + i] = columns[j * n + i] - column[i] * columns[j * n + k];
    }
    __syncthreads();
  }
  for (int64_t first = 0; first < count; first += sides) {
    const int here = int(count - first < sides ? count - first : sides);
    E* const given = x + first * n;
    for (int e = thread; e < here * n; e += threads) right[e] = given[e];
    __syncthreads();
    for (int s = thread; s < here; s += threads)
      for (int k = 0; k < n; ++k) {
        const E kept = right[s * n + k];
        right[s * n + k] = right[s * n + pivots[k]];
        right[s * n + pivots[k]] = kept;
      }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
      const int rest = n - k - 1;
      for (int e = thread; e < here * rest; e += threads) {
        E* const side = right + e / rest * n;
        const int i = k + 1 + e % rest;
        side[i] = side[i] - columns[k * n + i] * side[k];
      }
      __syncthreads();
    }
    for (int k = n - 1; k >= 0; --k) {
      for (int s = thread; s < here; s += threads) right[s * n + k] = right[s * n + k] / columns[k * n + k];
      __syncthreads();
      for (int e = thread; e < here * k; e += threads) {
        E* const side = right + e / k * n;
        const int i = e % k;
        side[i] = side[i] - columns[k * n + i] * side[k];
      }
      __syncthreads();
    }
    for (int e = thread; e < here * n; e += threads) given[e] = right[e];
    __syncthreads();
  }
}

//@ solve_columns : solve_on_chip solver HostMemory cuda_type_of converged cusolverDnXgetrf Temporary
template <class E> int solve_columns(E* a, E* x, int64_t count, int64_t n, cudaStream_t stream) {
  if (n <= 0) return Ok;
  const Temporary<int> info(1, stream);
  if (!info.data) return check(cudaErrorMemoryAllocation);
  if (const int64_t bytes = n * n * int64_t(sizeof(E)); n <= 64 && bytes <= matrix_on_chip) {
    const int64_t sides = sides_on_chip / (n * int64_t(sizeof(E)));
    solve_on_chip<E><<<1, 256, bytes + sides_on_chip, stream>>>(a, x, count, int(n), int(sides), info.data);
    return converged(info.data, "Singular matrix", stream);
  }
  const Temporary<int64_t> pivots(n, stream);
  if (!pivots.data) return check(cudaErrorMemoryAllocation);
  const Lock lock(solver_mutex);
  Solver own;
  if (const int status = solver(own, stream)) return status;
  const int type = cuda_type_of(a), as_it_is = 0;
  size_t device_bytes = 0, host_bytes = 0;
  if (const int status = cusolver_check(cusolverDnXgetrf_bufferSize(own.handle, own.params, n, n, type, a, n,
                                                                    type, &device_bytes, &host_bytes)))
    return status;
  const Temporary<char> device(int64_t(device_bytes), stream);
  const HostMemory host(host_bytes);
  if (!device.data || !host.data) return check(cudaErrorMemoryAllocation);
  if (const int status =
          cusolver_check(cusolverDnXgetrf(own.handle, own.params, n, n, type, a, n, pivots.data, type,
                                          device.data, device_bytes, host.data, host_bytes, info.data)))
    return status;
  if (const int status = converged(info.data, "Singular matrix", stream)) return status;
  if (count <= 0) return Ok;
  return cusolver_check(cusolverDnXgetrs(own.handle, own.params, as_it_is, n, count, type, a, n, pivots.data,
                                         type, x, n, info.data));
}

//@ complex_solve_columns : complex_sub complex_mul complex_div complex_cuda_type_of solve_columns

//@ cholesky_rows : solver HostMemory cuda_type_of converged cusolverDnXpotrf Temporary
// The lower triangle by rows is the upper one by columns, of the conjugate matrix: of U^H U there, L = U^T here.
template <class E> int cholesky_rows(E* a, int64_t n, cudaStream_t stream) {
  if (n <= 0) return Ok;
  const Temporary<int> info(1, stream);
  if (!info.data) return check(cudaErrorMemoryAllocation);
  const Lock lock(solver_mutex);
  Solver own;
  if (const int status = solver(own, stream)) return status;
  const int type = cuda_type_of(a), upper = 1;
  size_t device_bytes = 0, host_bytes = 0;
  if (const int status = cusolver_check(cusolverDnXpotrf_bufferSize(own.handle, own.params, upper, n, type, a,
                                                                    n, type, &device_bytes, &host_bytes)))
    return status;
  const Temporary<char> device(int64_t(device_bytes), stream);
  const HostMemory host(host_bytes);
  if (!device.data || !host.data) return check(cudaErrorMemoryAllocation);
  if (const int status =
          cusolver_check(cusolverDnXpotrf(own.handle, own.params, upper, n, type, a, n, type, device.data,
                                          device_bytes, host.data, host_bytes, info.data)))
    return status;
  return converged(info.data, "Matrix is not positive definite", stream);
}

//@ complex_cholesky_rows : complex_cuda_type_of cholesky_rows

//@ complex_general_eigen_rows : general_eigen_matrix HostMemory check fail LinAlgError
// On the host: cuSOLVER before 11.7 has no such function.
inline int general_eigen_rows(Complex<double>* a, Complex<double>* values, int64_t count, int64_t n,
                              int64_t has_vectors, cudaStream_t stream) {
  if (count <= 0 || n <= 0) return Ok;
  const size_t bytes = size_t(count * n * n) * sizeof(*a), value_bytes = size_t(count * n) * sizeof(*values);
  const HostMemory rows(bytes), found(value_bytes), scales(size_t(n) * sizeof(double)),
      work(size_t(2 * n * n + n) * sizeof(*a));
  if (!rows.data || !found.data || !scales.data || !work.data) return fail(MemoryError, "out of memory");
  if (const int status = check(cudaMemcpyAsync(rows.data, a, bytes, cudaMemcpyDeviceToHost, stream)))
    return status;
  if (const int status = check(cudaStreamSynchronize(stream))) return status;
  auto* const first = static_cast<Complex<double>*>(rows.data);
  auto* const first_value = static_cast<Complex<double>*>(found.data);
  for (int64_t i = 0; i < count; ++i)
    if (!general_eigen_matrix(first + i * n * n, n, first_value + i * n,
                              static_cast<Complex<double>*>(work.data), static_cast<double*>(scales.data),
                              has_vectors != 0))
      return fail(LinAlgError, "Eigenvalues did not converge");
  if (const int status = check(cudaMemcpyAsync(a, rows.data, bytes, cudaMemcpyHostToDevice, stream)))
    return status;
  if (const int status =
          check(cudaMemcpyAsync(values, found.data, value_bytes, cudaMemcpyHostToDevice, stream)))
    return status;
  return check(cudaStreamSynchronize(stream));
}
