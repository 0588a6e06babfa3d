//===- Scalars.h - scalars of a loop body: private, reduced or carried ------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>
#include <vector>

namespace appyc::analysis {

struct ScalarFacts {
  std::set<Symbol> privates;             ///< every read follows an assignment of the same iteration
  std::vector<ir::Reduction> reductions; ///< used only in `v = v op e`
  std::vector<Symbol> carried;           ///< the rest of what the body assigns
  std::set<Symbol> surelyAssigned;       ///< by every iteration
};
ScalarFacts classifyScalars(const ir::Stmt& body);

} // namespace appyc::analysis
