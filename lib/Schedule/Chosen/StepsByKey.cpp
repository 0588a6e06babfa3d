//===- StepsByKey.cpp - steps that share nothing but elements that the data choose, by a thread each element -----===//
//   for i:                                     for i (parallel):  key[i] = k[i]
//     if d[i] < best[k[i]]:                    order = the i, by key and then in order
//       best[k[i]] = d[i]; who[k[i]] = i   =>  for p (parallel):  if key[order[p]] is not that before:
//                                                for q = p, while key[order[q]] is key[order[p]]: the step order[q]
// The best of each group and who has it, depth buffers, what changed since the last of its kind, means kept up to date: steps of one
// element run in order, those of others beside them.
//   the nearest of 10^6 of each of 10^5 groups, an H200: one thread, 197 ms; predicted 1, measured 0.29; Welford of 10^3 groups 154 to 0.95
#include "HostLoops.h"
#include "KeyedSteps.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

class ByKey {
public:
  ByKey(Function& f, const For& loop, Span span, const analysis::Context& known,
        const std::set<Symbol>& liveAfter)
      : loop_(loop), known_(known), liveAfter_(liveAfter), build_{span}, steps_(f, loop, span, known) {}

  bool reads() {
    if (!KeyedSteps::mayBe(loop_) || !findOwn()) return false;
    std::vector<Stmt> before;
    for (const Stmt& s : statementsOf(loop_.body)) {
      if (std::ranges::any_of(own_, [&](const auto& array) { return touches(s, array.first); })) break;
      before.push_back(s);
    }
    return steps_.reads(key_, before) && isChosen(before) && sharesNothingElse();
  }

  std::vector<Stmt> apart() {
    std::vector<Stmt> all;
    steps_.emit(all);
    const Symbol p("p"), q("q"), index(loop_.index.hint());
    const Expr isSame = binary(BinaryOp::Eq, steps_.keyAt(var(q)), steps_.keyAt(var(p)));
    const Stmt step =
        block({build_.assign(index, loop_.lo + steps_.stepAt(var(q))),
               renameScalar(loop_.body, loop_.index, index), build_.assign(q, var(q) + intConst(1))});
    const Stmt run = build_.make(While{both(var(q) < steps_.steps(), isSame), step});
    const Stmt each =
        build_.inAnyOrder(p, intConst(0), steps_.steps(),
                          build_.when(steps_.isFirst(var(p)), block({build_.assign(q, var(p)), run})));
    For made = *each.as<For>();
    made.reductions = reductions_;
    all.push_back(build_.make(std::move(made)));
    return all;
  }

private:
  /// Arrays that steps load and store by one subscript alone, the key.
  bool findOwn() {
    const std::set<Symbol> loaded = loadedBuffers(loop_.body), assigned = assignedVars(loop_.body),
                           inner = loopIndices(loop_.body);
    each<Store>(loop_.body, [&](const Store& s) {
      const bool isOther =
          s.atomicOp || s.index.empty() || !loaded.count(s.buffer) || mentionsAny(s.index[0], inner);
      if (!key_ && !isOther && (readsMemory(s.index[0]) || mentionsAny(s.index[0], assigned)))
        key_ = s.index[0];
    });
    if (!key_) return false;
    const auto take = [&](const Symbol& array, const std::vector<Expr>& index) {
      if (index.empty()) return;
      bool& isOwn = own_.emplace(array, true).first->second;
      isOwn = isOwn && equal(index[0], key_);
    };
    each<Store>(loop_.body, [&](const Store& s) { take(s.buffer, s.index); });
    const std::set<Symbol> stored = storedBuffers(loop_.body);
    each<Load>(loop_.body, [&](const Load& l) {
      if (stored.count(l.buffer)) take(l.buffer, l.index);
    });
    std::erase_if(own_, [](const auto& array) { return !array.second; });
    return std::ranges::any_of(own_, [&](const auto& array) { return loaded.count(array.first) > 0; });
  }

  /// Does memory tell the key?
  bool isChosen(const std::vector<Stmt>& before) const {
    std::set<Symbol> fromMemory;
    for (const Stmt& s : before)
      if (const auto* a = s.as<Assign>(); a && (readsMemory(a->value) || mentionsAny(a->value, fromMemory)))
        fromMemory.insert(a->var);
    return readsMemory(key_) || mentionsAny(key_, fromMemory);
  }

  /// With elements of the step's own instead, of arrays without other ones, may they run in any order?
  bool sharesNothingElse() {
    std::map<Symbol, Symbol> ofSteps;
    for (const auto& [array, isOwn] : own_) ofSteps.emplace(array, Symbol(array.hint()));
    const auto ofStep = [&](std::vector<Expr> index) {
      index[0] = var(loop_.index);
      return index;
    };
    const Stmt body = moveElements(loop_.body, ofSteps, ofStep);
    const analysis::ParallelVerdict verdict =
        analysis::judgeParallel(withBody(loop_, body), known_, liveAfter_);
    reductions_ = verdict.reductions;
    return verdict.isFree();
  }

  const For& loop_;
  const analysis::Context& known_;
  const std::set<Symbol>& liveAfter_;
  Builder build_;
  KeyedSteps steps_;
  Expr key_;
  std::map<Symbol, bool> own_;
  std::vector<Reduction> reductions_;
};

class SteppedByKey : public HostPass {
public:
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For&) override {
    const Stmt up = loopsUpward(s);
    ByKey steps(function_, *up.as<For>(), s->span, known_, live_.after(s));
    if (!steps.reads()) return {};
    note(DiagId::Parallelised, s,
         "steps of `{}` that share nothing but an element which the data choose are put in order by it: a "
         "thread for each element",
         up.as<For>()->index.hint());
    return block(steps.apart());
  }
};

} // namespace

void stepsByKey(Function& f, PassContext& ctx) { f.body = SteppedByKey(f, ctx).visit(f.body); }

} // namespace appyc::schedule
