//===- Pipeline.cpp - the order of compilation as tables, and why it is so ----------------------------===//
#include "Pipeline.h"
#include "appyc/Driver/Driver.h"
#include "appyc/Sema/Sema.h"
#include "appyc/Target/Target.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::driver {

using ir::Level;
using ir::Pass;
using enum ir::When;

namespace {
// clang-format off
constexpr Pass kTensorPasses[] = {
    {"share-folds", transform::shareFolds, Level::Tensor, Always,
     "first: folds are spelled as the source has them, not yet put where they are read"},
    {"share-routines", transform::shareRoutines, Level::Tensor, Always,
     "as share-folds; after it, by which what goes into calls is equal more often"},
    {"hoist-folds", transform::hoistFolds, Level::Tensor, Always,
     "after share-folds, by which equal folds of a loop are one; before values are forwarded into loops"},
    {"forward-temporaries", transform::forwardTemporaries, Level::Tensor, Always,
     "early: fewer statements to analyse, and values still stand whole in one expression"},
    {"batch-products", transform::batchProducts, Level::Tensor, OnGpu | WithAuto,
     "after forward-temporaries: few statements are left; before buffer-overlaps, which judges the wider ones"},
    {"buffer-overlaps", transform::bufferOverlaps, Level::Tensor, Required,
     "after forward-temporaries, which changes what is read; before loops give the elements an order"},
    {"find-products", transform::findProducts, Level::Tensor, Always,
     "sums still stand whole; after buffer-overlaps, so that no operand is overwritten while it is read"},
    {"mask-operands", transform::maskOperands, Level::Tensor, OnGpu | WithLibraries,
     "after find-products, whose limits it takes; masks and tests are statements that later passes map"},
    {"drop-dead-stores", transform::dropDeadStores, Level::Tensor, Always,
     "after find-products, by which targets set to 0 are not read; statements still tell their elements whole"},
    {"drop-chosen-copies", transform::dropChosenCopies, Level::Tensor, Always,
     "after drop-dead-stores; statements still tell their elements whole"},
    {"drop-round-trips", transform::dropRoundTrips, Level::Tensor, Always,
     "after drop-dead-stores; statements still tell their elements whole, and copies are not joined with other sweeps"},
    {"lower-to-loops", transform::lowerToLoops, Level::Loop, Required,
     "last on index statements: everything after sees loops"},
};
constexpr Pass kLoopPasses[] = {
    {"unroll-periods", transform::unrollPeriods, Level::Loop, Always,
     "before simplify, which drops the branches that a turn does not take"},
    {"find-runs", transform::findRuns, Level::Loop, OnGpu | WithAuto,
     "before close-counters, which counts what loops over runs count"},
    {"search-ahead", transform::searchAhead, Level::Loop, OnGpu | WithAuto,
     "after find-runs, which takes loops that end where runs do; before simplify, by which both ways are plain"},
    {"close-counters", transform::closeCounters, Level::Loop, Always,
     "before simplify, which drops what counters leave behind; all that judge subscripts see loops' indices"},
    {"split-starts", transform::splitStarts, Level::Loop, OnGpu | WithAuto,
     "after close-counters, by which comparisons are with loops' indices; before simplify, which drops the branches that neither loop takes"},
    {"outputs-behind", transform::outputsBehind, Level::Loop, OnGpu | WithAuto,
     "before simplify, by which what only looks for an extreme then is a fold"},
    {"coalesce-copies", transform::coalesceCopies, Level::Loop, Always,
     "before simplify, which drops what is copied to itself then: what branches and steps hand on has one name for all that follow"},
    {"simplify", transform::simplify, Level::Loop, Always,
     "first on loops: none is judged, joined or mapped for what never runs"},
    {"unify-sizes", transform::unifySizes, Level::Loop, Always,
     "before all that compare ranges: they see one name for one size"},
    {"drop-proven-checks", transform::dropProven, Level::Loop, Always,
     "after unify-sizes, which makes checks of equal sizes; before order-checks makes loops with checks serial"},
    {"hoist-checks", transform::hoistChecks, Level::Loop, OnGpu | WithAuto,
     "after drop-proven-checks, by which fewer are left, and of numbers that stay; before batch-sorts and prove-parallel, which want loops without"},
    {"find-failures", transform::findFailures, Level::Loop, OnGpu | WithAuto,
     "after hoist-checks, by which loops have none that are the same in all iterations; before prove-parallel, which judges what it makes"},
    {"recompute-temporaries", transform::recomputeTemporaries, Level::Loop, Always,
     "early: values have names in loops, and what is not stored need not be judged"},
    {"select-ends", transform::selectEnds, Level::Loop, Always,
     "after recompute-temporaries, by which fewer copies are read; before find-best, which may read elements in two places"},
    {"run-where-selected", transform::runWhereSelected, Level::Loop, Always,
     "after recompute-temporaries, which may read what is selected in place; before loops are judged"},
    {"drop-carried-copies", transform::dropCarriedCopies, Level::Loop, Always,
     "after select-ends, which may read elements in place; before hoist-accumulators and prove-parallel, which ask what iterations hand on"},
    {"collect-flags", transform::collectFlags, Level::Loop, Always,
     "before find-best and prove-parallel: what is raised somewhere in a loop is seen as a reduction"},
    {"split-updates", transform::splitUpdates, Level::Loop, OnGpu | WithAuto,
     "before hoist-accumulators, by which what one element collects becomes a scalar"},
    {"split-nests", transform::splitNests, Level::Loop, OnGpu | WithAuto,
     "as split-updates; before gather-updates, which takes nests that update one array"},
    {"gather-updates", transform::gatherUpdates, Level::Loop, OnGpu | WithAuto,
     "as split-updates; before prove-parallel, which judges the loops over elements"},
    {"distribute-updates", transform::distributeUpdates, Level::Loop, OnGpu | WithAuto,
     "as gather-updates, which takes nests; before hoist-accumulators, by which what steps collect is in scalars"},
    {"collect-columns", transform::collectColumns, Level::Loop, OnGpu | WithAuto,
     "after distribute-updates, which takes steps apart; before hoist-accumulators, by which what an element collects is a scalar"},
    {"hoist-accumulators", transform::hoistAccumulators, Level::Loop, Always,
     "before prove-parallel: an element that collects becomes a scalar, which is seen as a reduction"},
    {"find-best", transform::findBest, Level::Loop, OnGpu | WithAuto,
     "after hoist-accumulators, by which keys are scalars; before prove-parallel, which judges what it makes"},
    {"split-ranges", transform::splitRanges, Level::Loop, WithAuto,
     "after hoist-accumulators, by which sums are scalars; before prove-parallel, which judges the parts"},
    {"folds-first", transform::foldsFirst, Level::Loop, OnGpu | WithAuto,
     "after split-ranges, by which a fold over all others is one over those before and one over those behind"},
    {"privatize-arrays", transform::privatizeArrays, Level::Loop, WithAuto,
     "before prove-parallel, which judges the loops that it frees"},
    {"batch-sorts", transform::batchSorts, Level::Loop, OnGpu | WithAuto,
     "after select-ends, which shortens sorts; before prove-parallel, which judges the loops around them"},
    {"size-arrays", transform::sizeArrays, Level::Loop, OnGpu | WithAuto,
     "after privatize-arrays, by which loops have arrays of their own; before prove-parallel, which judges both loops"},
    {"buffer-loops", transform::bufferLoops, Level::Loop, OnGpu | WithAuto,
     "after hoist-accumulators and find-best, which take what collects; before prove-parallel, which keeps what it proves"},
    {"relax-updates", transform::relaxUpdates, Level::Loop, WithAuto | UnlessRaces,
     "after collect-flags, by which flags are folds; before prove-parallel, which keeps what it frees"},
    {"set-once", transform::setOnce, Level::Loop, WithAuto | UnlessRaces,
     "as relax-updates, which takes loops until nothing changes"},
    {"prove-parallel", transform::proveParallel, Level::Loop, Required,
     "checks the user's annotations; before anything relies on an order being free"},
    {"check-races", transform::checkRaces, Level::Loop, Required,
     "after prove-parallel, which says what is assumed; only with --sanitize=races"},
    {"check-memory", transform::checkMemory, Level::Loop, Required,
     "loads and stores of elements stand by themselves; only with --sanitize=memory"},
    {"order-checks", transform::orderChecks, Level::Loop, Required,
     "after all that add checks, before anything joins or maps their loops; only where checks stand in loops"},
    {"interchange-loops", transform::interchangeLoops, Level::Loop, WithAuto,
     "after prove-parallel, which says what is serial; before fuse-loops joins what it leaves"},
    {"distribute-matrices", transform::distributeMatrices, Level::Loop, OnGpu | WithAuto,
     "after prove-parallel, which says what is parallel; before fuse-loops, which joins sweeps over the same matrices"},
    {"jam-folds", transform::jamFolds, Level::Loop, OnGpu | WithAuto,
     "after prove-parallel, which finds the reductions; before fuse-loops puts other work into the columns' loop"},
    {"join-updates", transform::joinUpdates, Level::Loop, Always,
     "after prove-parallel, which says whose order is free; before fuse-loops, which wants equal ranges"},
    {"fuse-loops", transform::fuseLoops, Level::Loop, Always,
     "after prove-parallel: joins only loops whose order is free"},
    {"forward-stores", transform::forwardStores, Level::Loop, Always,
     "after fuse-loops: accumulators often start from an element that a loop just joined has set"},
    {"join-strips", transform::joinStrips, Level::Loop, Always,
     "after forward-stores, by which what a strip keeps is no array"},
    {"group-masks", transform::groupMasks, Level::Loop, Always,
     "last: folds by one mask share their loop by now, and where they start from is known"},
};
// clang-format on
} // namespace

std::span<const Pass> tensorPasses() { return kTensorPasses; }
std::span<const Pass> loopPasses() { return kLoopPasses; }

std::vector<std::string_view> targetNames() {
  std::vector<std::string_view> names;
  for (const target::Target& target : target::allTargets()) names.push_back(target.name);
  return names;
}

std::vector<Pass> passesOf(std::string_view targetName) {
  std::vector<Pass> all(std::begin(kTensorPasses), std::end(kTensorPasses));
  all.insert(all.end(), std::begin(kLoopPasses), std::end(kLoopPasses));
  if (const target::Target* target = target::targetNamed(targetName))
    all.insert(all.end(), target->schedule.begin(), target->schedule.end());
  return all;
}

bool isPlain(std::string_view pass) {
  constexpr std::string_view plain[] = {"forward-temporaries", "find-products",      "simplify",
                                        "unify-sizes",         "hoist-accumulators", "fuse-loops",
                                        "forward-stores",      "tile-reductions",    "outline-kernels",
                                        "clear-arrays",        "drop-proven-checks", "drop-copies"};
  return std::find(std::begin(plain), std::end(plain), pass) != std::end(plain);
}

std::string listPasses(std::string_view target) {
  constexpr std::string_view levels[] = {"tensor", "loop", "scheduled"};
  std::string text;
  for (const Pass& pass : passesOf(target))
    text += fmt::format("{:<22} {:<9} {:<8} {}\n", pass.name, levels[static_cast<int>(pass.after)],
                        pass.isRequired() ? "required" : "optional", pass.why);
  return text;
}

std::string listFunctions() {
  std::string text;
  for (const sema::ListedFunction& f : sema::listedFunctions())
    text += fmt::format("{:<18} {:<12} {} ({})\n", f.name, f.group, f.arguments, f.parameters);
  return text;
}

} // namespace appyc::driver
