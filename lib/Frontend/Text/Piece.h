//===- Piece.h - a piece of text and its place in the source --------------------------------------===//
#pragma once
#include "appyc/Support/Source.h"
#include <optional>
#include <string_view>
#include <vector>

namespace appyc::frontend {

/// Text of an annotation, which the tree-sitter grammar does not know. `begin` is where it starts in the
/// source; a text from the command line has no such place and all of it counts as standing at `fixed`.
struct Piece {
  std::string_view text;
  uint32_t begin = 0;
  std::optional<Span> fixed;

  Span span() const;
  bool empty() const { return text.empty(); }
  Piece sub(size_t from, size_t length = std::string_view::npos) const;
  /// Without blanks at either end.
  Piece trimmed() const;
  /// Position of `what` outside brackets, or npos.
  size_t find(std::string_view what) const;
  /// Parts between `separator`s that stand outside brackets, trimmed. An empty text has no parts.
  std::vector<Piece> split(char separator) const;
  /// Words between blanks that stand outside brackets.
  std::vector<Piece> words() const;
  /// Whether every bracket is closed by its counterpart.
  bool balanced() const;
  /// The identifier at the start; may be empty.
  std::string_view leadingName() const;
};

/// `name(argument)` or `name`.
struct CallText {
  Piece name;
  std::optional<Piece> argument;
};
/// Empty unless the piece has that form.
std::optional<CallText> readCall(const Piece& piece);

bool isIdentifier(std::string_view text);
/// Whether the text is decimal digits only.
bool isInteger(std::string_view text);

} // namespace appyc::frontend
