//===- Identifiers.cpp - names that Python would read as other names --------------------------------===//
// Python compares names in Unicode's form NFKC. appyc has no tables for it: it takes the letters that NFKC
// leaves alone, of the scripts below, and refuses the others.
#include "Syntax.h"
#include "appyc/Support/Utf8.h"
#include <algorithm>
#include <array>

namespace appyc::frontend {

namespace {
struct Range {
  uint32_t first, last;
};

constexpr std::array stableLetters{
    Range{0xC0, 0xD6},     Range{0xD8, 0xF6},     Range{0xF8, 0x131},    Range{0x134, 0x13E}, // Latin
    Range{0x141, 0x148},   Range{0x14A, 0x17E},   Range{0x180, 0x1C3},   Range{0x1CD, 0x1F0},
    Range{0x386, 0x386},   Range{0x388, 0x38A},   Range{0x38C, 0x38C},   Range{0x38E, 0x3A1}, // Greek
    Range{0x3A3, 0x3CF},   Range{0x400, 0x481},   Range{0x48A, 0x52F},                        // Cyrillic
    Range{0x531, 0x556},   Range{0x561, 0x586},   Range{0x5D0, 0x5EA},   // Armenian, Hebrew
    Range{0x3041, 0x3096}, Range{0x30A1, 0x30FA}, Range{0x4E00, 0x9FFF}, // kana, Han
    Range{0xAC00, 0xD7A3}};                                              // Hangul

bool isStable(std::string_view name) {
  for (size_t i = 0; i < name.size();) {
    const size_t length = characterLength(name.substr(i));
    if (length == 0) return false;
    const uint32_t code = codePoint(name.substr(i, length));
    if (code >= 0x80 && std::none_of(stableLetters.begin(), stableLetters.end(),
                                     [&](Range r) { return r.first <= code && code <= r.last; }))
      return false;
    i += length;
  }
  return true;
}
} // namespace

void checkNames(const Source& source, Node top, Diagnostics& diag) {
  walk(top, [&](Node node, size_t) {
    if (node.is("identifier") && !isStable(source.text(node.span())))
      diag.report(
          DiagId::Unsupported, node.span(),
          "Python compares names as Unicode's NFKC makes them, which appyc does not know for a letter of "
          "this one; write it with other letters");
    return true;
  });
}

} // namespace appyc::frontend
