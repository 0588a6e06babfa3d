//===- SplitStarts.cpp - a recurrence whose first steps have none before them, as two loops ----------------------------===//
//   for i in [0, n):                                        for i in [0, k):  y[i] = x[i]            (k within [0, n])
//     y[i] = x[i]                                     =>    for i in [k, n):  y[i] = x[i];  y[i] = y[i] + g * y[i - k]
//     if i >= k: y[i] = y[i] + g * y[i - k]
// Index-set splitting (Banerjee, 1988) where a comparison with the step's number tells whether there is something to hand on:
// what is left is a plain recurrence, which others scan, run in chunks, or as many chains. `simplify` drops what neither takes.
//   an H200, ms                                     | one thread | predicted | now
//   prices and volumes so far, `if i > 0:`, 4 * 10^6 | 716        | 1         | 1.9
//   an echo, `if i >= delay:`, 2 * 10^6              | 226        | 2         | 0.21
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using namespace ir;

bool isUpward(const For& loop) { return isConst(loop.step, 1); }

/// Where it changes which way a comparison goes: what is compared with the loop's index, and is the same for all steps.
Expr turnOf(const Binary& cond, const For& loop) {
  if (typeOf(cond.lhs) != DType::I64 || typeOf(cond.rhs) != DType::I64) return {};
  const bool isTurned = !mentions(cond.lhs, loop.index);
  const auto shift = constantInt((isTurned ? cond.rhs : cond.lhs) - var(loop.index));
  if (!shift) return {};
  const Expr at = (isTurned ? cond.lhs : cond.rhs) - *shift;
  if (mentions(at, loop.index) || readsMemory(at) || !loops::keeps(loop.body, at)) return {};
  switch (cond.op) {
  case BinaryOp::Lt:
  case BinaryOp::Ge: return isTurned ? at + 1 : at;
  case BinaryOp::Le:
  case BinaryOp::Gt: return isTurned ? at : at + 1;
  case BinaryOp::Eq:
  case BinaryOp::Ne: {
    const Expr least = isUpward(loop) ? loop.lo : loop.hi + 1, most = isUpward(loop) ? loop.hi - 1 : loop.lo;
    return equalIndex(at, least) ? at + 1 : equalIndex(at, most) ? at : Expr();
  }
  default: return {};
  }
}

class Starts : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    // In nests borders stay where they are: a nest runs by diagonals as a whole.
    if (!known_.loops.empty() || !isSerial(loop) || !isUnmarked(loop) ||
        !(isUpward(loop) || isConst(loop.step, -1)) || !consistsOf<Block, Assign, Store, If>(loop.body))
      return {};
    const Expr turn = turnIn(loop);
    if (!turn || analysis::judgeParallel(loop, known_, {}).isProven()) return {};
    note(DiagId::TimeLoop, s, "the first steps of loop `{}`, which take another branch, run by themselves",
         loop.index.hint());
    For before = loop, behind = loop;
    if (isUpward(loop)) {
      const auto isBehind = constantInt(turn - loop.lo);
      before.hi = minOf(turn, loop.hi);
      behind.lo = isBehind && *isBehind >= 0 ? turn : maxOf(turn, loop.lo);
    } else {
      const auto isBehind = constantInt(loop.lo + 1 - turn);
      before.hi = maxOf(turn - 1, loop.hi);
      behind.lo = isBehind && *isBehind >= 0 ? turn - 1 : minOf(turn - 1, loop.lo);
    }
    before.hints.origins.clear();
    const Stmt first = loops::asCopy(makeStmt(s->span, decided(before)), assignedVars(loop.body));
    return block({first, makeStmt(s->span, decided(behind))});
  }

private:
  /// Without comparisons of the index that come out the same for all steps.
  For decided(const For& part) {
    const analysis::Inside inside(known_, part);
    const std::set<Symbol> assigned = assignedVars(part.body);
    For out = part;
    out.body = rewrite(
        part.body, [](const Stmt&) { return Stmt(); },
        [&](const Expr& e) -> Expr {
          const auto* b = e.as<Binary>();
          if (!b || typeOf(b->lhs) != DType::I64 || !mentions(e, part.index) || mentionsAny(e, assigned) ||
              readsMemory(e))
            return {};
          const auto isLeast = [&](const Expr& x, int64_t least) {
            return analysis::isNonNegative(x - least, known_);
          };
          const Expr above = b->lhs - b->rhs, below = b->rhs - b->lhs;
          const auto either = [&](bool yes, bool no) { return yes || no ? boolConst(yes) : Expr(); };
          switch (b->op) {
          case BinaryOp::Lt: return either(isLeast(below, 1), isLeast(above, 0));
          case BinaryOp::Le: return either(isLeast(below, 0), isLeast(above, 1));
          case BinaryOp::Gt: return either(isLeast(above, 1), isLeast(below, 0));
          case BinaryOp::Ge: return either(isLeast(above, 0), isLeast(below, 1));
          case BinaryOp::Eq:
          case BinaryOp::Ne: {
            const bool isSame = isLeast(above, 0) && isLeast(below, 0);
            const bool isOther = isLeast(above, 1) || isLeast(below, 1);
            return b->op == BinaryOp::Eq ? either(isSame, isOther) : either(isOther, isSame);
          }
          default: return {};
          }
        });
    return out;
  }
  /// Of what tells whether a step reads an element that another one has stored, the same distance before in all steps.
  static Expr turnIn(const For& loop) {
    const auto isHandedOn = [&](const Load& l) {
      return any<Store>(loop.body, [&](const Store& store) {
        return store.buffer == l.buffer && isApart(l.index, store.index, loop.index);
      });
    };
    Expr turn;
    const auto consider = [&](const Expr& cond, const auto& then, const auto& otherwise) {
      if (!any<Load>(then, isHandedOn) && !(otherwise && any<Load>(otherwise, isHandedOn))) return;
      each<Binary>(cond, [&](const Binary& b) {
        if (!turn) turn = turnOf(b, loop);
      });
    };
    each<If>(loop.body, [&](const If& i) { consider(i.cond, i.then, i.otherwise); });
    each<Select>(loop.body, [&](const Select& s) { consider(s.cond, s.then, s.otherwise); });
    return turn;
  }

  static bool isApart(const std::vector<Expr>& read, const std::vector<Expr>& stored, const Symbol& index) {
    bool moves = false, isSame = true;
    for (size_t d = 0; d < stored.size(); ++d) {
      const Expr plain = beforeWrap(read[d]);
      const Expr distance = simplifiedIndex((plain ? plain : read[d]) - stored[d]);
      if (mentions(distance, index)) return false;
      moves |= mentions(stored[d], index);
      isSame &= isConst(distance, 0);
    }
    return moves && !isSame;
  }
};

} // namespace

void splitStarts(Function& f, PassContext& ctx) { f.body = Starts(f, ctx).visit(f.body); }

} // namespace appyc::transform
