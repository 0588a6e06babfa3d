//===- UnrollPeriods.cpp - steps that take turns, as one step of all turns --------------------------------------------===//
//   for t in [0, n):                                 for turn in [0, n // 2):
//     if t % 2 == 0: B = f(A)              =>          B = f(A)
//     else:          A = f(B)                          A = f(B)
//                                                    if n > 0 and n % 2 > 0: B = f(A)
// So are steps on `u[t % 2]` and `u[(t + 1) % 2]`. What takes turns has names that do not depend on the step then: passes see sweeps
// from one array to another. Unrolling (Allen and Cocke, 1972) by the period of a remainder.
//   five points by parity, 2000 x 2000, 200 steps, an H200: 4.03 ms, a launch a step; predicted 1.5 as with names that change
//   places, measured 1.55
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

constexpr int64_t kLongest = 3; ///< of periods, as each turn is written once more

/// (index + shift) % period
struct Turn {
  int64_t shift, period;
};
std::optional<Turn> turnIn(const Binary& b, const Symbol& index) {
  const auto period = constantInt(b.rhs);
  if (b.op != BinaryOp::Mod || b.type != DType::I64 || !period || *period < 2 || *period > kLongest)
    return std::nullopt;
  const auto shift = constantInt(b.lhs - var(index));
  return shift ? std::optional(Turn{*shift, *period}) : std::nullopt;
}

/// The period of remainders that tell what a step stores: in subscripts of stores, and before loops. None where there is none, or
/// several.
std::optional<int64_t> periodOf(const For& loop) {
  std::set<int64_t> periods;
  const auto note = [&](const Expr& e) {
    each<Binary>(e, [&](const Binary& b) {
      if (const auto turn = turnIn(b, loop.index)) periods.insert(turn->period);
    });
  };
  visit(loop.body, [&](const Stmt& s) {
    const auto* branch = s.as<If>();
    if (branch && has<For>(s)) note(branch->cond);
    if (const auto* store = s.as<Store>()) std::ranges::for_each(store->index, note);
    return true;
  });
  return periods.size() == 1 ? std::optional(*periods.begin()) : std::nullopt;
}

/// The step whose number is `at`, which is `turn` plus a multiple of the period.
Stmt stepAt(const For& loop, int64_t turn, int64_t period, const Expr& at) {
  const Stmt decided = rewrite(
      loop.body, [](const Stmt&) { return Stmt(); },
      [&](const Expr& e) -> Expr {
        const auto* b = e.as<Binary>();
        const auto is = b ? turnIn(*b, loop.index) : std::nullopt;
        const bool isDecided = is && is->period == period;
        return isDecided ? intConst(((turn + is->shift) % period + period) % period) : Expr();
      });
  return loops::asCopy(substitute(decided, {{loop.index, at}}));
}

class Turns : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    const auto first = constantInt(loop.lo);
    const auto period = first && isStepLoop(loop, live_.after(s)) ? periodOf(loop) : std::nullopt;
    if (!period || analysis::judgeParallel(loop, known_, {}).isProven()) return {};
    note(DiagId::TimeLoop, s, "{} steps are written out, as they take turns", *period);
    return inTurns(s->span, loop, *first, *period);
  }

private:
  /// A serial loop over others, of which no scalar goes on to another step.
  static bool isStepLoop(const For& loop, const std::set<Symbol>& liveAfter) {
    return isPlainSerial(loop) && consistsOf<Block, Assign, Store, If, For>(loop.body) &&
           has<For>(loop.body) && analysis::hasOwnScalars(loop.body, liveAfter);
  }

  static Stmt inTurns(Span span, const For& loop, int64_t first, int64_t period) {
    const Builder build{span};
    const Expr count = loop.hi - first;
    const auto turnAfter = [&](const Expr& rounds, int64_t turn) {
      return stepAt(loop, first + turn, period, rounds * period + (first + turn));
    };
    For turns = loop;
    turns.index = Symbol(loop.index.hint());
    turns.lo = intConst(0), turns.hi = floorDiv(count, period);
    std::vector<Stmt> all, rest;
    for (int64_t turn = 0; turn < period; ++turn) all.push_back(turnAfter(var(turns.index), turn));
    turns.body = block(std::move(all));
    rest.push_back(build.make(turns));
    for (int64_t turn = 0; turn + 1 < period; ++turn)
      rest.push_back(build.when(both(count > 0, mod(count, period) > turn), turnAfter(turns.hi, turn)));
    return block(std::move(rest));
  }
};

} // namespace

void unrollPeriods(Function& f, PassContext& ctx) { f.body = Turns(f, ctx).visit(f.body); }

} // namespace appyc::transform
