//===- FewInside.cpp - few iterations of a loop run inside of the parallel one in it -----------------------===//
// Of a serial loop, which would be the host's; of a parallel one beside loops over the same range, which fuse then: of the steps
// of an integrator with its state in two rows, whose derivatives are made row by row.
//   Runge-Kutta, 10^6 oscillators, 100 steps, an H200: 4.7 ms; predicted 0.5, measured 2.6, as what is stacked still goes through memory
#include "FewInside.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

bool isOfOneStep(const For& loop) { return loop.hints.mark == LoopMark::None && isConst(loop.step, 1); }

namespace {

constexpr int64_t kFew = 4;
constexpr size_t kMostWrittenOut = 12; ///< statements

/// The parallel loop that is the same in all of few iterations; nullptr where it is another form.
const For* insideOfFew(const Stmt& s) {
  const auto* few = s.as<For>();
  const auto* inner = few ? few->body.as<For>() : nullptr;
  const bool fits = inner && isOfOneStep(*few) && isOfOneStep(*inner) && few->reductions.empty() &&
                    inner->reductions.empty() && inner->order == Order::Proven &&
                    constantTrip(*few).value_or(kFew + 1) <= kFew && constantInt(few->lo) &&
                    consistsOf<Block, Assign, Store, If>(inner->body) && !mentions(inner->lo, few->index) &&
                    !mentions(inner->hi, few->index);
  return fits ? inner : nullptr;
}

/// An empty handle where dependences lead from iteration to iteration of the inner loops.
Stmt joined(const std::vector<Stmt>& parts, const analysis::Context& known) {
  For joint = *insideOfFew(parts.back());
  std::vector<Stmt> body;
  for (const Stmt& part : parts) {
    const For &few = *part.as<For>(), &inner = *insideOfFew(part);
    if (!equalIndex(inner.lo, joint.lo) || !equalIndex(inner.hi, joint.hi)) return {};
    const int64_t first = *constantInt(few.lo), count = *constantTrip(few);
    for (int64_t i = first; i < first + count; ++i)
      for (const Stmt& s : statementsOf(loops::withOwnScalars(
               substitute(inner.body, {{few.index, intConst(i)}, {inner.index, var(joint.index)}}))))
        body.push_back(s);
  }
  if (body.size() > kMostWrittenOut) return {};
  joint.body = block(std::move(body));
  if (!analysis::judgeParallel(joint, known, {}).isProven()) return {};
  return withoutOrigins(makeStmt(parts.back()->span, joint));
}
/// Does a loop beside the one at `at` run through the same range as the parallel one inside of that, over the same arrays?
bool isBesideRow(const std::vector<Stmt>& list, size_t at) {
  const For& inner = *insideOfFew(list[at]);
  const auto isRow = [&](size_t k) {
    const auto* row = k < list.size() ? list[k].as<For>() : nullptr;
    return row && row->order == Order::Proven && isOfOneStep(*row) && row->reductions.empty() &&
           equalIndex(row->lo, inner.lo) && equalIndex(row->hi, inner.hi) &&
           (intersect(storedBuffers(list[k]), loadedBuffers(inner.body)) ||
            intersect(loadedBuffers(list[k]), storedBuffers(inner.body)));
  };
  return isRow(at + 1) || (at > 0 && isRow(at - 1));
}

} // namespace

Stmt withFewInside(const Stmt& s, const analysis::Context& known, Diagnostics& diag) {
  std::vector<Stmt> list = statementsOf(s);
  for (size_t at = 0; at < list.size(); ++at) {
    if (!insideOfFew(list[at])) continue;
    if (list[at].as<For>()->order != Order::Serial && !isBesideRow(list, at)) continue;
    const bool takes = at > 0 && insideOfFew(list[at - 1]) &&
                       intersect(storedBuffers(list[at - 1]), loadedBuffers(list[at]));
    Stmt made = takes ? joined({list[at - 1], list[at]}, known) : Stmt();
    if (made)
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(--at));
    else
      made = joined({list[at]}, known);
    if (!made) continue;
    list[at] = made;
    diag.report(DiagId::Parallelised, made->span,
                fmt::format("its few iterations run inside of `{}`, so that one parallel loop does all",
                            made.as<For>()->index.hint()));
  }
  return list == statementsOf(s) ? s : makeStmt(s->span, Block{list});
}

} // namespace appyc::transform
