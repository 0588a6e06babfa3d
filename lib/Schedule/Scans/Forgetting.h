//===- Forgetting.h - steps after which what the first one started from may be forgotten ----------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>

namespace appyc::schedule {

/// Is each state scaled in a step, or begun anew in some? Sums, extremes and counts keep what they have had.
bool mayForget(const ir::Stmt& step, const std::set<Symbol>& states);

} // namespace appyc::schedule
