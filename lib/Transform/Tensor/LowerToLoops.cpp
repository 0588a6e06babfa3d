//===- LowerToLoops.cpp - index statements become loop nests ----------------------------------------===//
//   y[i] = sum(k: a[i, k] * x[k])     =>     for i:  s = 0
//                                                    for k: s = s + a[i, k] * x[k]
//                                                    y[i] = s
// Reductions of one statement over equal ranges share a loop (one pass over memory for `A @ x + B @ x`).
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

/// The loop over one dimension; a dimension of one element needs none.
Stmt loopOver(const ir::Range& range, Stmt body, Span span, std::vector<ir::Reduction> reductions = {}) {
  if (ir::isConst(range.extent, 1)) return ir::substitute(body, {{range.index, ir::intConst(0)}});
  ir::For loop;
  loop.index = range.index;
  loop.lo = ir::intConst(0);
  loop.hi = ir::unclipped(range.extent);
  loop.step = ir::intConst(1);
  loop.body = std::move(body);
  loop.order = ir::Order::Proven;
  loop.reductions = std::move(reductions);
  loop.hints.vectorLength = range.block;
  loop.hints.threads = range.threads;
  loop.hints.warps = range.warps;
  return ir::makeStmt(span, std::move(loop));
}

struct LoweringToLoops {
  Span span;
  std::string hint = {}; ///< what the fold is for, if it has a name
  /// Reductions that run over the same ranges, and their accumulators.
  struct Group {
    std::vector<ir::Range> over;
    std::vector<ir::Reduction> accumulators;
    std::vector<Expr> bodies;
  };
  std::vector<Group> groups = {};

  static bool sameRanges(const std::vector<ir::Range>& a, const std::vector<ir::Range>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!ir::equalIndex(a[i].extent, b[i].extent)) return false;
    return true;
  }

  /// Notes the reduction and returns its accumulator. The innermost ones stand inside the body: they are
  /// lowered in the loop.
  Expr accumulate(const ir::Reduce& reduce) {
    auto group = groups.begin();
    while (group != groups.end() && !sameRanges(group->over, reduce.over)) ++group;
    if (group == groups.end()) group = groups.insert(group, Group{reduce.over, {}, {}});
    std::map<Symbol, Expr> rename;
    for (size_t i = 0; i < reduce.over.size(); ++i)
      rename[reduce.over[i].index] = ir::var(group->over[i].index);
    group->bodies.push_back(ir::substitute(reduce.body, rename));
    const Symbol accumulator(hint.empty() ? ir::nameOfFold(reduce.op) : hint);
    group->accumulators.push_back({accumulator, reduce.type, reduce.op});
    return ir::var(accumulator, reduce.type);
  }

  /// Top-down: an outer Reduce takes its whole body with it.
  Expr replaceReduces(const Expr& e) {
    if (const auto* r = e.as<ir::Reduce>()) return accumulate(*r);
    return ir::mapChildren(e, [&](const Expr& child) { return replaceReduces(child); });
  }

  std::vector<Stmt> accumulatorLoops() {
    std::vector<Stmt> out;
    for (const Group& g : groups) {
      std::vector<Stmt> updates;
      for (size_t i = 0; i < g.accumulators.size(); ++i) {
        const ir::Reduction& r = g.accumulators[i];
        out.push_back(ir::makeStmt(span, ir::Assign{r.var, ir::identity(r.op, r.type)}));
        LoweringToLoops inner{span};
        Expr value = inner.replaceReduces(g.bodies[i]);
        for (Stmt& s : inner.accumulatorLoops()) updates.push_back(std::move(s));
        updates.push_back(
            ir::makeStmt(span, ir::Assign{r.var, ir::combine(r.op, ir::var(r.var, r.type), value)}));
      }
      Stmt body = ir::block(std::move(updates));
      for (size_t d = g.over.size(); d-- > 0;) body = loopOver(g.over[d], body, span, g.accumulators);
      out.push_back(body);
    }
    return out;
  }
};

Stmt lowerIndexStmt(const ir::IndexStmt& s, Span span) {
  LoweringToLoops state{span};
  Expr value = state.replaceReduces(s.value);
  std::vector<Stmt> body = state.accumulatorLoops();
  body.push_back(ir::makeStmt(span, ir::Store{s.target, s.index, value, s.atomicOp}));
  Stmt nest = ir::block(std::move(body));
  for (size_t d = s.domain.size(); d-- > 0;) nest = loopOver(s.domain[d], nest, span);
  return nest;
}

Stmt lowerStatement(const Stmt& s) {
  if (const auto* index = s.as<ir::IndexStmt>()) return lowerIndexStmt(*index, s->span);
  if (!s.is<ir::Assign>() && !s.is<ir::Store>()) return {};
  LoweringToLoops state{s->span};
  if (const auto* a = s.as<ir::Assign>(); a && a->value.is<ir::Reduce>()) state.hint = a->var.hint();
  Stmt plain = ir::mapExprs(s, [&](const Expr& e) { return state.replaceReduces(e); });
  if (state.groups.empty()) return {};
  std::vector<Stmt> body = state.accumulatorLoops();
  body.push_back(plain);
  return ir::block(std::move(body));
}

/// Counts of threads are a device's.
Stmt withoutThreads(const Stmt& s) {
  const auto* loop = s.as<ir::For>();
  if (!loop || !loop->hints.threads) return {};
  ir::For open = *loop;
  open.hints.threads = {};
  return ir::makeStmt(s->span, std::move(open));
}

} // namespace

void lowerToLoops(ir::Function& f, ir::PassContext& ctx) {
  f.body = ir::rewrite(f.body, lowerStatement);
  if (!ctx.cuda) f.body = ir::rewrite(f.body, withoutThreads);
}

} // namespace appyc::transform
