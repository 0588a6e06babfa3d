//===- Rebindings.h - which statement gives a name of the file its last meaning ---------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/Support/Source.h"
#include <map>
#include <string>

namespace appyc::frontend {

/// The last statement at the top level that binds each name: a definition (with its decorators), an import or an
/// assignment. Functions run when the whole file has, so that this is what they see.
std::map<std::string, Node> lastBindings(const Source& source, Node root);

} // namespace appyc::frontend
