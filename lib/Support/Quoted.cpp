//===- Quoted.cpp - a text as a literal of Python's ------------------------------------------------===//
#include "appyc/Support/Quoted.h"
#include <fmt/format.h>

namespace appyc {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n')
      result += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + "\"";
}

} // namespace appyc
