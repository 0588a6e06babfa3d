//===- Fuzz.h - what the fuzzers share ----------------------------------------------------------------===//
#pragma once
#include "appyc/Support/Diagnostics.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace appyc::fuzz {

/// Renders the diagnostics in all forms, which looks at each of their places.
inline void renderAll(const Diagnostics& diag, const Source& source) {
  renderText(diag, source, true, true);
  renderJson(diag, source, true);
}

inline std::string asText(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

} // namespace appyc::fuzz
