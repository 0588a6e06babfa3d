//===- FuseLoops.cpp - neighbouring parallel loops over one range become one --------------------------------------------===//
//   for i: t[i] = a[i] + b[i]             for i: t[i] = a[i] + b[i]
//   for i: c[i] = t[i] * 2        =>             c[i] = t[i] * 2
// Legal where every dependence stays inside an iteration (analysis::mayFuse). Done where the loops share an array and no
// parallel dimension is lost: both nests have the same number of perfectly nested parallel loops.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Stmt;

/// Parallel loops from the outside in, until the body holds more than one statement.
int parallelDepth(const Stmt& s) {
  const auto* f = s.as<ir::For>();
  if (!f || f->order == ir::Order::Serial || !f->reductions.empty()) return 0;
  return 1 + parallelDepth(f->body);
}

bool shareArray(const Stmt& a, const Stmt& b) {
  std::set<Symbol> x = ir::loadedBuffers(a), y = ir::loadedBuffers(b);
  x.merge(ir::storedBuffers(a));
  y.merge(ir::storedBuffers(b));
  return std::any_of(x.begin(), x.end(), [&](Symbol s) { return y.count(s) > 0; });
}

struct State {
  ir::PassContext& ctx;
  analysis::Context known;

  bool sameRange(const ir::For& a, const ir::For& b) {
    return ir::equal(a.step, b.step) && analysis::alwaysEqual(a.lo, b.lo, known) && analysis::alwaysEqual(a.hi, b.hi, known);
  }
  /// A loop of an array statement joins an annotated one and takes its mark.
  static bool marksAgree(const ir::For& a, const ir::For& b) {
    return a.mark == b.mark || a.mark == ir::LoopMark::None || b.mark == ir::LoopMark::None;
  }
  static bool plainMark(const ir::For& f) { return f.mark != ir::LoopMark::Sequential && f.vectorLength == 0 && f.warps == 0; }

  std::optional<Stmt> fuse(const Stmt& first, const Stmt& second) {
    const auto *a = first.as<ir::For>(), *b = second.as<ir::For>();
    if (!a || !b || a->order != ir::Order::Proven || b->order != ir::Order::Proven || !marksAgree(*a, *b) || !plainMark(*a) || !plainMark(*b)) return std::nullopt;
    if (a->reductions.empty() != b->reductions.empty()) return std::nullopt;
    if (parallelDepth(first) != parallelDepth(second) || !shareArray(first, second)) return std::nullopt;
    if (ir::readsMemory(a->lo) || ir::readsMemory(a->hi) || !sameRange(*a, *b)) return std::nullopt;
    if (!analysis::mayFuse(*a, *b, known, true)) return std::nullopt;
    ir::For joint = *a;
    if (joint.mark == ir::LoopMark::None) joint.mark = b->mark;
    Stmt renamed = ir::substitute(b->body, {{b->index, ir::var(a->index)}});
    joint.body = ir::block({a->body, renamed});
    joint.reductions.insert(joint.reductions.end(), b->reductions.begin(), b->reductions.end());
    if (!(first->span == second->span)) ctx.diag.report(DiagId::Fused, second->span, fmt::format("loop `{}` runs together with the one before it", b->index.hint()));
    return ir::makeStmt(first->span, joint);
  }

  Stmt visit(const Stmt& s) {
    if (const auto* f = s.as<ir::For>()) {
      known.loops.push_back(f);
      Stmt body = visit(f->body);
      known.loops.pop_back();
      if (body == f->body) return s;
      ir::For loop = *f;
      loop.body = body;
      return ir::makeStmt(s->span, loop);
    }
    if (const auto* b = s.as<ir::Block>()) {
      std::vector<Stmt> body;
      bool changed = false;
      for (const Stmt& child : b->body) {
        std::optional<Stmt> joint = body.empty() ? std::nullopt : fuse(body.back(), child);
        if (joint) body.back() = *joint;
        else body.push_back(child);
        changed |= joint.has_value();
      }
      for (Stmt& child : body) {
        Stmt next = visit(child);
        changed |= !(next == child);
        child = next;
      }
      return changed ? ir::makeStmt(s->span, ir::Block{std::move(body)}) : s;
    }
    return ir::mapChildren(s, [&](const Stmt& child) { return visit(child); });
  }
};

} // namespace

ir::Module fuseLoops(const ir::Module& module, ir::PassContext& ctx) {
  ir::Module out = module;
  for (ir::Function& f : out.functions) {
    State state{ctx, {}};
    for (const ir::Size& s : f.sizes) state.known.sizes.insert(s.name);
    f.body = state.visit(f.body);
  }
  return out;
}

} // namespace appyc::transform
