//===- Decode.cpp - the bytes of a file as a source text --------------------------------------------===//
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/Utf8.h"

namespace appyc::frontend {

/// Offset of the first byte that is no text: a NUL, or not UTF-8; npos when all is.
static size_t firstInvalid(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = characterLength(text.substr(i));
    if (length == 0 || text[i] == '\0') return i;
    i += length;
  }
  return std::string_view::npos;
}

Source decode(std::string name, std::string bytes, Diagnostics& diag) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.erase(0, 3); // a byte order mark, which Python ignores
  if (const size_t bad = firstInvalid(bytes); bad != std::string::npos) {
    const auto at = static_cast<uint32_t>(bad);
    const bool zero = bytes[bad] == '\0';
    diag.report(DiagId::Unreadable, {at, at + 1},
                zero ? "the file contains a NUL byte" : "the file is not valid UTF-8");
    // The line is shown with the message, up to the byte that no terminal can print.
    bytes.resize(bad);
    bytes += '?';
  }
  return Source(std::move(name), std::move(bytes));
}

} // namespace appyc::frontend
