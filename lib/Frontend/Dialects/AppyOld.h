//===- AppyOld.h - pragmas of APPy's prototypes, in their present spelling ------------------------------===//
#pragma once
#include "Piece.h"
#include <optional>
#include <string>
#include <string_view>

namespace appyc::frontend {

/// What to write for a pragma of 2023's prototypes.
struct PresentForm {
  std::string advice;
  /// The whole pragma after `#pragma`; empty: remove the comment. Not given where the old text does not tell.
  std::optional<std::string> text;
};

/// Translates `par_dim(:M:BM)`, `dim(1:M-1,parallel)`, `block parallel`, `start fusion` and the like; nothing
/// for any other text. `body` is what follows `#pragma`, and is not empty.
std::optional<PresentForm> presentForm(const Piece& body);

/// `reduce(max:t0),reduce(sum:t2)` for the argument `max:t0,+:t2` of an old `r(...)`.
std::string presentReductions(const Piece& argument);

} // namespace appyc::frontend
