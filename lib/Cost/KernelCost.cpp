//===- KernelCost.cpp - how a parallel nest should be spread over threads ---------------------------===//
#include "appyc/Cost/KernelCost.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Counting.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace appyc::cost {
using namespace ir;

namespace {

// Cost of an access that every lane makes once (see chooseMapping).
constexpr double kNeighbours = 1, kSame = 0.5, kScattered = double(cost::Device::scatteredAccess);
constexpr double kIteration = 0.5; ///< one that touches no memory: it computes
constexpr double kUnknownTrips = 64;
constexpr double kFold = double(cost::Device::foldOfWarp);
/// One loop of unknown length is taken for a thousand or two of iterations, where reductions can be cut into chunks for four.
constexpr double kLoopOfUnknown = 16384.0 / 12, kLoopOfReductions = 16384.0 / 4;
constexpr int64_t kFewTrips = cost::Device::warp / 2; ///< a loop of fewer iterations leaves most lanes idle

double tripsOf(const For& loop) {
  auto count = constantTrip(loop);
  return count ? static_cast<double>(*count) : kUnknownTrips;
}

bool wantsLanes(const For& loop, bool small) {
  auto count = constantTrip(loop);
  return isParallel(loop) && (small || !count || *count >= kFewTrips || loop.hints.mark == LoopMark::Simd);
}

/// Cost of running statements with the loop's index different in each lane.
struct LaneCost {
  Symbol index;
  bool isDense; ///< neighbours' indices differ by one
  analysis::Slopes dependents;

  LaneCost(const Stmt& body, const For& loop)
      : index(loop.index), isDense(isConst(loop.step, 1) || isConst(loop.step, -1)),
        dependents(slopesIn(body, loop.index)) {}

  double ofAccess(const std::vector<Expr>& subscripts) const {
    switch (neighboursOf(subscripts, index, dependents)) {
    case Neighbours::Same: return kSame;
    case Neighbours::SideBySide: return isDense ? kNeighbours : kScattered;
    case Neighbours::Scattered: break;
    }
    return kScattered;
  }

  double ofStmt(const Stmt& s) const {
    if (!s) return 0;
    double own = 0, inner = 0;
    forEachExpr(s, [&](const Expr& e) { each<Load>(e, [&](const Load& l) { own += ofAccess(l.index); }); });
    if (const auto* store = s.as<Store>()) own += ofAccess(store->index);
    forEachChild(s, [&](const Stmt& child) { inner += ofStmt(child); });
    if (const auto* loop = s.as<For>())
      inner = tripsOf(*loop) * std::max(inner, kIteration);
    else if (s.is<While>())
      inner = kUnknownTrips * std::max(inner, kIteration);
    return own + inner;
  }
};

/// Cost of a worker whose lanes share the loops that are best for it; collects those loops.
struct WorkerCost {
  bool small;
  LaneLoops lanes;

  double uniformAccesses(const Stmt& s) const {
    double count = s.is<Store>();
    forEachExpr(s, [&](const Expr& e) { each<Load>(e, [&](const Load&) { count += 1; }); });
    return count * kScattered;
  }

  double ofStmt(const Stmt& s) {
    if (!s) return 0;
    if (const auto* loop = s.as<For>()) return uniformAccesses(s) + ofLoop(s, *loop);
    double inner = 0;
    forEachChild(s, [&](const Stmt& child) { inner += ofStmt(child); });
    return uniformAccesses(s) + inner * (s.is<While>() ? kUnknownTrips : 1);
  }

  double ofLoop(const Stmt& s, const For& loop) {
    double trips = tripsOf(loop);
    WorkerCost inside{small, {}};
    double serial = trips * inside.ofStmt(loop.body);
    bool forced = loop.hints.mark == LoopMark::Simd || loop.hints.mark == LoopMark::ParallelSimd;
    if (wantsLanes(loop, small)) {
      double idle = std::max(1.0, cost::Device::warp / std::max(trips, 1.0));
      double spread = trips * idle * std::max(LaneCost(loop.body, loop).ofStmt(loop.body), kIteration);
      spread += kFold * static_cast<double>(loop.reductions.size());
      // Most lanes would idle for as long as loops of any length in it take.
      const bool isShort = constantTrip(loop).value_or(cost::Device::warp) < cost::Device::warp / 2 &&
                           std::ranges::any_of(inside.lanes, [](const StmtNode* inner) {
                             return !constantTrip(std::get<For>(inner->node));
                           });
      if (forced || inside.lanes.empty() || (spread < serial && !isShort)) {
        lanes.insert(s.get());
        return spread;
      }
    }
    lanes.merge(inside.lanes);
    return serial;
  }
};

//===--- choosing ---------------------------------------------------------------------------------------===//

/// Loops that the mapping binds to the lanes, from the tree.
std::vector<const For*> loopsOf(const Stmt& body, const LaneLoops& lanes) {
  std::vector<const For*> loops;
  visit(body, [&](const Stmt& s) {
    if (lanes.count(s.get())) loops.push_back(s.as<For>());
    return true;
  });
  return loops;
}

/// Is some trip count known only from the arrays' contents?
bool dependsOnData(const std::vector<const For*>& loops, const Stmt& body) {
  std::set<Symbol> fromMemory;
  each<Assign>(body, [&](const Assign& a) {
    if ((readsMemory(a.value) || mentionsAny(a.value, fromMemory))) fromMemory.insert(a.var);
  });
  return std::any_of(loops.begin(), loops.end(), [&](const For* loop) {
    return readsMemory(loop->lo) || readsMemory(loop->hi) || mentionsAny(loop->lo, fromMemory) ||
           mentionsAny(loop->hi, fromMemory);
  });
}

bool hasUserSize(const std::vector<const For*>& loops) {
  return std::any_of(loops.begin(), loops.end(), [](const For* l) { return hasOwnSize(*l); });
}

/// Does the worker have an array on chip, which its lanes share?
bool usesScratch(const Stmt& body) {
  return any<Alloc>(body, [](const Alloc& a) { return a.buffer.onChip; });
}

/// Does the worker have arrays of its own? How they lie in memory follows from who its lanes are.
bool makesArrays(const Stmt& body) { return has<Alloc>(body); }

std::string namesOf(const std::vector<const For*>& loops) {
  std::string names;
  std::set<std::string> seen;
  for (const For* loop : loops)
    if (seen.insert(loop->index.hint()).second)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", loop->index.hint());
  return names;
}

/// Do all inner loops that may run in any order reduce?
bool onlyReduces(const Stmt& body) {
  return !any<For>(body, [](const For& loop) { return isParallel(loop) && loop.reductions.empty(); });
}

/// How much of the machine stays idle when each iteration of the nest is one thread.
double idleFactor(const Nest& nest, const cost::Device& device) {
  const auto toFill = static_cast<double>(device.threadsToFill());
  double points = 1;
  for (const For* loop : nest.loops) {
    auto count = constantTrip(*loop);
    if (!count && nest.loops.size() > 1) return 1;
    if (!count) return toFill / (onlyReduces(nest.body) ? kLoopOfReductions : kLoopOfUnknown);
    points *= static_cast<double>(*count);
  }
  return std::clamp(toFill / std::max(points, 1.0), 1.0, 64.0);
}

double threadCost(const Nest& nest, size_t& best) {
  double least = INFINITY;
  // Of more than three loops the outer ones share the slowest axis. The innermost wins ties.
  size_t first = nest.loops.size() > 3 ? nest.loops.size() - 2 : 0;
  for (size_t i = nest.loops.size(); i-- > first;) {
    double cost = LaneCost(nest.body, *nest.loops[i]).ofStmt(nest.body);
    if (cost < least) {
      least = cost;
      best = i;
    }
  }
  return least;
}

struct WorkerChoice {
  bool warps = false;
  const char* reason = "";
  bool open = false; ///< the other one would do as well
};

/// Whether warps or blocks are the workers.
WorkerChoice warpsOrBlocks(const Nest& nest, const LaneLoops& lanes, const PassContext& ctx) {
  constexpr int64_t warpTrips = 4 * cost::Device::warp;
  std::vector<const For*> spread = loopsOf(nest.body, lanes), all = spread;
  all.insert(all.end(), nest.loops.begin(), nest.loops.end());
  if (usesScratch(nest.body)) return {false, " (they share its scratch)"};
  if (hasUserSize(all))
    return {workerThreads(nest.loops, nest.body, lanes, nest.span, ctx) == cost::Device::warp};
  const auto isShortLoop = [](const For* l) {
    auto count = constantTrip(*l);
    return count && *count <= warpTrips;
  };
  // A row of unknown length is taken for a short one, but not beside a loop over all of something.
  std::vector<const For*> known = spread;
  std::erase_if(known, [&](const For* l) { return dependsOnData({l}, nest.body); });
  if (known.size() < spread.size() && std::all_of(known.begin(), known.end(), isShortLoop))
    return {true, " (its length depends on data)", true};
  const bool isShort = std::all_of(spread.begin(), spread.end(), isShortLoop);
  if (isShort) return {true, " (it is short)", true};
  const auto isChunked = [&](const For* loop) { // whose chunks a worker each has: of few rows
    const Expr c = var(loop->index);
    return std::ranges::any_of(spread, [&](const For* part) {
      const auto* least = part->hi.as<Binary>();
      return least && least->op == BinaryOp::Min && mentions(least->rhs, loop->index) &&
             !mentions(simplifiedIndex(add(least->rhs, mul(c, least->lhs))), loop->index);
    });
  };
  if (nest.loops.size() > (isChunked(nest.loops.front()) ? 2 : 1))
    return {true, " (there are many iterations)", true};
  return {false, "", true};
}

NestMapping workerMapping(const Nest& nest, LaneLoops lanes, const WorkerChoice& worker,
                          const PassContext& ctx) {
  constexpr int warpThreads = 4 * cost::Device::warp; // four workers a block
  const bool warp = worker.warps;
  NestMapping mapping;
  const std::vector<const For*> spread = loopsOf(nest.body, lanes);
  mapping.lanes = std::move(lanes);
  if (!warp)
    mapping.threads = workerThreads(nest.loops, nest.body, mapping.lanes, nest.span, ctx);
  else
    mapping.threads =
        worker.open ? static_cast<int>(ctx.choose(nest.span, "lanes", warpThreads, kOpenLanes)) : warpThreads;
  mapping.kind = warp ? NestMapping::Warps : NestMapping::Blocks;
  mapping.why = fmt::format("one {} an iteration of {}, lanes over {}{}",
                            warp ? "warp" : fmt::format("block of {} threads", mapping.threads),
                            namesOf(nest.loops), namesOf(spread), worker.reason);
  return mapping;
}

/// So many threads of a block, rounded up to whole warps.
int wholeWarps(int threads) {
  constexpr int warp = cost::Device::warp;
  return std::clamp((threads + warp - 1) / warp * warp, warp, cost::Device::threadsOfBlock);
}

NestMapping threadMapping(const Nest& nest, size_t xLoop, const PassContext& ctx) {
  constexpr int blockThreads = 256;
  NestMapping mapping;
  mapping.xLoop = xLoop;
  std::vector<const For*> all = nest.loops;
  if (nest.loops.size() == 1 && hasUserSize(all))
    mapping.threads =
        wholeWarps(std::max(all[0]->hints.vectorLength, all[0]->hints.warps * cost::Device::warp));
  else
    mapping.threads = static_cast<int>(ctx.choose(nest.span, "lanes", blockThreads, kOpenLanes));
  mapping.why = fmt::format("one thread an iteration of {}", namesOf(nest.loops));
  if (nest.loops.size() > 1)
    mapping.why += fmt::format(", neighbouring threads along `{}`", nest.loops[xLoop]->index.hint());
  return mapping;
}

} // namespace

bool containsLaneLoop(const Stmt& s) {
  return any<For>(s, [](const For& loop) { return wantsLanes(loop, false); });
}

Nest nestOf(const Stmt& parallelLoop) {
  Nest nest{{parallelLoop.as<For>()}, {}, parallelLoop->span};
  for (;;) {
    const For& last = *nest.loops.back();
    nest.body = last.body;
    std::vector<Stmt> body = statementsOf(last.body);
    const auto* next = body.size() == 1 ? body[0].as<For>() : nullptr;
    // A loop the user calls simd is for the lanes of a worker; bounds in memory would make the grid's size
    // unknown.
    if (!next || !isParallel(*next) || !next->reductions.empty() || next->hints.mark == LoopMark::Simd ||
        last.hints.mark == LoopMark::ParallelSimd || (last.hints.threads && !next->hints.threads) ||
        readsMemory(next->lo) || readsMemory(next->hi) || readsMemory(next->step))
      return nest;
    nest.loops.push_back(next);
  }
}

int workerThreads(const std::vector<const For*>& loops, const Stmt& body, const LaneLoops& lanes, Span span,
                  const PassContext& ctx) {
  int threads = 0;
  std::vector<const For*> all = loopsOf(body, lanes);
  all.insert(all.end(), loops.begin(), loops.end());
  for (const For* loop : all) {
    threads = std::max({threads, loop->hints.vectorLength, loop->hints.warps * cost::Device::warp});
    if (const auto asked = loop->hints.threads ? constantInt(askedBlock(*loop)) : std::nullopt)
      threads = std::max(threads, static_cast<int>(*asked));
  }
  if (threads == 0) threads = static_cast<int>(ctx.choose(span, "lanes", ctx.vectorLength, kOpenLanes));
  return wholeWarps(threads);
}

namespace {

Expr shortWhen(const Nest& nest, const NestMapping& mapping, const std::vector<Buffer>& buffers) {
  constexpr int64_t few = 8; // elements that a warp would mostly idle for
  const std::vector<const For*> spread = loopsOf(nest.body, mapping.lanes);
  if (mapping.kind != NestMapping::Warps || spread.size() != 1 || !dependsOnData(spread, nest.body) ||
      spread[0]->hints.mark == LoopMark::Simd || makesArrays(nest.body))
    return {};
  Expr iterations = intConst(1);
  for (const For* loop : nest.loops) {
    const Expr count = tripCount(*loop);
    if (!count || readsMemory(count) || hasOwnSize(*loop)) return {};
    iterations = iterations * count;
  }
  const analysis::Slopes dependents = slopesIn(spread[0]->body, spread[0]->index);
  const Buffer* through = nullptr;
  each<Load>(spread[0]->body, [&](const Load& load) {
    if (through || load.index.size() != 1) return;
    const analysis::Slope slope = analysis::slopeOf(load.index[0], spread[0]->index, dependents);
    if (slope.kind == analysis::Slope::Constant && std::abs(slope.value) == 1)
      through = &*std::find_if(buffers.begin(), buffers.end(),
                               [&](const Buffer& b) { return b.name == load.buffer; });
  });
  if (!through) return {};
  return through->extents[0] < intConst(few) * iterations;
}

/// 10^4 points with 3 coordinates, all pairs, an H200: lanes over the coordinates 6.7 ms, over the points 0.27 (predicted 0.3);
/// 10^6 points, the nearest of 64 colours, whose distances are an array of each point's own: 2.9 to 0.57 (predicted 0.3).

/// The most iterations of any of the loops, some of which fold, where sizes say it that are not those of the loops around: a
/// call with few of one and many of the other is no toy. Empty where they say nothing of the kind.
Expr longestApart(const std::vector<const For*>& loops, const Nest& nest, const For& around) {
  Expr longest;
  std::set<Symbol> other = assignedVars(nest.body);
  std::vector<const For*> outer = nest.loops;
  outer.push_back(&around);
  for (const For* loop : outer) {
    other.insert(loop->index);
    other.merge(freeVars(loop->lo)), other.merge(freeVars(loop->hi));
  }
  bool folds = false;
  for (const For* loop : loops) {
    const Expr count = tripCount(*loop);
    folds |= !loop->reductions.empty();
    if (!isUnmarked(*loop) || !count || readsMemory(count) || mentionsAny(count, other)) return {};
    longest = longest ? maxOf(longest, count) : count;
  }
  return folds && longest && !constantInt(longest) ? longest : Expr();
}

NestMapping threadEach(const Nest& nest) {
  NestMapping mapping;
  mapping.threads = 256;
  mapping.xLoop = nest.loops.size() - 1;
  return mapping;
}

/// A loop around all of these that is in the body.
const For* loopAround(const std::vector<const For*>& lanes, const Stmt& body) {
  const For* around = nullptr;
  each<For>(body, [&](const For& loop) {
    const auto isInside = [&](const For* lane) {
      return any<For>(loop.body, [&](const For& inner) { return &inner == lane; });
    };
    if (!around && std::ranges::all_of(lanes, isInside)) around = &loop;
  });
  return around;
}

std::optional<OtherMapping> lanesAround(const Nest& nest, const NestMapping& mapping,
                                        const PassContext& ctx) {
  constexpr int64_t few = 8; // each lane reads a row of its own: of f64 two sectors
  const auto isAsked = [](const For& loop) { return loop.hints.warps > 0 || loop.hints.threads; };
  if (mapping.kind == NestMapping::Threads || !ctx.versions || any<For>(nest.body, isAsked) ||
      std::ranges::any_of(nest.loops, isAsked, [](const For* loop) -> const For& { return *loop; }))
    return {};
  OtherMapping outer{mapping, {}, "over the loops around where these are short"};
  const bool isChunked = hasUserSize(nest.loops); // lanes wait for each other at its end
  Expr longest;                                   // of loops in serial ones
  bool areAllApart = true, inChunk = false;
  visit(nest.body, [&](const Stmt& s) {
    const auto* loop = s.as<For>();
    if (mapping.lanes.count(s.get())) areAllApart = false; // in no loop
    if (!loop || mapping.lanes.count(s.get())) return !loop;
    const std::vector<const For*> inside = loopsOf(loop->body, mapping.lanes);
    if (inside.empty()) return false;
    const For* inner = loopAround(inside, loop->body);
    const Expr most = inner || inChunk || !isChunked ? longestApart(inside, nest, *loop) : Expr();
    areAllApart &= bool(most);
    if (!most) return false;
    if (!isParallel(*loop)) {
      longest = longest ? maxOf(longest, most) : most;
      return false;
    }
    if (!isUnmarked(*loop)) return false;
    // Of a chunk that is its share, a worker has few iterations: lanes are over what is in them.
    if (inner && mentions(loop->lo, nest.loops.back()->index) && isParallel(*inner) && isUnmarked(*inner))
      return inChunk = true;
    std::erase_if(outer.mapping.lanes, [&](const StmtNode* lane) {
      return std::ranges::any_of(inside,
                                 [&](const For* shared) { return std::get_if<For>(&lane->node) == shared; });
    });
    outer.mapping.lanes.insert(s.get());
    outer.when = both(outer.when, most <= few);
    return false;
  });
  if (longest && areAllApart && !outer.when && !isChunked) {
    outer = {threadEach(nest), longest <= few, "one thread where these are short"};
  }
  const bool isOfLanes = outer.mapping.kind != NestMapping::Threads &&
                         std::ranges::none_of(loopsOf(nest.body, outer.mapping.lanes),
                                              [](const For* lanes) { return has<Alloc>(lanes->body); });
  if (isOfLanes) // arrays stay the worker's
    return outer.when ? std::optional(std::move(outer)) : std::nullopt;
  outer.extents = few;
  each<Alloc>(nest.body, [&](const Alloc& made) {
    for (const Expr& extent : made.buffer.extents)
      if (outer.when && !constantInt(extent)) outer.when = both(outer.when, extent <= few);
  });
  return outer.when ? std::optional(std::move(outer)) : std::nullopt;
}

Expr manyWhen(const Nest& nest, const NestMapping& mapping, const PassContext& ctx) {
  constexpr int64_t kThreadsOfWorker = 4; ///< a quarter of the threads that run at once keeps memory busy
  if (mapping.kind == NestMapping::Threads || nest.loops.size() != 1 || !ctx.versions) return {};
  const For& loop = *nest.loops.front();
  const Expr count = tripCount(loop);
  const auto isFixed = [](const For& l) {
    return hasUserSize({&l}) || l.hints.mark == LoopMark::Simd || l.hints.mark == LoopMark::ParallelSimd;
  };
  const bool isOpen = !isFixed(loop) && !any<For>(nest.body, isFixed) && !makesArrays(nest.body) &&
                      !loop.hints.resident && !dependsOnData(loopsOf(nest.body, mapping.lanes), nest.body);
  if (!isOpen || !count || readsMemory(count) || constantInt(count)) return {};
  WorkerCost cost{false, {}};
  size_t along = 0;
  if (cost.ofStmt(nest.body) < threadCost(nest, along)) return {};
  return count >= ctx.device.threadsAtOnce() / kThreadsOfWorker;
}

/// Threads that are few leave the device idle however well they read: 9 thresholds tried on each of 50 columns of 20,000, an H200,
/// a thread a column 25 ms; predicted 0.5 by a block a column, measured 1.3 with the search among them.
std::optional<OtherMapping> workersWhereFew(const Nest& nest, const NestMapping& mapping,
                                            const PassContext& ctx) {
  constexpr int64_t kThreadsOfWorker = 64; ///< whose lanes read apart, four times the bytes
  if (mapping.kind != NestMapping::Threads || !ctx.versions || hasUserSize(nest.loops) ||
      makesArrays(nest.body))
    return {};
  Expr count = intConst(1);
  for (const For* loop : nest.loops) {
    const Expr trips = tripCount(*loop);
    const bool isFree = loop->hints.mark == LoopMark::None && !loop->hints.resident && !loop->hints.threads;
    if (!trips || readsMemory(trips) || !isFree) return {};
    count = count * trips;
  }
  WorkerCost cost{false, {}};
  cost.ofStmt(nest.body);
  const std::vector<const For*> lanes = loopsOf(nest.body, cost.lanes);
  const auto isLong = [](const For* loop) {
    return !constantTrip(*loop) && !loop->reductions.empty() && isUnmarked(*loop);
  };
  // One fold over a column has ways of its own; several of them in a loop are a chain.
  if (constantInt(count) || lanes.size() < 2 || !loopAround(lanes, nest.body) ||
      !std::ranges::all_of(lanes, isLong) || dependsOnData(lanes, nest.body))
    return {};
  return OtherMapping{workerMapping(nest, cost.lanes, {}, ctx),
                      count <= ctx.device.threadsAtOnce() / kThreadsOfWorker,
                      "a block where there are few iterations"};
}

} // namespace

std::optional<OtherMapping> otherMapping(const Nest& nest, const NestMapping& mapping,
                                         const std::vector<Buffer>& buffers, bool outermost,
                                         const PassContext& ctx) {
  if (const Expr isShort = shortWhen(nest, mapping, buffers))
    return OtherMapping{threadEach(nest), isShort, "one thread where its arrays are short"};
  if (const Expr are = outermost ? manyWhen(nest, mapping, ctx) : Expr())
    return OtherMapping{threadEach(nest), are, "one thread where there are many iterations"};
  if (std::optional<OtherMapping> few = workersWhereFew(nest, mapping, ctx)) return few;
  return lanesAround(nest, mapping, ctx);
}

LaneLoops chooseLaneLoops(const Stmt& body, bool small) {
  WorkerCost cost{small, {}};
  cost.ofStmt(body);
  return cost.lanes;
}

NestMapping chooseMapping(const Nest& nest, const PassContext& ctx) {
  if (nest.loops[0]->hints.resident) { // of as many threads as the host has been told
    WorkerCost cost{false, {}};
    cost.ofStmt(nest.body);
    return workerMapping(nest, std::move(cost.lanes), {false}, ctx);
  }
  if (const std::optional<NestMapping> asked = askedMapping(nest, ctx)) return *asked;
  size_t xLoop = nest.loops.size() - 1;
  double threads = threadCost(nest, xLoop) * idleFactor(nest, ctx.device);
  for (size_t i = 0; i < nest.loops.size(); ++i)
    if (nest.loops[i]->hints.mark == LoopMark::ParallelSimd) return threadMapping(nest, i, ctx);
  if (!containsLaneLoop(nest.body)) return threadMapping(nest, xLoop, ctx);
  const bool userSimd = any<For>(
      nest.body, [](const For& loop) { return loop.hints.mark == LoopMark::Simd && isParallel(loop); });
  WorkerCost cost{false, {}};
  const bool byWorkers = cost.ofStmt(nest.body) < threads;
  const bool mustBeWorkers = userSimd || usesScratch(nest.body);
  WorkerChoice worker = warpsOrBlocks(nest, cost.lanes, ctx);
  const std::string automatic = !byWorkers && !mustBeWorkers ? "threads" : worker.warps ? "warps" : "blocks";
  std::vector<std::string> open;
  if (!mustBeWorkers) open.emplace_back("threads");
  if (worker.open || worker.warps) open.emplace_back("warps");
  if (worker.open || !worker.warps) open.emplace_back("blocks");
  const std::string chosen =
      open.size() > 1 ? ctx.choose(nest.span, "workers", std::string_view(automatic), open) : automatic;
  if (chosen == "threads") return threadMapping(nest, xLoop, ctx);
  if (chosen != automatic) worker.reason = " (the schedule file says so)";
  worker.warps = chosen == "warps";
  return workerMapping(nest, std::move(cost.lanes), worker, ctx);
}

} // namespace appyc::cost
