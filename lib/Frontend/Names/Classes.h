//===- Classes.h - classes of a file whose instances are fields with names ---------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include <functional>

namespace appyc::frontend {

/// Parses a method, whose decorators have been read.
using MethodReader = std::function<ast::Function(Node function)>;

/// The classes at the top level whose names stand for them in the end: `typing.NamedTuple`, `@dataclass`, `TypedDict`.
/// Any other class has a problem, which is told where it is used.
std::vector<ast::ClassRef> readClasses(const Source& source, Node root,
                                       const std::vector<ast::Import>& imports, const MethodReader& method);

/// What classes have that is more than a number or a text is the file's, as `Grid.STEPS`: it is evaluated there.
void addConstants(const std::vector<ast::ClassRef>& classes, std::vector<ast::Constant>& constants);

} // namespace appyc::frontend
