//===- Imports.h - what import statements bind, and which modules they need -------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"

namespace appyc::frontend {

/// What one import statement binds; nothing for other statements.
std::vector<ast::Import> importsOf(const Source& source, Node statement);
/// Import statements at the top level.
std::vector<ast::Import> readImports(const Source& source, Node root);

/// `numba.njit` of `nb.njit`, for whatever name the file has imported it under; NumbaPro's names are Numba's.
std::string nameInFull(std::string name, const std::vector<ast::Import>& imports);

/// Every name that the file binds at its top level, in branches, too.
std::set<std::string> boundNames(const Source& source, Node root);
/// May the module have names of which its text does not tell?
bool mayBindMore(const Source& source, Node root);

} // namespace appyc::frontend
