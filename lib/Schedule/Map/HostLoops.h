//===- HostLoops.h - the loops of the host program, wherever they stand -------------------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Nodes.h"
#include <functional>
#include <vector>

namespace appyc::schedule {

/// What a list of statements of the host program becomes. `around`: the loops that it stands in.
using ListStrategy =
    std::function<std::vector<ir::Stmt>(const std::vector<ir::Stmt>& list, const analysis::Context& around)>;
/// What a serial loop of the host program becomes; an empty handle: it stays, and those inside are looked at. It runs up,
/// as do all free loops in it.
using LoopStrategy = std::function<ir::Stmt(const ir::Stmt& loop, const analysis::Context& around)>;

/// The function's body with `strategy` applied to each list of statements that the host runs, outer ones first: under
/// branches, in serial loops. Not in parallel loops and in those that the text wants in order: these are kernels.
ir::Stmt mapHostLists(const ir::Function&, const ListStrategy& strategy);
/// The same, to each serial loop in steps of 1 of which nothing is asked.
ir::Stmt mapHostLoops(const ir::Function&, const LoopStrategy& strategy);

/// A loop in steps of -1 as one in steps of 1; other statements as they are.
ir::Stmt upward(const ir::Stmt&);
/// The same with all loops in `s` whose order is free.
ir::Stmt freeLoopsUpward(const ir::Stmt& s);

} // namespace appyc::schedule
