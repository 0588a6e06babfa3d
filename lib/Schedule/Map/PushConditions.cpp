//===- PushConditions.cpp - what the device decides in each step is asked by the kernels ------------------===//
//   for k:                                     for k:
//     p = argmax(a[k:, k])                       p = argmax(a[k:, k])
//     if p != k:                          =>
//       for j: t[j] = a[p, j]                    for j: if p != k: t[j] = a[p, j]
//       for j: a[p, j] = a[k, j]                 for j: if p != k: a[p, j] = a[k, j]
// A condition that the branch changes is asked once, before it. The host would wait for p in each step, which takes longer than a
// few kernels that find nothing to do, and keeps steps from being recorded as a graph.
//   LU with pivots, N = 500, an H100: 22 ms with a wait a step; predicted 7, measured 10.8 (seven launches a step)
#include "Units.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostKernels = 6; ///< that may find nothing to do

class Pushing {
public:
  explicit Pushing(const Function& f) : live_(f), ofDevice_(findDeviceScalars(f, live_)) {}

  Stmt visit(const Stmt& s, bool isInLoop) const {
    const auto* branch = s.as<If>();
    if (branch && isInLoop && mayPush(*branch)) {
      if (!changes(branch->then, branch->cond)) return pushed(branch->then, branch->cond);
      const Symbol holds("holds");
      return block(
          {makeStmt(s->span, Assign{holds, branch->cond}), pushed(branch->then, var(holds, DType::Bool))});
    }
    const auto* loop = s.as<For>();
    if (loop && (isParallel(*loop) || loop->hints.mark == LoopMark::Sequential)) return s;
    const bool isLoop = loop || s.is<While>();
    return mapChildren(s, [&](const Stmt& child) { return visit(child, isInLoop || isLoop); });
  }

private:
  bool mayPush(const If& branch) const {
    if (branch.otherwise || !needsHost(branch.then)) return false;
    const bool isOfDevice = readsMemory(branch.cond) || mentionsAny(branch.cond, ofDevice_);
    return isOfDevice && consistsOf<Block, Assign, Store, For, If, Alloc>(branch.then) &&
           mostLaunchesOf(branch.then) <= kMostKernels && !hasOpenHostLoop(branch.then);
  }
  static bool changes(const Stmt& s, const Expr& cond) {
    return intersect(storedBuffers(s), loadedBuffers(cond)) || intersect(assignedVars(s), freeVars(cond));
  }
  /// Of nests; what stands between them is little.
  static int64_t mostLaunchesOf(const Stmt& s) {
    int64_t launches = 0;
    for (const Stmt& part : statementsOf(s)) {
      const auto* loop = part.as<For>();
      if (!needsHost(part)) continue;
      launches +=
          loop && !isParallel(*loop) ? constantTrip(*loop).value_or(1) * mostLaunchesOf(loop->body) : 1;
    }
    return launches;
  }
  /// Loops of the host would launch as many kernels that do nothing as they have iterations.
  static bool hasOpenHostLoop(const Stmt& s) {
    return any<For>(
        s, [](const For& loop) { return !isParallel(loop) && needsHost(loop.body) && !constantTrip(loop); });
  }

  /// Arrays are made in any case.
  static Stmt pushed(const Stmt& s, const Expr& cond) {
    std::vector<Stmt> out;
    for (const Stmt& part : statementsOf(s)) {
      const auto* loop = part.as<For>();
      if (loop && needsHost(part)) {
        For asked = *loop;
        asked.body = pushed(loop->body, cond);
        out.push_back(makeStmt(part->span, std::move(asked)));
      } else {
        out.push_back(part.is<Alloc>() ? part : makeStmt(part->span, If{cond, part, {}}));
      }
    }
    return block(std::move(out));
  }

  analysis::Liveness live_;
  std::set<Symbol> ofDevice_;
};

} // namespace

Module pushConditions(const Module& module, PassContext& ctx) {
  return eachFunction(module, [&](Function& f) {
    if (ctx.cuda) f.body = Pushing(f).visit(f.body, false);
  });
}

} // namespace appyc::schedule
