//===- Dialects.h - notations of parallelism -------------------------------------------------------===//
// A dialect is one file in Dialects/ and one row of dialects(). It turns a comment into the neutral
// directives of AST/Directive.h; where the comment may stand is the same for all and is checked in
// Pragmas.cpp.
#pragma once
#include "Piece.h"
#include "appyc/AST/Directive.h"
#include "appyc/Support/Diagnostics.h"
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace appyc::frontend {

/// The comment is the dialect's but cannot be read; that has been reported.
struct BadDirective {};
using Directive = std::variant<BadDirective, ast::LoopDirective, ast::StatementDirective>;

struct Dialect {
  std::string_view name;
  /// Reads a comment (from its `#` to the line end); nothing if it is not of this dialect.
  std::optional<Directive> (*readComment)(const Piece& comment, Diagnostics& diag);
};

std::span<const Dialect> dialects();

/// APPy: `#pragma parallel for simd`, `#pragma :M=>parallel,block(64)`.
std::optional<Directive> readAppyPragma(const Piece& comment, Diagnostics& diag);

} // namespace appyc::frontend
