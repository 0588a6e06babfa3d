//===- Stencils.h - `@stencil` of Numba -----------------------------------------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <string>

namespace appyc::frontend {

/// The decorator of a definition that makes a stencil of it; empty if there is none.
Node stencilDecorator(const Source& source, Node outer, const std::vector<ast::Import>& imports);
/// What the library's `stencil` is given beside the function, a tuple.
std::string givenToStencil(const Source& source, Node outer, Node decorator, Diagnostics& diag);

} // namespace appyc::frontend
