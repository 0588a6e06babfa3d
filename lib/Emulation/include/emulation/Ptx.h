//===- Ptx.h - instructions of PTX, as functions named after them -------------------------------------===//
// Operands are those of the instruction; lanes hold what PTX says they hold.
#pragma once
#include "Atomics.h"
#include "Threads.h"
#include <cmath>

namespace emulation::ptx {

inline void ld_acquire_gpu_global_s64(int64_t& value, const int64_t* from) {
  value = static_cast<int64_t>(loadAcquire(from));
}
inline void ld_relaxed_gpu_global_s64(int64_t& value, const int64_t* from) {
  value = static_cast<int64_t>(loadRelaxed(from));
}
inline void st_release_gpu_global_s64(int64_t* to, int64_t value) {
  storeRelease(to, static_cast<uint64_t>(value));
}

/// Waits for the whole warp, as it exchanges the operands.
inline void mma_sync_aligned_m16n8k8_row_col_f64_f64_f64_f64(double& c0, double& c1, double& c2, double& c3,
                                                             double a0, double a1, double a2, double a3,
                                                             double b0, double b1,
                                                             unsigned line = __builtin_LINE()) {
  constexpr unsigned lanes = 32;
  const double mine[] = {a0, a1, a2, a3, b0, b1};
  double theirs[lanes][6];
  const unsigned lane = laneOfWarp(), buffer = publish(line, ~0u, mine, sizeof mine);
  for (unsigned of = 0; of < lanes; ++of) readPublished(buffer, of, theirs[of], sizeof mine);
  double* const sums[] = {&c0, &c1, &c2, &c3};
  for (unsigned n = 0; n < 4; ++n)
    for (unsigned k = 0; k < 8; ++k) {
      const double a = theirs[lane / 4 * 4 + k % 4][k / 4 * 2 + n / 2];
      const double b = theirs[(lane % 4 * 2 + n % 2) * 4 + k % 4][4 + k / 4];
      *sums[n] = std::fma(a, b, *sums[n]);
    }
}

} // namespace emulation::ptx
