//===- ClusterLoops.cpp - loops of small steps become one launch of one cluster of blocks ----------------===//
// Chosen by cost::predict. On an H200 that is, in us a step for each launch that it had, and for elements side by side:
//   launches from a graph    1.15, with all of the device
//   one cluster of 16 blocks 0.55 and 1 for 150 000
//   one block                0.15 and 1 for  20 000
#include "ClusterPhases.h"
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Model.h"
#include "appyc/Cost/ProgramTime.h"
#include "appyc/Cost/StepWork.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int kThreads = 512; ///< of a block
constexpr int64_t kFewSteps = 4;
constexpr int64_t kToy = 64; ///< sizes below it are not worth a kernel of their own

/// A kernel's part of a step, and what of it others may have to wait for.
struct Phase {
  std::set<Symbol> loaded, stored;
  bool folds = false;     ///< through a block's shared memory
  Stmt byThreads;         ///< loops over threads that count alike in all such phases, as lanes; else empty
  bool isEarlier = false; ///< of a step before the present one

  bool mustWaitFor(const Phase& earlier, const analysis::Context& context) const {
    if (folds && earlier.folds) return true;
    const bool share = intersect(earlier.stored, loaded) || intersect(earlier.stored, stored) ||
                       intersect(earlier.loaded, stored);
    return share && !(byThreads && earlier.byThreads &&
                      !analysis::crossesLanes(earlier.byThreads, byThreads, context));
  }
};
using Pending = std::vector<Phase>; ///< since the last barrier of all blocks

/// The phase with threads for lanes, where it has loops over threads alone that count along their index.
Stmt asLanes(const Stmt& phase, const std::set<Symbol>& changing) {
  const auto isOther = [](const Stmt& s) {
    const auto* loop = s.as<For>();
    return s.is<Collective>() || s.is<Barrier>() || s.is<While>() || s.is<Only>() ||
           (loop && isBound(*loop) && !loop->mapping.is<PerThread>());
  };
  if (mentionsAny(phase, changing) || anyStmt(phase, isOther) || has<Hardware>(phase)) return {};
  return replace<For>(phase, [](const For& loop, const Stmt& s) -> Stmt {
    const auto* threads = loop.mapping.as<PerThread>();
    if (!threads) return {};
    For lanes = loop;
    lanes.mapping = PerLane{Scope::Block, threads->axis};
    return makeStmt(s->span, std::move(lanes));
  });
}

Phase phaseWith(const Stmt& s, const std::set<Symbol>& changing) {
  const bool folds = any<Collective>(s, [](const Collective& fold) { return fold.scope == Scope::Block; });
  return {loadedBuffers(s), storedBuffers(s), folds, asLanes(s, changing)};
}

class Clustering : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) return s;
    const auto* loop = s.as<For>();
    if (loop && isOfLaunches(s, *loop)) return clustered(s, *loop);
    return mapChildren(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  /// A body of launches, and of scalars and branches that are each iteration's own.
  bool isOfLaunches(const Stmt& s, const For& loop) const {
    if (!tripCount(loop) || loop.hints.mark == LoopMark::Sequential ||
        (hasAskedThreads(loop.body) && !askedOfOneBlock(loop.body)) ||
        constantTrip(loop).value_or(kFewSteps) < kFewSteps)
      return false;
    bool plain = true, launches = false;
    ir::visit(loop.body, [&](const Stmt& part) {
      launches |= part.is<Launch>();
      const auto* launch = part.as<Launch>();
      plain &= part.is<Block>() || part.is<Assign>() || part.is<If>() || (launch && launch->body);
      return plain && !launch;
    });
    std::set<Symbol> passedOn = live_.before(loop.body);
    passedOn.insert(live_.after(s).begin(), live_.after(s).end());
    return plain && launches && !intersect(assignedByHost(loop.body), passedOn);
  }

  /// How many threads all kernels of one block have that a schedule gives a count; 0 where there are others.
  static int askedOfOneBlock(const Stmt& body) {
    int threads = 0;
    bool fits = true;
    each<Launch>(body, [&](const Launch& kernel) {
      const auto& [x, y, z] = kernel.shape.block;
      fits &= y * z == 1 && hasOneBlock(kernel);
      if (!kernel.body || !hasAskedThreads(kernel.body)) return;
      fits &= threads == 0 || threads == x;
      threads = x;
    });
    return fits ? threads : 0;
  }

  //===--- the kernel ---------------------------------------------------------------------------------===//

  /// The kernels of `s` one behind the other, with barriers of all blocks where one depends on another.
  Stmt place(const Stmt& s, Pending& pending, std::string& why) const {
    if (const auto* kernel = s.as<Launch>()) {
      const Stmt phase = phaseOf(*kernel, changing_, why);
      if (!phase) return {};
      const Phase touched = phaseWith(phase, ofHost_);
      std::vector<Stmt> out;
      if (std::any_of(pending.begin(), pending.end(), [&](const Phase& earlier) {
            return touched.mustWaitFor(earlier, earlier.isEarlier ? withEarlier_ : known_);
          })) {
        out.push_back(makeStmt({}, Barrier{Scope::Cluster}));
        pending = {};
      }
      pending.push_back(touched);
      out.push_back(phase);
      return block(std::move(out));
    }
    const auto* branch = s.as<If>();
    if (!branch && !s.is<Block>()) return s;
    Pending after = branch ? pending : Pending{};
    bool good = true;
    const Stmt placed = mapChildren(s, [&](const Stmt& child) {
      if (!child) return child;
      Pending before = branch ? pending : Pending{};
      Pending& state = branch ? before : pending;
      const Stmt part = place(child, state, why);
      good &= bool(part);
      if (branch) after.insert(after.end(), before.begin(), before.end());
      return part ? part : child;
    });
    if (branch) pending = after;
    return good ? placed : Stmt();
  }

  /// The steps in a kernel: each waits for what the one before has left.
  Stmt steps(const For& loop, std::string& why) {
    ofHost_ = assignedByHost(loop.body);
    changing_ = ofHost_;
    changing_.insert(loop.index);
    Pending pending;
    known_.loops = {&loop};
    if (!place(loop.body, pending, why)) return {};
    // What is pending belongs to some earlier step of the next one.
    const For earlier = serialLoop(Symbol(loop.index.hint()), loop.lo, var(loop.index), loop.step, block({}));
    for (Phase& phase : pending) {
      phase.isEarlier = true;
      if (phase.byThreads) phase.byThreads = substitute(phase.byThreads, {{loop.index, var(earlier.index)}});
    }
    withEarlier_ = known_;
    withEarlier_.loops.push_back(&earlier);
    For inside = loop;
    inside.index = Symbol(loop.index.hint());
    inside.body = substitute(place(loop.body, pending, why), {{loop.index, var(inside.index)}});
    known_.loops.clear();
    withEarlier_ = {};
    for (const Symbol& name : ofHost_) inside.body = renameScalar(inside.body, name, Symbol(name.hint()));
    return makeStmt({}, std::move(inside));
  }

  Launch kernelOf(const Stmt& body, int threads) {
    Launch kernel;
    kernel.name = fmt::format("cluster {}", ++kernels_);
    for (Expr& extent : kernel.shape.grid) extent = intConst(1);
    kernel.shape.block[0] = threads;
    kernel.shape.threadsAtOnce = threads;
    kernel.body = body;
    return kernel;
  }

  //===--- when ---------------------------------------------------------------------------------------===//

  Stmt clustered(const Stmt& s, const For& loop) {
    std::string why;
    const Stmt body = steps(loop, why);
    if (!body) return refuse(s, why);
    if (const int asked = askedOfOneBlock(loop.body)) {
      note(DiagId::TimeLoop, s,
           "all steps in one launch of the one block of {} threads that the schedule asks for", asked);
      return makeStmt(s->span, kernelOf(body, asked));
    }
    std::vector<std::string> open{"auto", "steps", "block"};
    if (ctx_.device.blocksOfCluster > 0) open.insert(open.begin() + 2, "cluster");
    const std::string choice = ctx_.choose(s->span, "launch", "auto", open);
    if (choice == "steps") return refuse(s, "the schedule file says so");
    const Expr work = workOfSteps(loop);
    if (!work && choice == "auto") return withLastOfOneBlock(s, loop);
    Launch one = kernelOf(body, kThreads), cluster = one;
    cluster.shape.grid[0] = intConst(ctx_.device.blocksOfCluster);
    cluster.how = Launch::Cluster;
    const Stmt byBlock = makeStmt(s->span, std::move(one)), byCluster = makeStmt(s->span, std::move(cluster));
    if (choice != "auto") return choice == "block" ? byBlock : byCluster;
    const int64_t launches = std::max<int64_t>(leastLaunches(loop.body), 1);
    return byWork(s, work, launches, byBlock, byCluster);
  }

  /// Where step i does a share of 1 / i, as a sieve does: those at the end, which are nearly all, and each of which does little.
  ///   for i in [lo, few): its launches;   one block for [few, hi)
  Stmt withLastOfOneBlock(const Stmt& s, const For& loop) {
    const Expr work = isConst(loop.step, 1) ? workOfStep(loop) : Expr();
    const bool isShare = work && any<Binary>(work, [&](const Binary& b) {
                           return b.op == BinaryOp::FloorDiv && freeVars(b.rhs) == std::set{loop.index};
                         });
    if (!isShare || readsMemory(work) || mentionsAny(work, assignedByHost(loop.body)))
      return refuse(s, "how much a step does is known only when it runs");
    const Builder build{s->span};
    const Symbol few("few"), end("end");
    const int64_t small = std::max<int64_t>(leastLaunches(loop.body), 1) *
                          mostElements(ctx_.device, cost::Place::Block, cost::Place::Device);
    For early = loop, late = loop;
    early.hi = late.lo = var(few);
    std::string why;
    const Stmt body = steps(late, why);
    if (!body) return refuse(s, why);
    note(DiagId::TimeLoop, s,
         "the last steps, each of which touches up to {} elements, are one launch of one block", small);
    // By bisection, as if steps did less and less: where they do not, it is another number of steps.
    std::vector<Stmt> half;
    const Expr middle = build.let("middle", floorDiv(var(few) + var(end), intConst(2)), half);
    const Expr touched = build.let("touched", substitute(work, {{loop.index, middle}}), half);
    half.push_back(build.when(touched <= small, build.assign(end, middle), build.assign(few, middle + 1)));
    return block({build.assign(few, loop.lo), build.assign(end, loop.hi),
                  build.make(While{var(few) < var(end), block(std::move(half))}),
                  build.make(std::move(early)),
                  build.when(var(few) < loop.hi, makeStmt(s->span, kernelOf(body, kThreads)))});
  }

  static double microseconds(double ns) { return ns / 1000; }

  Stmt byWork(const Stmt& s, const Expr& work, int64_t launches, const Stmt& byBlock, const Stmt& byCluster) {
    using cost::Place;
    const cost::Device& device = ctx_.device;
    const bool hasClusters = device.blocksOfCluster > 0;
    const int64_t small =
        launches * mostElements(device, Place::Block, hasClusters ? Place::Cluster : Place::Device);
    const int64_t large =
        hasClusters ? launches * mostElements(device, Place::Cluster, Place::Device) : small;
    const std::string oneCluster = fmt::format("one cluster of {} blocks", device.blocksOfCluster);
    if (const auto known = constantInt(work)) {
      if (*known > large)
        return refuse(s, fmt::format("a step touches about {} elements, of which one {} takes up to {}",
                                     *known, hasClusters ? "cluster" : "block", large));
      const bool isSmall = *known <= small;
      const auto number = static_cast<double>(launches), elements = static_cast<double>(*known);
      const double apart = number * microseconds(predict(device, {.launches = 1}));
      const double together = predict(device, {.launches = number, .elements = elements},
                                      isSmall ? Place::Block : Place::Cluster);
      ctx_.diag.report(DiagId::TimeLoop, s->span,
                       fmt::format("all steps in one launch of {}: a step touches about {} elements, "
                                   "predicted {:.1f} us instead of {:.1f}",
                                   isSmall ? "one block" : oneCluster, *known, microseconds(together),
                                   apart));
      return isSmall ? byBlock : byCluster;
    }
    if (valueAt(work, kToy).value_or(0) > static_cast<double>(large))
      return refuse(s, fmt::format("at sizes of {} already a step touches more elements than one {} takes",
                                   kToy, hasClusters ? "cluster" : "block"));
    ctx_.diag.report(
        DiagId::TimeLoop, s->span,
        fmt::format("all steps in one launch where a step touches few elements: of one block up to {}{}",
                    small, hasClusters ? fmt::format(", of {} up to {}", oneCluster, large) : ""));
    const Symbol touched("touched");
    const auto atMost = [&](int64_t limit) { return var(touched) <= limit; };
    const Stmt others = hasClusters ? makeStmt(s->span, If{atMost(large), byCluster, s}) : s;
    return block(
        {makeStmt(s->span, Assign{touched, work}), makeStmt(s->span, If{atMost(small), byBlock, others})});
  }

  Stmt refuse(const Stmt& s, const std::string& why) const {
    note(DiagId::TimeLoop, s, "its steps are launches of their own: {}", why);
    return s;
  }

  analysis::Context withEarlier_;      ///< where there is a step before the present one
  std::set<Symbol> ofHost_, changing_; ///< of the loop at hand: scalars of a step; with the index
  int kernels_ = 0;
};

} // namespace

void clusterLoops(Function& f, PassContext& ctx) { replaceBody(f, Clustering(f, ctx).visit(f.body)); }

} // namespace appyc::schedule
