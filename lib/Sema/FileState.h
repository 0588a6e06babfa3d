//===- FileState.h - what functions keep between their calls ------------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <set>
#include <string>

namespace appyc::sema {

/// Has the module functions that keep what they have computed?
bool hasCaches(const ast::Module& module);
/// The module, in which names that functions bind are items of a dict that entries are given. `keeps`: a dict has what cached
/// functions that call themselves have computed, too. `floats`: which of those names become floats.
ast::Module withFileState(const ast::Module& module, bool keeps, const std::set<std::string>& floats);

} // namespace appyc::sema
