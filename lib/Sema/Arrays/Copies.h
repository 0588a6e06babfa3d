//===- Copies.h - copies that stand where Python binds a second name to an array ----------------------===//
// `if c: x = a` / `else: x = b` gives `x` a buffer of its own, into which each path copies: right as long as
// nobody can tell the copy from the array itself. checkCopies() says where one could.
#pragma once
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <map>
#include <string>

namespace appyc::sema {

/// One statement that binds a name to an array by copying it.
struct Copy {
  Symbol source;    ///< the array that Python would share; none: a new value
  std::string name; ///< as in Python; empty: the value of an expression
  Span where;
  bool always = false;    ///< not only on some paths
  bool outlives = false;  ///< the source is the file's, which later calls read
  bool adds = false;      ///< to what else the target shares: a list, which gets one more array
  bool givesBack = false; ///< where the target is the source in Python, and nowhere else
  bool begins = false; ///< nothing is copied: from the assignment to the variable on, `source` is a new array
};
/// By the statement's first index, which no other statement has, or the variable that it assigns.
using Copies = std::map<Symbol, Copy>;

/// Reports each store that NumPy would show through another name and the copy does not: into the copy, if its
/// source (or the caller) reads it afterwards, or into the source, if the copy is read afterwards. Follows
/// every path, loops until nothing changes. Level Tensor, as Sema leaves it. Does nothing without copies.
void checkCopies(const ir::Function& function, const Copies& copies, Diagnostics& diag);

} // namespace appyc::sema
