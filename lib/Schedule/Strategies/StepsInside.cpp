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
#include <optional>

namespace appyc::schedule {

namespace {

using namespace ir;

class StepsInside : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& steps) override {
    if (!isSerial(steps) || !steps.reductions.empty()) return {};
    const loops::Nest nest = loops::perfectNest(steps.body, [&](const For& loop, const auto& around) {
      std::set<Symbol> varying = varyingWith(steps);
      for (const For* outer : around) varying.insert(outer->index);
      return loop.order == Order::Proven && loop.reductions.empty() && !mentionsAny(loop.lo, varying) &&
             !mentionsAny(loop.hi, varying) && !readsMemory(loop.lo) && !readsMemory(loop.hi);
    });
    if (nest.loops.empty() || !consistsOf<Block, Assign, Store, If>(nest.body)) return {};
    For inner = withBody(steps, nest.body);
    const Builder build{s->span};
    const auto unproven = [](For& loop) { loop.order = Order::Serial; };
    const Stmt made = loops::nestAround(build, nest.loops, makeStmt(s->span, inner), unproven);
    if (!isParallel(made, nest.loops.size(), live_.after(s))) return {};
    note(DiagId::Parallelised, s,
         "all iterations of `{}` run in the thread that has the element, as no element needs another one's",
         steps.index.hint());
    return withoutOrigins(loops::nestAround(build, nest.loops, inScalars(build, std::move(inner))));
  }

private:
  /// What a thread stores and reads again is in scalars while its steps run, if there are any.
  static Stmt inScalars(const Builder& build, For steps) {
    if (!constantInt(steps.step)) return build.make(std::move(steps));
    std::vector<Stmt> before, after;
    for (const Symbol& array : storedBuffers(steps.body))
      if (const std::optional<Store> element = onlyElement(steps, array))
        keep(build, steps, *element, before, after);
      else
        carry(build, steps, array, before);
    if (before.empty() && after.empty()) return build.make(std::move(steps));
    const Expr runs = *constantInt(steps.step) > 0 ? steps.lo < steps.hi : steps.lo > steps.hi;
    std::vector<Stmt> all = std::move(before);
    all.push_back(build.make(std::move(steps)));
    all.insert(all.end(), after.begin(), after.end());
    return build.make(If{runs, block(std::move(all)), {}});
  }

  /// for t: z[j] = f(z[j])  =>  own = z[j]; for t: own = f(own); z[j] = own
  static void keep(const Builder& build, For& steps, const Store& element, std::vector<Stmt>& before,
                   std::vector<Stmt>& after) {
    const Symbol array = element.buffer;
    const Expr there = make(Load{typeOf(element.value), array, element.index});
    const loops::NamedStore own =
        loops::withName(build, {array, element.index, there, {}}, Symbol(array.hint()));
    const std::vector<Stmt> list = statementsOf(steps.body);
    const auto first = std::ranges::find_if(
        list, [&](const Stmt& s) { return storedBuffers(s).count(array) || loadedBuffers(s).count(array); });
    const bool isMade =
        first->is<Store>() && !loadedBuffers(*first).count(array); // what was there counts for nothing
    if (!isMade) before.push_back(own.set);
    after.push_back(own.store);
    const Symbol name = own.value.as<Var>()->name;
    steps.body =
        replace<Load>(steps.body, [&](const Load& l) { return l.buffer == array ? own.value : Expr(); });
    steps.body = rewrite(steps.body, [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      return store && store->buffer == array ? Builder{s->span}.assign(name, store->value) : Stmt();
    });
  }

  /// for t: x[t] = f(x[t - 1])  =>  last = x[lo - 1]; for t: now = f(last); x[t] = now; last = now
  /// Where the element is stored once a step, and read in all of them.
  static void carry(const Builder& build, For& steps, const Symbol& array, std::vector<Stmt>& before) {
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
      earlier.push_back(substitute(e, {{steps.index, var(steps.index) - steps.step}}));
      first.push_back(substitute(e, {{steps.index, steps.lo - steps.step}}));
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
  static std::optional<Store> onlyElement(const For& steps, const Symbol& array) {
    std::set<Symbol> varying = varyingWith(steps);
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
