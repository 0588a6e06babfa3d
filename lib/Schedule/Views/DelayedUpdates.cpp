//===- DelayedUpdates.cpp - updates of what later steps own, as sums when these come ----------------------===//
#include "DelayedUpdates.h"
#include "Recurrences.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

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

static Stmt countingLikeStores(const Stmt& s, const Symbol& step, const std::set<Symbol>& around) {
  const auto* loop = s.as<For>();
  if (!loop)
    return mapChildren(s, [&](const Stmt& c) { return c ? countingLikeStores(c, step, around) : c; });
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
  const Stmt body = countingLikeStores(own.body, step, inside);
  if (!moves && body == own.body) return s;
  own.body = body;
  return makeStmt(s->span, std::move(own));
}

namespace {

/// A statement of a step in the loops around it.
struct Leaf {
  Stmt body;
  std::vector<const For*> loops; ///< of the text, but for what stands in them
};

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
      : function_(f), steps_(*s.as<For>()), build_{s->span}, known_(around) {}

  Stmt run() {
    if (!flatten(statementsOf(steps_.body), {})) return {};
    for (const Leaf& leaf : leaves_)
      if (isUpdate(leaf) && !addParts(leaf)) return {};

    if (parts_.empty() || !end_ || !hasSteps()) return {};
    for (const Leaf& leaf : leaves_)
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
      if (part.over &&
          analysis::judgeParallel(*made.as<For>(), known_, {}).answer != analysis::Answer::Proven)
        return {};
      for (const Stmt& s : statementsOf(made)) out.push_back(s);
    }
    later_.body = block(std::move(out));
    return mayWait() ? build_.make(For(later_)) : Stmt();
  }

private:
  //===--- the statements -----------------------------------------------------------------------------===//

  static int readsOf(const Stmt& s, const Symbol& name) {
    int count = 0;
    each<Var>(s, [&](const Var& v) { count += v.name == name; });
    return count;
  }
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
        readsOf(function_.body, set.var) != readsOf(block({rest, list.end()}), set.var))
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
        kept_.push_back(s);
        inside.push_back(loop);
        if (!flatten(statementsOf(loop->body), inside)) return false;
        continue;
      }
      const auto* store = s.as<Store>();
      if (!store || store->atomicOp) return false;
      leaves_.push_back({s, around});
    }
    return !list.empty();
  }

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
    return equalIndex(end_, steps_.hi + 1) && std::ranges::all_of(leaves_, [&](const Leaf& leaf) {
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
    For all = *p.over;
    all.body = s;
    return build_.make(std::move(all));
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
    const auto rankOf = [&](const Leaf* leaf) { return static_cast<size_t>(leaf - leaves_.data()); };
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
  Expr end_;               ///< behind the last element
  std::vector<Stmt> kept_; ///< of which leaves' loops are
  std::vector<Leaf> leaves_;
  std::vector<Part> parts_;
};

} // namespace

Stmt delayedUpdates(const Function& function, const Stmt& steps, const analysis::Context& around) {
  return Delaying(function, steps, around).run();
}

Stmt orWithDelayedUpdates(const Function& function, PassContext& ctx, const HostLoop& at,
                          const std::function<Stmt(const Stmt& steps)>& strategy) {
  const Stmt steps = countingLikeStores(at.stmt, at.loop().index, {});
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
