//===- Piece.cpp - a piece of text and its place in the source ------------------------------------===//
#include "Piece.h"
#include <algorithm>

namespace appyc::frontend {

namespace {
constexpr std::string_view blanks = " \t\r\n\f\v";
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
/// +1 for an opening bracket, -1 for a closing one.
int nesting(char c) {
  if (c == '(' || c == '[' || c == '{') return 1;
  return c == ')' || c == ']' || c == '}' ? -1 : 0;
}
} // namespace

Span Piece::span() const { return fixed ? *fixed : Span{begin, begin + static_cast<uint32_t>(text.size())}; }

Piece Piece::sub(size_t from, size_t length) const {
  from = std::min(from, text.size());
  return {text.substr(from, length), begin + static_cast<uint32_t>(from), fixed};
}

Piece Piece::trimmed() const {
  const size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return sub(0, 0);
  return sub(first, text.find_last_not_of(blanks) - first + 1);
}

size_t Piece::find(std::string_view what) const {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (depth <= 0 && text.substr(i).starts_with(what)) return i;
    depth += nesting(text[i]);
  }
  return std::string_view::npos;
}

std::vector<Piece> Piece::split(char separator) const {
  std::vector<Piece> parts;
  if (trimmed().empty()) return parts;
  Piece rest = *this;
  for (size_t at = rest.find({&separator, 1}); at != std::string_view::npos;
       at = rest.find({&separator, 1})) {
    parts.push_back(rest.sub(0, at).trimmed());
    rest = rest.sub(at + 1);
  }
  parts.push_back(rest.trimmed());
  return parts;
}

std::vector<Piece> Piece::words() const {
  std::vector<Piece> found;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    const bool gap = i == text.size() || (depth <= 0 && blanks.find(text[i]) != std::string_view::npos);
    if (gap) {
      if (i > start) found.push_back(sub(start, i - start));
      start = i + 1;
    } else {
      depth += nesting(text[i]);
    }
  }
  return found;
}

bool Piece::balanced() const {
  std::vector<char> open;
  for (const char c : text) {
    if (nesting(c) > 0) open.push_back(c);
    if (nesting(c) >= 0) continue;
    const char counterpart = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (open.empty() || open.back() != counterpart) return false;
    open.pop_back();
  }
  return open.empty();
}

std::string_view Piece::leadingName() const {
  size_t length = 0;
  while (length < text.size() && (isLetter(text[length]) || (length > 0 && isDigit(text[length])))) ++length;
  return text.substr(0, length);
}

std::optional<CallText> readCall(const Piece& piece) {
  const std::string_view name = piece.leadingName();
  if (name.empty()) return {};
  const Piece rest = piece.sub(name.size()).trimmed();
  CallText call{piece.sub(0, name.size()), {}};
  if (rest.empty()) return call;
  if (!rest.text.starts_with('(') || !rest.text.ends_with(')') || !rest.balanced()) return {};
  call.argument = rest.sub(1, rest.text.size() - 2).trimmed();
  if (!call.argument->balanced()) // `(a)(b)`
    return {};
  return call;
}

bool isIdentifier(std::string_view text) {
  return !text.empty() && Piece{text, 0, {}}.leadingName().size() == text.size();
}

bool isInteger(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

} // namespace appyc::frontend
