//===- JoinStrips.cpp - loops over strips, and over what is in one, as one loop -------------------------------------------===//
//   for s in range(lo, hi, 128):                          for p in range(lo, hi):
//     part = 0                                              total = total + f(p)
//     for k in [0, min(128, hi - s)):            =>
//       part = part + f(s + k)
//     total = total + part
// So do strips that store. Who wrote them had vectors or a cache in mind; here passes choose how much a thread, a warp and a block
// take. The converse of strip-mining (Wolfe, 1996).
//   sum of 2 * 10^7 by strips of 1000, of 128, an H200, ms: 2.57, 0.198; predicted as in one loop, 0.06, measured 0.099
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

class Joining : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& outer) override { return visit(joined(s, outer)); }

private:
  static bool isOpen(const For& loop) {
    return isParallel(loop) && loop.hints.mark != LoopMark::ParallelSimd && !hasOwnSize(loop);
  }

  Stmt joined(const Stmt& s, const For& strips) const {
    const auto length = constantInt(strips.step);
    const std::vector<Stmt> body = statementsOf(strips.body);
    const size_t folds = strips.reductions.size();
    const auto* strip = body.size() == 2 * folds + 1 ? body[folds].as<For>() : nullptr;
    if (!strip || !length || *length < 2 || !isOpen(strips) || !isOpen(*strip) || !isConst(strip->step, 1) ||
        strip->reductions.size() != folds)
      return {};
    const For within = loops::startingAt(*strip, intConst(0));
    if (!coversStrip(strips, within, *length)) return {};
    const Symbol place(strips.index.hint());
    Stmt points = substitute(within.body, {{within.index, var(place) - var(strips.index)}});
    if (mentionsAny(points, {strips.index})) return {};
    for (size_t r = 0; r < folds; ++r) {
      const auto* add = body[folds + 1 + r].as<Assign>();
      const Reduction *total = add ? of(strips, add->var) : nullptr,
                      *part = total ? partOf(within, *add, *total) : nullptr;
      const auto begins = [&](const Stmt& set) {
        const auto* a = set.as<Assign>();
        return a && a->var == part->var && equal(a->value, identity(part->op, part->type));
      };
      if (!part || std::none_of(body.begin(), body.begin() + static_cast<std::ptrdiff_t>(folds), begins))
        return {};
      points = renameScalar(points, part->var, total->var);
    }
    For all = strips;
    all.index = place;
    all.step = intConst(1);
    all.body = points;
    note(DiagId::Parallelised, s, "strips of {} elements are one loop, of which passes choose the parts",
         *length);
    return makeStmt(s->span, std::move(all));
  }

  /// Does the inner loop run for all of a strip, and no further than the outer one?
  bool coversStrip(const For& strips, const For& within, int64_t length) const {
    analysis::Context inside = known_;
    inside.loops.push_back(&strips);
    const Expr rest = strips.hi - var(strips.index);
    return analysis::alwaysEqual(within.hi, minOf(intConst(length), rest), inside);
  }

  static const Reduction* of(const For& loop, const Symbol& name) {
    for (const Reduction& r : loop.reductions)
      if (r.var == name) return &r;
    return nullptr;
  }
  /// What `within` folds, if it is added to `total`: total = total op part.
  static const Reduction* partOf(const For& within, const Assign& add, const Reduction& total) {
    for (const Reduction& r : within.reductions)
      if (r.op == total.op && r.type == total.type &&
          equal(add.value, combine(total.op, var(total.var, total.type), var(r.var, r.type))))
        return &r;
    return nullptr;
  }
};

} // namespace

void joinStrips(Function& f, PassContext& ctx) { f.body = Joining(f, ctx).visit(f.body); }

} // namespace appyc::transform
