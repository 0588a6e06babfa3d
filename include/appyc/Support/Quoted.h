//===- Quoted.h - a text as a literal of Python's --------------------------------------------------===//
#pragma once
#include <string>
#include <string_view>

namespace appyc {

/// Between double quotes, on one line.
std::string quoted(std::string_view text);

} // namespace appyc
