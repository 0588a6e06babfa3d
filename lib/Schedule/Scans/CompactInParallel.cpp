//===- CompactInParallel.cpp - what is kept of many elements, in order, by all threads -------------------------===//
//   for i:                           for i (parallel):  is_kept[i] = a[i] > 0
//     if a[i] > 0:                   place = the i for which is_kept[i], in order;  number = how many these are
//       found[n] = b[i]       =>     for k < number (parallel):  found[n + k] = b[place[k]]
//       n = n + 1                    n = n + number
// So are a[mask], np.nonzero, lists with conditions and loops that append. Without the `if` every element's place is known.
// A nest of loops is one sequence of places. Where the first that is kept is the first of `found`, and what is kept is the
// element, or the number, of the step, the library puts it there itself:
//   found, number = the b[i] for which is_kept[i], in order;  n = number
// Sources: stream compaction (Blelloch 1990); CUB's DeviceSelect.
#include "KeptSteps.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

class Compaction {
public:
  /// `startsAtZero`: the counter is 0 before the steps.
  Compaction(Function& f, const KeptSteps& steps, Span span, bool startsAtZero)
      : function_(f), steps_(steps), build_{span}, startsAtZero_(startsAtZero) {}

  std::vector<Stmt> inParallel() const {
    std::vector<Stmt> made;
    Expr n = intConst(1);
    const std::set<Symbol> sizes = analysis::contextOf(function_).sizes;
    for (const For* loop : steps_.loops) n = n * analysis::atLeastZero(tripCount(*loop), sizes);
    const Expr counter = startsAtZero_ ? intConst(0) : var(steps_.counter);
    Expr number = n;
    const Symbol k("k");
    Expr place = var(k);
    if (steps_.isKept) {
      const Buffer count = buffer(made, "number", DType::I64, {});
      const Routine::Operand flags = flagsOf(made, n), ofKept = {count.name, {}};
      if (const std::vector<Routine> selections = selected(flags, ofKept, n); !selections.empty()) {
        for (const Routine& selection : selections) made.push_back(build_.make(selection));
        made.push_back(build_.assign(steps_.counter, load(count, {})));
        return made;
      }
      const Buffer places = buffer(made, "place", DType::I64, {n});
      made.push_back(build_.make(
          Routine{RoutineName::SelectPlaces, {flags, {places.name, {intConst(0)}}, ofKept}, {n}}));
      const Symbol found("found");
      made.push_back(build_.assign(found, load(count, {})));
      number = var(found);
      place = load(places, {var(k)});
    }
    std::vector<Stmt> stores;
    const Symbol at("at");
    stores.push_back(build_.assign(at, place));
    Expr rest = var(at);
    std::map<Symbol, Expr> indices;
    for (size_t d = steps_.loops.size(); d-- > 0;) {
      const Expr extent = steps_.loops[d]->hi - steps_.loops[d]->lo;
      const Symbol index(steps_.loops[d]->index.hint());
      const Expr within = d == 0 ? rest : mod(rest, extent);
      stores.push_back(build_.assign(index, steps_.loops[d]->lo + within));
      indices[steps_.loops[d]->index] = var(index);
      if (d > 0) rest = floorDiv(rest, extent);
    }
    std::vector<Stmt> kept = steps_.before;
    kept.insert(kept.end(), steps_.kept.begin(), steps_.kept.end());
    const Expr target = counter + var(k);
    for (const Stmt& s : kept) { // scalars under names of their own
      if (const auto* store = s.as<Store>()) {
        stores.push_back(
            makeStmt(s->span, Store{store->buffer, {target}, substitute(store->value, indices), {}}));
        continue;
      }
      const auto* a = s.as<Assign>();
      const Symbol own(a->var.hint());
      stores.push_back(makeStmt(s->span, Assign{own, substitute(a->value, indices)}));
      indices[a->var] = var(own, typeOf(a->value));
    }
    made.push_back(build_.inAnyOrder(k, intConst(0), number, block(std::move(stores))));
    made.push_back(build_.assign(steps_.counter, counter + number));
    return made;
  }

private:
  /// Flags in memory of the steps that keep something.
  Routine::Operand flagsOf(std::vector<Stmt>& made, const Expr& n) const {
    if (const auto held = steps_.elementsOf(substitute(steps_.isKept, steps_.scalars()))) return *held;
    const Buffer flags = buffer(made, "is_kept", DType::Bool, {n});
    std::vector<Stmt> asked = steps_.before;
    asked.push_back(build_.store(flags, {steps_.position()}, steps_.isKept));
    made.push_back(nestAround(block(std::move(asked))));
    return {flags.name, {intConst(0)}};
  }

  /// One call for each store, if the library can do all of them.
  std::vector<Routine> selected(const Routine::Operand& flags, const Routine::Operand& number,
                                const Expr& n) const {
    std::vector<Routine> calls;
    if (!startsAtZero_) return calls;
    const std::map<Symbol, Expr> values = steps_.scalars();
    for (const Stmt& s : steps_.kept) {
      const auto* store = s.as<Store>();
      if (!store) continue;
      // A library may take the room that all of them would need.
      const Expr room = function_.buffer(store->buffer).extents[0], value = substitute(store->value, values);
      if (!equal(room, n) && !equal(room, maxOf(n, 0))) return {};
      const Routine::Operand to = {store->buffer, {intConst(0)}};
      const bool isNumber = steps_.loops.size() == 1 && isConst(steps_.loops[0]->lo, 0) &&
                            equal(value, var(steps_.loops[0]->index));
      if (const auto from = steps_.elementsOf(value))
        calls.push_back({RoutineName::SelectElements, {*from, flags, to, number}, {n}});
      else if (isNumber && function_.buffer(store->buffer).type == DType::I64)
        calls.push_back({RoutineName::SelectPlaces, {flags, to, number}, {n}});
      else
        return {};
    }
    return calls;
  }

  Buffer buffer(std::vector<Stmt>& made, const char* name, DType type, std::vector<Expr> extents) const {
    return loops::newArray(function_, build_, {Symbol(name), type, std::move(extents)}, made);
  }

  Stmt nestAround(Stmt body) const {
    return loops::nestAround(build_, steps_.loops, std::move(body),
                             [](For& loop) { loop.order = Order::Proven; });
  }

  Function& function_;
  const KeptSteps& steps_;
  Builder build_;
  bool startsAtZero_;
};

/// Without zeros that the next statement about them replaces, as that of a counter does which a library sets.
std::vector<Stmt> withoutOverwritten(std::vector<Stmt> list) {
  for (size_t at = list.size(); at-- > 0;) {
    const auto* zero = list[at].as<Assign>();
    if (!zero || !isConst(zero->value, 0)) continue;
    const auto next = std::find_if(list.begin() + ptrdiff_t(at) + 1, list.end(), [&](const Stmt& s) {
      return mentionsAny(s, {zero->var}) || assignedVars(s).contains(zero->var);
    });
    const auto* a = next == list.end() ? nullptr : next->as<Assign>();
    if (a && a->var == zero->var && !mentions(a->value, zero->var)) list.erase(list.begin() + ptrdiff_t(at));
  }
  return list;
}

/// The loops that the host runs: what stands in a parallel one is a thread's. `zeros`: scalars that are 0 before.
Stmt compacted(const Stmt& s, Function& f, const std::set<Symbol>& zeros, PassContext& ctx) {
  const auto* loop = s.as<For>();
  if (loop) {
    KeptSteps steps(f);
    const Stmt up = loopsUpward(s);
    if (steps.reads(up)) {
      ctx.diag.report(
          DiagId::Parallelised, s->span,
          "what is kept gets its place from how much before it is kept, so that all threads take part");
      return block(Compaction(f, steps, s->span, zeros.contains(steps.counter)).inParallel());
    }
    if (isParallel(*loop)) return s;
  }
  if (const auto* sequence = s.as<Block>()) {
    std::set<Symbol> known;
    std::vector<Stmt> made;
    for (const Stmt& inner : sequence->body) {
      made.push_back(compacted(inner, f, known, ctx));
      for (const Symbol& assigned : assignedVars(inner)) known.erase(assigned);
      if (const auto* a = inner.as<Assign>(); a && isConst(a->value, 0)) known.insert(a->var);
    }
    return block(withoutOverwritten(statementsOf(block(std::move(made)))));
  }
  return mapChildren(s, [&](const Stmt& inner) { return compacted(inner, f, {}, ctx); });
}

} // namespace

void compactInParallel(Function& f, PassContext& ctx) { f.body = compacted(f.body, f, {}, ctx); }

} // namespace appyc::schedule
