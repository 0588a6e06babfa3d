//===- Numba.h - Numba's and NumbaPro's decorators ------------------------------------------------===//
#pragma once
#include "Dialects.h"
#include "appyc/Frontend/Ufuncs.h"
#include <optional>

namespace appyc::frontend {

/// `f4(f4, f4[:])`, `void(f8[:])`, `(f8[:], f8[:])`: of the last, no results are known. `isText`: it stands in quotes.
/// Nothing after an error, which is reported.
/// Names that the file binds at its top level above `at` stand for their types: `vector = float64[:]`.
std::optional<GivenTypes> readNumbaSignature(const Piece& text, bool isText, const Source& source, Node at,
                                             Diagnostics& diag);
/// What a name was last given at the top level above; of other values themselves.
Node meantAbove(const Source& source, Node value);
/// Options of `@jit` and `@cuda.jit` that Numba has not.
void checkNumbaOptions(const NamedCall& decorator, Diagnostics& diag);

/// The `def` of a statement of the top level, or the function or lambda that `f = vectorize(...)(g)` is of; empty if there is none.
Node functionOfDefinition(const Source& source, Node outer);
/// Nodes whose first child is a decorator: those of a definition, and the call of `f = jit("f8(f8)")(g)` with types of Numba's.
std::vector<Node> decoratorsOf(const Source& source, Node outer, const std::vector<ast::Import>& imports);
/// The decorator of a definition that makes a ufunc of it; empty if there is none, or none that says types.
Node ufuncDecorator(const Source& source, Node outer, const std::vector<ast::Import>& imports);
/// Whether it is `@guvectorize`.
bool isGeneralUfunc(const Source& source, Node decorator, const std::vector<ast::Import>& imports);
/// What it says of the function. Nothing after an error, which is reported.
std::optional<Ufunc> readUfunc(const Source& source, Node outer, const std::vector<ast::Import>& imports,
                               Diagnostics& diag);
/// What the library's function of the decorator is given beside the function, a tuple.
std::string givenToMaker(const Ufunc& ufunc);

} // namespace appyc::frontend
