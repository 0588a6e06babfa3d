//===- OwnedSteps.cpp - steps of a loop whose slices blocks can own ----------------------------------------===//
#include "OwnedSteps.h"
#include "JoinProducers.h"
#include "Units.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

Owned::Index Owned::inPart(Index index) const {
  index.erase(index.begin() + static_cast<std::ptrdiff_t>(dim));
  return index;
}

Owned::Index Owned::inSlices(const Index& index) const {
  Index all = inPart(index);
  all.insert(all.begin(), index[dim]);
  return all;
}

Stmt Owned::forSlice(const Builder& build, const Expr& slice,
                     const std::function<Store(const Index&)>& store) const {
  return loops::forAll(build, "i", part.extents, [&](Index index) {
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(dim), slice);
    return build.make(store(index));
  });
}

namespace {

std::optional<OwnedSteps> stepsOf(const For& loop) {
  if (isParallel(loop) || loop.hints.mark == LoopMark::Sequential || !isConst(loop.step, 1) ||
      readsMemory(loop.lo) || readsMemory(loop.hi))
    return {};
  std::vector<Stmt> body = statementsOf(loop.body);
  const auto* work = body.empty() ? nullptr : body.back().as<For>();
  if (!work || !isParallel(*work) || !work->reductions.empty() || !isConst(work->step, 1) ||
      readsMemory(work->lo) || readsMemory(work->hi))
    return {};
  body.pop_back();
  const std::set<Symbol> assigned = assignedVars(loop.body);
  if (mentionsAny(work->lo, assigned) || mentionsAny(work->hi, assigned)) return {};
  const bool plain = std::all_of(body.begin(), body.end(), isProducer) &&
                     consistsOf<Assign, Block, Alloc, If, For, Store>(loop.body) &&
                     !any<Store>(loop.body, [](const Store& store) { return store.atomicOp.has_value(); });
  return plain && cost::containsLaneLoop(work->body)
             ? std::optional(OwnedSteps{loop, std::move(body), *work, {}})
             : std::nullopt;
}

For later(const For& loop, Symbol index, Expr lo, Expr hi) {
  return serialLoop(std::move(index), std::move(lo), std::move(hi), loop.step, block({}));
}

//===--- what is asked about dependences -----------------------------------------------------------------===//

/// Who waits for whom: a block runs its statements in order, and waits in each step in which it has work until the step
/// has been posted. So what slice j does in step k comes before what another one does in a later step k' if k < j <= k',
/// as the owner of j posts between.
class Ordering {
public:
  Ordering(const OwnedSteps& steps, const analysis::Context& around) : steps_(steps), around_(around) {}

  /// Does no dependence lead to another block by any other way?
  bool holds() const { return ownersHaveWaited() && !leadsElsewhere(); }

  /// Is a slice the same from its own step on?
  bool isFinalInItsStep() const {
    const For& k = steps_.loop;
    const For from = later(k, Symbol("later"), var(k.index), k.hi);
    return isNonNegative(atStep(steps_.work.lo, from) - var(k.index) - 1, {&k, &from});
  }

  /// Are all steps and slices in [0, count)?
  bool isWithin(const Expr& count) const {
    const For &k = steps_.loop, &j = steps_.work;
    return isNonNegative(k.lo, {}) && isNonNegative(count - k.hi, {}) && isNonNegative(j.lo, {&k}) &&
           isNonNegative(count - j.hi, {&k});
  }

private:
  analysis::Context with(const std::vector<const For*>& loops) const {
    analysis::Context context = around_;
    context.loops.insert(context.loops.end(), loops.begin(), loops.end());
    return context;
  }
  bool isNonNegative(const Expr& e, const std::vector<const For*>& loops) const {
    return analysis::isNonNegative(e, with(loops));
  }
  template <class T> T atStep(const T& part, const For& step) const {
    return substitute(part, {{steps_.loop.index, var(step.index)}});
  }

  /// The owner of a step's slice has had work, and waited, in the step before: steps are posted in order.
  bool ownersHaveWaited() const {
    For k = steps_.loop;
    k.hi = k.hi - 1;
    const Expr next = var(k.index) + 1;
    return isNonNegative(next - steps_.work.lo, {&k}) && isNonNegative(steps_.work.hi - 1 - next, {&k});
  }

  /// Does a slice's work meet, in a later step that need not wait for it, what another block does: the step's owner, or
  /// one that works on another slice?
  bool leadsElsewhere() const {
    const For &k = steps_.loop, &j = steps_.work;
    const Expr one = intConst(1);
    const For then = later(k, Symbol("later"), var(k.index) + one, k.hi);
    const For before = later(j, j.index, j.lo, minOf(j.hi, var(k.index) + one)),
              behind = later(j, j.index, maxOf(j.lo, var(then.index) + one), j.hi);
    const Expr lo = atStep(j.lo, then), hi = atStep(j.hi, then);
    const For below = later(j, Symbol("other"), lo, minOf(hi, var(j.index))),
              above = later(j, Symbol("other"), maxOf(lo, var(j.index) + one), hi);
    const Stmt owner = atStep(block(steps_.producers), then);
    for (const For* from : {&before, &behind}) {
      if (analysis::touchSame(j.body, owner, with({&k, &then, from}))) return true;
      for (const For* to : {&below, &above}) {
        const Stmt other = substitute(atStep(j.body, then), {{j.index, var(to->index)}});
        if (analysis::touchSame(j.body, other, with({&k, &then, from, to}))) return true;
      }
    }
    return false;
  }

  const OwnedSteps& steps_;
  const analysis::Context& around_;
};

//===--- what is owned ---------------------------------------------------------------------------------===//

/// How the loop touches `array`, if a block can keep the elements whose subscript `dim` is its number.
std::optional<Owned> ownedAlong(const OwnedSteps& steps, const Buffer& array, size_t dim) {
  Owned owned{array, dim};
  bool possible = true;
  const auto inWork = [&](const auto& access, bool isStore) {
    if (access.buffer != array.name) return;
    const bool isOwn = equalIndex(access.index[dim], steps.slice()),
               isOfStep = equalIndex(access.index[dim], steps.step());
    owned.stored |= isStore;
    owned.isState |= isOwn && !isStore;
    owned.published |= isOfStep;
    possible &= isOwn || (isOfStep && !isStore);
  };
  const auto inProducer = [&](const auto& access, bool isStore) {
    if (access.buffer != array.name) return;
    owned.stored |= isStore;
    possible &= equalIndex(access.index[dim], steps.step());
  };
  const Stmt producers = block(steps.producers);
  each<Store>(steps.work.body, [&](const Store& s) { inWork(s, true); });
  each<Load>(steps.work.body, [&](const Load& l) { inWork(l, false); });
  each<Store>(producers, [&](const Store& s) { inProducer(s, true); });
  each<Load>(producers, [&](const Load& l) { inProducer(l, false); });
  owned.published &= owned.stored; // what nobody changes is in memory as it is
  return possible && (owned.isState || owned.published) ? std::optional(owned) : std::nullopt;
}

class Finder {
public:
  Finder(const Function& f, const analysis::Liveness& live, const HostLoop& at, OwnedSteps& steps)
      : function_(f), live_(live), original_(at.original), around_(at.around), steps_(steps) {}

  bool find() {
    if (!hasOwnScalars()) return false;
    findOwned();
    if (steps_.owned.empty()) return false;
    const Ordering ordering(steps_, around_);
    const bool publishes =
        std::any_of(steps_.owned.begin(), steps_.owned.end(), [](const Owned& o) { return o.published; });
    return ordering.isWithin(steps_.count()) && ordering.holds() &&
           (!publishes || ordering.isFinalInItsStep()) && isLittle();
  }

private:
  /// Scalars of a step are used in it alone, those of its producers by these alone.
  bool hasOwnScalars() const {
    const std::set<Symbol> assigned = assignedVars(steps_.loop.body);
    return !intersect(analysis::exposedScalars(steps_.loop.body), assigned) &&
           !intersect(live_.after(original_), assigned) &&
           !intersect(analysis::exposedScalars(steps_.work.body), assignedVars(block(steps_.producers)));
  }

  /// One block will do for what a step's owner makes: none of its loops is longer than a slice.
  bool isLittle() const {
    analysis::Context context = around_;
    context.loops.push_back(&steps_.loop);
    return std::all_of(steps_.producers.begin(), steps_.producers.end(), [&](const Stmt& s) {
      const auto* loop = s.as<For>();
      const Expr count = loop ? tripCount(*loop) : Expr();
      if (!loop || !count) return !loop;
      return std::any_of(steps_.owned.begin(), steps_.owned.end(), [&](const Owned& o) {
        return std::any_of(o.part.extents.begin(), o.part.extents.end(), [&](const Expr& length) {
          return analysis::isNonNegative(length - count, context);
        });
      });
    });
  }

  /// The arrays that the caller or some statement outside of the loop gives values.
  std::set<Symbol> givenBefore() const {
    std::set<Symbol> given;
    for (const Param& p : function_.params) given.insert(p.name);
    ir::visit(function_.body, [&](const Stmt& part) {
      if (part == original_) return false;
      if (part.is<Store>() || part.is<MatMul>() || part.is<Routine>() || part.is<Swap>())
        given.merge(storedBuffers(part));
      return true;
    });
    return given;
  }

  /// Finds the arrays that blocks keep, with as many slices each; none where there is no state among them.
  void findOwned() {
    const std::set<Symbol> given = givenBefore();
    std::vector<Owned>& all = steps_.owned;
    const auto isFixed = [](const Expr& e) { return !readsMemory(e); };
    for (const Buffer& array : function_.buffers) {
      if (array.extents.size() < 2 || !std::all_of(array.extents.begin(), array.extents.end(), isFixed))
        continue;
      for (size_t dim = 0; dim < array.extents.size(); ++dim) {
        std::optional<Owned> owned = ownedAlong(steps_, array, dim);
        if (!owned || (!all.empty() && !equalIndex(owned->count(), all[0].count()))) continue;
        owned->part = {Symbol(array.name.hint() + "_own"), array.type, owned->inPart(array.extents), true};
        owned->slices = {Symbol(array.name.hint() + "_slices"), array.type, owned->inSlices(array.extents)};
        owned->isNew = !given.count(array.name);
        if (owned->isNew && (owned->isState || !makesAll(*owned))) continue;
        all.push_back(*owned);
        break;
      }
    }
    if (std::none_of(all.begin(), all.end(), [](const Owned& o) { return o.isState; })) all.clear();
  }

  /// Does each slice have a step, whose producers store all of it before anyone reads it?
  bool makesAll(const Owned& owned) const {
    if (!isConst(steps_.loop.lo, 0) || !equalIndex(steps_.loop.hi, owned.count())) return false;
    analysis::Context context = around_;
    context.loops.push_back(&steps_.loop);
    const Stmt all = owned.forSlice(Builder{}, steps_.step(), [&](const std::vector<Expr>& at) {
      return Store{owned.array.name, at, constOf(owned.array.type, 0), {}};
    });
    return analysis::overwrite(steps_.producers, all, owned.array.name, true, context);
  }

  const Function& function_;
  const analysis::Liveness& live_;
  const Stmt original_;
  const analysis::Context& around_;
  OwnedSteps& steps_;
};

} // namespace

std::optional<OwnedSteps> ownedStepsOf(const HostLoop& at, const Function& function,
                                       const analysis::Liveness& live) {
  std::optional<OwnedSteps> steps = stepsOf(at.loop());
  return steps && Finder(function, live, at, *steps).find() ? steps : std::nullopt;
}

} // namespace appyc::schedule
