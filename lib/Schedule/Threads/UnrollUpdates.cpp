//===- UnrollUpdates.cpp - loads of the next rows before the stores of this one --------------------------===//
//   for k in [lo, hi): A[k, i] = f(A[k, i], k)
//   => for k in [lo, whole) step 4: a0 = A[k, i]; ..; a3 = A[k + 3, i]
//                                   a0 = f(a0, k); A[k, i] = a0; ..; a3 = f(a3, k + 3); A[k + 3, i] = a3
//      for k in [whole, hi): A[k, i] = f(A[k, i], k)
// A thread that goes down a column alone waits for each element in turn: no compiler moves a load across the
// store of the row before, as it does not know the rows to be distinct.
//
//   gemver N=8000, f64, measured on an H200, by hand        | predicted        | result
//   blocks of 32 x 8 threads: 1, 4 rows                     | 0.53 ms (4 rows) | 0.559, 0.485 ms
//   blocks of 256 x 1 threads (map-kernels): 1, 4, 8 rows   | 0.45 ms (4 rows) | 0.486, 0.443, 0.459 ms
//     two columns a thread, double2: 2, 4 rows              | 0.42 ms          | 0.436, 0.447 ms: not done
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kUpdatesInFlight = 4;

/// An element of a written array, each iteration's own. `type` is known where it is read.
struct Element {
  Symbol buffer;
  std::vector<Expr> index;
  std::optional<DType> type{};
  bool isUpdated = false; ///< read before it is written
};

/// A loop over straight code whose iterations read of what they write no element but their own.
struct RowUpdates {
  const For& loop;
  std::vector<Stmt> body{statementsOf(loop.body)};
  std::vector<Element> elements{};

  bool find() {
    const bool plain = !isBound(loop) && isConst(loop.step, 1) && !isUnrolled(loop) &&
                       constantTrip(loop).value_or(INT64_MAX) >= 2 * kUpdatesInFlight;
    const std::set<Symbol> assigned = assignedVars(loop.body);
    if (!plain || !isStraight(loop.body)) return false;
    for (const Stmt& s : body) {
      const auto* store = s.as<Store>();
      if (!store) continue;
      if (elementIn(store->buffer) || !movesWithLoop(store->index, assigned)) return false;
      elements.push_back({store->buffer, store->index});
    }
    bool own = true;
    std::set<Symbol> written;
    for (const Stmt& s : body) {
      each<Load>(s, [&](const Load& load) {
        Element* element = elementIn(load.buffer);
        if (!element) return;
        own = own && std::equal(load.index.begin(), load.index.end(), element->index.begin(),
                                [](const Expr& a, const Expr& b) { return ir::equal(a, b); });
        element->type = load.type;
        element->isUpdated |= !written.count(load.buffer);
      });
      written.merge(storedBuffers(s));
    }
    return own && std::any_of(elements.begin(), elements.end(), [](const Element& e) { return e.isUpdated; });
  }

  Stmt unrolled(Span span) const {
    const Symbol whole("whole");
    const Expr count = maxOf(loop.hi - loop.lo, 0);
    const Expr rows = floorDiv(count, kUpdatesInFlight) * kUpdatesInFlight;
    std::vector<Stmt> loads, updates;
    for (int64_t r = 0; r < kUpdatesInFlight; ++r) addRow(span, r, loads, updates);
    loads.insert(loads.end(), updates.begin(), updates.end());
    For together = loop, rest = loop;
    together.step = intConst(kUpdatesInFlight);
    together.hi = rest.lo = var(whole);
    together.body = block(std::move(loads));
    rest.index = Symbol(loop.index.hint());
    rest.body = substitute(loop.body, {{loop.index, var(rest.index)}});
    return block({makeStmt(span, Assign{whole, loop.lo + rows}), makeStmt(span, std::move(together)),
                  makeStmt(span, std::move(rest))});
  }

private:
  Element* elementIn(const Symbol& buffer) {
    for (Element& e : elements)
      if (e.buffer == buffer) return &e;
    return nullptr;
  }
  bool movesWithLoop(const std::vector<Expr>& index, const std::set<Symbol>& assigned) const {
    bool moves = false;
    for (const Expr& e : index) {
      if (mentionsAny(e, assigned) || readsMemory(e)) return false;
      const analysis::Slope slope = analysis::slopeOf(e, loop.index);
      moves |= slope.kind == analysis::Slope::Constant && slope.value != 0;
    }
    return moves;
  }
  /// Iteration r of those that run together: its elements are in scalars from its loads to its stores.
  void addRow(Span span, int64_t r, std::vector<Stmt>& loads, std::vector<Stmt>& updates) const {
    const std::map<Symbol, Expr> row = {{loop.index, var(loop.index) + r}};
    std::map<Symbol, Expr> values;
    for (const Element& e : elements) {
      if (!e.type) continue;
      const Symbol value(e.buffer.hint() + "_row");
      values.emplace(e.buffer, var(value, *e.type));
      if (e.isUpdated)
        loads.push_back(
            substitute(makeStmt(span, Assign{value, make(Load{*e.type, e.buffer, e.index})}), row));
    }
    for (const Stmt& s : body) {
      const Stmt read = replace<Load>(s, [&](const Load& load) {
        const auto value = values.find(load.buffer);
        return value == values.end() ? Expr() : value->second;
      });
      const Stmt own = substitute(read, row);
      const auto* store = own.as<Store>();
      const auto value = store ? values.find(store->buffer) : values.end();
      if (value == values.end()) {
        updates.push_back(own);
        continue;
      }
      const loops::NamedStore named = loops::withName({s->span}, *store, value->second.as<Var>()->name);
      updates.insert(updates.end(), {named.set, named.store});
    }
  }
};

/// `inThread`: in a loop over threads.
Stmt unrolled(const Stmt& s, bool inThread, PassContext& ctx) {
  const auto* loop = s.as<For>();
  if (inThread && loop) {
    if (RowUpdates updates{*loop}; updates.find()) {
      ctx.diag.report(DiagId::Parallelised, s->span,
                      fmt::format("loads of {} iterations of `{}` come before their stores", kUpdatesInFlight,
                                  loop->index.hint()));
      return updates.unrolled(s->span);
    }
  }
  const bool inside = inThread || (loop && loop->mapping.is<PerThread>());
  return mapChildren(s, [&](const Stmt& child) { return child ? unrolled(child, inside, ctx) : child; });
}

} // namespace

void unrollUpdates(Function& f, PassContext& ctx) { f.body = unrolled(f.body, false, ctx); }

} // namespace appyc::schedule
