//===- OwnerComputes.cpp - all steps of a loop in one launch, whose blocks keep on chip what they own -------===//
#include "HostLoops.h"
#include "JoinProducers.h"
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Liveness.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

/// A loop whose body is statements that the owner of the step's slice runs, and a parallel loop behind them, an iteration
/// for each slice that changes.
struct Steps {
  const For& loop;
  std::vector<Stmt> producers;
  const For& work;

  Expr step() const { return var(loop.index); }
  Expr slice() const { return var(work.index); }
};

/// An array whose elements with the number of a block in subscript `dim` are that block's. It keeps them on chip for all
/// steps if they are state; what others read of a step is published, in memory, slice by slice.
struct Owned {
  Buffer array;
  size_t dim;
  bool stored = false;    ///< changes in the loop
  bool isState = false;   ///< blocks with work read their own part
  bool published = false; ///< these blocks read the step's slice, too
  bool isNew = false;     ///< nobody has given it values before; the step's owner gives its slice all
  Buffer part{}, slices{};

  std::vector<Expr> inPart(std::vector<Expr> index) const {
    index.erase(index.begin() + static_cast<std::ptrdiff_t>(dim));
    return index;
  }
  std::vector<Expr> inSlices(const std::vector<Expr>& index) const {
    std::vector<Expr> all = inPart(index);
    all.insert(all.begin(), index[dim]);
    return all;
  }
  const Expr& count() const { return array.extents[dim]; }
  Store publish(const std::vector<Expr>& index, Expr value) const {
    return {slices.name, inSlices(index), std::move(value), {}};
  }
  Expr ofOwner(const std::vector<Expr>& index) const { return load(slices, inSlices(index)); }
  Store set(const std::vector<Expr>& index, Expr value) const {
    return isState ? Store{part.name, inPart(index), std::move(value), {}} : publish(index, std::move(value));
  }
  Expr get(const std::vector<Expr>& index) const {
    return isState ? load(part, inPart(index)) : ofOwner(index);
  }
};

std::optional<Steps> stepsOf(const Stmt& s) {
  const auto* loop = s.as<For>();
  if (!loop || isParallel(*loop) || loop->hints.mark == LoopMark::Sequential || !isConst(loop->step, 1) ||
      readsMemory(loop->lo) || readsMemory(loop->hi))
    return {};
  std::vector<Stmt> body = statementsOf(loop->body);
  const auto* work = body.empty() ? nullptr : body.back().as<For>();
  if (!work || !isParallel(*work) || !work->reductions.empty() || !isConst(work->step, 1) ||
      readsMemory(work->lo) || readsMemory(work->hi))
    return {};
  body.pop_back();
  const std::set<Symbol> assigned = assignedVars(loop->body);
  if (mentionsAny(work->lo, assigned) || mentionsAny(work->hi, assigned)) return {};
  const bool plain = std::all_of(body.begin(), body.end(), isProducer) &&
                     consistsOf<Assign, Block, Alloc, If, For, Store>(loop->body) &&
                     !any<Store>(loop->body, [](const Store& store) { return store.atomicOp.has_value(); });
  return plain && containsLaneLoop(work->body) ? std::optional(Steps{*loop, std::move(body), *work})
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
  Ordering(const Steps& steps, const analysis::Context& around) : steps_(steps), around_(around) {}

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

  const Steps& steps_;
  const analysis::Context& around_;
};

//===--- the kernel --------------------------------------------------------------------------------------===//

/// Calls `visit(index, isStore)` for each access to `array`.
void forEachAccess(const Stmt& s, const Symbol& array,
                   const std::function<void(const std::vector<Expr>&, bool)>& access) {
  visit(
      s,
      [&](const Stmt& part) {
        if (const auto* store = part.as<Store>(); store && store->buffer == array) access(store->index, true);
        return true;
      },
      [&](const Expr& e) {
        if (const auto* l = e.as<Load>(); l && l->buffer == array) access(l->index, false);
        return true;
      });
}

/// An element that a producer stores is a scalar to those behind it, which need not wait until it is in memory.
std::vector<Stmt> withScalars(std::vector<Stmt> producers) {
  const std::set<Symbol> assigned = assignedVars(block(producers));
  for (size_t i = 0; i < producers.size(); ++i) {
    const auto* plain = producers[i].as<Store>();
    if (!plain || std::any_of(plain->index.begin(), plain->index.end(),
                              [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, assigned); }))
      continue;
    const Store store = *plain;
    const loops::NamedStore named =
        loops::withName({producers[i]->span}, store, Symbol(store.buffer.hint() + "_element"));
    producers[i] = block({named.set, named.store});
    for (size_t k = i + 1; k < producers.size() && !storedBuffers(producers[k]).count(store.buffer); ++k)
      producers[k] = loops::forwarded(producers[k], store, named.value);
  }
  return producers;
}

class OwnerComputes {
public:
  OwnerComputes(Function& f, PassContext& c, const analysis::Liveness& live, const HostLoop& at)
      : function_(f), ctx_(c), live_(live), original_(at.original), around_(at.around) {}

  /// An empty handle where the loop has another form.
  Stmt run(const Stmt& s) {
    const std::optional<Steps> steps = stepsOf(s);
    if (!steps || !hasOwnScalars(*steps)) return {};
    std::vector<Owned> owned = ownedBy(*steps);
    if (owned.empty()) return {};
    const Ordering ordering(*steps, around_);
    const bool publishes =
        std::any_of(owned.begin(), owned.end(), [](const Owned& o) { return o.published; });
    if (!ordering.isWithin(owned[0].count()) || !ordering.holds() ||
        (publishes && !ordering.isFinalInItsStep()) || !isLittle(*steps, owned))
      return {};
    const std::string choice =
        ctx_.choose(s->span, "launch", "auto", {"auto", "steps", "cluster", "block", "resident"});
    // A launch for each step takes no longer than to wait for a block, if it is one.
    const bool pays = !steps->producers.empty();
    if (choice != "resident" && !(choice == "auto" && pays)) return {};
    return resident(s, *steps, owned);
  }

private:
  /// Scalars of a step are used in it alone, those of its producers by these alone.
  bool hasOwnScalars(const Steps& steps) const {
    const std::set<Symbol> assigned = assignedVars(steps.loop.body);
    return !intersect(analysis::exposedScalars(steps.loop.body), assigned) &&
           !intersect(live_.after(original_), assigned) &&
           !intersect(analysis::exposedScalars(steps.work.body), assignedVars(block(steps.producers)));
  }

  /// One block will do for what a step's owner makes: none of its loops is longer than a slice.
  bool isLittle(const Steps& steps, const std::vector<Owned>& owned) const {
    analysis::Context context = around_;
    context.loops.push_back(&steps.loop);
    return std::all_of(steps.producers.begin(), steps.producers.end(), [&](const Stmt& s) {
      const auto* loop = s.as<For>();
      const Expr count = loop ? tripCount(*loop) : Expr();
      if (!loop || !count) return !loop;
      return std::any_of(owned.begin(), owned.end(), [&](const Owned& o) {
        return std::any_of(o.part.extents.begin(), o.part.extents.end(), [&](const Expr& length) {
          return analysis::isNonNegative(length - count, context);
        });
      });
    });
  }

  //===--- what is owned ------------------------------------------------------------------------------===//

  /// How the loop touches `array`, if a block can keep the elements whose subscript `dim` is its number.
  std::optional<Owned> ownedAlong(const Steps& steps, const Buffer& array, size_t dim) const {
    Owned owned{array, dim};
    bool possible = true;
    forEachAccess(steps.work.body, array.name, [&](const std::vector<Expr>& index, bool isStore) {
      const bool isOwn = equalIndex(index[dim], steps.slice()),
                 isOfStep = equalIndex(index[dim], steps.step());
      owned.stored |= isStore;
      owned.isState |= isOwn && !isStore;
      owned.published |= isOfStep;
      possible &= isOwn || (isOfStep && !isStore);
    });
    forEachAccess(block(steps.producers), array.name, [&](const std::vector<Expr>& index, bool isStore) {
      owned.stored |= isStore;
      possible &= equalIndex(index[dim], steps.step());
    });
    owned.published &= owned.stored; // what nobody changes is in memory as it is
    return possible && (owned.isState || owned.published) ? std::optional(owned) : std::nullopt;
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

  /// The arrays that blocks keep, with as many slices each; none where there is no state among them.
  std::vector<Owned> ownedBy(const Steps& steps) const {
    const std::set<Symbol> given = givenBefore();
    std::vector<Owned> all;
    for (const Buffer& array : function_.buffers)
      for (size_t dim = 0; array.extents.size() > 1 && areFixed(array.extents) && dim < array.extents.size();
           ++dim) {
        std::optional<Owned> owned = ownedAlong(steps, array, dim);
        if (!owned || (!all.empty() && !equalIndex(owned->count(), all[0].count()))) continue;
        owned->part = {Symbol(array.name.hint() + "_own"), array.type, owned->inPart(array.extents), true};
        owned->slices = {Symbol(array.name.hint() + "_slices"), array.type, owned->inSlices(array.extents)};
        owned->isNew = !given.count(array.name);
        if (owned->isNew && (owned->isState || !makesAll(steps, *owned))) continue;
        all.push_back(*owned);
        break;
      }
    if (std::none_of(all.begin(), all.end(), [](const Owned& o) { return o.isState; })) all.clear();
    return all;
  }

  /// Does each slice have a step, whose producers store all of it before anyone reads it?
  bool makesAll(const Steps& steps, const Owned& owned) const {
    if (!isConst(steps.loop.lo, 0) || !equalIndex(steps.loop.hi, owned.count())) return false;
    analysis::Context context = around_;
    context.loops.push_back(&steps.loop);
    const Stmt all = copy(Builder{}, owned, steps.step(), [&](const std::vector<Expr>& at) {
      return Store{owned.array.name, at, constOf(owned.array.type, 0), {}};
    });
    return analysis::overwrite(steps.producers, all, owned.array.name, true, context);
  }

  bool areFixed(const std::vector<Expr>& extents) const {
    return std::none_of(extents.begin(), extents.end(), [](const Expr& e) { return readsMemory(e); });
  }

  /// `s` with accesses to the block's own elements, those with the number `own`, on chip. Where others are read, these are
  /// elements of the step's slice, which has been published.
  static Stmt withParts(const Stmt& s, const std::vector<Owned>& owned, const Expr& own) {
    const auto find = [&](const Symbol& array) -> const Owned* {
      for (const Owned& o : owned)
        if (o.array.name == array) return &o;
      return nullptr;
    };
    return rewrite(
        s,
        [&](const Stmt& part) -> Stmt {
          const auto* store = part.as<Store>();
          const Owned* o = store ? find(store->buffer) : nullptr;
          return o ? makeStmt(part->span, o->set(store->index, store->value)) : Stmt();
        },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<Load>();
          const Owned* o = l ? find(l->buffer) : nullptr;
          if (!o) return {};
          if (equalIndex(l->index[o->dim], own)) return o->get(l->index);
          return o->published ? o->ofOwner(l->index) : Expr();
        });
  }

  //===--- the kernel ---------------------------------------------------------------------------------===//

  /// store(index) for each element whose number is `slice`.
  template <class MakeStore>
  static Stmt copy(const Builder& build, const Owned& owned, const Expr& slice, const MakeStore& store) {
    return loops::forAll(build, "i", owned.part.extents, [&](std::vector<Expr> index) {
      index.insert(index.begin() + static_cast<std::ptrdiff_t>(owned.dim), slice);
      return build.make(store(index));
    });
  }
  /// With scalars and indices of its own, and none of the source's loops: all of these stand elsewhere as well.
  static Stmt asCopy(const Stmt& s) {
    return replace<For>(loops::withOwnScalars(s), [](const For& loop, const Stmt& part) {
      For own = loop;
      own.index = Symbol(loop.index.hint());
      own.body = substitute(loop.body, {{loop.index, var(own.index)}});
      own.hints.origins.clear();
      return makeStmt(part->span, std::move(own));
    });
  }

  /// What the owner of a step's slice does, and then what the others do.
  Stmt stepOf(const Steps& steps, const std::vector<Owned>& owned, const Symbol& slice,
              const Symbol& progress, const Builder& build) {
    std::vector<Stmt> made = withScalars(steps.producers);
    for (Stmt& s : made) s = withParts(s, owned, steps.step());
    for (const Owned& o : owned)
      if (o.published && o.isState)
        made.push_back(copy(build, o, steps.step(),
                            [&](const std::vector<Expr>& at) { return o.publish(at, o.get(at)); }));
    made.push_back(build.make(Signal{Signal::Post, progress, steps.step()}));
    const Stmt wait = build.make(Signal{Signal::Wait, progress, steps.step()});
    const Stmt work = withOwnArrays(withParts(steps.work.body, owned, steps.slice()), function_.buffers);
    const Expr self = var(slice), isOwner = eq(self, steps.step());
    Expr hasWork = steps.work.lo <= self;
    if (!equalIndex(steps.work.hi, owned[0].count())) hasWork = both(hasWork, self < steps.work.hi);
    return block({build.when(isOwner, std::move(made)),
                  makeStmt(steps.work.body->span,
                           If{hasWork, block({wait, substitute(work, {{steps.work.index, self}})}), {}})});
  }

  Stmt resident(const Stmt& s, const Steps& steps, const std::vector<Owned>& owned) {
    const Builder build{s->span};
    const Buffer progress{Symbol("progress"), DType::I64, {}};
    const Symbol slice(steps.work.index.hint());
    const Expr count = owned[0].count();
    std::vector<Stmt> before, body, last;
    for (const Owned& o : owned) {
      if (o.isState) body.push_back(made(build, o.part));
      if (o.published) before.push_back(made(build, o.slices));
      const auto copied = [&](const auto& store) { return copy(build, o, var(slice), store); };
      using Index = const std::vector<Expr>&;
      if (!o.isNew) body.push_back(copied([&](Index at) { return o.set(at, load(o.array, at)); }));
      if (o.stored) last.push_back(copied([&](Index at) { return Store{o.array.name, at, o.get(at), {}}; }));
    }
    before.push_back(made(build, progress));
    For inside = steps.loop;
    inside.body = stepOf(steps, owned, slice, progress.name, build);
    body.push_back(build.make(std::move(inside)));
    body.insert(body.end(), last.begin(), last.end());

    For blocks = provenLoop(slice, intConst(0), count, asCopy(block(body)), threadsOf(s, steps.work));
    blocks.hints.resident = true;
    const Stmt kernel = build.make(blocks);
    const Expr most = call(Intrinsic::ResidentBlocks, DType::I64,
                           {intConst(blocks.hints.vectorLength),
                            intConst(ctx_.device.threadsWith(kResidentRegisters)), bytesOnChip(kernel)});
    const std::string others = namesOf(owned, false);
    ctx_.diag.report(
        DiagId::TimeLoop, s->span,
        fmt::format(
            "all steps in one launch where the device runs a block for each `{}` at once: it keeps {} on "
            "chip{}, and waits in each step for one other block",
            slice.hint(), namesOf(owned, true), others.empty() ? "" : ", publishes " + others));
    before.push_back(kernel);
    return build.when(count <= most, block(std::move(before)), s);
  }

  /// A new array of the function.
  Stmt made(const Builder& build, const Buffer& buffer) {
    function_.buffers.push_back(buffer);
    return build.alloc(buffer);
  }

  /// Threads of a block, which no loop inside asks to be more.
  int threadsOf(const Stmt& s, const For& work) const {
    std::vector<const For*> loops{&work};
    ir::visit(work.body, [&](const Stmt& part) {
      const auto* loop = part.as<For>();
      if (loop && isParallel(*loop)) loops.push_back(loop);
      return true;
    });
    return workerThreads(loops, work.body, {}, s->span, ctx_);
  }

  /// "its part of `A`", of those arrays that are state or of the others.
  static std::string namesOf(const std::vector<Owned>& owned, bool state) {
    std::string names;
    for (const Owned& o : owned)
      if (o.isState == state)
        names += fmt::format("{}its part of `{}`", names.empty() ? "" : " and ", o.array.name.hint());
    return names;
  }

  Function& function_;
  PassContext& ctx_;
  const analysis::Liveness& live_;
  const Stmt original_;
  const analysis::Context& around_;
};

} // namespace

Module ownerComputes(const Module& module, PassContext& ctx) {
  if (ctx.checkRaces) return module;
  return eachFunction(module, [&](Function& f) {
    const analysis::Liveness live(f);
    f.body = mapHostLoops(f, ctx,
                          [&](const HostLoop& at) { return OwnerComputes(f, ctx, live, at).run(at.stmt); });
  });
}

} // namespace appyc::schedule
