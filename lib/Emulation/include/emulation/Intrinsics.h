//===- Intrinsics.h - device functions that C++ does not have -----------------------------------------===//
#pragma once
#include "Types.h"

namespace emulation {
/// Ends the process with the message and the place of the calling thread.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));
template <class To, class From> To bitCast(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof(To));
  return result;
}
} // namespace emulation

[[noreturn]] inline void __trap() { ::emulation::fail("__trap()"); }
template <class T> T __ldg(const T* place) { return *place; }
template <class T> T __ldcg(const T* place) { return *place; }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }
inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline long long __double_as_longlong(double x) { return ::emulation::bitCast<long long>(x); }
inline double __longlong_as_double(long long x) { return ::emulation::bitCast<double>(x); }
inline int __float_as_int(float x) { return ::emulation::bitCast<int>(x); }
inline unsigned __float_as_uint(float x) { return ::emulation::bitCast<unsigned>(x); }
inline float __int_as_float(int x) { return ::emulation::bitCast<float>(x); }
inline float __uint_as_float(unsigned x) { return ::emulation::bitCast<float>(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
inline double __dadd_rn(double x, double y) { return x + y; }
inline double __dmul_rn(double x, double y) { return x * y; }
inline double __dsub_rn(double x, double y) { return x - y; }
inline float __fadd_rn(float x, float y) { return x + y; }
inline float __fmul_rn(float x, float y) { return x * y; }
inline float __fsub_rn(float x, float y) { return x - y; }
inline double __fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
inline unsigned __umulhi(unsigned x, unsigned y) { return unsigned((uint64_t(x) * y) >> 32); }
inline long long clock64() { return 0; }
