//===- Placement.h - where scalar variables are declared ------------------------------------------------===//
// The ir assigns; C++ declares. A variable is declared in the innermost sequence of statements that holds all
// its uses: by its first assignment where that is possible, else before the first statement that mentions it.
// One whose values do not pass from one statement to another is declared anew inside each, and so it always is in a loop
// whose iterations run in parallel.
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>
#include <vector>

namespace appyc::target {

struct Placement {
  struct Item {
    std::vector<Symbol> before; ///< declared before the statement
    bool declares = false;      ///< the statement, an Assign, declares its variable
    bool isConst = false;       ///< ... and nothing assigns it later
    bool isUnread = false;      ///< ... and nobody reads it
    std::set<Symbol> inside;    ///< declared in the statement's own bodies
    std::set<Symbol> liveOut;   ///< variables whose values are read after the statement
  };
  std::vector<Item> items;
};

/// For the statements of one sequence, of which `pending` are to be declared; `liveOut`: read after the
/// sequence.
Placement place(const ir::Function&, const std::vector<ir::Stmt>& sequence, const std::set<Symbol>& pending,
                const std::set<Symbol>& liveOut);

/// Variables that `s` may read before it assigns them. A Return reads the function's scalar results.
std::set<Symbol> exposedReads(const ir::Function&, const ir::Stmt& s);
/// Variables read after one run of the loop's body.
std::set<Symbol> liveAfterBody(const ir::Function&, const ir::Stmt& loop, const std::set<Symbol>& liveOut);
/// Variables that `region` assigns and that nothing reads there but assignments of other such variables.
std::set<Symbol> deadVariables(const ir::Function&, const ir::Stmt& region);
/// The statements of a block and of blocks in it, or the one statement.
std::vector<ir::Stmt> allStatementsOf(const ir::Stmt&);

} // namespace appyc::target
