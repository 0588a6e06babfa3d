//===- Syntax.cpp - texts that are not Python -----------------------------------------------------===//
#include "Syntax.h"
#include "Piece.h"
#include "Pragmas.h"
#include "Types.h"
#include "appyc/Support/Utf8.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

//===- brackets and strings -------------------------------------------------------------------------===//

struct Fault {
  Span where;
  std::string message;
};

/// Quotes of the string literal that starts at `start`.
std::string_view quotesAt(std::string_view text, size_t start) {
  const std::string_view rest = text.substr(start);
  const bool triple = rest.starts_with("\"\"\"") || rest.starts_with("'''");
  return rest.substr(0, triple ? 3 : 1);
}

/// Where the string literal that starts at `start` ends; npos if it is not closed.
size_t stringEnd(std::string_view text, size_t start) {
  const std::string_view quotes = quotesAt(text, start);
  for (size_t i = start + quotes.size(); i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text.substr(i).starts_with(quotes))
      return i + quotes.size();
    else if (text[i] == '\n' && quotes.size() == 1)
      break;
  }
  return std::string_view::npos;
}

/// Finds brackets and strings that are not closed. tree-sitter repairs these in its own way, which may put
/// its error nodes far from the place that a reader would name.
class BracketScanner {
public:
  explicit BracketScanner(std::string_view text, size_t from) : text_(text), from_(from) {}

  std::optional<Fault> scan() {
    for (size_t i = from_; i < text_.size() && !fault_;) {
      const char c = text_[i];
      if (c == '#')
        i = std::min(text_.find('\n', i), text_.size());
      else if (c == '"' || c == '\'')
        i = afterString(i);
      else if (c == '\n')
        i = afterNewline(i);
      else
        bracket(i++);
    }
    if (!fault_ && !open_.empty()) neverClosed();
    return fault_;
  }

private:
  void fail(size_t from, size_t to, std::string message) {
    fault_ = Fault{{static_cast<uint32_t>(from), static_cast<uint32_t>(to)}, std::move(message)};
  }

  void neverClosed() {
    fail(open_.back(), open_.back() + 1, fmt::format("`{}` is never closed", text_[open_.back()]));
  }

  size_t afterString(size_t start) {
    const size_t end = stringEnd(text_, start);
    if (end != std::string_view::npos) return end;
    fail(start, start + quotesAt(text_, start).size(), "the string that starts here is not closed");
    return text_.size();
  }

  /// A line that starts as only a statement can tells that a bracket before it has been forgotten.
  size_t afterNewline(size_t newline) {
    constexpr std::array starts{"def", "class", "return", "while", "import", "try", "raise", "pass", "elif"};
    const size_t first = text_.find_first_not_of(" \t\r\n", newline);
    if (first == std::string_view::npos) return text_.size();
    const std::string_view word = Piece{text_.substr(first, 16), 0, {}}.leadingName();
    if (!open_.empty() && std::find(starts.begin(), starts.end(), word) != starts.end()) neverClosed();
    return first;
  }

  void bracket(size_t i) {
    constexpr std::string_view opening = "([{", closing = ")]}";
    const char c = text_[i];
    if (opening.find(c) != std::string_view::npos) {
      open_.push_back(i);
      return;
    }
    const size_t kind = closing.find(c);
    if (kind == std::string_view::npos) return;
    if (open_.empty())
      fail(i, i + 1, fmt::format("`{}` closes nothing", c));
    else if (text_[open_.back()] != opening[kind])
      fail(i, i + 1, fmt::format("`{}` does not close `{}`", c, text_[open_.back()]));
    else
      open_.pop_back();
  }

  std::string_view text_;
  size_t from_;
  std::vector<size_t> open_;
  std::optional<Fault> fault_;
};

//===- error nodes ----------------------------------------------------------------------------------===//

/// Outermost places that tree-sitter could not read; inside one, the innermost first, which is the nearest to
/// the fault.
std::vector<Node> faultyNodes(Node root) {
  std::vector<Node> found;
  uint32_t outerEnd = 0;
  walk(root, [&](Node node, size_t depth) {
    const bool faulty = (node.isError() || node.isMissing()) && depth > 0;
    if (faulty && !found.empty() && node.end() <= outerEnd && found.back().begin() <= node.begin() &&
        found.back().end() >= node.end()) {
      found.back() = node;
    } else if (faulty && (found.empty() || node.begin() >= outerEnd)) {
      found.push_back(node);
      outerEnd = node.end();
    }
    return node.hasError();
  });
  return found;
}

/// The end of the line where a compound statement's colon is missing.
std::optional<uint32_t> missingColon(const Source& source, uint32_t offset) {
  constexpr std::array keywords{"if", "elif", "else", "for", "while", "def", "class", "with", "try"};
  const uint32_t number = source.position(offset).line;
  const Piece line = Piece{source.line(number), source.lineStart(number), {}}
                         .sub(0, source.line(number).find('#'))
                         .trimmed();
  const bool isHeader = std::find(keywords.begin(), keywords.end(), line.leadingName()) != keywords.end();
  if (!isHeader || !line.balanced() || line.text.ends_with('\\') || line.find(":") != std::string_view::npos)
    return {};
  return line.span().end;
}

Fault describe(const Source& source, Node node) {
  if (node.isMissing() && !node.isNamed()) return {node.span(), fmt::format("expected `{}`", node.kind())};
  if (const std::optional<uint32_t> colon = missingColon(source, node.begin()))
    return {{*colon, *colon}, "expected `:` at the end of this line"};
  constexpr size_t mostShown = 40;
  std::string_view shown = source.text(node.span());
  shown = shown.substr(0, shown.find_first_of("\r\n"));
  const Span where{node.begin(), node.begin() + static_cast<uint32_t>(shown.size())};
  while (shown.size() > mostShown ||
         (!shown.empty() && (shown.back() & 0x80) && shown.size() + 4 > mostShown))
    shown.remove_suffix(1);
  if (shown.empty()) return {where, "something is missing here"};
  return {where, fmt::format("invalid syntax near `{}`", shown)};
}

/// May the statement at the start of `text` have annotations: `def f(`, or `name:`?
bool mayAnnotate(std::string_view text) {
  const Piece line = Piece{text.substr(0, text.find('\n')), 0, {}}.trimmed();
  const std::string_view name = line.leadingName();
  if (name == "def" || name == "async") return true;
  return !name.empty() && name != "else" && name != "try" && name != "finally" &&
         line.sub(name.size()).trimmed().text.starts_with(':');
}

} // namespace

bool checkReadable(const Source& source, Diagnostics& diag) {
  const std::string_view text = source.text();
  constexpr size_t mostBytes = size_t{1} << 28;
  if (text.size() > mostBytes) {
    diag.report(DiagId::Unreadable, {}, fmt::format("the file has more than {} bytes", mostBytes));
    return false;
  }
  for (size_t i = 0; i < text.size();) {
    const size_t length = characterLength(text.substr(i, 4));
    const auto at = static_cast<uint32_t>(i);
    if (length == 0 || text[i] == '\0') {
      diag.report(DiagId::Unreadable, {at, at + 1},
                  length == 0 ? "the file is not UTF-8: this byte starts no character"
                              : "the file contains a NUL byte");
      return false;
    }
    i += length;
  }
  return true;
}

std::string withoutSlicesInTypes(std::string_view text) {
  std::string out(text);
  std::vector<bool> inType; // for each open bracket, whether a type's extents stand in it
  size_t word = 0;          // start of the name before the current place
  bool annotates = mayAnnotate(text);
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      i = std::min(stringEnd(text, i), text.size()) - 1;
    } else if (c == '(' || c == '[' || c == '{') {
      inType.push_back(annotates && c == '[' &&
                       classifyType({text.substr(word, i - word), 0, {}}) != TypeKind::Foreign);
    } else if ((c == ')' || c == ']' || c == '}') && !inType.empty()) {
      inType.pop_back();
    } else if (c == ':' && !inType.empty() && inType.back()) {
      out[i] = '0';
    } else if (c == '\n' && inType.empty()) {
      annotates = mayAnnotate(text.substr(i + 1));
    } else if (isIdentifier(text.substr(i, 1)) || (c >= '0' && c <= '9') || c == '.') {
      continue;
    }
    word = i + 1;
  }
  return out;
}

void reportSyntaxErrors(const Source& source, Node root, Diagnostics& diag, Span file) {
  constexpr int mostReported = 3; // what follows is mostly a consequence
  if (!root.hasError()) {
    for (const Node statement : root.namedChildren())
      if (firstOnLine(source, statement.begin()) && indentation(source, statement.begin()) > 0 &&
          source.text(file).substr(0, 3) != "\xEF\xBB\xBF") {
        const uint32_t begin = statement.begin();
        diag.report(DiagId::Syntax, {begin, begin}, "unexpected indentation");
        return;
      }
    return;
  }
  if (const std::optional<Fault> fault =
          BracketScanner(source.text().substr(0, file.end), file.begin).scan()) {
    diag.report(DiagId::Syntax, fault->where, fault->message);
    return;
  }
  int reported = 0;
  uint32_t lastLine = 0;
  for (const Node node : faultyNodes(root)) {
    const uint32_t line = source.position(node.begin()).line;
    if (reported == mostReported || (reported > 0 && line <= lastLine + 1)) continue;
    const Fault fault = describe(source, node);
    diag.report(DiagId::Syntax, fault.where, fault.message);
    lastLine = line;
    ++reported;
  }
  if (reported == 0) {
    const Fault fault = describe(source, root);
    diag.report(DiagId::Syntax, fault.where, fault.message);
  }
}

} // namespace appyc::frontend
