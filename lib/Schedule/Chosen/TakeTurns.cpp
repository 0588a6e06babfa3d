//===- TakeTurns.cpp - counters that the data choose, which tell places, by all threads -----------------------===//
//   for i:                          for i (parallel):  key[i] = k[i]
//     at = next[k[i]]               order = the i, by key and then in order
//     out[at] = x[i]          =>    for p (parallel):  if key[order[p]] is not that before: first[key[order[p]]] = p
//     next[k[i]] += 1               for p (parallel):  turn[order[p]] = next[key[order[p]]] + p - first[key[order[p]]]
//                                   for p (parallel):  if it is the last of its key: next[key[order[p]]] = turn[order[p]] + 1
//                                   for i:  at = turn[i]; out[at] = x[i]
// So are sorts by counting, compressed rows made of entries in any order, tables of buckets. What is left stores where it does, which
// scatter-last takes.
//   out[count[v]] = v; count[v] += 1 for 4 * 10^6 numbers below 1000, an H200: one thread, 396 ms; predicted 3, measured 1.1
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

/// A loop each of whose steps counts one element of an array up, or down, by a number.
class Turns {
public:
  Turns(Function& f, const For& loop, Span span, const analysis::Context& known)
      : function_(f), loop_(loop), build_{span}, steps_(f, loop, span, known) {}

  bool reads() {
    if (!KeyedSteps::mayBe(loop_)) return false;
    std::vector<Stmt> before;
    for (const Stmt& s : statementsOf(loop_.body)) {
      if (const auto* store = s.as<Store>(); store && isCount(*store)) {
        counts_ = s;
        counter_ = store->buffer;
        key_ = store->index[0];
        if (isOnlyCount() && steps_.reads(key_, before)) return true;
      }
      before.push_back(s);
    }
    return false;
  }

  std::vector<Stmt> taken() {
    std::vector<Stmt> all;
    const Buffer counter = function_.buffer(counter_); // which others are added beside
    steps_.emit(all);
    const Buffer first = steps_.buffer("first", DType::I64, counter.extents[0], all),
                 turns = steps_.buffer("turn", counter.type, steps_.steps(), all);
    const auto forEach = [&](const auto& body) {
      const Symbol p("p");
      all.push_back(build_.inAnyOrder(p, intConst(0), steps_.steps(), body(var(p))));
    };
    forEach([&](const Expr& p) {
      return build_.when(steps_.isFirst(p), build_.store(first, {steps_.keyAt(p)}, p));
    });
    forEach([&](const Expr& p) {
      const Expr before = (p - load(first, {steps_.keyAt(p)})) * by_;
      return build_.store(turns, {steps_.stepAt(p)},
                          load(counter, {steps_.keyAt(p)}) + cast(counter.type, before));
    });
    forEach([&](const Expr& p) {
      const Expr after = load(turns, {steps_.stepAt(p)}) + constOf(counter.type, by_);
      return build_.when(steps_.isLast(p), build_.store(counter, {steps_.keyAt(p)}, after));
    });
    all.push_back(build_.make(withBody(loop_, withTurn(load(turns, {var(loop_.index) - loop_.lo})))));
    return all;
  }

private:
  /// `c[k] = c[k] + 1`
  bool isCount(const Store& store) {
    const auto* sum = store.value.as<Binary>();
    const DType type = typeOf(store.value);
    if (store.atomicOp || store.index.size() != 1 || !sum || (type != DType::I64 && type != DType::I32))
      return false;
    const auto* old = sum->lhs.as<Load>();
    const std::optional<int64_t> number = constantInt(sum->rhs);
    if ((sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub) || !old || !number ||
        old->buffer != store.buffer || !equalIndices(old->index, store.index))
      return false;
    by_ = sum->op == BinaryOp::Add ? *number : -*number;
    return by_ == 1 || by_ == -1;
  }

  /// Is the counter asked for in no other place, and in each step for its key alone?
  bool isOnlyCount() const {
    bool holds = true;
    int stores = 0;
    each<Store>(loop_.body, [&](const Store& s) { stores += s.buffer == counter_; });
    each<Load>(loop_.body,
               [&](const Load& l) { holds = holds && (l.buffer != counter_ || equal(l.index[0], key_)); });
    return holds && stores == 1;
  }

  /// The step with its turn for the element that counts.
  Stmt withTurn(const Expr& turn) const {
    std::vector<Stmt> out;
    Expr value = turn;
    for (const Stmt& s : statementsOf(loop_.body)) {
      if (s == counts_) {
        value = turn + constOf(typeOf(turn), by_);
        continue;
      }
      out.push_back(replace<Load>(s, [&](const Load& l) { return l.buffer == counter_ ? value : Expr(); }));
    }
    return block(std::move(out));
  }

  Function& function_;
  const For& loop_;
  Builder build_;
  KeyedSteps steps_;
  Symbol counter_;
  Stmt counts_;
  Expr key_;
  int64_t by_ = 0;
};

class TakenTurns : public HostPass {
public:
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For&) override {
    const Stmt up = loopsUpward(s);
    Turns turns(function_, *up.as<For>(), s->span, known_);
    if (!turns.reads()) return {};
    note(DiagId::Parallelised, s,
         "steps of `{}` that count an element up are put in order by that element, so that each knows what "
         "it finds there",
         up.as<For>()->index.hint());
    return block(turns.taken());
  }
};

} // namespace

void takeTurns(Function& f, PassContext& ctx) { f.body = TakenTurns(f, ctx).visit(f.body); }

} // namespace appyc::schedule
