//===- Hash.cpp - texts by 16 digits ------------------------------------------------------------------===//
#include "appyc/Support/Hash.h"
#include <cstdint>
#include <fmt/format.h>

namespace appyc {

std::string hashOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

} // namespace appyc
