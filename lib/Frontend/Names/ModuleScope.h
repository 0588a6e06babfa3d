//===- ModuleScope.h - names that a file binds outside its functions ------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <functional>
#include <map>
#include <set>

namespace appyc::frontend {

/// Names of a `global` statement that its function binds.
std::vector<Node> namesBoundBy(const Source& source, Node global);

/// Names that functions bind by `global`, and whose only other binding is one assignment of a number at the top level.
/// Functions read and bind them as items of a dict, whose name is kNamesOfFile.
std::set<std::string> changingNames(const Source& source, Node root);

/// Where the file may change the object that a name stands for, and whether it binds another one to it: `h.NAME = 1`.
struct Change {
  Span where;
  bool binds = false;
  bool isPart =
      false; ///< an element alone is passed on, which changes nothing where that is a number or a function
};
/// By names: "TABLE"; of a module "helpers.TABLE".
using Changes = std::map<std::string, Change>;

struct ModuleScope {
  std::vector<ast::Constant> constants;
  Changes changes;
};

/// Names bound at the top level. Those bound only by assignments there, last to an expression of the subset, that no code of
/// the file may change, have a value; the others say why they have none. `isTranslated`: of a `def`, whose
/// stores Sema judges.
ModuleScope readScope(const Source& source, Node root, const std::function<bool(Node)>& isTranslated);

/// Is the value a number, or a tuple of such, which nobody can change?
bool isImmutable(const ast::Expr& e);
/// Does the method of that name change what it is called of?
bool changesItsObject(std::string_view method);

} // namespace appyc::frontend
