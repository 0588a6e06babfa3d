//===- arithmetic.cpp - the support code behind a C interface, for test_arithmetic.py ---------------===//
#include "complex_functions.h"
#include "fourier_cpu.h"
#include "operators.h"

using c64 = Complex<float>;
using c128 = Complex<double>;

#define UNARY(f, T, R)                                                                                       \
  extern "C" void f##_##T(const T* a, R* out, int64_t n) {                                                   \
    for (int64_t i = 0; i < n; ++i) out[i] = f(a[i]);                                                        \
  }
#define BINARY(f, T, R)                                                                                      \
  extern "C" void f##_##T(const T* a, const T* b, R* out, int64_t n) {                                       \
    for (int64_t i = 0; i < n; ++i) out[i] = f(a[i], b[i]);                                                  \
  }
#define INTEGER(T)                                                                                           \
  BINARY(wrap_add, T, T)                                                                                     \
  BINARY(wrap_sub, T, T)                                                                                     \
  BINARY(wrap_mul, T, T)                                                                                     \
  UNARY(wrap_neg, T, T)                                                                                      \
  BINARY(floor_div, T, T)                                                                                    \
  BINARY(floor_mod, T, T)                                                                                    \
  BINARY(int_power, T, T)                                                                                    \
  BINARY(shift_left, T, T)                                                                                   \
  BINARY(shift_right, T, T)                                                                                  \
  BINARY(minimum, T, T)                                                                                      \
  BINARY(maximum, T, T)                                                                                      \
  BINARY(fmin_of, T, T)                                                                                      \
  BINARY(fmax_of, T, T)                                                                                      \
  UNARY(abs_value, T, T)                                                                                     \
  UNARY(sign_of, T, T)                                                                                       \
  UNARY(square, T, T)
#define FLOATING(T)                                                                                          \
  BINARY(float_floor_div, T, T)                                                                              \
  BINARY(float_floor_mod, T, T)                                                                              \
  BINARY(minimum, T, T)                                                                                      \
  BINARY(maximum, T, T)                                                                                      \
  BINARY(fmin_of, T, T)                                                                                      \
  BINARY(fmax_of, T, T)                                                                                      \
  UNARY(abs_value, T, T)                                                                                     \
  UNARY(sign_of, T, T)                                                                                       \
  UNARY(square, T, T)                                                                                        \
  UNARY(is_nan, T, bool)                                                                                     \
  UNARY(is_inf, T, bool)                                                                                     \
  UNARY(cube_of, T, T)                                                                                       \
  UNARY(fourth_power, T, T)                                                                                  \
  UNARY(reciprocal_of, T, T)                                                                                 \
  UNARY(inverse_square, T, T)                                                                                \
  UNARY(inverse_cube, T, T)                                                                                  \
  UNARY(root_power, T, T)                                                                                    \
  UNARY(three_halves_power, T, T)                                                                            \
  UNARY(inverse_root, T, T)                                                                                  \
  UNARY(inverse_three_halves_power, T, T)                                                                    \
  UNARY(is_finite, T, bool)

INTEGER(int8_t)
INTEGER(int16_t)
INTEGER(int32_t)
INTEGER(int64_t)
INTEGER(uint8_t)
INTEGER(uint16_t)
INTEGER(uint32_t)
INTEGER(uint64_t)
FLOATING(float)
FLOATING(double)

double prepared_division(double a, double d) {
  return divides_by(a, reciprocal(d)) ? divide_by(a, d, reciprocal(d)) : a / d;
}
BINARY(prepared_division, double, double)

template <class T> Complex<T> plus(Complex<T> a, Complex<T> b) { return a + b; }
template <class T> Complex<T> minus(Complex<T> a, Complex<T> b) { return a - b; }
template <class T> Complex<T> times(Complex<T> a, Complex<T> b) { return a * b; }
template <class T> Complex<T> over(Complex<T> a, Complex<T> b) { return a / b; }
template <class T> bool less(Complex<T> a, Complex<T> b) { return a < b; }
template <class T> bool less_equal(Complex<T> a, Complex<T> b) { return a <= b; }
template <class T> bool greater(Complex<T> a, Complex<T> b) { return a > b; }
template <class T> bool greater_equal(Complex<T> a, Complex<T> b) { return a >= b; }
template <class T> bool equal(Complex<T> a, Complex<T> b) { return a == b; }

#define COMPLEX(T, R)                                                                                        \
  BINARY(plus, T, T)                                                                                         \
  BINARY(minus, T, T)                                                                                        \
  BINARY(times, T, T)                                                                                        \
  BINARY(over, T, T)                                                                                         \
  BINARY(less, T, bool)                                                                                      \
  BINARY(less_equal, T, bool)                                                                                \
  BINARY(greater, T, bool)                                                                                   \
  BINARY(greater_equal, T, bool)                                                                             \
  BINARY(equal, T, bool)                                                                                     \
  BINARY(minimum, T, T)                                                                                      \
  BINARY(maximum, T, T)                                                                                      \
  BINARY(fmin_of, T, T)                                                                                      \
  BINARY(fmax_of, T, T)                                                                                      \
  BINARY(complex_power, T, T)                                                                                \
  UNARY(conjugate, T, T)                                                                                     \
  UNARY(complex_abs, T, R)                                                                                   \
  UNARY(complex_sign, T, T)                                                                                  \
  UNARY(square, T, T)                                                                                        \
  UNARY(complex_is_nan, T, bool)                                                                             \
  UNARY(complex_is_inf, T, bool)                                                                             \
  UNARY(complex_is_finite, T, bool)                                                                          \
  UNARY(complex_rint, T, T)                                                                                  \
  UNARY(complex_exp, T, T)                                                                                   \
  UNARY(complex_exp2, T, T)                                                                                  \
  UNARY(complex_expm1, T, T)                                                                                 \
  UNARY(complex_log, T, T)                                                                                   \
  UNARY(complex_log2, T, T)                                                                                  \
  UNARY(complex_log10, T, T)                                                                                 \
  UNARY(complex_log1p, T, T)                                                                                 \
  UNARY(complex_sqrt, T, T)                                                                                  \
  UNARY(complex_sin, T, T)                                                                                   \
  UNARY(complex_cos, T, T)                                                                                   \
  UNARY(complex_tan, T, T)                                                                                   \
  UNARY(complex_sinh, T, T)                                                                                  \
  UNARY(complex_cosh, T, T)                                                                                  \
  UNARY(complex_tanh, T, T)                                                                                  \
  UNARY(complex_asin, T, T)                                                                                  \
  UNARY(complex_acos, T, T)                                                                                  \
  UNARY(complex_atan, T, T)                                                                                  \
  UNARY(complex_asinh, T, T)                                                                                 \
  UNARY(complex_acosh, T, T)                                                                                 \
  UNARY(complex_atanh, T, T)

COMPLEX(c64, float)
COMPLEX(c128, double)

extern "C" int transform_c64(c64* data, int64_t rows, int64_t length, int64_t sign) {
  return transform_rows(data, rows, length, sign);
}
extern "C" int transform_c128(c128* data, int64_t rows, int64_t length, int64_t sign) {
  return transform_rows(data, rows, length, sign);
}
