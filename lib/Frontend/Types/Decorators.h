//===- Decorators.h - what a decorator says of a function -----------------------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::frontend {

/// Reads `@appy.jit(...)` and `@appy.shader` above a function; `outer` is the definition with its decorators.
/// Options that matter at run time only are remarked on; unknown ones and values that are no literals are
/// errors. Decorators of other packages are left alone.
ast::FunctionDirective readDecorators(const Source& source, Node outer,
                                      const std::vector<ast::Import>& imports, Diagnostics& diag);

} // namespace appyc::frontend
