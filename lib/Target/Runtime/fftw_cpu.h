//===- fftw_cpu.h - discrete Fourier transforms by FFTW ------------------------------------------------===//
#pragma once
#include "complex.h"
#include "host_cpu.h"

//@ fftw_plan_s : Complex
// What is used of FFTW 3 is declared here, as of BLAS.
extern "C" {
struct fftw_plan_s;
fftw_plan_s* fftw_plan_dft_1d(int n, Complex<double>* in, Complex<double>* out, int sign, unsigned flags);
void fftw_execute_dft(fftw_plan_s* plan, Complex<double>* in, Complex<double>* out);
void fftw_destroy_plan(fftw_plan_s* plan);
struct fftwf_plan_s;
fftwf_plan_s* fftwf_plan_dft_1d(int n, Complex<float>* in, Complex<float>* out, int sign, unsigned flags);
void fftwf_execute_dft(fftwf_plan_s* plan, Complex<float>* in, Complex<float>* out);
void fftwf_destroy_plan(fftwf_plan_s* plan);
}

//@ FFTW_ESTIMATE FFTW_UNALIGNED
enum { FFTW_ESTIMATE = 64, FFTW_UNALIGNED = 2 };

//@ fftw_mutex
// Plans are made and destroyed by one thread at a time.
pthread_mutex_t fftw_mutex = PTHREAD_MUTEX_INITIALIZER;

//@ fftw_complex_transform_rows : fftw_plan_s FFTW_ESTIMATE fftw_mutex fail
inline fftw_plan_s* fftw_plan(Complex<double>* row, int length, int sign, unsigned flags) {
  return fftw_plan_dft_1d(length, row, row, sign, flags);
}
inline fftwf_plan_s* fftw_plan(Complex<float>* row, int length, int sign, unsigned flags) {
  return fftwf_plan_dft_1d(length, row, row, sign, flags);
}
inline void fftw_execute(fftw_plan_s* plan, Complex<double>* row) { fftw_execute_dft(plan, row, row); }
inline void fftw_execute(fftwf_plan_s* plan, Complex<float>* row) { fftwf_execute_dft(plan, row, row); }
inline void fftw_destroy(fftw_plan_s* plan) { fftw_destroy_plan(plan); }
inline void fftw_destroy(fftwf_plan_s* plan) { fftwf_destroy_plan(plan); }
template <class T> int transform_rows(Complex<T>* data, int64_t rows, int64_t length, int64_t sign) {
  if (rows <= 0 || length <= 1) return Ok;
  if (length > 2147483647) return fail(ValueError, "the transform is too long for FFTW");
  pthread_mutex_lock(&fftw_mutex);
  const auto plan = fftw_plan(data, int(length), int(sign), FFTW_ESTIMATE | FFTW_UNALIGNED);
  pthread_mutex_unlock(&fftw_mutex);
  if (!plan) return fail(MemoryError, "out of memory");
#pragma omp parallel for if (double(rows) * double(length) > 4096)
  for (int64_t row = 0; row < rows; ++row) fftw_execute(plan, data + row * length);
  pthread_mutex_lock(&fftw_mutex);
  fftw_destroy(plan);
  pthread_mutex_unlock(&fftw_mutex);
  return Ok;
}
