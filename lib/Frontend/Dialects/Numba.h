//===- Numba.h - Numba's and NumbaPro's decorators ------------------------------------------------===//
#pragma once
#include "Piece.h"
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Frontend/Ufuncs.h"
#include "appyc/Support/Diagnostics.h"
#include <optional>
#include <string>
#include <vector>

namespace appyc::frontend {

/// `numba.vectorize` for whatever name the file has imported it under; NumbaPro's names are Numba's.
std::string numbaPath(std::string_view name, const std::vector<ast::Import>& imports);

/// `f4(f4, f4[:])`, `void(f8[:])`, `(f8[:], f8[:])`.
struct NumbaSignature {
  std::optional<Ufunc::Operand> result; ///< of `void` and of a tuple none
  bool isTuple = false;
  std::vector<Ufunc::Operand> params;
};
/// Nothing after an error, which is reported.
std::optional<NumbaSignature> readNumbaSignature(const Piece& text, Diagnostics& diag);

/// The decorator of a definition that makes a ufunc of it; empty if there is none, or none that says types.
Node ufuncDecorator(const Source& source, Node outer, const std::vector<ast::Import>& imports);
/// What it says of the function. Nothing after an error, which is reported.
std::optional<Ufunc> readUfunc(const Source& source, Node outer, const std::vector<ast::Import>& imports,
                               Diagnostics& diag);

} // namespace appyc::frontend
