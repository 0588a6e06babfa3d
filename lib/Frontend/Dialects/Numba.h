//===- Numba.h - Numba's and NumbaPro's decorators ------------------------------------------------===//
#pragma once
#include "Dialects.h"
#include "appyc/Frontend/Ufuncs.h"
#include <optional>

namespace appyc::frontend {

/// `f4(f4, f4[:])`, `void(f8[:])`, `(f8[:], f8[:])`: of the last, no results are known. Nothing after an error, which is
/// reported.
std::optional<GivenTypes> readNumbaSignature(const Piece& text, Diagnostics& diag);

/// The decorator of a definition that makes a ufunc of it; empty if there is none, or none that says types.
Node ufuncDecorator(const Source& source, Node outer, const std::vector<ast::Import>& imports);
/// What it says of the function. Nothing after an error, which is reported.
std::optional<Ufunc> readUfunc(const Source& source, Node outer, const std::vector<ast::Import>& imports,
                               Diagnostics& diag);
/// Why translated code may not call it: a plain call would leave the conversions out that the signatures ask for.
std::string ufuncCalled(std::string_view name);

} // namespace appyc::frontend
