//===- Isl.h - the isl context of one question
//------------------------------------------------------------------===//
#pragma once
#include "Affine.h"
#include <functional>
#include <isl/cpp.h>
#include <isl/map.h>
#include <isl/set.h>
#include <memory>
#include <optional>

namespace appyc::analysis {

/// Runs `question` with a fresh isl context bounded in work; nullopt when isl gives up (too much work) or
/// refuses the text. isl's C++ binding reports by exceptions; they end here.
template <class T> std::optional<T> askIsl(const std::function<T(isl::ctx)>& question) {
  constexpr unsigned long kMaxOperations = 300'000; // about a tenth of a second
  std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(), [](isl_ctx* c) { isl_ctx_free(c); });
  isl_options_set_on_error(raw.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(raw.get(), kMaxOperations);
  try {
    return question(isl::ctx(raw.get()));
  } catch (const isl::exception&) {
    return std::nullopt;
  }
}

/// The same for a yes or no that depends on `text` alone: asked once, then remembered. Functions of a file
/// often put the same question.
std::optional<bool> askIslOnce(const std::string& text, const std::function<bool(isl::ctx)>& question);

/// Pairs of one point with itself, in the space of `pairs`.
inline isl::map sameIn(const isl::map& pairs) {
  return isl::manage(isl_map_identity(isl_map_get_space(pairs.get())));
}

/// A set of parameters as a Bool expression; empty when it is too long to be worth a test or cannot be
/// written.
ir::Expr conditionExpr(const isl::set& params, const Scope& scope);

/// Small values for the dimensions and then the parameters of a set that is not empty.
struct Sample {
  std::vector<long> dims;
  std::vector<std::pair<std::string, long>> params;
};
Sample smallSample(const isl::set& set);

} // namespace appyc::analysis
