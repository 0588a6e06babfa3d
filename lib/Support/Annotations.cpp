//===- Annotations.cpp - the pragmas that would say by hand what was found automatically ----------------===//
#include "appyc/Support/Annotations.h"

namespace appyc {

namespace {
struct Line {
  uint32_t start;
  std::string text; ///< with the statement's indentation and a line end
};

/// The line for a pragma above the statement, if the statement starts a line.
std::optional<Line> lineAbove(const Source& source, Span statement, const std::string& pragma) {
  const uint32_t start = source.lineStart(source.position(statement.begin).line);
  const std::string indent(source.text({start, statement.begin}));
  if (indent.find_first_not_of(" \t") != std::string::npos) return {};
  return Line{start, indent + pragma + "\n"};
}
} // namespace

void Annotations::report(const Source& source, Diagnostics& diag) const {
  for (const auto& [place, pragma] : pragmas_)
    if (const std::optional<Line> line = lineAbove(source, pragma.statement, pragma.text))
      diag.report(DiagId::Annotation, pragma.statement, fmt::format("as if annotated by `{}`", pragma.text))
          .replaceWith({line->start, line->start}, line->text);
}

std::string Annotations::applied(const Source& source) const {
  std::string out;
  uint32_t copied = 0;
  for (const auto& [place, pragma] : pragmas_)
    if (const std::optional<Line> line = lineAbove(source, pragma.statement, pragma.text);
        line && &source.fileAt(place) == &source.files().front()) {
      out += source.text({copied, line->start});
      out += line->text;
      copied = line->start;
    }
  return out + std::string(source.text({copied, source.files().front().where.end}));
}

} // namespace appyc
