//===- Loops.cpp - what a loop's node alone tells; index statements as loops ---------------------------===//
#include "appyc/IR/Loops.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::ir {

bool isParallel(const For& loop) {
  return loop.order != Order::Serial && loop.hints.mark != LoopMark::Sequential;
}

bool hasOwnSize(const For& loop) {
  return loop.hints.vectorLength > 0 || loop.hints.warps > 0 || loop.hints.threads;
}

bool isUnmarked(const For& loop) { return loop.hints.mark == LoopMark::None && !hasOwnSize(loop); }

bool hasAskedThreads(const Stmt& s) {
  return any<For>(s, [](const For& loop) { return bool(loop.hints.threads); });
}

const Launch* openKernel(const Stmt& s) {
  const auto* launch = s.as<Launch>();
  return launch && launch->body && !hasAskedThreads(launch->body) ? launch : nullptr;
}

bool isSerial(const For& loop) { return loop.order == Order::Serial && loop.hints.mark == LoopMark::None; }

bool isPlainSerial(const For& loop) {
  return loop.order == Order::Serial && isUnmarked(loop) && isConst(loop.step, 1) && loop.reductions.empty();
}

bool isPlain(const For& loop) { return isParallel(loop) && isUnmarked(loop) && loop.reductions.empty(); }

bool isRow(const For& loop) {
  return loop.mapping.is<Recorded>() && isConst(loop.lo, 0) && isConst(loop.hi, 1);
}

bool isBound(const For& loop) { return !loop.mapping.is<Serial, VectorCopy>(); }

bool isOfThreads(const For& loop) { return loop.mapping.is<PerThread>(); }

bool isUnrolled(const For& loop) {
  const auto* serial = loop.mapping.as<Serial>();
  const auto* lanes = loop.mapping.as<PerLane>();
  return (serial && serial->unroll == 1) || (lanes && lanes->unroll);
}

std::optional<Axis> axisOf(const For& loop) {
  return std::visit(
      [](const auto& how) -> std::optional<Axis> {
        if constexpr (requires { how.axis; }) return how.axis;
        return std::nullopt;
      },
      loop.mapping);
}

std::optional<Scope> lanesOf(const For& loop) {
  const auto* lanes = loop.mapping.as<PerLane>();
  return lanes ? std::optional(lanes->scope) : std::nullopt;
}

int firstBlockOf(const For& loop) {
  const auto* warps = loop.mapping.as<PerWarp>();
  const auto* threads = loop.mapping.as<PerThread>();
  return warps ? warps->firstBlock : threads ? threads->firstBlock : 0;
}

bool isAlongLanes(const For& loop) {
  return loop.mapping.is<PerLane, PerThread>() && axisOf(loop) == Axis::X;
}

Expr tripCount(const For& loop) {
  auto step = constantInt(loop.step);
  if (!step) return {};
  return *step > 0 ? ceilDiv(sub(loop.hi, loop.lo), intConst(*step))
                   : ceilDiv(sub(loop.lo, loop.hi), intConst(-*step));
}

std::optional<int64_t> constantTrip(const For& loop) {
  Expr count = tripCount(loop);
  auto value = count ? constantInt(count) : std::nullopt;
  return value ? std::optional(std::max<int64_t>(*value, 0)) : std::nullopt;
}

//===--- index statements and folds as loops ------------------------------------------------------------===//
//   y[i] = sum(k: a[i, k] * x[k])     =>     for i:  s = 0
//                                                    for k: s = s + a[i, k] * x[k]
//                                                    y[i] = s
// Reductions of one statement over equal ranges share a loop (one pass over memory for `A @ x + B @ x`).

namespace {

/// The loop over one dimension; a dimension of one element needs none.
Stmt loopOver(const Range& range, Stmt body, Span span, std::vector<Reduction> reductions = {}) {
  if (isConst(range.extent, 1)) return substitute(body, {{range.index, intConst(0)}});
  For loop;
  loop.index = range.index;
  loop.lo = intConst(0);
  loop.hi = unclipped(range.extent);
  loop.step = intConst(1);
  loop.body = std::move(body);
  loop.order = Order::Proven;
  loop.reductions = std::move(reductions);
  loop.hints.vectorLength = range.block;
  loop.hints.threads = range.threads;
  loop.hints.warps = range.warps;
  return makeStmt(span, std::move(loop));
}

struct LoweringToLoops {
  Span span;
  std::string hint = {}; ///< what the fold is for, if it has a name
  /// Reductions that run over the same ranges, and their accumulators.
  struct Group {
    std::vector<Range> over;
    std::vector<Reduction> accumulators;
    std::vector<Expr> bodies;
  };
  std::vector<Group> groups = {};

  static bool sameRanges(const std::vector<Range>& a, const std::vector<Range>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!equalIndex(a[i].extent, b[i].extent)) return false;
    return true;
  }

  /// Notes the reduction and returns its accumulator. The innermost ones stand inside the body: they are
  /// lowered in the loop.
  Expr accumulate(const Reduce& reduce) {
    auto group = groups.begin();
    while (group != groups.end() && !sameRanges(group->over, reduce.over)) ++group;
    if (group == groups.end()) group = groups.insert(group, Group{reduce.over, {}, {}});
    std::map<Symbol, Expr> rename;
    for (size_t i = 0; i < reduce.over.size(); ++i) rename[reduce.over[i].index] = var(group->over[i].index);
    group->bodies.push_back(substitute(reduce.body, rename));
    const Symbol accumulator(hint.empty() ? nameOfFold(reduce.op) : hint);
    group->accumulators.push_back({accumulator, reduce.type, reduce.op});
    return var(accumulator, reduce.type);
  }

  /// Top-down: an outer Reduce takes its whole body with it.
  Expr replaceReduces(const Expr& e) {
    if (const auto* r = e.as<Reduce>()) return accumulate(*r);
    return mapChildren(e, [&](const Expr& child) { return replaceReduces(child); });
  }

  std::vector<Stmt> accumulatorLoops() {
    std::vector<Stmt> out;
    for (const Group& g : groups) {
      std::vector<Stmt> updates;
      for (size_t i = 0; i < g.accumulators.size(); ++i) {
        const Reduction& r = g.accumulators[i];
        out.push_back(makeStmt(span, Assign{r.var, identity(r.op, r.type)}));
        LoweringToLoops inner{span};
        Expr value = inner.replaceReduces(g.bodies[i]);
        for (Stmt& s : inner.accumulatorLoops()) updates.push_back(std::move(s));
        updates.push_back(makeStmt(span, Assign{r.var, combine(r.op, var(r.var, r.type), value)}));
      }
      Stmt body = block(std::move(updates));
      for (size_t d = g.over.size(); d-- > 0;) body = loopOver(g.over[d], body, span, g.accumulators);
      out.push_back(body);
    }
    return out;
  }
};

Stmt lowerIndexStmt(const IndexStmt& s, Span span) {
  LoweringToLoops state{span};
  Expr value = state.replaceReduces(s.value);
  std::vector<Stmt> body = state.accumulatorLoops();
  body.push_back(makeStmt(span, Store{s.target, s.index, value, s.atomicOp}));
  Stmt nest = block(std::move(body));
  for (size_t d = s.domain.size(); d-- > 0;) nest = loopOver(s.domain[d], nest, span);
  return nest;
}

} // namespace

Stmt asLoops(const Stmt& s) {
  if (const auto* index = s.as<IndexStmt>()) return lowerIndexStmt(*index, s->span);
  if (!s.is<Assign>() && !s.is<Store>()) return {};
  LoweringToLoops state{s->span};
  if (const auto* a = s.as<Assign>(); a && a->value.is<Reduce>()) state.hint = a->var.hint();
  Stmt plain = mapExprs(s, [&](const Expr& e) { return state.replaceReduces(e); });
  if (state.groups.empty()) return {};
  std::vector<Stmt> body = state.accumulatorLoops();
  body.push_back(plain);
  return block(std::move(body));
}

} // namespace appyc::ir
