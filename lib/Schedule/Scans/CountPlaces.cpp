//===- CountPlaces.cpp - steps that append as often as they find something, by all threads --------------------===//
//   for i:                                     for i (parallel):  counts[i] = how often n counts in the step
//     for j:                                   for i:  places[i] = total; total = total + counts[i]         # a scan
//       if f(i, j): found[n] = j; n = n + 1    for i (parallel):  at = n + places[i]; the step, with `at` for n
//     row[i + 1] = n                      =>   n = n + total
// What keeps at most one element a step, by a condition that costs nothing, is compact-in-parallel's. Here a step is any code:
// it runs twice, the first time without what it stores. No two steps store in one place, as each counts behind its stores.
//   primes up to 10^6 by trial division, an H100: one thread, 9,551 ms; predicted 3, measured 3.5
#include "KeptSteps.h"
#include "ScanSteps.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kFewSteps = 64; ///< one thread does as soon

/// Scalars that a body counts up by numbers, each by how much in which lists of statements.
using Increments = std::vector<std::pair<const StmtNode*, int64_t>>;
std::map<Symbol, Increments> countersOf(const Stmt& body) {
  std::map<Symbol, Increments> counters;
  std::set<Symbol> others;
  const std::function<void(const Stmt&)> look = [&](const Stmt& list) {
    std::map<Symbol, int64_t> counted;
    for (const Stmt& s : statementsOf(list)) {
      forEachChild(s, look);
      const auto* set = s.as<Assign>();
      if (!set) continue;
      const std::optional<ScanStep> step = scanStep(set->value, set->var);
      const bool isSum = step && step->op == ReduceOp::Sum && typeOf(set->value) == DType::I64;
      const std::optional<int64_t> number = isSum ? constantInt(step->operand) : std::nullopt;
      if (number.value_or(0) > 0)
        counted[set->var] += *number;
      else
        others.insert(set->var);
    }
    for (const auto& [name, number] : counted) counters[name].emplace_back(list.get(), number);
  };
  look(body);
  for (const Symbol& name : others) counters.erase(name);
  return counters;
}

class Places {
public:
  Places(Function& f, const For& loop, Span span, const analysis::Context& known,
         const std::set<Symbol>& liveAfter)
      : function_(f), build_{span}, known_(known), liveAfter_(liveAfter), all_(build_.make(For(loop))) {
    std::set<Symbol> varying = varyingWith(loop);
    const auto isOfNest = [&](const For& inner, const std::vector<const For*>&) {
      varying.insert(inner.index);
      return isPlainSerial(inner) && !mentionsAny(inner.lo, varying) && !mentionsAny(inner.hi, varying) &&
             !readsMemory(inner.lo) && !readsMemory(inner.hi);
    };
    nest_ = loops::perfectNest(all_, isOfNest);
  }

  bool apply() {
    const auto isOpen = [](const Alloc& made) { // of such arrays each step would have one of its own
      return !std::ranges::all_of(made.buffer.extents,
                                  [](const Expr& e) { return constantInt(e).has_value(); });
    };
    if (nest_.loops.empty() || any<Alloc>(nest_.body, isOpen) ||
        !consistsOf<Block, Assign, Store, If, For, While, Alloc>(nest_.body) ||
        (nest_.loops.size() == 1 && constantTrip(*nest_.loops[0]).value_or(kFewSteps + 1) <= kFewSteps))
      return false;
    const std::set<Symbol> handedOn = analysis::handedOn(nest_.body);
    for (const auto& [name, increments] : countersOf(nest_.body))
      if (handedOn.count(name)) counters_[name] = increments;
    findPlaced();
    return !placed_.empty() && isCountedBehind(nest_.body, {}) && mayCount() && runsInAnyOrder();
  }

  std::vector<Stmt> inParallel() const {
    std::vector<Stmt> all;
    const std::map<Symbol, Symbol> own = ownCounters();
    std::vector<Stmt> steps, behind;
    std::map<Increments, Counted> counted; // counters that count together have the same
    for (const auto& [name, increments] : counters_) {
      auto one = counted.find(increments);
      if (one == counted.end()) one = counted.emplace(increments, scanned(name, all)).first;
      const auto& [places, total] = one->second;
      steps.push_back(
          build_.assign(own.at(name), var(name) + load(places, {loops::positionIn(nest_.loops)})));
      behind.push_back(build_.assign(name, var(name) + var(total)));
    }
    steps.push_back(renameScalars(nest_.body, own));
    all.push_back(inAnyOrder(block(std::move(steps)), true));
    all.insert(all.end(), behind.begin(), behind.end());
    return all;
  }

private:
  /// Where each step begins to store, and how much all count.
  struct Counted {
    Buffer places;
    Symbol total;
  };

  std::map<Symbol, Symbol> ownCounters() const {
    std::map<Symbol, Symbol> own;
    for (const auto& [name, increments] : counters_) own.emplace(name, Symbol(name.hint()));
    return own;
  }

  /// Arrays in which a step stores where a counter says, and nowhere else, and which it does not read.
  void findPlaced() {
    std::set<Symbol> others = loadedBuffers(nest_.body);
    for (const Symbol& made : allocatedBuffers(nest_.body)) others.insert(made);
    each<Store>(nest_.body, [&](const Store& store) {
      const bool isPlaced = std::ranges::any_of(store.index, [&](const Expr& e) {
        const auto* at = e.as<Var>();
        return at && counters_.count(at->name);
      });
      (isPlaced && !store.atomicOp ? placed_ : others).insert(store.buffer);
    });
    for (const Symbol& array : others) placed_.erase(array);
  }
  bool isPlaced(const Stmt& s) const {
    const auto* store = s.as<Store>();
    return store && placed_.count(store->buffer);
  }

  /// Does what stores in a place count behind it? `counted`: what counts behind the statement.
  bool isCountedBehind(const Stmt& body, std::set<Symbol> counted) const {
    const std::vector<Stmt> list = statementsOf(body);
    for (size_t k = list.size(); k-- > 0;) {
      if (const auto* set = list[k].as<Assign>(); set && counters_.count(set->var)) counted.insert(set->var);
      if (const auto* store = list[k].as<Store>(); store && isPlaced(list[k])) {
        const auto counts = [&](const Expr& e) {
          const auto* at = e.as<Var>();
          return at && counted.count(at->name);
        };
        if (std::ranges::none_of(store->index, counts)) return false;
      }
      bool holds = true;
      forEachChild(list[k], [&](const Stmt& child) { holds = holds && isCountedBehind(child, counted); });
      if (!holds) return false;
    }
    return true;
  }

  /// Can it be told without the stores how much a step counts?
  bool mayCount() {
    const std::set<Symbol> made = allocatedBuffers(nest_.body), loaded = loadedBuffers(nest_.body);
    bool holds = true;
    const Stmt body = without(nest_.body, [&](const Stmt& s) {
      const auto* store = s.as<Store>();
      if (!store || made.count(store->buffer)) return false;
      holds = holds && !loaded.count(store->buffer);
      return true;
    });
    std::set<Symbol> names;
    for (const auto& [name, increments] : counters_) names.insert(name);
    counting_ = withoutIdleScalars(body, names);
    int increments = 0;
    each<Assign>(counting_, [&](const Assign& a) { increments += int(names.count(a.var)); });
    for (const Symbol& name : names) increments -= countReads(counting_, name);
    return holds && increments == 0;
  }

  /// The steps, but for their places.
  bool runsInAnyOrder() {
    const std::map<Symbol, Symbol> own = ownCounters();
    std::vector<Stmt> body;
    std::set<Symbol> live = liveAfter_;
    for (const auto& [name, ofStep] : own) {
      live.erase(name);
      body.push_back(build_.assign(ofStep, intConst(0)));
    }
    body.push_back(renameScalars(without(nest_.body, [&](const Stmt& s) { return isPlaced(s); }), own));
    Stmt rest = block(std::move(body));
    for (size_t k = nest_.loops.size(); k-- > 0;) {
      const For loop = withBody(*nest_.loops[k], rest);
      const analysis::ParallelVerdict verdict = analysis::judgeParallel(loop, known_, live);
      if (!verdict.isFree()) return false;
      reductions_.insert(reductions_.begin(), verdict.reductions);
      rest = build_.make(For(loop));
    }
    return true;
  }

  Stmt inAnyOrder(Stmt body, bool collects) const {
    size_t k = nest_.loops.size(); // from the inside out
    return loops::nestAround(build_, nest_.loops, std::move(body), [&](For& loop) {
      loop.order = Order::Proven;
      --k;
      if (collects) loop.reductions = reductions_[k];
    });
  }

  Counted scanned(const Symbol& counter, std::vector<Stmt>& out) const {
    Expr steps = intConst(1);
    for (const For* loop : nest_.loops) steps = steps * analysis::atLeastZero(tripCount(*loop), known_.sizes);
    const Expr at = loops::positionIn(nest_.loops);
    const Buffer counts = buffer("counts", steps, out), places = buffer("places", steps, out);
    const Symbol number(counter.hint()), total("total"), k("step");
    const Stmt body = withoutIdleScalars(renameScalar(counting_, counter, number), {number});
    std::vector<Stmt> step = {build_.assign(number, intConst(0)), withOwnArrays(body, function_.buffers),
                              build_.store(counts, {at}, var(number))};
    out.push_back(loops::asCopy(inAnyOrder(block(std::move(step)), false)));
    out.push_back(build_.assign(total, intConst(0)));
    out.push_back(build_.inOrder(k, intConst(0), steps,
                                 block({build_.store(places, {var(k)}, var(total)),
                                        build_.assign(total, var(total) + load(counts, {var(k)}))})));
    return {places, total};
  }
  Buffer buffer(const char* name, const Expr& extent, std::vector<Stmt>& out) const {
    return loops::newArray(function_, build_, {Symbol(name), DType::I64, {extent}}, out);
  }

  Function& function_;
  Builder build_;
  const analysis::Context& known_;
  const std::set<Symbol>& liveAfter_;
  const Stmt all_;
  loops::Nest nest_;
  std::map<Symbol, Increments> counters_;
  std::set<Symbol> placed_; ///< arrays
  Stmt counting_;           ///< the body without stores
  std::vector<std::vector<Reduction>> reductions_;
};

class CountedPlaces : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isPlainSerial(loop) || KeptSteps(function_).reads(loopsUpward(s))) return {};
    Places places(function_, loop, s->span, known_, live_.after(s));
    if (!places.apply()) return {};
    note(
        DiagId::Parallelised, s,
        "steps of `{}` that append are counted first, so that each knows its places and all run in any order",
        loop.index.hint());
    return block(places.inParallel());
  }
  bool enters(const Stmt& s) const override {
    const auto* loop = s.as<For>();
    return !loop || !isParallel(*loop); // what stands in one is a thread's
  }
};

} // namespace

void countPlaces(Function& f, PassContext& ctx) { f.body = CountedPlaces(f, ctx).visit(f.body); }

} // namespace appyc::schedule
