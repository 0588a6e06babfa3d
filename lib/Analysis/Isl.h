//===- Isl.h - the isl context of one question ------------------------------------------------------------------===//
#pragma once
#include <isl/cpp.h>
#include <isl/constraint.h>
#include <isl/map.h>
#include <isl/set.h>
#include <memory>
#include <functional>
#include <optional>
#include <string>

namespace appyc::analysis {

/// Runs `question` with a fresh isl context bounded in work; nullopt when isl gives up (too much work) or refuses the text.
/// isl's C++ binding reports by exceptions; they end here.
template <class T> std::optional<T> askIsl(const std::function<T(isl::ctx)>& question) {
  std::unique_ptr<isl_ctx, void (*)(isl_ctx*)> raw(isl_ctx_alloc(), [](isl_ctx* c) { isl_ctx_free(c); });
  isl_options_set_on_error(raw.get(), ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(raw.get(), 2'000'000);
  try {
    return question(isl::ctx(raw.get()));
  } catch (const isl::exception&) {
    return std::nullopt;
  }
}

/// Text that isl gave away.
inline std::string owned(char* text) {
  std::string s = text ? text : "";
  std::free(text);
  return s;
}

} // namespace appyc::analysis
