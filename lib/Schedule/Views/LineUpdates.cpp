//===- LineUpdates.cpp - steps that update a square by a row and a column of it ----------------------------===//
#include "LineUpdates.h"
#include "LineNests.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <map>

namespace appyc::schedule {
using namespace ir;

namespace {

bool isWhole(const For& loop) {
  return isParallel(loop) && isConst(loop.step, 1) && loop.reductions.empty() && !hasOwnSize(loop);
}

/// What a temporary of the step holds: c[x] = value(x).
struct Copy {
  Symbol index;
  Expr value;
};
using Copies = std::map<Symbol, Copy>;

/// Are the statements before the nest copies into temporaries, one each?
std::optional<Copies> copiesOf(const std::vector<Stmt>& body) {
  Copies copies;
  std::set<Symbol> temporaries;
  for (size_t i = 0; i + 1 < body.size(); ++i) {
    if (const auto* alloc = body[i].as<Alloc>()) {
      temporaries.insert(alloc->buffer.name);
      continue;
    }
    const auto* loop = body[i].as<For>();
    if (!loop || !isWhole(*loop)) return {};
    for (const Stmt& s : statementsOf(loop->body)) {
      const auto* store = s.as<Store>();
      const auto* at = store && store->index.size() == 1 ? store->index[0].as<Var>() : nullptr;
      if (!at || at->name != loop->index || store->atomicOp || !store->value.is<Load>() ||
          !temporaries.count(store->buffer) ||
          !copies.try_emplace(store->buffer, Copy{loop->index, store->value}).second)
        return {};
    }
  }
  return copies;
}

class UpdateReader {
public:
  UpdateReader(const Function& f, const For& time) : function_(f), time_(time) {}

  std::optional<LineUpdate> read() {
    const std::vector<Stmt> body = statementsOf(time_.body);
    const auto* outer = body.empty() ? nullptr : body.back().as<For>();
    const auto* inner = outer ? outer->body.as<For>() : nullptr;
    const auto* store = inner ? inner->body.as<Store>() : nullptr;
    std::optional<Copies> copies = copiesOf(body);
    if (!copies || !store || store->atomicOp || copies->count(store->buffer) || !isWhole(*outer) ||
        !isWhole(*inner))
      return {};
    u_.time = &time_;
    u_.array = function_.buffer(store->buffer);
    u_.index = store->index;
    const auto first = dimensionOf(outer->index), second = dimensionOf(inner->index);
    if (!first || !second || *first == *second) return {};
    const bool rowsOutside = *first < *second;
    const For &rows = rowsOutside ? *outer : *inner, &columns = rowsOutside ? *inner : *outer;
    varying_ = assignedVars(time_.body);
    varying_.insert({time_.index, rows.index, columns.index});
    u_.row = rows.index, u_.column = columns.index;
    u_.rowDim = std::min(*first, *second), u_.columnDim = std::max(*first, *second);
    u_.rowShift = analysis::shiftFrom(store->index[u_.rowDim], rows.index, varying_);
    u_.columnShift = analysis::shiftFrom(store->index[u_.columnDim], columns.index, varying_);
    for (size_t d = 0; d < u_.index.size(); ++d)
      if (d != u_.rowDim && d != u_.columnDim && !isFixed(u_.index[d])) return {};
    if (!u_.rowShift || !u_.columnShift || !readsOwnRowAndColumn(*store, *copies) ||
        !isAsTime(rows, u_.rowShift) || !isAsTime(columns, u_.columnShift))
      return {};
    return u_;
  }

private:
  bool isFixed(const Expr& e) const { return !readsMemory(e) && !mentionsAny(e, varying_); }

  /// The one subscript of what is written that an index of the nest stands in.
  std::optional<size_t> dimensionOf(const Symbol& index) const {
    std::optional<size_t> found;
    for (size_t d = 0; d < u_.index.size(); ++d) {
      if (!mentions(u_.index[d], index)) continue;
      if (found) return {};
      found = d;
    }
    return found;
  }

  /// Are the loop's subscripts those of the steps' rows and columns?
  bool isAsTime(const For& loop, const Expr& shift) const {
    const Expr last = time_.hi - 1;
    const Expr from = u_.lineAt(u_.runsDown() ? last : time_.lo),
               to = u_.lineAt(u_.runsDown() ? time_.lo : last);
    return equalIndex(loop.lo + shift, from) && equalIndex(loop.hi + shift, to + 1);
  }

  /// Is it the subscript of the step's own line, in all accesses the same one?
  bool isOfStep(const Expr& subscript) {
    const Expr t = var(time_.index);
    if (!u_.step && mentions(subscript, time_.index) && (isFixed(subscript - t) || isFixed(subscript + t)))
      u_.step = subscript;
    return u_.step && equalIndex(subscript, u_.step);
  }

  bool readsOwnRowAndColumn(const Store& store, const Copies& copies) {
    const DType type = u_.array.type;
    u_.own = var(Symbol("own"), type), u_.ofColumn = var(Symbol("of_column"), type),
    u_.ofRow = var(Symbol("of_row"), type);
    const std::set<Symbol> stored = storedBuffers(time_.body);
    bool known = true;
    // What stands for the temporaries first: what they hold is read like what the text reads itself.
    const Expr direct = replace<Load>(store.value, [&](const Load& l) {
      const auto copy = copies.find(l.buffer);
      return copy == copies.end() ? Expr()
                                  : substitute(copy->second.value, {{copy->second.index, l.index[0]}});
    });
    u_.value = replace<Load>(direct, [&](const Load& l) -> Expr {
      if (!stored.count(l.buffer)) return {};
      if (l.buffer != store.buffer) return known = false, Expr();
      const auto isOwn = [&](size_t d) { return equalIndex(l.index[d], store.index[d]); };
      for (size_t d = 0; d < store.index.size(); ++d)
        if (d != u_.rowDim && d != u_.columnDim && !isOwn(d)) return known = false, Expr();
      const bool ownRow = isOwn(u_.rowDim), ownColumn = isOwn(u_.columnDim);
      if (ownRow && ownColumn) return u_.own;
      if (ownRow && isOfStep(l.index[u_.columnDim])) return u_.hasColumn = true, u_.ofColumn;
      if (ownColumn && isOfStep(l.index[u_.rowDim])) return u_.hasRow = true, u_.ofRow;
      return known = false, Expr();
    });
    return known && (u_.hasColumn || u_.hasRow);
  }

  const Function& function_;
  const For& time_;
  LineUpdate u_;
  std::set<Symbol> varying_; ///< in a step
};

//===--- nests in order -------------------------------------------------------------------------------===//

/// f of a nest whose iterations store into one element, last of all.
class InOrder {
public:
  InOrder(const LineNest& nest, const For& time) : nest_(nest) {
    u_.time = &time;
    const Updated& updated = nest.updated.front();
    u_.array = updated.array, u_.index = updated.own;
    u_.rowDim = updated.outer, u_.columnDim = updated.inner;
    u_.row = nest.outer.index, u_.column = nest.inner.index;
    u_.rowShift = u_.columnShift = intConst(0);
    u_.step = nest.ofRow;
    u_.hasColumn = u_.hasRow = u_.inOrder = true;
    u_.gone = nest.gone;
    const DType type = u_.array.type;
    u_.own = var(Symbol("own"), type), u_.ofColumn = var(Symbol("of_column"), type),
    u_.ofRow = var(Symbol("of_row"), type);
  }

  std::optional<LineUpdate> read() {
    if (!take(statementsOf(nest_.before), true) || !take(statementsOf(nest_.inner.body), false) || !u_.value)
      return {};
    // What is early in one place may be late in another.
    u_.columnIsEarly = early_;
    return early_ && late_ ? std::nullopt : std::optional(u_);
  }

private:
  Expr taken(const Expr& e, bool isBefore) {
    const Expr read = replace<Load>(e, [&](const Load& l) -> Expr {
      const Updated* updated = nest_.updatedBy(l.buffer);
      if (!updated) return {};
      switch (*nest_.elementOf(*updated, l)) {
      case Element::Own: return u_.own;
      case Element::Row: return u_.ofRow;
      case Element::Column: break;
      }
      (isBefore ? early_ : late_) = true;
      return u_.ofColumn;
    });
    return substitute(read, scalars_);
  }
  bool take(const std::vector<Stmt>& list, bool isBefore, const Expr& condition = {}) {
    for (const Stmt& s : list) {
      if (u_.value) return false;
      if (const auto* set = s.as<Assign>()) {
        const Expr value = taken(set->value, isBefore);
        const auto known = scalars_.find(set->var);
        scalars_[set->var] =
            condition && known != scalars_.end() ? select(condition, value, known->second) : value;
      } else if (const auto* store = s.as<Store>()) {
        const Expr value = cast(u_.array.type, taken(store->value, isBefore));
        u_.value = condition ? select(condition, value, u_.own) : value;
      } else {
        const auto* branch = s.as<If>();
        if (!branch || branch->otherwise ||
            !take(statementsOf(branch->then), isBefore, both(condition, taken(branch->cond, isBefore))))
          return false;
      }
    }
    return true;
  }

  const LineNest& nest_;
  LineUpdate u_;
  std::map<Symbol, Expr> scalars_;
  bool early_ = false, late_ = false;
};

/// Of a time loop that consists of such a nest over all lines that it goes through, upwards.
std::optional<LineUpdate> inOrderOf(const Function& function, const For& time, analysis::Context known) {
  const auto* outer = time.body.as<For>();
  if (const std::vector<Stmt> list = statementsOf(time.body); !outer && list.size() == 1)
    outer = list.front().as<For>();
  if (!outer || outer->order != Order::Serial) return {};
  known.loops.push_back(&time);
  const std::optional<LineNest> nest = lineNestOf(function, *outer, known);
  if (!nest || nest->updated.size() != 1 || !nest->ofRow || !nest->ofColumn ||
      !equalIndex(nest->ofRow, nest->ofColumn) || nest->updated.front().outer > nest->updated.front().inner ||
      !equalIndex(nest->ofRow, var(time.index)))
    return {};
  const auto isAsTime = [&](const For& loop) {
    return equalIndex(loop.lo, time.lo) && equalIndex(loop.hi, time.hi);
  };
  return isAsTime(nest->outer) && isAsTime(nest->inner) ? InOrder(*nest, time).read() : std::nullopt;
}

} // namespace

Expr LineUpdate::valueAt(const Expr& atRow, const Expr& atColumn, const Expr& t, const Expr& isNow,
                         const Expr& inColumn, const Expr& inRow) const {
  return substitute(value, {{own.as<Var>()->name, isNow},
                            {ofColumn.as<Var>()->name, inColumn},
                            {ofRow.as<Var>()->name, inRow},
                            {row, lineAt(atRow) - rowShift},
                            {column, lineAt(atColumn) - columnShift},
                            {time->index, t}});
}

Expr LineUpdate::valueInOrder(const Expr& atRow, const Expr& atColumn, const Expr& t, const Expr& isNow,
                              const Expr& inColumn, const Expr& inRow, const Expr& corner,
                              const Builder& build, std::vector<Stmt>& out) const {
  if (!inOrder) return valueAt(atRow, atColumn, t, isNow, inColumn, inRow);
  const auto ofLine = [&](const Expr& line, const Expr& before, const Expr& after) {
    return select(line <= t, before, after);
  };
  const Expr first = build.let("corner", corner, out);
  const Expr after = build.let("corner_after", valueAt(t, t, t, first, first, first), out);
  const Expr down = build.let("in_column", inColumn, out), along = build.let("in_row", inRow, out);
  const Expr below = build.let("corner_below", ofLine(atRow, first, after), out);
  const Expr right = columnIsEarly ? first : build.let("corner_right", ofLine(atColumn, first, after), out);
  const Expr columnNow =
      columnIsEarly ? down : ofLine(atColumn, down, valueAt(atRow, t, t, down, down, below));
  const Expr rowNow = ofLine(atRow, along, valueAt(t, atColumn, t, along, right, along));
  return valueAt(atRow, atColumn, t, isNow, build.let("column_now", columnNow, out),
                 build.let("row_now", rowNow, out));
}

std::optional<LineUpdate> lineUpdateOf(const Function& function, const For& time,
                                       const analysis::Context& around) {
  std::optional<LineUpdate> found = UpdateReader(function, time).read();
  return found ? found : inOrderOf(function, time, around);
}

} // namespace appyc::schedule
