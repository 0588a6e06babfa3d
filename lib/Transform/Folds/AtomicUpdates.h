//===- AtomicUpdates.h - updates of elements that several iterations may meet ------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>

namespace appyc::transform {

/// The first update of an element that the data choose: `y[k[i]] += v`, with no iteration's row its own. Empty if there is none.
ir::Stmt chosenUpdate(const ir::For& loop);
/// Are all stores but those to arrays of `own` updates by one operator an array, and is no array that is updated read otherwise?
bool updatesOnly(const ir::Stmt& body, const std::set<Symbol>& own = {});
/// The statement with integers that it updates updated indivisibly.
ir::Stmt withAtomicUpdates(const ir::Stmt& s);

} // namespace appyc::transform
