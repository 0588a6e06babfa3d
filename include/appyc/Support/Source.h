//===- Source.h - the text of a program and places in it ---------------------------------------===//
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

/// One file of a program: the input, or a module of the user's that it imports.
struct SourceFile {
  std::string name;       ///< as in diagnostics
  std::string module;     ///< "package.helpers"; empty for the input
  bool isPackage = false; ///< the package's __init__.py
  Span where{};           ///< its part of the text
};

/// A place as the reader of its file counts.
struct Place {
  const SourceFile* file;
  Position at;
};

/// The text of one input file, behind it those of the modules that it imports, and the line table of it all.
class Source {
public:
  Source(std::string name, std::string text);
  void add(SourceFile file, std::string_view text);
  const std::vector<SourceFile>& files() const { return files_; } ///< the input is the first
  const SourceFile& fileAt(uint32_t offset) const;
  Place placeOf(uint32_t offset) const;
  const std::string& name() const { return files_.front().name; } ///< of the input
  std::string_view text() const { return text_; }
  std::string_view text(Span s) const;
  Position position(uint32_t offset) const;
  /// Text of line `line` (from 1) without its line end; empty past the last line.
  std::string_view line(uint32_t line) const;
  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts_.size()); }
  /// Offset of the first byte of line `line` (from 1).
  uint32_t lineStart(uint32_t line) const;

private:
  std::string text_;
  std::vector<SourceFile> files_;
  std::vector<uint32_t> lineStarts_;
  void addLines(size_t from);
};

} // namespace appyc
