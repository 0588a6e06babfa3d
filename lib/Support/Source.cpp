//===- Source.cpp - files and lines of a program's text ----------------------------------------===//
#include "appyc/Support/Source.h"
#include <algorithm>

namespace appyc {

Source::Source(std::string name, std::string text) : text_(std::move(text)) {
  files_.push_back({std::move(name), "", false, {0, static_cast<uint32_t>(text_.size())}});
  lineStarts_.push_back(0);
  addLines(0);
}

void Source::add(SourceFile file, std::string_view text) {
  const size_t end = text_.size();
  if (!text_.ends_with('\n')) text_ += '\n';
  file.where = {static_cast<uint32_t>(text_.size()), static_cast<uint32_t>(text_.size() + text.size())};
  text_ += text;
  files_.push_back(std::move(file));
  addLines(end);
}

void Source::addLines(size_t from) {
  for (size_t newline = text_.find('\n', from); newline != std::string::npos;
       newline = text_.find('\n', newline + 1))
    lineStarts_.push_back(static_cast<uint32_t>(newline + 1));
}

const SourceFile& Source::fileAt(uint32_t offset) const {
  const auto after = std::upper_bound(files_.begin(), files_.end(), offset,
                                      [](uint32_t at, const SourceFile& f) { return at < f.where.begin; });
  return *std::prev(after);
}

Place Source::placeOf(uint32_t offset) const {
  const SourceFile& file = fileAt(offset);
  Position at = position(offset);
  at.line -= position(file.where.begin).line - 1;
  return {&file, at};
}

std::string_view Source::text(Span s) const {
  const size_t begin = std::min<size_t>(s.begin, text_.size());
  const size_t end = std::clamp<size_t>(s.end, begin, text_.size());
  return std::string_view(text_).substr(begin, end - begin);
}

Position Source::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(text_.size()));
  const auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  const auto line = static_cast<uint32_t>(after - lineStarts_.begin());
  return {line, offset - lineStarts_[line - 1] + 1};
}

std::string_view Source::line(uint32_t line) const {
  if (line == 0 || line > lineCount()) return {};
  const uint32_t begin = lineStarts_[line - 1];
  const uint32_t end = line < lineCount() ? lineStarts_[line] - 1 : static_cast<uint32_t>(text_.size());
  std::string_view result = text({begin, end});
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

uint32_t Source::lineStart(uint32_t line) const {
  if (line == 0) return 0;
  return line > lineCount() ? static_cast<uint32_t>(text_.size()) : lineStarts_[line - 1];
}

} // namespace appyc
