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
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kFewSteps = 64; ///< one thread does as soon

/// A loop each of whose steps counts one element of an array up, or down, by a number.
class Turns {
public:
  Turns(Function& f, const For& loop, Span span, const analysis::Context& known)
      : function_(f), loop_(loop), known_(known), build_{span} {}

  bool reads() {
    if (!isPlainSerial(loop_) || !isConst(loop_.step, 1) || readsMemory(loop_.lo) || readsMemory(loop_.hi) ||
        constantTrip(loop_).value_or(kFewSteps + 1) <= kFewSteps ||
        !consistsOf<Block, Assign, Store, If, For>(loop_.body))
      return false;
    for (const Stmt& s : statementsOf(loop_.body))
      if (const auto* store = s.as<Store>(); store && isCount(*store)) {
        counts_ = s;
        counter_ = store->buffer;
        key_ = store->index[0];
        if (isOnlyCount() && findKeys()) return true;
      }
    return false;
  }

  std::vector<Stmt> taken() const {
    std::vector<Stmt> all;
    const Buffer counter = function_.buffer(counter_); // which others are added beside
    const Expr steps = analysis::atLeastZero(tripCount(loop_), known_.sizes);
    const Expr step = var(loop_.index) - loop_.lo;
    const Buffer keys = buffer("key", DType::I64, steps, all),
                 order = buffer("order", DType::I64, steps, all),
                 first = buffer("first", DType::I64, counter.extents[0], all),
                 turns = buffer("turn", counter.type, steps, all);
    For asking = withBody(loop_, block({keyed_, build_.store(keys, {step}, key_)}));
    asking.order = Order::Proven;
    all.push_back(loops::asCopy(build_.make(std::move(asking))));
    const auto begin = [](const Buffer& b) { return Routine::Operand{b.name, {intConst(0)}}; };
    all.push_back(build_.make(Routine{RoutineName::OrderRow, {begin(keys), begin(order)}, {steps}}));
    const auto keyAt = [&](const Expr& place) { return load(keys, {load(order, {place})}); };
    const Expr last = steps - intConst(1);
    const auto isEdge = [&](const Expr& p, const Expr& end, const Expr& neighbour) {
      return binary(BinaryOp::LogicalOr, binary(BinaryOp::Eq, p, end),
                    binary(BinaryOp::Ne, keyAt(p), keyAt(neighbour)));
    };
    const auto forEach = [&](const auto& body) {
      const Symbol p("p");
      all.push_back(build_.inAnyOrder(p, intConst(0), steps, body(var(p))));
    };
    forEach([&](const Expr& p) {
      return build_.when(isEdge(p, intConst(0), maxOf(p - intConst(1), 0)),
                         build_.store(first, {keyAt(p)}, p));
    });
    forEach([&](const Expr& p) {
      const Expr before = (p - load(first, {keyAt(p)})) * by_;
      return build_.store(turns, {load(order, {p})}, load(counter, {keyAt(p)}) + cast(counter.type, before));
    });
    forEach([&](const Expr& p) {
      return build_.when(
          isEdge(p, last, minOf(p + intConst(1), last)),
          build_.store(counter, {keyAt(p)}, load(turns, {load(order, {p})}) + constOf(counter.type, by_)));
    });
    all.push_back(build_.make(withBody(loop_, withTurn(load(turns, {step})))));
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

  /// Is the counter asked for in no other place, and in each step for its key alone, which stays the same?
  bool isOnlyCount() const {
    bool holds = true;
    int stores = 0;
    each<Store>(loop_.body, [&](const Store& s) { stores += s.buffer == counter_; });
    each<Load>(loop_.body,
               [&](const Load& l) { holds = holds && (l.buffer != counter_ || equal(l.index[0], key_)); });
    std::set<Symbol> names = freeVars(key_);
    each<Assign>(loop_.body, [&](const Assign& a) {
      int64_t count = 0;
      each<Assign>(loop_.body, [&](const Assign& other) { count += other.var == a.var; });
      holds = holds && (!names.count(a.var) || count == 1);
    });
    return holds && stores == 1 && !readsMemoryOf(key_, storedBuffers(loop_.body));
  }
  static bool readsMemoryOf(const Expr& e, const std::set<Symbol>& arrays) {
    return intersect(loadedBuffers(e), arrays);
  }

  /// What tells the key of a step, by what no step stores.
  bool findKeys() {
    std::vector<Stmt> before;
    for (const Stmt& s : statementsOf(loop_.body)) {
      if (s == counts_) break;
      if (s.is<Assign>()) before.push_back(s);
    }
    keyed_ = withoutIdleScalars(block(std::move(before)), freeVars(key_));
    std::set<Symbol> own = assignedVars(keyed_), wanted = freeVars(key_);
    const std::set<Symbol> all = assignedVars(loop_.body);
    bool holds = !intersect(loadedBuffers(keyed_), storedBuffers(loop_.body));
    std::set<Symbol> known;
    for (const Stmt& s : statementsOf(keyed_)) { // no value from the step before
      for (const Symbol& name : readScalars(s)) holds = holds && (!all.count(name) || known.count(name));
      known.merge(assignedVars(s));
    }
    for (const Symbol& name : wanted) holds = holds && (!all.count(name) || own.count(name));
    return holds;
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

  Buffer buffer(const char* name, DType type, const Expr& extent, std::vector<Stmt>& out) const {
    Buffer b{Symbol(name), type, {extent}};
    function_.buffers.push_back(b);
    out.push_back(build_.alloc(b));
    return b;
  }

  Function& function_;
  const For& loop_;
  const analysis::Context& known_;
  Builder build_;
  Symbol counter_;
  Stmt counts_, keyed_;
  Expr key_;
  int64_t by_ = 0;
};

class TakenTurns : public loops::LoopPass {
public:
  using LoopPass::LoopPass;

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
  bool enters(const Stmt& s) const override {
    const auto* loop = s.as<For>();
    return !loop || !isParallel(*loop); // what stands in one is a thread's
  }
};

} // namespace

void takeTurns(Function& f, PassContext& ctx) { f.body = TakenTurns(f, ctx).visit(f.body); }

} // namespace appyc::schedule
