//===- CountSteps.cpp - loops that workers share count their iterations ---------------------------------===//
//   for k in range(lo, hi, step), shared          for t in [0, ceil((hi - lo) / step)), shared
//     body(k)                                =>      k = lo + t * step; body(k)
// Where the step is a number that only the call knows, or a large one: a worker's first index and its stride are
// `step` times a number of workers, which 32 bits need not hold, and what wraps round may come out below `hi`. Parallel loops
// with steps that only the call knows count before they are mapped: arrays that iterations make want to know how many these are.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <cstdlib>

namespace appyc::schedule {
using namespace ir;

/// So many times the threads of any grid that does not follow the extent are far from 2^30.
constexpr int64_t kSmallStep = 1024;

static bool mayOverrun(const For& loop, const std::vector<const For*>&) {
  if (!loop.mapping.is<PerBlock, PerThread, PerWarp, PerGroup, PerLane>() || loop.step.is<Hardware>())
    return false;
  const auto step = constantInt(loop.step);
  return !step || std::abs(*step) > kSmallStep;
}

/// ceil(distance / step) without a sum that 64 bits need not hold.
static Expr stepsIn(const Expr& distance, const Expr& step) { return floorDiv(distance - 1, step) + 1; }

/// Alone in the parallel loops around it, so that workers may share it.
static bool hasOpenStep(const For& loop, const std::vector<const For*>& around) {
  return isParallel(loop) && isUnmarked(loop) && !constantInt(loop.step) &&
         std::ranges::none_of(around, [&](const For* outer) {
           return isParallel(*outer) &&
                  (mentions(loop.step, outer->index) || statementsOf(outer->body).size() != 1);
         });
}

class Counting : public loops::FunctionPass {
public:
  using Which = bool (*)(const For& loop, const std::vector<const For*>& around);
  Counting(Function& f, PassContext& ctx, Which which) : FunctionPass(f, ctx), which_(which) {}

  Stmt visit(const Stmt& s) {
    const Stmt made = inside(s, [&](const Stmt& child) { return visit(child); });
    const auto* loop = made.as<For>();
    return loop && which_(*loop, known_.loops) ? counted(*loop, s->span) : made;
  }

private:
  /// The body behind what gives it the index; loops right in it stay so.
  static Stmt behind(const Stmt& index, const Symbol& name, const Stmt& body) {
    const std::vector<Stmt> list = statementsOf(body);
    const auto* inner = list.size() == 1 ? list[0].as<For>() : nullptr;
    if (!inner || !isParallel(*inner) || mentions(inner->lo, name) || mentions(inner->hi, name) ||
        mentions(inner->step, name))
      return block({index, body});
    return makeStmt(list[0]->span, withBody(*inner, behind(index, name, inner->body)));
  }

  Stmt counted(const For& loop, Span span) const {
    const Builder build(span);
    std::vector<Stmt> all;
    const std::set<Symbol> assigned = assignedVars(loop.body);
    const auto fixed = [&](const char* hint, const Expr& e) { // the limits are those from before the loop
      if (e.is<Const>() || (e.is<Var>() && !assigned.count(e.as<Var>()->name))) return e;
      const Symbol name(loop.index.hint() + hint);
      all.push_back(build.assign(name, e));
      return var(name);
    };
    const Expr lo = fixed("_first", loop.lo), step = fixed("_step", loop.step);
    const Expr up = stepsIn(loop.hi - lo, step), down = stepsIn(lo - loop.hi, intConst(0) - step);
    For over = loop;
    over.index = Symbol("t");
    over.lo = intConst(0), over.step = intConst(1);
    over.hi = analysis::isNonNegative(loop.step, known_)                 ? up
              : analysis::isNonNegative(intConst(0) - loop.step, known_) ? down
                                                                         : select(step > 0, up, down);
    over.body = behind(build.assign(loop.index, lo + var(over.index) * step), loop.index, loop.body);
    all.push_back(build.make(std::move(over)));
    return block(std::move(all));
  }

  const Which which_;
};

void countSteps(Function& f, PassContext& ctx) { f.body = Counting(f, ctx, mayOverrun).visit(f.body); }
void countOpenSteps(Function& f, PassContext& ctx) { f.body = Counting(f, ctx, hasOpenStep).visit(f.body); }

} // namespace appyc::schedule
