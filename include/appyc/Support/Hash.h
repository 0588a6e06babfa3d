//===- Hash.h - texts by 16 digits --------------------------------------------------------------------===//
#pragma once
#include <string>
#include <string_view>

namespace appyc {

/// FNV-1a, 64 bits, in hexadecimal digits.
std::string hashOf(std::string_view text);

/// What follows in the banner of generated code: the hash of all lines below. Edits are known by it.
inline constexpr std::string_view sealLabel = "hash of the text below: ";

} // namespace appyc
