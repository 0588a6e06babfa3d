//===- CarriedRows.cpp - rows that an iteration leaves to the next one, as a table of them ------------------===//
#include "RowElements.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

using List = std::vector<Stmt>;

class RowReader {
public:
  RowReader(const Function& f, const For& loop, const analysis::Context& known)
      : function_(f), loop_(loop), known_(known) {}

  std::optional<CarriedRows> read() {
    found_.count = tripCount(loop_);
    if (!found_.count || !split() || others_.empty() || !findRows()) return {};
    found_.nest = loop_;
    For inner = withBody(parts_.inner, block(rowElements(parts_, found_, loop_, known_)));
    if (statementsOf(inner.body).empty()) return {};
    found_.nest.body = makeStmt(loop_.body->span, std::move(inner));
    if (parts_.rows.empty() && found_.scalars.empty())
      found_.nest.body = substitute(found_.nest.body, {{found_.first, loop_.lo}});
    else
      found_.nest.lo = var(found_.first), found_.nest.hi = var(found_.end);
    if (!consistsOf<Block, Assign>(block(others_))) {
      For rest = withBody(loop_, block(others_));
      rest.hints.origins.clear();
      found_.otherwise = makeStmt(loop_.body->span, std::move(rest));
    }
    found_.rows.assign(parts_.rows.begin(), parts_.rows.end());
    return std::move(found_);
  }

private:
  using Row = RowParts::Row;

  //===--- parts ----------------------------------------------------------------------------------------===//

  /// What stands before and after the one inner loop in order, without what hands rows on.
  bool split() {
    bool hasInner = false;
    for (const Stmt& s : statementsOf(loop_.body)) {
      const auto* loop = s.as<For>();
      if (loop && loop->order == Order::Serial) {
        if (hasInner || !tripCount(*loop)) return false;
        parts_.inner = *loop;
        hasInner = true;
        continue;
      }
      others_.push_back(s);
      if (std::ranges::any_of(parts_.rows, [&](const Row& r) {
            return touches(s, r.previous.name) || touches(s, r.current.name);
          }))
        return false; // rows that have been handed on
      if (const auto* made = s.as<Alloc>())
        fresh_.insert(made->buffer.name);
      else if (!hasInner && takeFilling(s))
        continue;
      else if (!takePair(s))
        (hasInner ? parts_.after : parts_.before).push_back(s);
      else if (!hasInner && !takeSnapshot())
        return false;
    }
    return hasInner && consistsOf<Block, Assign, Store, If>(parts_.inner.body) &&
           consistsOf<Block, Assign, Store, If>(block(parts_.before)) &&
           consistsOf<Block, Store, If>(block(parts_.after));
  }

  /// The store of a loop over all elements of `row`, or of what it stores into: for x in [0, n): C[x] = e(x)
  std::optional<Store> storeOfAll(const For* loop, const std::optional<Symbol>& row = {}) const {
    if (!loop || !isConst(loop->lo, 0) || !isConst(loop->step, 1)) return {};
    std::vector<Stmt> body = statementsOf(loop->body);
    const auto* name = body.size() == 2 ? body[0].as<Assign>() : nullptr; // item = C[x]; P[x] = item
    if (name) body = {substitute(body[1], {{name->var, name->value}})};
    const auto* store = body.size() == 1 ? body[0].as<Store>() : nullptr;
    const bool isOfAll = store && !store->atomicOp && store->index.size() == 1 &&
                         equal(store->index[0], var(loop->index)) &&
                         isExtent(loop->hi, function_.buffer(row.value_or(store->buffer)));
    return isOfAll ? std::optional(*store) : std::nullopt;
  }
  ///   for x in [0, n): C[x] = e(x)
  bool takeFilling(const Stmt& s) {
    const auto* loop = s.as<For>();
    const auto store = storeOfAll(loop);
    if (!store || !loops::keeps(loop_.body, store->value) || touches(block(parts_.before), store->buffer))
      return false;
    return fillings_.emplace(store->buffer, std::pair(loop->index, store->value)).second;
  }
  ///   for x in [0, n): P[x] = C[x],   or   C, P = P, C
  bool takePair(const Stmt& s) {
    Row row;
    if (const auto* swap = s.as<Swap>()) {
      row.form = CarriedRow::Swapped;
      row.previous = function_.buffer(swap->a), row.current = function_.buffer(swap->b);
      if (isStoredInside(row.previous.name)) std::swap(row.previous, row.current);
    } else {
      const auto* loop = s.as<For>();
      const std::set<Symbol> read = loop ? loadedBuffers(loop->body) : std::set<Symbol>{};
      const auto to = read.size() == 1 ? storeOfAll(loop, *read.begin()) : std::nullopt;
      const auto* from = to ? to->value.as<Load>() : nullptr;
      if (!from || from->buffer == to->buffer || from->index.size() != 1 ||
          !equal(from->index[0], var(loop->index)))
        return false;
      row.form = CarriedRow::Copied;
      row.previous = function_.buffer(to->buffer), row.current = function_.buffer(from->buffer);
    }
    parts_.rows.push_back(std::move(row));
    return true;
  }
  /// The last pair is a copy in front of the inner loop: of the row before, which is then changed in place.
  bool takeSnapshot() {
    const Row pair = parts_.rows.back();
    parts_.rows.pop_back();
    return pair.form == CarriedRow::Copied && fresh_.erase(pair.previous.name) > 0 &&
           isExtent(pair.current.extents[0], pair.previous) &&
           !storedBuffers(block(parts_.before)).count(pair.current.name) &&
           !fillings_.count(pair.current.name) &&
           parts_.snapshots.emplace(pair.previous.name, pair.current.name).second;
  }
  bool isExtent(const Expr& e, const Buffer& array) const {
    return analysis::alwaysEqual(e, array.extents[0], known_);
  }
  bool isStoredInside(const Symbol& array) const { return storedBuffers(parts_.inner.body).count(array) > 0; }

  //===--- rows -----------------------------------------------------------------------------------------===//

  bool findRows() {
    // Of one dimension, stored by all iterations alike: in place, if it is in no pair.
    for (const Symbol& array : storedBuffers(parts_.inner.body)) {
      bool isRow = function_.buffer(array).extents.size() == 1;
      each<Store>(parts_.inner.body,
                  [&](const Store& s) { isRow &= s.buffer != array || !mentions(s.index[0], loop_.index); });
      if (isRow && !parts_.rowOf(array))
        parts_.rows.push_back(
            {{CarriedRow::InPlace, function_.buffer(array), function_.buffer(array), {}, false}});
    }
    const std::set<Symbol> aside = storedBuffers(block(parts_.before));
    std::set<Symbol> all;
    for (Row& row : parts_.rows) {
      row.isFresh = fresh_.erase(row.current.name) > 0;
      if (const auto filled = fillings_.extract(row.current.name))
        std::tie(row.at, row.filling) = filled.mapped();
      const bool isPair = row.form != CarriedRow::InPlace;
      for (const Buffer* array : {&row.previous, &row.current})
        if (array->extents.size() != 1 || array->type != row.previous.type || !isHostValue(array->extents[0]))
          return false;
      if (isPair && (!all.insert(row.previous.name).second || isStoredInside(row.previous.name) ||
                     aside.count(row.previous.name) || !hasElementsRead(row)))
        return false;
      if (!all.insert(row.current.name).second || !findOffset(row) ||
          (row.form == CarriedRow::Swapped && !isLeft(row)))
        return false;
      row.isWhole = isStoredWhole(row);
      if (row.form == CarriedRow::Swapped && !row.isWhole) return false; // other elements change names, too
    }
    const auto isRow = [&](const auto& copy) {
      const Row* row = parts_.rowOf(copy.second);
      return row && row->form == CarriedRow::InPlace;
    };
    return fresh_.empty() && fillings_.empty() && std::ranges::all_of(parts_.snapshots, isRow);
  }
  bool isHostValue(const Expr& e) const {
    return !readsMemory(e) && !mentionsAny(e, assignedVars(function_.body)) && !mentions(e, loop_.index);
  }
  bool findOffset(Row& row) const {
    std::optional<int64_t> offset;
    bool isOne = true;
    each<Store>(parts_.inner.body, [&](const Store& s) {
      if (s.buffer != row.current.name) return;
      const auto here = parts_.offsetOf(s.index[0]);
      isOne &= here && !s.atomicOp && (!offset || *offset == *here);
      offset = here;
    });
    row.offset = offset.value_or(0);
    return offset && isOne;
  }
  /// Are all elements of the row before that an iteration reads among those that are handed on?
  bool hasElementsRead(const Row& row) const {
    if (isExtent(row.current.extents[0], row.previous)) return true;
    if (row.form != CarriedRow::Copied) return false;
    analysis::Context inside = known_;
    inside.loops.insert(inside.loops.end(), {&loop_, &parts_.inner});
    bool areAll = countLoads(block(parts_.before), row.previous.name) == 0 &&
                  countLoads(block(parts_.after), row.previous.name) == 0;
    each<Load>(parts_.inner.body, [&](const Load& l) {
      areAll &=
          l.buffer != row.previous.name || analysis::isInRange(function_, row.current.name, l.index, inside);
    });
    return areAll;
  }
  /// Does each iteration store all elements?
  bool isStoredWhole(const Row& row) const {
    Expr end = intConst(0);
    std::vector<std::pair<Expr, Expr>> parts{{parts_.inner.lo + row.offset, parts_.inner.hi + row.offset}};
    for (const Stmt& s : parts_.before)
      if (const auto* store = s.as<Store>(); store && store->buffer == row.current.name)
        parts.emplace_back(store->index[0], store->index[0] + 1);
    for (size_t i = 0; i < parts.size(); ++i)
      for (const auto& [from, to] : parts)
        if (equalIndex(from, end)) end = to;
    return isExtent(end, row.current) && (row.form == CarriedRow::Copied || isExtent(end, row.previous));
  }
  /// Is the one that has changed names last read nowhere else?
  bool isLeft(const Row& row) const {
    const auto isOne = [&](const auto& x) {
      return x.name == row.current.name || x.name == row.previous.name;
    };
    return countLoads(function_.body, row.current.name) == countLoads(loop_.body, row.current.name) &&
           std::ranges::none_of(function_.results, isOne) && std::ranges::none_of(function_.params, isOne);
  }

  const Function& function_;
  const For& loop_;
  const analysis::Context& known_;
  RowParts parts_;
  List others_;                                        ///< all but the inner loop, as it stands
  std::set<Symbol> fresh_;                             ///< arrays that an iteration makes
  std::map<Symbol, std::pair<Symbol, Expr>> fillings_; ///< with what it fills some
  CarriedRows found_;
};

} // namespace

Stmt CarriedRows::inOrder(const Builder& build, const For& loop, const Stmt& run) const {
  const auto* inner = nest.body.as<For>();
  const Expr hasColumns = inner->lo < inner->hi;
  if (rows.empty() && scalars.empty()) return build.when(otherwise ? hasColumns : Expr(), run, otherwise);
  std::vector<Stmt> out;
  const Expr atOnce = loops::once(build, "rows_at_once", room, out);
  const Symbol c("chunk");
  const Expr last = var(end) - var(first);
  std::vector<Stmt> chunk{build.assign(first, loop.lo + var(c) * atOnce),
                          build.assign(end, minOf(var(first) + atOnce, loop.hi))};
  const auto forEach = [&](const std::vector<Expr>& extents, const auto& body) {
    chunk.push_back(loops::forAll(build, "x", extents, body));
  };
  for (const Buffer& table : scalars) out.push_back(build.alloc(table));
  for (const CarriedRow& row : rows) {
    out.push_back(build.alloc(row.table));
    const Expr width = row.current.extents[0];
    const auto before = [&](const Expr& x) { return load(row.previous, {x}); };
    if (row.filling)
      forEach({last + 1, width}, [&](const std::vector<Expr>& x) {
        const Expr own = substitute(row.filling, {{row.at, x[1]}, {loop.index, var(first) + x[0] - 1}});
        return build.store(row.table, x, select(eq(x[0], 0), before(x[1]), own));
      });
    else if (row.isWhole || row.isFresh)
      forEach({width}, [&](const std::vector<Expr>& x) {
        return build.store(row.table, {intConst(0), x[0]}, before(x[0]));
      });
    else
      forEach({last + 1, width}, [&](const std::vector<Expr>& x) {
        const Expr own = load(row.current, {x[1]});
        const bool inPlace = row.form == CarriedRow::InPlace;
        return build.store(row.table, x, inPlace ? own : select(eq(x[0], 0), before(x[1]), own));
      });
  }
  chunk.push_back(run);
  for (const CarriedRow& row : rows)
    for (const Buffer* to : {&row.previous, &row.current})
      if (to == &row.previous || (row.form == CarriedRow::Copied && !row.isFresh))
        forEach({row.current.extents[0]}, [&](const std::vector<Expr>& x) {
          return build.store(*to, x, load(row.table, {last, x[0]}));
        });
  out.push_back(build.inOrder(c, intConst(0), ceilDiv(count, atOnce), block(std::move(chunk))));
  return build.when(hasColumns, block(std::move(out)), otherwise);
}

std::optional<CarriedRows> carriedRowsOf(const Function& function, const For& loop,
                                         const analysis::Context& known) {
  return RowReader(function, loop, known).read();
}

} // namespace appyc::schedule
