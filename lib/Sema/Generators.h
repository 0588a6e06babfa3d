//===- Generators.h - loops over generators of the file ---------------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"

namespace appyc::sema {

/// The module with the text of its generators in the loops that run over them, where that is known to be right.
ast::Module withGeneratorsInPlace(const ast::Module& module);

} // namespace appyc::sema
