//===- Targets.cpp - the table of targets ---------------------------------------------------------------===//
#include "File.h"
#include "Sequential.h"
#include "appyc/Cxx/Print.h"
#include "appyc/Schedule/Passes.h"
#include "appyc/Support/Hash.h"
#include <fmt/format.h>
#include <utility>

namespace appyc::target {

using namespace ir;

namespace {

constexpr Pass cudaSchedule[] = {
    {"count-places", schedule::countPlaces, Level::Loop, WithAuto,
     "first: what other passes would take for a serial loop of one thread becomes parallel loops; before "
     "compact-in-parallel, which would take the inner loop of a step; before scan-in-parallel, which takes "
     "the scans "
     "of its counts"},
    {"compact-in-parallel", schedule::compactInParallel, Level::Loop, Always,
     "as count-places, which leaves to it what keeps one element a step"},
    {"flatten-segments", schedule::flattenSegments, Level::Loop, WithAuto,
     "after count-places and compact-in-parallel, which take what counts; before all that sort steps"},
    {"fold-by-key", schedule::foldByKey, Level::Loop, Always,
     "as compact-in-parallel; integers alone have been taken by prove-parallel, with atomic updates; before "
     "steps-inside, which gives all steps of an element to one thread"},
    {"take-turns", schedule::takeTurns, Level::Loop, WithAuto,
     "after fold-by-key, which takes what is only counted; before scatter-last, which takes what is left"},
    {"steps-by-key", schedule::stepsByKey, Level::Loop, WithAuto,
     "after fold-by-key and take-turns, which share the steps of one element as well"},
    {"scatter-last", schedule::scatterLast, Level::Loop, WithAuto,
     "after fold-by-key, which takes what is updated; before steps-inside, which gives all steps of an "
     "element to one "
     "thread"},
    {"steps-inside", schedule::stepsInside, Level::Loop, Always,
     "after fuse-loops, by which a step is one loop; before scan-in-parallel, which takes what runs in a "
     "thread apart"},
    {"scan-in-parallel", schedule::scanInParallel, Level::Loop, WithAuto,
     "as compact-in-parallel, which takes counters for places"},
    {"block-updates", schedule::blockUpdates, Level::Loop, WithAuto,
     "before snapshot-lines, which makes each step of the nests parallel that are blocked here"},
    {"snapshot-lines", schedule::snapshotLines, Level::Loop, WithAuto,
     "before block-wavefronts, which would run these nests by diagonals"},
    {"block-wavefronts", schedule::blockWavefronts, Level::Loop, WithAuto,
     "before other passes look at the serial loops that it takes"},
    {"settle-recurrences", schedule::settleRecurrences, Level::Loop, WithAuto | WithVersions,
     "after scan-in-parallel, which takes what may be grouped, and block-wavefronts, which takes whole "
     "nests; before "
     "all that give serial loops to one thread or block"},
    {"split-chains", schedule::splitChains, Level::Loop, WithAuto,
     "after settle-recurrences, which has no use for a distance; before all that give serial loops to one "
     "thread"},
    {"await-steps", schedule::awaitSteps, Level::Loop, UnlessRaces | WithAuto | WithVersions,
     "after all that sort steps by what they touch, or find a distance between them; before all that give "
     "serial loops to one "
     "thread"},
    {"block-recurrences", schedule::blockRecurrences, Level::Loop, WithAuto,
     "before sums in serial loops are given to one block"},
    {"block-panels", schedule::blockPanels, Level::Loop, WithAuto,
     "as block-recurrences, which takes loops over single rows"},
    {"fuse-columns", schedule::fuseColumns, Level::Loop, Always,
     "needs whole nests and reductions: before tile-reductions takes them apart"},
    {"owner-computes", schedule::ownerComputes, Level::Loop, UnlessRaces,
     "before recompute-producers, which spreads over all blocks what an owner makes for them"},
    {"recompute-producers", schedule::recomputeProducers, Level::Loop, UnlessRaces,
     "before tile-reductions: sums still stand whole, which each block can compute"},
    {"tile-contractions", schedule::tileContractions, Level::Loop, WithAuto,
     "after recompute-producers, which has no sums for a tile to share; before tile-reductions gives each "
     "sum lanes"},
    {"distribute-folds", schedule::distributeFolds, Level::Loop, Always,
     "before tile-reductions, which cuts the nests that it makes"},
    {"tile-reductions", schedule::tileReductions, Level::Loop, Always,
     "a parallel reduction must not depend on how many threads run it"},
    {"privatize-updates", schedule::privatizeUpdates, Level::Loop, Always,
     "after fold-by-key and those that cut reductions: what is left are updates that stay atomic"},
    {"push-conditions", schedule::pushConditions, Level::Loop, Always,
     "before place-scalars has the host fetch what it asks for"},
    {"place-scalars", schedule::placeScalars, Level::Loop, Required,
     "the host program cannot read device memory: needs the loops, precedes the kernels"},
    {"count-open-steps", schedule::countOpenSteps, Level::Loop, Required,
     "last on loops that are not mapped: kernels, and the arrays of their iterations, want to know how many "
     "these are"},
    {"map-kernels", schedule::mapKernels, Level::Scheduled, Required, "parallel nests become kernels"},
    {"tile-time", schedule::tileTime, Level::Scheduled, Always,
     "kernels must be known; before its own need barriers, and temporaries, of which it adds some, places"},
    {"place-barriers", schedule::placeBarriers, Level::Scheduled, Required,
     "lanes must see what other lanes wrote"},
    {"plan-memory", schedule::planMemory, Level::Scheduled, Required,
     "after the kernels are known, temporaries are given their places"},
    {"merge-kernels", schedule::mergeKernels, Level::Scheduled, Always,
     "when no allocation stands between kernels any more"},
    {"repeat-folds", schedule::repeatFolds, Level::Scheduled, Always,
     "after merge-kernels, which may find other work beside a kernel of one block"},
    {"run-by-host", schedule::runByHost, Level::Scheduled, Always,
     "after merge-kernels, by which a thread has all its work; before warn-serial-work, which tells what is "
     "left to one"},
    {"warn-serial-work", schedule::warnSerialWork, Level::Scheduled, Always,
     "kernels are as the program asks for; before small loops are given one block on purpose"},
    {"cluster-loops", schedule::clusterLoops, Level::Scheduled, Always,
     "kernels must have no more to allocate, and be as few as they can; before any counts on a launch of its "
     "own"},
    {"clear-arrays", schedule::clearArrays, Level::Scheduled, Always,
     "when kernels are no more merged; before rows-per-thread gives them other loops"},
    {"collapse-axes", schedule::collapseAxes, Level::Scheduled, Always,
     "after all that ask which elements a statement touches; before vectorize-lanes, which takes longer "
     "rows"},
    {"rows-per-thread", schedule::rowsPerThread, Level::Scheduled, Always,
     "after all that look for plain sweeps: tile-time, merge-kernels"},
    {"unroll-updates", schedule::unrollUpdates, Level::Scheduled, Always,
     "after all that look for plain loops of a thread"},
    {"batch-lanes", schedule::batchLanes, Level::Scheduled, Always,
     "after place-barriers: it must see whole loops of lanes"},
    {"vectorize-lanes", schedule::vectorizeLanes, Level::Scheduled, Always,
     "after all that look at what one thread does: rows-per-thread, unroll-updates"},
    {"keep-rows", schedule::keepRows, Level::Scheduled, Always,
     "after vectorize-lanes: what lanes keep are vectors"},
    {"joint-axes", schedule::jointAxes, Level::Scheduled, Always,
     "after all that ask which elements a statement touches"},
    {"count-steps", schedule::countSteps, Level::Scheduled, Required,
     "after all that ask for a loop's own index; before fit-threads, which asks for its trip count"},
    {"fit-threads", schedule::fitThreads, Level::Scheduled, Always,
     "after all that count on the shape of blocks: keep-rows; before launches are recorded"},
    {"drop-copies", schedule::dropCopies, Level::Scheduled, Always,
     "after all that tell folds by what they collect in"},
    {"share-numbers", schedule::shareNumbers, Level::Scheduled, Always,
     "after all that the host computes for launches, before launches are recorded"},
    {"record-graphs", schedule::recordGraphs, Level::Scheduled, Always,
     "no loop that still allocates can be recorded"},
    {"overlap-launches", schedule::overlapLaunches, Level::Scheduled, Always,
     "kernels and the loops that launch them are as they stay"},
    {"outline-kernels", schedule::outlineKernels, Level::Scheduled, Always,
     "last: what launches run becomes objects with parameters, which no pass looks into any more",
     schedule::nameByArrays},
};

constexpr Pass cpuSchedule[] = {
    {"snapshot-lines", schedule::snapshotLines, Level::Loop, WithAuto,
     "before anything else takes its loops for serial ones"},
    {"tile-reductions", schedule::tileReductions, Level::Loop, Always,
     "a parallel reduction must not depend on how many threads run it"},
};

/// The hash of the text takes the place of its mark, which stands behind all that the user has written.
Code withHash(std::string text) {
  const std::string hash = hashOf(text);
  text.replace(text.rfind(hashMark), hashMark.size(), hash);
  return {std::move(text), hash};
}

/// The banner says the hash of all that is below it.
Code sealed(Code code) {
  const size_t at = code.text.find(sealLabel) + sealLabel.size(), end = code.text.find('\n', at);
  code.text.replace(at, end - at, hashOf(std::string_view(code.text).substr(end + 1)));
  return code;
}

template <bool cuda> Code unsealed(const Module& m, const EmitOptions& o) {
  return withHash(cxx::print(lowerModule(m, o, cuda)));
}
template <bool cuda> Code emit(const Module& m, const EmitOptions& o) { return sealed(unsealed<cuda>(m, o)); }
template <bool cuda> std::string emitCxxTree(const Module& m, const EmitOptions& o) {
  return cxx::dump(lowerModule(m, o, cuda));
}
/// (a line of the text, the line of the source that it comes from), where it comes from one.
std::vector<std::pair<size_t, uint32_t>> lineMap(const Module& m, const EmitOptions& o, bool cuda) {
  std::vector<std::pair<size_t, uint32_t>> pairs;
  const std::vector<uint32_t> lines = cxx::sourceLines(lowerModule(m, o, cuda));
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i] != 0) pairs.emplace_back(i + 1, lines[i]);
  return pairs;
}
template <bool cuda> std::string emitLineMap(const Module& m, const EmitOptions& o) {
  std::string text;
  for (const auto& [line, from] : lineMap(m, o, cuda)) text += fmt::format("{} {}\n", line, from);
  return text;
}

/// What the GPU would run, with the lines of the source behind it for the emulation's messages.
Code emitEmulated(const Module& m, const EmitOptions& o) {
  constexpr size_t inARow = 12;
  Code code = unsealed<true>(m, o);
  size_t count = 0;
  for (const auto& [line, from] : lineMap(m, o, true))
    code.text += fmt::format("{}{}:{}", count++ % inARow == 0 ? "\n// lines: " : " ", line, from);
  code.text += "\n";
  return sealed(std::move(code));
}

Code emitSequential(const Module& m, const EmitOptions& o) { return emit<false>(asSequential(m), o); }
std::string emitSequentialTree(const Module& m, const EmitOptions& o) {
  return emitCxxTree<false>(asSequential(m), o);
}
std::string emitSequentialLineMap(const Module& m, const EmitOptions& o) {
  return emitLineMap<false>(asSequential(m), o);
}

constexpr Target targets[] = {
    {"cuda", ".cu", true, false, false, cudaSchedule, emit<true>, emitCxxTree<true>, emitLineMap<true>},
    {"cpu", ".cpp", false, false, false, cpuSchedule, emit<false>, emitCxxTree<false>, emitLineMap<false>},
    {"emulate", ".cu", true, false, true, cudaSchedule, emitEmulated, emitCxxTree<true>, emitLineMap<true>},
    {"sequential", ".cpp", false, true, false, cudaSchedule, emitSequential, emitSequentialTree,
     emitSequentialLineMap},
};

} // namespace

std::span<const Target> allTargets() { return targets; }

const Target* targetNamed(std::string_view name) {
  for (const Target& t : targets)
    if (t.name == name) return &t;
  return nullptr;
}

} // namespace appyc::target
