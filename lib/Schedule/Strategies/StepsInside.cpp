//===- StepsInside.cpp - steps of which no element needs another one's run in the thread that has it ------===//
//   for i:                                              parallel for j:
//     parallel for j: x[i, j] = f(x[i - 1, j])    =>      for i: x[i, j] = f(x[i - 1, j])
// Recurrences down the columns of arrays, maps that are applied many times. A launch or a barrier a step fall away, and
// neighbouring threads read neighbouring elements as before. Only where a step of an element is straight-line code. Elements
// that are the same in all steps, or the last one's, are scalars while these run (D. Callahan, S. Carr, K. Kennedy, 1990).
//
//   measured on an H200, f64                 | predicted                         | result
//   three diagonals, 200 rows x 20000        | memory's latency a step, not a    | 0.80 to 0.32 ms
//                                            | launch's 2 us: 0.80 to 0.3 ms     |
//   deriche, 7680 x 4320                     | 40 to 12 ms                       | 38 to 7.8 ms
//   adi N=200, T=100: 200 threads, a quotient| 38 to 10 ms                       | 38 to 29 ms
//   z = z - f(z), 10^6 complex, 20 times     | no memory between steps: half     | 0.40 to 0.19 ms
//   vadv                                     | a part of it: 4.3 to 3.9 ms       | 4.3 to 3.9 ms
//
// Loops in one another are steps together: for b: for c: parallel for e: y[e] += x[b, c] * w[b, c, e]. Where a schedule has given
// the threads away, each has several elements side by side, so that none waits for another one's sum.
#include "Recurrences.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace appyc::schedule {

namespace {

using namespace ir;

constexpr int64_t kSideBySide = 8, kFewElements = 4;

class StepsInside : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& outermost) override {
    Steps steps = stepsOf(outermost);
    if (steps.loops.empty()) return {};
    std::set<Symbol> varying = varyingWith(outermost);
    for (const For& loop : steps.loops) varying.insert(loop.index);
    const loops::Nest nest = loops::perfectNest(steps.body, [&](const For& loop, const auto& around) {
      std::set<Symbol> inside = varying;
      for (const For* outer : around) inside.insert(outer->index);
      return loop.order == Order::Proven && loop.reductions.empty() && !mentionsAny(loop.lo, inside) &&
             !mentionsAny(loop.hi, inside) && !readsMemory(loop.lo) && !readsMemory(loop.hi);
    });
    const bool isStraight = consistsOf<Block, Assign, Store, If>(nest.body);
    // A loop that a schedule gives threads is meant for the grid, whatever it does.
    const bool isAsked = std::ranges::all_of(nest.loops, [](const For* l) { return bool(l->hints.threads); });
    if (nest.loops.empty() || !(isStraight || isAsked)) return {};
    steps.body = nest.body;
    const Builder build{s->span};
    const auto unproven = [](For& loop) { loop.order = Order::Serial; };
    const Stmt made = loops::nestAround(build, nest.loops, steps.all(build), unproven);
    if (!isParallel(made, nest.loops.size(), live_.after(s))) return {};
    note(DiagId::Parallelised, s,
         "all iterations of `{}` run in the thread that has the element, as no element needs another one's",
         outermost.index.hint());
    if (!isStraight) return withoutOrigins(loops::nestAround(build, nest.loops, steps.all(build)));
    const Kept kept = inScalars(build, std::move(steps));
    if (isOfThread(nest) && kept.isWhole()) return withoutOrigins(sideBySide(build, nest, kept));
    return withoutOrigins(loops::nestAround(build, nest.loops, kept.all(build)));
  }

private:
  /// Serial loops, each in the one before, and what the innermost one does.
  struct Steps {
    std::vector<For> loops = {};
    Stmt body = {};

    Stmt all(const Builder& build) const {
      Stmt made = body;
      for (size_t k = loops.size(); k-- > 0;) made = build.make(withBody(loops[k], made));
      return made;
    }
    /// Does the innermost one's body run at all?
    Expr run() const {
      Expr runs;
      for (const For& loop : loops) {
        const Expr one = *constantInt(loop.step) > 0 ? loop.lo < loop.hi : loop.lo > loop.hi;
        runs = runs ? both(runs, one) : one;
      }
      return runs;
    }
  };

  /// The loop and those in it whose bounds stay the same while it runs.
  static Steps stepsOf(const For& outermost) {
    Steps steps;
    std::set<Symbol> varying = varyingWith(outermost);
    for (const For* loop = &outermost; loop; loop = loop->body.as<For>()) {
      const bool isFirst = steps.loops.empty();
      const bool isOpen = !isFirst && (!constantInt(loop->step) || !constantInt(outermost.step) ||
                                       mentionsAny(loop->lo, varying) || mentionsAny(loop->hi, varying) ||
                                       readsMemory(loop->lo) || readsMemory(loop->hi));
      if (!isSerial(*loop) || !loop->reductions.empty() || isOpen) break;
      varying.insert(loop->index);
      steps.loops.push_back(*loop);
      steps.body = loop->body;
    }
    return steps;
  }

  /// Steps, and what is done before and after them where there are any.
  struct Kept {
    Steps steps;
    std::vector<Stmt> before = {}, after = {};

    Stmt all(const Builder& build) const {
      if (before.empty() && after.empty()) return steps.all(build);
      std::vector<Stmt> all = before;
      all.push_back(steps.all(build));
      all.insert(all.end(), after.begin(), after.end());
      return build.make(If{steps.run(), block(std::move(all)), {}});
    }
    bool isWhole() const { return !after.empty() && consistsOf<Block, Assign>(steps.body); }
  };

  /// What a thread stores and reads again is in scalars while its steps run, if there are any.
  static Kept inScalars(const Builder& build, Steps steps) {
    Kept kept{std::move(steps)};
    if (!constantInt(kept.steps.loops[0].step)) return kept;
    for (const Symbol& array : storedBuffers(kept.steps.body))
      if (const std::optional<Store> element = onlyElement(kept.steps, array))
        keep(build, kept.steps.body, *element, kept.before, kept.after);
      else if (kept.steps.loops.size() == 1)
        carry(build, kept.steps, array, kept.before);
    return kept;
  }

  //===--- several elements of a thread -------------------------------------------------------------===//

  /// Has each thread all elements of the nest, as a schedule has given the threads to loops around it?
  bool isOfThread(const loops::Nest& nest) const {
    return std::ranges::any_of(known_.loops, [](const For* l) { return bool(l->hints.threads); }) &&
           std::ranges::none_of(nest.loops, [](const For* l) { return bool(l->hints.threads); });
  }

  /// for e: s = x[e]; for t: s += f(t, e); x[e] = s  =>  eight elements at a time, in scalars side by side: they share what the
  /// steps load, and none waits for another one's sum. Behind the last whole eight, what would be none is the last element again.
  static Stmt sideBySide(const Builder& build, const loops::Nest& nest, const Kept& kept) {
    const For& elements = *nest.loops.back();
    const std::vector<const For*> around(nest.loops.begin(), nest.loops.end() - 1);
    if (!isConst(elements.step, 1) || constantTrip(elements).value_or(kSideBySide) < kFewElements)
      return loops::nestAround(build, nest.loops, kept.all(build));
    std::vector<Stmt> all;
    const Expr count = floorDiv(maxOf(elements.hi - elements.lo, intConst(0)), kSideBySide);
    const Expr whole = build.let("whole", elements.lo + count * kSideBySide, all);
    all.push_back(eights(build, elements, kept, elements.lo, whole, false));
    all.push_back(eights(build, elements, kept, whole, elements.hi, true));
    return loops::nestAround(build, around, block(std::move(all)));
  }

  static Stmt eights(const Builder& build, const For& elements, const Kept& kept, const Expr& from,
                     const Expr& to, bool isLast) {
    const Symbol first(elements.index.hint());
    Kept joint{{kept.steps.loops, {}}};
    std::vector<Stmt> bodies;
    for (int64_t k = 0; k < kSideBySide; ++k) {
      std::map<Symbol, Symbol> own;
      for (const Stmt& s : {block(kept.before), kept.steps.body})
        for (const Symbol& name : assignedVars(s)) own.emplace(name, Symbol(name.hint()));
      Expr place = var(first) + intConst(k);
      if (isLast && k > 0)
        place = build.let(fmt::format("{}_{}", first.hint(), k), minOf(place, to - 1), joint.before);
      const auto copied = [&](const Stmt& s) {
        Stmt copy = substitute(s, {{elements.index, place}});
        for (const auto& [name, mine] : own) copy = renameScalar(copy, name, mine);
        return copy;
      };
      for (const Stmt& s : kept.before) joint.before.push_back(copied(s));
      bodies.push_back(copied(kept.steps.body));
      for (const Stmt& s : kept.after) joint.after.push_back(copied(s));
    }
    joint.steps.body = block(std::move(bodies));
    For several = serialLoop(first, from, to, intConst(kSideBySide), joint.all(build));
    several.order = isLast ? Order::Serial : Order::Proven;
    return build.make(std::move(several));
  }

  /// for t: z[j] = f(z[j])  =>  own = z[j]; for t: own = f(own); z[j] = own
  static void keep(const Builder& build, Stmt& body, const Store& element, std::vector<Stmt>& before,
                   std::vector<Stmt>& after) {
    const Symbol array = element.buffer;
    const Expr there = make(Load{typeOf(element.value), array, element.index});
    const loops::NamedStore own =
        loops::withName(build, {array, element.index, there, {}}, Symbol(array.hint()));
    const std::vector<Stmt> list = statementsOf(body);
    const auto first = std::ranges::find_if(
        list, [&](const Stmt& s) { return storedBuffers(s).count(array) || loadedBuffers(s).count(array); });
    const bool isMade =
        first->is<Store>() && !loadedBuffers(*first).count(array); // what was there counts for nothing
    if (!isMade) before.push_back(own.set);
    after.push_back(own.store);
    const Symbol name = own.value.as<Var>()->name;
    body = replace<Load>(body, [&](const Load& l) { return l.buffer == array ? own.value : Expr(); });
    body = rewrite(body, [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      return store && store->buffer == array ? Builder{s->span}.assign(name, store->value) : Stmt();
    });
  }

  /// for t: x[t] = f(x[t - 1])  =>  last = x[lo - 1]; for t: now = f(last); x[t] = now; last = now
  /// Where the element is stored once a step, and read in all of them.
  static void carry(const Builder& build, Steps& steps, const Symbol& array, std::vector<Stmt>& before) {
    const For& loop = steps.loops[0];
    std::vector<Stmt> list = statementsOf(steps.body);
    const auto stores = [&](const Stmt& s) { return s.is<Store>() && s.as<Store>()->buffer == array; };
    const auto at = std::ranges::find_if(list, stores);
    if (at == list.end() || std::ranges::count_if(list, stores) != 1 ||
        !consistsOf<Block, Assign, Store>(steps.body) || chooses(steps.body))
      return;
    const Store store = *at->as<Store>();
    std::vector<Expr> earlier, first;
    for (const Expr& e : store.index) {
      if (readsMemory(e) || mentionsAny(e, assignedVars(steps.body))) return;
      earlier.push_back(substitute(e, {{loop.index, var(loop.index) - loop.step}}));
      first.push_back(substitute(e, {{loop.index, loop.lo - loop.step}}));
    }
    bool isRead = false, isOther = store.atomicOp.has_value();
    each<Load>(steps.body, [&](const Load& l) {
      if (l.buffer != array) return;
      const bool isEarlier = equalIndices(l.index, earlier);
      isRead |= isEarlier;
      isOther |= !isEarlier && !equalIndices(l.index, store.index);
    });
    if (!isRead || isOther) return;
    const Symbol last("last_" + array.hint());
    const Expr lastValue = var(last, typeOf(store.value));
    before.push_back(build.assign(last, make(Load{typeOf(store.value), array, first})));
    const loops::NamedStore now = loops::withName({(*at)->span}, store, Symbol(array.hint()));
    *at = now.store;
    list.insert(at, now.set);
    list.push_back(build.assign(last, now.value));
    steps.body = replace<Load>(block(std::move(list)), [&](const Load& l) {
      return l.buffer == array && equalIndices(l.index, earlier) ? lastValue : Expr();
    });
  }

  /// A store into the one element of the array that the steps touch, where it is one, and touched in each step: it exists.
  static std::optional<Store> onlyElement(const Steps& steps, const Symbol& array) {
    std::set<Symbol> varying = assignedVars(steps.body);
    for (const For& loop : steps.loops) varying.insert(loop.index);
    std::optional<Store> element;
    bool isOne = true;
    each<Store>(steps.body, [&](const Store& x) {
      if (x.buffer != array) return;
      if (!element) element = x;
      isOne &= !x.atomicOp && equalIndices(x.index, element->index);
    });
    each<Load>(steps.body,
               [&](const Load& l) { isOne &= l.buffer != array || equalIndices(l.index, element->index); });
    isOne &= std::ranges::none_of(element->index,
                                  [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, varying); });
    const bool exists = std::ranges::any_of(statementsOf(steps.body), [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      const bool reads = !s.is<If>() && !chooses(s) && loadedBuffers(s).count(array);
      return reads || (store && store->buffer == array);
    });
    return isOne && exists ? element : std::nullopt;
  }

  /// May the iterations of the `depth` outermost loops of `nest` run in any order?
  bool isParallel(const Stmt& nest, size_t depth, const std::set<Symbol>& liveAfter) {
    if (depth == 0) return true;
    const For& loop = *nest.as<For>();
    const analysis::ParallelVerdict v = analysis::judgeParallel(loop, known_, liveAfter);
    if (!v.isFree()) return false;
    const analysis::Inside in(known_, loop);
    return isParallel(loop.body, depth - 1, liveAfter);
  }
};

} // namespace

void stepsInside(Function& f, PassContext& ctx) { f.body = StepsInside(f, ctx).visit(f.body); }

} // namespace appyc::schedule
