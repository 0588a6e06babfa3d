//===- Decode.cpp - the bytes of a file as a source text --------------------------------------------===//
#include "appyc/Frontend/Frontend.h"
#include "appyc/Support/Utf8.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

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

/// The encoding that one of the first two lines declares (PEP 263), as a piece of `text`; empty if none does.
static std::string_view declaredCoding(std::string_view text) {
  for (int number = 0; number < 2; ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t first = line.find_first_not_of(" \t\f\r");
    if (first != std::string_view::npos && line[first] != '#') return {};
    for (size_t at = line.find("coding"); at != std::string_view::npos; at = line.find("coding", at + 1)) {
      std::string_view rest = line.substr(at + 6);
      if (!rest.starts_with(':') && !rest.starts_with('=')) continue;
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t", 1), rest.size()));
      const auto isNameLetter = [](char c) {
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' || c == '_' ||
               c == '.';
      };
      const auto* end = std::find_if_not(rest.begin(), rest.end(), isNameLetter);
      if (end != rest.begin()) return rest.substr(0, static_cast<size_t>(end - rest.begin()));
    }
    if (line.size() == text.size()) return {};
    text.remove_prefix(line.size() + 1);
  }
  return {};
}

/// Whether a file with these bytes reads as UTF-8 what it reads as in its declared encoding.
static bool readsAsUtf8(std::string_view coding, std::string_view bytes) {
  std::string name;
  for (const char c : coding) name += c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  if (name == "utf-8" || name == "utf8" || name == "utf-8-sig") return true;
  constexpr std::array supersetsOfAscii{"ascii",      "us-ascii", "latin-1",      "latin1",
                                        "iso-8859-1", "cp1252",   "windows-1252", "iso-8859-15"};
  return std::find(supersetsOfAscii.begin(), supersetsOfAscii.end(), name) != supersetsOfAscii.end() &&
         std::all_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) == 0; });
}

Source decode(std::string name, std::string bytes, Diagnostics& diag) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.erase(0, 3); // a byte order mark, which Python ignores
  const std::string_view coding = declaredCoding(bytes);
  if (!coding.empty() && !readsAsUtf8(coding, bytes)) {
    const auto at = static_cast<uint32_t>(coding.data() - bytes.data());
    diag.report(DiagId::Unreadable, {at, at + static_cast<uint32_t>(coding.size())},
                fmt::format("the file declares the coding `{}`, and appyc reads UTF-8; save it as UTF-8 and "
                            "leave the declaration out",
                            coding));
    bytes.resize(std::min(bytes.find_first_of("\r\n", at), bytes.size()));
  }
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
