//===- Cusolver.cpp - factorisations, as slowly as can be --------------------------------------------------===//
// As cuSOLVER: by columns, with room for its work on both sides, whose contents it destroys; a matrix has as many rows as columns
// or more where singular values are asked for. Both by Jacobi's method, of complex numbers whatever the type.
#include "Check.h"
#include "Stream.h"
#include "emulation/Libraries.h"
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};
struct cusolverDnParams {};
enum { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_NOT_INITIALIZED = 1, CUSOLVER_STATUS_INVALID_VALUE = 3 };
enum { CUDA_R_64F = 1, CUDA_C_64F = 5, CUBLAS_FILL_MODE_UPPER = 1 };

namespace emulation {

using Number = std::complex<double>;
using Columns = std::vector<std::vector<Number>>;

static Columns read(const char* from, int type, int64_t rows, int64_t columns) {
  Columns all(static_cast<size_t>(columns), std::vector<Number>(static_cast<size_t>(rows)));
  for (size_t at = 0; at < size_t(rows * columns); ++at)
    all[at / size_t(rows)][at % size_t(rows)] = type == CUDA_R_64F
                                                    ? Number(reinterpret_cast<const double*>(from)[at])
                                                    : reinterpret_cast<const Number*>(from)[at];
  return all;
}
static void write(char* to, int type, const Columns& all) {
  size_t at = 0;
  for (const auto& column : all)
    for (const Number& z : column)
      if (type == CUDA_R_64F)
        reinterpret_cast<double*>(to)[at++] = z.real();
      else
        reinterpret_cast<Number*>(to)[at++] = z;
}
static size_t sizeOf(int type) { return type == CUDA_R_64F ? sizeof(double) : sizeof(Number); }

static Number inner(const std::vector<Number>& x, const std::vector<Number>& y) {
  Number sum;
  for (size_t i = 0; i < x.size(); ++i) sum += std::conj(x[i]) * y[i];
  return sum;
}
static Columns identity(size_t n) {
  Columns all(n, std::vector<Number>(n));
  for (size_t i = 0; i < n; ++i) all[i][i] = 1;
  return all;
}

/// Rotates the columns, and those of `v` with them, until they are orthogonal.
static void orthogonalise(Columns& a, Columns& v) {
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (size_t p = 0; p < a.size(); ++p)
      for (size_t q = p + 1; q < a.size(); ++q) {
        const Number along = inner(a[p], a[q]);
        const double pp = inner(a[p], a[p]).real(), qq = inner(a[q], a[q]).real(), size = std::abs(along);
        if (size <= 1e-14 * std::sqrt(pp) * std::sqrt(qq)) continue;
        isDone = false;
        const double angle = std::atan2(2 * size, pp - qq) / 2, c = std::cos(angle), s = std::sin(angle);
        for (Columns* m : {&a, &v})
          for (size_t i = 0; i < (*m)[p].size(); ++i) {
            const Number x = (*m)[p][i], y = (*m)[q][i] * std::conj(along) / size;
            (*m)[p][i] = c * x + s * y;
            (*m)[q][i] = c * y - s * x;
          }
      }
  }
}

/// A vector orthogonal to all, of length 1.
static std::vector<Number> another(const Columns& all, size_t n) {
  for (size_t unit = 0;; ++unit) {
    std::vector<Number> made(n);
    made[unit] = 1;
    for (int pass = 0; pass < 3; ++pass)
      for (const auto& other : all) {
        const Number along = inner(other, made);
        for (size_t i = 0; i < n; ++i) made[i] -= along * other[i];
      }
    const double length = std::sqrt(inner(made, made).real());
    if (length < 0.5 / std::sqrt(double(n))) continue;
    for (Number& z : made) z /= length;
    return made;
  }
}

/// u, s and v, in descending order; u has as many columns as asked for.
static void decompose(Columns a, size_t rows, size_t columns, Columns& u, std::vector<double>& s,
                      Columns& v) {
  Columns turned = identity(a.size());
  orthogonalise(a, turned);
  std::vector<size_t> order(a.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> lengths;
  for (const auto& column : a) lengths.push_back(std::sqrt(inner(column, column).real()));
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) { return lengths[i] > lengths[j]; });
  for (size_t i : order) {
    s.push_back(lengths[i]);
    v.push_back(turned[i]);
    if (lengths[i] == 0) continue;
    u.push_back(a[i]);
    for (Number& z : u.back()) z /= lengths[i];
  }
  while (u.size() < columns) u.push_back(another(u, rows));
}

/// P L U in the place of `a`; the number of the first column without a pivot, from 1, or 0.
static int factor(Columns& a, int64_t* pivots) {
  int failed = 0;
  const auto sizeOf = [](const Number& z) { return std::abs(z.real()) + std::abs(z.imag()); };
  for (size_t k = 0; k < a.size(); ++k) {
    size_t p = k;
    for (size_t i = k + 1; i < a.size(); ++i)
      if (sizeOf(a[k][i]) > sizeOf(a[k][p])) p = i;
    pivots[k] = int64_t(p) + 1;
    for (auto& column : a) std::swap(column[k], column[p]);
    if (a[k][k] == Number()) {
      if (!failed) failed = int(k) + 1;
      continue;
    }
    for (size_t i = k + 1; i < a.size(); ++i) a[k][i] /= a[k][k];
    for (size_t j = k + 1; j < a.size(); ++j)
      for (size_t i = k + 1; i < a.size(); ++i) a[j][i] -= a[k][i] * a[j][k];
  }
  return failed;
}
static void substitute(const Columns& a, const int64_t* pivots, std::vector<Number>& x) {
  for (size_t k = 0; k < a.size(); ++k) std::swap(x[k], x[size_t(pivots[k]) - 1]);
  for (size_t k = 0; k < a.size(); ++k)
    for (size_t i = k + 1; i < a.size(); ++i) x[i] -= a[k][i] * x[k];
  for (size_t k = a.size(); k-- > 0;) {
    x[k] /= a[k][k];
    for (size_t i = 0; i < k; ++i) x[i] -= a[k][i] * x[k];
  }
}
/// U of U^H U in the upper triangle; the number of the first row without a root, from 1, or 0.
static int takeRoots(Columns& a) {
  for (size_t k = 0; k < a.size(); ++k) {
    for (size_t j = k; j < a.size(); ++j) {
      Number rest = a[j][k];
      for (size_t i = 0; i < k; ++i) rest -= std::conj(a[k][i]) * a[j][i];
      if (j == k && !(rest.real() > 0)) return int(k) + 1;
      a[j][k] = j == k ? Number(std::sqrt(rest.real())) : rest / a[k][k].real();
    }
  }
  return 0;
}

static constexpr size_t kDeviceBytes = 96, kHostBytes = 48;

static int tellRooms(size_t* deviceBytes, size_t* hostBytes) {
  *deviceBytes = kDeviceBytes;
  *hostBytes = kHostBytes;
  return CUSOLVER_STATUS_SUCCESS;
}
static bool hasRooms(size_t deviceBytes, const void* host, size_t hostBytes) {
  return deviceBytes >= kDeviceBytes && host && hostBytes >= kHostBytes;
}
static bool isKnown(int type) { return type == CUDA_R_64F || type == CUDA_C_64F; }

} // namespace emulation
using namespace emulation;

extern "C" {

int cusolverDnCreate(cusolverDnContext** handle) {
  return *handle = new cusolverDnContext, CUSOLVER_STATUS_SUCCESS;
}
int cusolverDnCreateParams(cusolverDnParams** params) {
  return *params = new cusolverDnParams, CUSOLVER_STATUS_SUCCESS;
}
int cusolverDnSetStream(cusolverDnContext* handle, cudaStream_t stream) {
  return handle->stream = stream, CUSOLVER_STATUS_SUCCESS;
}

int cusolverDnXsyevd_bufferSize(cusolverDnContext*, cusolverDnParams*, int, int, int64_t, int, const void*,
                                int64_t, int, const void*, int, size_t* deviceBytes, size_t* hostBytes) {
  return tellRooms(deviceBytes, hostBytes);
}
/// Of a + shift, which is positive: its singular values are its eigenvalues.
int cusolverDnXsyevd(cusolverDnContext* handle, cusolverDnParams* params, int job, int part, int64_t n,
                     int type, void* a, int64_t lda, int valuesType, void* values, int computeType,
                     void* device, size_t deviceBytes, void* host, size_t hostBytes, int* info) {
  if (!handle || !params) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n < 1 || lda != n || !isKnown(type) || valuesType != CUDA_R_64F || computeType != type ||
      part != CUBLAS_FILL_MODE_UPPER || (job != 0 && job != 1) || !hasRooms(deviceBytes, host, hostBytes))
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (isCapturing(handle->stream)) fail("cuSOLVER waits for the device, and is recorded into no graph");
  const size_t bytes = size_t(n * n) * sizeOf(type);
  callLibrary("cusolverDnXsyevd",
              {{a, bytes, true, true},
               {values, size_t(n) * sizeof(double), false, true},
               {device, deviceBytes, false, true},
               {info, sizeof(int), false, true}},
              handle->stream, [=](char* const* copies) {
                Columns all = read(copies[0], type, n, n), u, v;
                double shift = 0;
                for (size_t j = 0; j < all.size(); ++j) {
                  all[j][j] = all[j][j].real();
                  for (size_t i = 0; i < j; ++i) all[i][j] = std::conj(all[j][i]);
                  for (size_t i = 0; i <= j; ++i) shift += (i < j ? 2 : 1) * std::norm(all[j][i]);
                }
                shift = std::sqrt(shift);
                for (size_t j = 0; j < all.size(); ++j) all[j][j] += shift;
                std::vector<double> s;
                decompose(all, size_t(n), size_t(n), u, s, v);
                for (size_t i = 0; i < s.size(); ++i)
                  reinterpret_cast<double*>(copies[1])[i] = s[s.size() - 1 - i] - shift;
                std::reverse(v.begin(), v.end());
                if (job == 1) write(copies[0], type, v);
                *reinterpret_cast<int*>(copies[3]) = 0;
              });
  return CUSOLVER_STATUS_SUCCESS;
}

int cusolverDnXgesvd_bufferSize(cusolverDnContext*, cusolverDnParams*, signed char, signed char, int64_t,
                                int64_t, int, const void*, int64_t, int, const void*, int, const void*,
                                int64_t, int, const void*, int64_t, int, size_t* deviceBytes,
                                size_t* hostBytes) {
  return tellRooms(deviceBytes, hostBytes);
}
int cusolverDnXgesvd(cusolverDnContext* handle, cusolverDnParams* params, signed char uJob, signed char vhJob,
                     int64_t m, int64_t n, int type, void* a, int64_t lda, int valuesType, void* values,
                     int uType, void* u, int64_t ldu, int vhType, void* vh, int64_t ldvh, int computeType,
                     void* device, size_t deviceBytes, void* host, size_t hostBytes, int* info) {
  if (!handle || !params) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const bool hasU = uJob == 'A' || uJob == 'S', hasVh = vhJob == 'A' || vhJob == 'S';
  if (n < 1 || m < n || lda != m || !isKnown(type) || valuesType != CUDA_R_64F || uType != type ||
      vhType != type || computeType != type || (hasU ? ldu != m : uJob != 'N') ||
      (hasVh ? ldvh != n : vhJob != 'N') || !hasRooms(deviceBytes, host, hostBytes))
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (isCapturing(handle->stream)) fail("cuSOLVER waits for the device, and is recorded into no graph");
  const int64_t columns = uJob == 'A' ? m : n;
  const size_t size = sizeOf(type), uBytes = hasU ? size_t(m * columns) * size : 0,
               vhBytes = hasVh ? size_t(n * n) * size : 0;
  callLibrary("cusolverDnXgesvd",
              {{a, size_t(m * n) * size, true, true},
               {values, size_t(n) * sizeof(double), false, true},
               {u, uBytes, false, true},
               {vh, vhBytes, false, true},
               {device, deviceBytes, false, true},
               {info, sizeof(int), false, true}},
              handle->stream, [=](char* const* copies) {
                Columns left, right;
                std::vector<double> s;
                decompose(read(copies[0], type, m, n), size_t(m), size_t(columns), left, s, right);
                std::copy(s.begin(), s.end(), reinterpret_cast<double*>(copies[1]));
                if (hasU) write(copies[2], type, left);
                Columns turned = right;
                for (size_t i = 0; i < right.size(); ++i)
                  for (size_t j = 0; j < right.size(); ++j) turned[j][i] = std::conj(right[i][j]);
                if (hasVh) write(copies[3], type, turned);
                *reinterpret_cast<int*>(copies[5]) = 0;
              });
  return CUSOLVER_STATUS_SUCCESS;
}

int cusolverDnXgetrf_bufferSize(cusolverDnContext*, cusolverDnParams*, int64_t, int64_t, int, const void*,
                                int64_t, int, size_t* deviceBytes, size_t* hostBytes) {
  return tellRooms(deviceBytes, hostBytes);
}
int cusolverDnXgetrf(cusolverDnContext* handle, cusolverDnParams* params, int64_t m, int64_t n, int type,
                     void* a, int64_t lda, int64_t* pivots, int computeType, void* device, size_t deviceBytes,
                     void* host, size_t hostBytes, int* info) {
  if (!handle || !params) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n < 1 || m != n || lda != n || !isKnown(type) || computeType != type ||
      !hasRooms(deviceBytes, host, hostBytes) || !pivots)
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (isCapturing(handle->stream)) fail("cuSOLVER waits for the device, and is recorded into no graph");
  callLibrary("cusolverDnXgetrf",
              {{a, size_t(n * n) * sizeOf(type), true, true},
               {pivots, size_t(n) * sizeof(int64_t), false, true},
               {device, deviceBytes, false, true},
               {info, sizeof(int), false, true}},
              handle->stream, [=](char* const* copies) {
                Columns all = read(copies[0], type, n, n);
                *reinterpret_cast<int*>(copies[3]) = factor(all, reinterpret_cast<int64_t*>(copies[1]));
                write(copies[0], type, all);
              });
  return CUSOLVER_STATUS_SUCCESS;
}
int cusolverDnXgetrs(cusolverDnContext* handle, cusolverDnParams* params, int operation, int64_t n,
                     int64_t count, int type, const void* a, int64_t lda, const int64_t* pivots, int bType,
                     void* b, int64_t ldb, int* info) {
  if (!handle || !params) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n < 1 || count < 1 || operation != 0 || lda != n || ldb != n || bType != type || !isKnown(type) ||
      !pivots)
    return CUSOLVER_STATUS_INVALID_VALUE;
  callLibrary("cusolverDnXgetrs",
              {{const_cast<void*>(a), size_t(n * n) * sizeOf(type), true, false},
               {const_cast<int64_t*>(pivots), size_t(n) * sizeof(int64_t), true, false},
               {b, size_t(n * count) * sizeOf(type), true, true},
               {info, sizeof(int), false, true}},
              handle->stream, [=](char* const* copies) {
                const Columns all = read(copies[0], type, n, n);
                Columns x = read(copies[2], type, n, count);
                for (auto& column : x) substitute(all, reinterpret_cast<const int64_t*>(copies[1]), column);
                write(copies[2], type, x);
                *reinterpret_cast<int*>(copies[3]) = 0;
              });
  return CUSOLVER_STATUS_SUCCESS;
}

int cusolverDnXpotrf_bufferSize(cusolverDnContext*, cusolverDnParams*, int, int64_t, int, const void*,
                                int64_t, int, size_t* deviceBytes, size_t* hostBytes) {
  return tellRooms(deviceBytes, hostBytes);
}
int cusolverDnXpotrf(cusolverDnContext* handle, cusolverDnParams* params, int part, int64_t n, int type,
                     void* a, int64_t lda, int computeType, void* device, size_t deviceBytes, void* host,
                     size_t hostBytes, int* info) {
  if (!handle || !params) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (n < 1 || lda != n || !isKnown(type) || computeType != type || part != CUBLAS_FILL_MODE_UPPER ||
      !hasRooms(deviceBytes, host, hostBytes))
    return CUSOLVER_STATUS_INVALID_VALUE;
  if (isCapturing(handle->stream)) fail("cuSOLVER waits for the device, and is recorded into no graph");
  callLibrary("cusolverDnXpotrf",
              {{a, size_t(n * n) * sizeOf(type), true, true},
               {device, deviceBytes, false, true},
               {info, sizeof(int), false, true}},
              handle->stream, [=](char* const* copies) {
                Columns all = read(copies[0], type, n, n);
                *reinterpret_cast<int*>(copies[2]) = takeRoots(all);
                write(copies[0], type, all);
              });
  return CUSOLVER_STATUS_SUCCESS;
}
}
