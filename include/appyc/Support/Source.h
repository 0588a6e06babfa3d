//===- Source.h - one source text and places in it ---------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace appyc {

/// Half-open byte range [begin, end) in the source text.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const Span&) const = default;
};

/// Line and column, both from 1; the column counts bytes, as clang's does.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// The text of one input file and its line table.
class Source {
public:
  Source(std::string name, std::string text);
  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view text(Span s) const;
  Position position(uint32_t offset) const;
  /// Text of line `line` (from 1) without its line end; empty past the last line.
  std::string_view line(uint32_t line) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts_.size()); }
  /// Offset of the first byte of line `line` (from 1).
  uint32_t lineStart(uint32_t line) const;

private:
  std::string name_;
  std::string text_;
  std::vector<uint32_t> lineStarts_;
};

} // namespace appyc
