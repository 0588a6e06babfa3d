//===- StepStores.cpp - what a step stores, each element in its loops ---------------------------------===//
#include "StepStores.h"
#include "Recurrences.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"

namespace appyc::schedule {
using namespace ir;

//===--- loops that count like what they store ------------------------------------------------------===//

/// What the first store in the loop adds to its index.
static Expr shiftOfStores(const For& loop) {
  Expr shift;
  each<Store>(loop.body, [&](const Store& s) {
    for (const Expr& e : s.index)
      if (!shift) shift = analysis::shiftFrom(e, loop.index, assignedVars(loop.body));
  });
  return shift;
}

/// The elements before the step's own, counted from that on:
///   for i in [lo, n - k): f(i)  =>  for v in [k + 1, n + 1 - lo): f(n - v)
static bool countedBack(For& loop, const Symbol& step) {
  const Expr last = loop.hi + var(step);
  if (loop.order != Order::Proven || mentions(last, step) || mentions(loop.lo, step)) return false;
  const Symbol index(loop.index.hint());
  loop.body = substitute(loop.body, {{loop.index, last - var(index)}});
  loop.hi = last - loop.lo + 1;
  loop.lo = var(step) + 1;
  loop.index = index;
  return true;
}

static Stmt counting(const Stmt& s, const Symbol& step, const std::set<Symbol>& around) {
  const auto* loop = s.as<For>();
  if (!loop) return mapChildren(s, [&](const Stmt& c) { return c ? counting(c, step, around) : c; });
  For own = *loop;
  bool moves = false;
  if (isPlainLoop(own) && own.reductions.empty() && own.index != step) {
    const Expr shift = shiftOfStores(own);
    moves = shift && mentionsAny(shift, around);
    if (moves)
      own = loops::startingAt(own, own.lo + shift);
    else
      moves = countedBack(own, step);
  }
  std::set<Symbol> inside = around;
  inside.insert(own.index);
  const Stmt body = counting(own.body, step, inside);
  if (!moves && body == own.body) return s;
  own.body = body;
  return makeStmt(s->span, std::move(own));
}

Stmt countingLikeStores(const Stmt& steps) { return counting(steps, steps.as<For>()->index, {}); }

//===--- stores in their loops ----------------------------------------------------------------------===//

namespace {

class Flattening {
public:
  Flattening(const Function& f, const For& steps, const analysis::Context& around)
      : function_(f), steps_(steps), known_(around) {}

  std::optional<StepStores> run() {
    return flatten(statementsOf(steps_.body), {}) ? std::optional(std::move(made_)) : std::nullopt;
  }

private:
  bool writes(const Stmt& s, const Load& element, const analysis::Context& context) const {
    return storedBuffers(s).count(element.buffer) &&
           (any<Store>(s,
                       [&](const Store& store) {
                         return store.buffer == element.buffer && equalIndices(store.index, element.index);
                       }) ||
            analysis::touchesOtherwise(s, element.buffer, element.index, context));
  }
  /// Who reads the scalar that statement `i` sets reads instead the element in which it is kept, or what it is made of: as long
  /// as these keep their values.
  ///   f = A[i, k] / p; A[i, k] = f; .. f ..  =>  A[i, k] = A[i, k] / p; .. A[i, k] ..
  bool withoutScalar(std::vector<Stmt>& list, size_t i, const std::vector<const For*>& around) const {
    const Assign set = *list[i].as<Assign>();
    const auto rest = list.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (mentionsAny(set.value, assignedVars(steps_.body)) ||
        countReads(function_.body, set.var) != countReads(block({rest, list.end()}), set.var))
      return false;
    Expr value = set.value;
    auto reader = rest;
    if (const auto* kept = rest == list.end() ? nullptr : rest->as<Store>();
        kept && !kept->atomicOp && equal(kept->value, var(set.var, typeOf(value)))) {
      Store store = *kept;
      store.value = value;
      value = make(Load{typeOf(value), store.buffer, store.index});
      *reader++ = makeStmt(list[i]->span, std::move(store));
    }
    analysis::Context context = known_;
    context.loops.push_back(&steps_);
    context.loops.insert(context.loops.end(), around.begin(), around.end());
    bool stays = true;
    for (; reader != list.end(); ++reader) {
      each<Load>(value, [&](const Load& l) { stays = stays && !writes(*reader, l, context); });
      *reader = substitute(*reader, {{set.var, value}});
    }
    return stays;
  }

  bool flatten(std::vector<Stmt> list, const std::vector<const For*>& around) {
    for (size_t i = 0; i < list.size(); ++i) {
      const Stmt& s = list[i];
      if (s.is<Assign>()) {
        if (!withoutScalar(list, i, around)) return false;
        continue;
      }
      if (const auto* loop = s.as<For>()) {
        if (loop->order != Order::Proven || !isPlainLoop(*loop) || !loop->reductions.empty()) return false;
        std::vector<const For*> inside = around;
        made_.kept.push_back(s);
        inside.push_back(loop);
        if (!flatten(statementsOf(loop->body), inside)) return false;
        continue;
      }
      const auto* store = s.as<Store>();
      if (!store || store->atomicOp) return false;
      made_.leaves.push_back({s, around});
    }
    return !list.empty();
  }

  const Function& function_;
  const For& steps_;
  const analysis::Context& known_;
  StepStores made_;
};

} // namespace

std::optional<StepStores> storesOf(const Function& f, const For& steps, const analysis::Context& around) {
  return Flattening(f, steps, around).run();
}

} // namespace appyc::schedule
