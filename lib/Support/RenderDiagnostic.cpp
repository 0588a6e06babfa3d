//===- RenderDiagnostic.cpp - diagnostics as text for people and as JSON for tools ---------------===//
#include "appyc/Support/Diagnostics.h"
#include "appyc/Support/Utf8.h"
#include <algorithm>
#include <fmt/color.h>

namespace appyc {

namespace {

constexpr uint32_t tabWidth = 8;
constexpr uint32_t snippetWidth = 120; // columns of source shown; longer lines are cut around the caret

//===- text as the terminal shows it ------------------------------------------------------------===//

/// Terminal columns of a character: 0 combining, 2 East Asian wide, else 1. Coarse ranges, no locale.
uint32_t columnsOf(uint32_t c) {
  if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F) ||
      c == 0xFEFF)
    return 0;
  const bool wide =
      (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
      (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
      (c >= 0x1F300 && c <= 0x1F64F) || (c >= 0x1F900 && c <= 0x1F9FF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

/// One shown character: where it starts in the source line, its column on the screen, what is printed.
struct Cell {
  uint32_t byte;
  uint32_t column;
  uint32_t width;
  std::string text;
};

/// The line as cells; a last, empty cell marks its end. Control and malformed bytes become `<XX>`.
std::vector<Cell> layOut(std::string_view line) {
  std::vector<Cell> cells;
  uint32_t column = 0;
  for (uint32_t byte = 0; byte < line.size();) {
    const auto first = static_cast<unsigned char>(line[byte]);
    const size_t length = characterLength(line.substr(byte));
    Cell cell{byte, column, 1, {}};
    if (first == '\t') {
      cell.width = tabWidth - column % tabWidth;
      cell.text = std::string(cell.width, ' ');
    } else if (length == 0 || first < 0x20 || first == 0x7F) {
      cell.text = fmt::format("<{:02X}>", first);
      cell.width = 4;
    } else {
      cell.text = std::string(line.substr(byte, length));
      cell.width = columnsOf(codePoint(cell.text));
    }
    column += cell.width;
    byte += static_cast<uint32_t>(std::max<size_t>(length, 1));
    cells.push_back(std::move(cell));
  }
  cells.push_back({static_cast<uint32_t>(line.size()), column, 1, {}});
  return cells;
}

uint32_t columnOfByte(const std::vector<Cell>& cells, uint32_t byte) {
  const auto after = std::upper_bound(cells.begin(), cells.end(), byte,
                                      [](uint32_t b, const Cell& cell) { return b < cell.byte; });
  return std::prev(after)->column;
}

//===- text form --------------------------------------------------------------------------------===//

std::string painted(std::string_view text, fmt::text_style style, bool colour) {
  return colour ? fmt::format(style, "{}", text) : std::string(text);
}

std::string_view severityName(Severity severity) {
  switch (severity) {
  case Severity::Error: return "error";
  case Severity::Warning: return "warning";
  case Severity::Remark: return "remark";
  case Severity::Note: return "note";
  }
  return "error";
}

fmt::text_style severityStyle(Severity severity) {
  using fmt::terminal_color;
  switch (severity) {
  case Severity::Error: return fmt::emphasis::bold | fg(terminal_color::bright_red);
  case Severity::Warning: return fmt::emphasis::bold | fg(terminal_color::bright_magenta);
  case Severity::Remark: return fmt::emphasis::bold | fg(terminal_color::bright_blue);
  case Severity::Note: return fmt::emphasis::bold | fg(terminal_color::bright_cyan);
  }
  return {};
}

std::string withoutTrailingBlanks(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

bool onOneLine(const Source& source, Span where) {
  return source.position(where.begin).line == source.position(where.end).line;
}

/// A fix is shown under the source line where it fits there.
bool fitsUnderLine(const Source& source, Span where, const FixIt& fix) {
  return source.position(fix.where.begin).line == source.position(where.begin).line &&
         onOneLine(source, fix.where) && fix.replacement.find_first_of("\n\t") == std::string::npos;
}

/// The part of a line that is worth laying out: all of it, or of a very long one what is around `caret`.
struct Excerpt {
  std::string_view text;
  uint32_t skipped; ///< bytes of the line before it
  bool cutAfter;
};

Excerpt excerpt(std::string_view line, uint32_t caret) {
  constexpr uint32_t reach = 1024; // far more than is shown, whatever the characters' widths
  const auto inCharacter = [&](uint32_t byte) {
    return byte < line.size() && (static_cast<unsigned char>(line[byte]) & 0xC0) == 0x80;
  };
  uint32_t from = caret > reach ? caret - reach : 0;
  uint32_t upTo = std::min(caret + reach, static_cast<uint32_t>(line.size()));
  for (int i = 0; i < 3 && inCharacter(from); ++i) ++from;
  for (int i = 0; i < 3 && inCharacter(upTo); ++i) ++upTo;
  return {line.substr(from, upTo - from), from, upTo < line.size()};
}

/// Source line, caret and range, and replacement text below it.
std::string snippet(const Source& source, Span where, const FixIt* fix, bool colour) {
  const Position at = source.position(where.begin);
  const Excerpt part = excerpt(source.line(at.line), where.begin - source.lineStart(at.line));
  const std::string_view line = part.text;
  const uint32_t start = source.lineStart(at.line) + part.skipped;
  const std::vector<Cell> cells = layOut(line);

  const auto length = static_cast<uint32_t>(line.find_last_not_of(" \t") + 1);
  const uint32_t caret = columnOfByte(cells, where.begin - start);
  // A range that goes on over the line end is underlined to the line's last character.
  const uint32_t endByte =
      onOneLine(source, where) ? where.end - start : std::max(length, where.begin - start);
  const uint32_t end = std::max(caret + 1, columnOfByte(cells, endByte));

  const uint32_t total = cells.back().column;
  uint32_t from = 0, upTo = total;
  if (total > snippetWidth) {
    from = caret > snippetWidth / 2 ? std::min(caret - snippetWidth / 2, total - snippetWidth) : 0;
    upTo = std::max(from + snippetWidth, std::min(caret + 1, total));
  }

  const std::string_view cut = "...";
  std::string text = from > 0 || part.skipped > 0 ? std::string(cut) : "";
  const auto indent = static_cast<uint32_t>(text.size());
  for (const Cell& cell : cells)
    if (cell.column >= from && cell.column + cell.width <= upTo) text += cell.text;
  if (upTo < total || part.cutAfter) text += cut;

  const auto shown = [&](uint32_t column) { return column > from ? column - from + indent : indent; };
  const uint32_t shownEnd = std::max(shown(caret) + 1, shown(std::min(end, std::max(upTo, caret + 1))));
  const std::string mark = fmt::format("^{}", std::string(shownEnd - shown(caret) - 1, '~'));
  const auto green = fmt::emphasis::bold | fg(fmt::terminal_color::bright_green);
  std::string out = withoutTrailingBlanks(std::move(text)) + "\n";
  out += std::string(shown(caret), ' ') + painted(mark, green, colour) + "\n";
  if (fix && !fix->replacement.empty() && fitsUnderLine(source, where, *fix)) {
    const uint32_t fixColumn = shown(columnOfByte(cells, std::max(fix->where.begin, start) - start));
    out += std::string(fixColumn, ' ') + painted(fix->replacement, fg(fmt::terminal_color::green), colour) +
           "\n";
  }
  return out;
}

std::string message(const Source& source, Span where, Severity severity, std::string_view text,
                    std::string_view id, const FixIt* fix, bool colour) {
  const auto [file, at] = source.placeOf(where.begin);
  const auto bold = fmt::text_style(fmt::emphasis::bold);
  std::string out = painted(fmt::format("{}:{}:{}: ", file->name, at.line, at.column), bold, colour);
  out += painted(fmt::format("{}: ", severityName(severity)), severityStyle(severity), colour);
  const std::string said = id.empty() ? std::string(text) : fmt::format("{} [{}]", text, id);
  out += (severity == Severity::Note ? said : painted(said, bold, colour)) + "\n";
  // The empty range at the very start stands for the file as a whole: nothing to point at.
  if (!(where == Span{})) out += snippet(source, where, fix, colour);
  return out;
}

std::string fixAsNote(const Source& source, const FixIt& fix, bool colour) {
  const std::string_view old = source.text(fix.where);
  const std::string text = old.empty()               ? fmt::format("insert `{}`", fix.replacement)
                           : fix.replacement.empty() ? fmt::format("remove `{}`", old)
                                                     : fmt::format("write `{}`", fix.replacement);
  return message(source, fix.where, Severity::Note, text, {}, nullptr, colour);
}

/// What is shown, in the order of the source.
std::vector<const Diagnostic*> shownInOrder(const Diagnostics& diagnostics, bool remarks) {
  std::vector<const Diagnostic*> shown;
  for (const Diagnostic& d : diagnostics.all())
    if (remarks || d.severity != Severity::Remark) shown.push_back(&d);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const Diagnostic* a, const Diagnostic* b) { return a->where.begin < b->where.begin; });
  return shown;
}

//===- JSON form --------------------------------------------------------------------------------===//

/// JSON is UTF-8: malformed bytes become U+FFFD.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const size_t length = characterLength(text);
    const auto c = static_cast<unsigned char>(text[0]);
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (c == '"' || c == '\\')
      out += {'\\', text[0]};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c < 0x20 || c == 0x7F)
      out += fmt::format("\\u{:04x}", c);
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return out + "\"";
}

std::string jsonPlace(const Source& source, Span where) {
  const Position begin = source.placeOf(where.begin).at, end = source.placeOf(where.end).at;
  return fmt::format(R"("line": {}, "column": {}, "endLine": {}, "endColumn": {})", begin.line, begin.column,
                     end.line, end.column);
}

/// The key of a note that stands in another file than its diagnostic.
std::string otherFile(const Source& source, Span note, Span diagnostic) {
  const SourceFile& file = source.fileAt(note.begin);
  return &file == &source.fileAt(diagnostic.begin) ? "" : fmt::format(R"("file": {}, )", quoted(file.name));
}

std::string jsonObject(const Source& source, const Diagnostic& d) {
  std::vector<std::string> notes;
  for (const DiagNote& note : d.notes)
    notes.push_back(fmt::format(R"({{{}{}, "message": {}}})", otherFile(source, note.where, d.where),
                                jsonPlace(source, note.where), quoted(note.text)));
  const std::string fix = d.fix ? fmt::format(R"({{{}, "replacement": {}}})", jsonPlace(source, d.fix->where),
                                              quoted(d.fix->replacement))
                                : "null";
  return fmt::format(
      R"({{"file": {}, {}, "severity": "{}", "id": "{}", "message": {}, "notes": [{}], "fix": {}}})",
      quoted(source.fileAt(d.where.begin).name), jsonPlace(source, d.where), severityName(d.severity),
      info(d.id).name, quoted(d.text), fmt::join(notes, ", "), fix);
}

} // namespace

std::string renderText(const Diagnostics& diagnostics, const Source& source, bool colour, bool remarks) {
  std::string out;
  for (const Diagnostic* d : shownInOrder(diagnostics, remarks)) {
    const FixIt* fix = d->fix ? &*d->fix : nullptr;
    out += message(source, d->where, d->severity, d->text, info(d->id).name, fix, colour);
    for (const DiagNote& note : d->notes)
      out += message(source, note.where, Severity::Note, note.text, {}, nullptr, colour);
    // A whole line to insert is named by the message.
    const bool isLine = fix && fix->where.begin == fix->where.end && fix->replacement.ends_with('\n');
    if (fix && !isLine && (fix->replacement.empty() || !fitsUnderLine(source, d->where, *fix)))
      out += fixAsNote(source, *fix, colour);
  }
  return out;
}

std::string renderJson(const Diagnostics& diagnostics, const Source& source, bool remarks) {
  std::vector<std::string> objects;
  for (const Diagnostic* d : shownInOrder(diagnostics, remarks))
    objects.push_back(fmt::format("  {}", jsonObject(source, *d)));
  return objects.empty() ? "[]\n" : fmt::format("[\n{}\n]\n", fmt::join(objects, ",\n"));
}

} // namespace appyc
