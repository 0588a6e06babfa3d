//===- DelayedUpdates.cpp - updates of what later steps own, as sums when these come ----------------------===//
#include "DelayedUpdates.h"
#include "Recurrences.h"
#include "StepStores.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// The elements of an update that are due in a step: one, or one for each iteration of `over`.
struct Part {
  std::map<Symbol, Expr> at; ///< by index of the update's loops
  const Leaf* update;
  std::optional<For> over;
  std::vector<const Leaf*> own{};

  Stmt of(const Stmt& s) const { return substitute(s, at); }
};

class Delaying {
public:
  Delaying(const Function& f, const Stmt& s, const analysis::Context& around)
      : function_(f), steps_(*s.as<For>()), build_{s->span}, known_(around),
        stores_(storesOf(f, steps_, around)) {}

  Stmt run() {
    if (!stores_) return {};
    for (const Leaf& leaf : stores_->leaves)
      if (isUpdate(leaf) && !addParts(leaf)) return {};

    if (parts_.empty() || !end_ || !hasSteps()) return {};
    for (const Leaf& leaf : stores_->leaves)
      if (!isUpdate(leaf) && !give(leaf)) return {};
    joinDiagonal();
    // What is on the diagonal is read by those that do something else to their elements, which others read.
    std::ranges::stable_sort(parts_, {}, [&](const Part& p) {
      return !p.over || equalIndex(p.over->lo, var(t_)) ? 0 : p.own.empty() ? 2 : 1;
    });
    later_ = steps_;
    later_.index = t_, later_.hi = end_;
    std::vector<Stmt> out;
    for (const Part& part : parts_) {
      const analysis::Inside inside(known_, later_);
      if (readsItself(part)) return {};
      const Stmt made = madeOf(part);
      if (part.over && !analysis::judgeParallel(*made.as<For>(), known_, {}).isProven()) return {};
      for (const Stmt& s : statementsOf(made)) out.push_back(s);
    }
    later_.body = block(std::move(out));
    return mayWait() ? build_.make(For(later_)) : Stmt();
  }

private:
  //===--- the statements -----------------------------------------------------------------------------===//

  /// What is added to the element, or taken from it.
  static Expr termOf(const Store& s) {
    const auto* b = s.value.as<Binary>();
    const auto isOwn = [&](const Expr& e) {
      const auto* l = e.as<Load>();
      return l && l->buffer == s.buffer && equalIndices(l->index, s.index);
    };
    if (!b || (b->op != BinaryOp::Sub && b->op != BinaryOp::Add)) return {};
    if (isOwn(b->lhs)) return b->rhs;
    return b->op == BinaryOp::Add && isOwn(b->rhs) ? b->lhs : Expr();
  }
  bool isUpdate(const Leaf& leaf) const {
    const Store& s = *leaf.body.as<Store>();
    const DType type = typeOf(s.value);
    const Symbol& k = steps_.index;
    return !leaf.loops.empty() && termOf(s) && (isFloat(type) || isComplex(type)) &&
           std::ranges::none_of(s.index, [&](const Expr& e) { return mentions(e, k); });
  }

  bool startsBehindStep(const For& loop) const { return equalIndex(loop.lo, var(steps_.index) + 1); }
  bool isFree(const For& loop) const {
    const auto isFixed = [&](const Expr& e) {
      return !readsMemory(e) && analysis::followsFrom(e, analysis::knownAtEntry(function_));
    };
    return isFixed(loop.lo) && isFixed(loop.hi);
  }
  bool endsThere(const Expr& hi) {
    if (!end_) end_ = hi;
    return equalIndex(end_, hi);
  }

  /// The elements of the update by the step in which they are due.
  bool addParts(const Leaf& leaf) {
    std::vector<const For*> square, free;
    for (const For* loop : leaf.loops) (isFree(*loop) ? free : square).push_back(loop);
    const Expr t = var(t_);
    const auto add = [&](std::map<Symbol, Expr> at, std::optional<For> over) {
      parts_.push_back({std::move(at), &leaf, std::move(over)});
    };
    /// With another loop of its own, behind the step.
    const auto along = [&](const For& due, const For& rest) {
      const Symbol x(rest.index.hint());
      add({{due.index, t}, {rest.index, var(x)}}, provenLoop(x, t + 1, end_, {}));
    };
    if (square.size() == 1 && free.size() <= 1) {
      if (!startsBehindStep(*square[0]) || !endsThere(square[0]->hi)) return false;
      if (free.empty()) return add({{square[0]->index, t}}, {}), true;
      const Symbol x(free[0]->index.hint());
      return add({{square[0]->index, t}, {free[0]->index, var(x)}},
                 provenLoop(x, free[0]->lo, free[0]->hi, {})),
             true;
    }
    if (square.size() != 2 || !free.empty()) return false;
    const For &outer = *square[0], &inner = *square[1];
    if (!startsBehindStep(outer) || !endsThere(outer.hi)) return false;
    const Expr i = var(outer.index);
    const bool fromOuter = equalIndex(inner.lo, i), toOuter = equalIndex(inner.hi, i + 1);
    if (!fromOuter && !startsBehindStep(inner)) return false;
    if (!toOuter && !endsThere(inner.hi)) return false;
    if (fromOuter && toOuter) return false;
    add({{outer.index, t}, {inner.index, t}}, {});
    if (!toOuter) along(outer, inner);
    if (!fromOuter) along(inner, outer);
    return true;
  }

  /// Is there a step for each element? The last one may be missing, where it would do nothing else.
  bool hasSteps() const {
    if (equalIndex(end_, steps_.hi)) return true;
    return equalIndex(end_, steps_.hi + 1) && std::ranges::all_of(stores_->leaves, [&](const Leaf& leaf) {
             return std::ranges::any_of(leaf.loops, [&](const For* l) { return startsBehindStep(*l); });
           });
  }

  //===--- what steps do to their own elements --------------------------------------------------------===//

  /// Finds the part whose elements the statement changes or reads.
  bool give(const Leaf& leaf) {
    if (leaf.loops.size() > 1) return false;
    const For* loop = leaf.loops.empty() ? nullptr : leaf.loops.front();
    const auto fits = [&](const Part& p) {
      if (!loop || !p.over) return !loop && !p.over;
      const std::map<Symbol, Expr> now{{steps_.index, var(t_)}};
      return equalIndex(substitute(loop->lo, now), p.over->lo) && equalIndex(loop->hi, p.over->hi);
    };
    for (Part& p : parts_) {
      if (!fits(p)) continue;
      const Store own = *ownOf(p, leaf).as<Store>(), target = *p.of(p.update->body).as<Store>();
      const auto isTarget = [&](const Symbol& array, const std::vector<Expr>& index) {
        return array == target.buffer && equalIndices(index, target.index);
      };
      if (!isTarget(own.buffer, own.index) &&
          !any<Load>(own.value, [&](const Load& l) { return isTarget(l.buffer, l.index); }))
        continue;
      p.own.push_back(&leaf);
      return true;
    }
    return false;
  }
  /// The statement in step t, for the element of `over`.
  Stmt ownOf(const Part& p, const Leaf& leaf) const {
    std::map<Symbol, Expr> here{{steps_.index, var(t_)}};
    if (!leaf.loops.empty()) here.emplace(leaf.loops.front()->index, var(p.over->index));
    return substitute(leaf.body, here);
  }

  /// Where a step does nothing else to the element on the diagonal, or to those of its row, these are one loop.
  void joinDiagonal() {
    const auto isAlone = [](const Part& p) { return !p.over && p.own.empty(); };
    const auto single = std::ranges::find_if(parts_, isAlone);
    if (single == parts_.end()) return;
    const auto row = std::ranges::find_if(parts_, [&](const Part& p) {
      return p.over && p.own.empty() && p.update == single->update && equalIndex(p.over->lo, var(t_) + 1);
    });
    if (row == parts_.end()) return;
    row->over->lo = var(t_);
    parts_.erase(single);
  }

  //===--- the steps that sum -------------------------------------------------------------------------===//

  Stmt inLoop(const Part& p, const Stmt& s) const {
    if (!p.over) return s;
    return build_.make(withBody(*p.over, s));
  }
  Stmt madeOf(const Part& p) {
    const Store target = *p.of(p.update->body).as<Store>();
    const DType type = typeOf(target.value);
    const Symbol total("total"), k(steps_.index.hint());
    const Expr sum = var(total, type), term = substitute(termOf(target), {{steps_.index, var(k)}});
    For earlier = provenLoop(k, steps_.lo, var(t_), build_.assign(total, combine(ReduceOp::Sum, sum, term)));
    earlier.reductions.push_back({total, type, ReduceOp::Sum});
    Store store = target;
    const BinaryOp op = target.value.as<Binary>()->op;
    store.value = binary(op, make(Load{type, target.buffer, target.index}), sum);
    std::vector<Stmt> out{build_.assign(total, constOf(type, 0)), build_.make(std::move(earlier)),
                          build_.make(store)};
    for (const Leaf* leaf : p.own) {
      Stmt own = ownOf(p, *leaf);
      if (storesAgain(p, *own.as<Store>(), store)) {
        const loops::NamedStore named = loops::withName(build_, store, Symbol("left"));
        out.back() = named.set;
        store = *loops::forwarded(own, store, named.value).as<Store>();
        own = build_.make(store);
      }
      out.push_back(std::move(own));
    }
    return inLoop(p, block(std::move(out)));
  }
  /// Need the element not be stored before this, which is its value from then on?
  bool storesAgain(const Part& p, const Store& own, const Store& before) {
    analysis::Context context = known_;
    if (p.over) context.loops.push_back(&*p.over);
    return own.buffer == before.buffer && equalIndices(own.index, before.index) &&
           !analysis::touchesOtherwise(build_.make(own), own.buffer, own.index, context);
  }

  /// Does what is added to an element read it?
  bool readsItself(const Part& p) {
    const Store target = *p.of(p.update->body).as<Store>();
    const Expr term = termOf(target);
    const For earlier = serialLoop(steps_.index, steps_.lo, var(t_), intConst(1), {});
    analysis::Context context = known_;
    if (p.over) context.loops.push_back(&*p.over);
    context.loops.push_back(&earlier);
    return any<Load>(term,
                     [&](const Load& l) {
                       return l.buffer == target.buffer && equalIndices(l.index, target.index);
                     }) ||
           analysis::touchesOtherwise(build_.assign(Symbol("term"), term), target.buffer, target.index,
                                      context);
  }

  /// Run by the steps that they are of, in the order of the text, do these do what the text does?
  bool mayWait() const {
    const For earlier = serialLoop(steps_.index, steps_.lo, var(t_), intConst(1), {});
    const auto rankOf = [&](const Leaf* leaf) { return static_cast<size_t>(leaf - stores_->leaves.data()); };
    std::vector<analysis::Placed> placed;
    std::vector<size_t> rank;
    for (const Part& p : parts_) {
      placed.push_back({inLoop(p, p.of(p.update->body)), {&later_, &earlier}, 1});
      rank.push_back(rankOf(p.update));
      for (const Leaf* leaf : p.own) {
        placed.push_back({inLoop(p, ownOf(p, *leaf)), {&later_}, 0});
        rank.push_back(rankOf(leaf));
      }
    }
    return analysis::mayRunByTime(placed, rank, known_);
  }

  const Function& function_;
  const For& steps_;
  Builder build_;
  analysis::Context known_;
  const Symbol t_{"t"};
  For later_;
  const std::optional<StepStores> stores_;
  Expr end_; ///< behind the last element
  std::vector<Part> parts_;
};

} // namespace

Stmt delayedUpdates(const Function& function, const Stmt& steps, const analysis::Context& around) {
  return Delaying(function, steps, around).run();
}

Stmt orWithDelayedUpdates(const Function& function, PassContext& ctx, const HostLoop& at,
                          const std::function<Stmt(const Stmt& steps)>& strategy) {
  const Stmt steps = countingLikeStores(at.stmt);
  if (Stmt made = strategy(steps)) return made;
  const Stmt delayed = delayedUpdates(function, steps, at.around);
  const Stmt made = delayed ? strategy(delayed) : Stmt();
  if (made)
    ctx.diag.report(
        DiagId::TimeLoop, at.stmt->span,
        "what each step does to all elements behind it waits for their own steps, which sum it up");
  return made;
}

} // namespace appyc::schedule
