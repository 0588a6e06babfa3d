//===- Utf8.h - characters of UTF-8 texts ---------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace appyc {

/// Length of the well-formed character at the front of `text`, which is not empty; 0 if there is none.
size_t characterLength(std::string_view text);
/// The code point of one well-formed character.
uint32_t codePoint(std::string_view character);

} // namespace appyc
