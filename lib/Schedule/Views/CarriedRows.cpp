//===- CarriedRows.cpp - rows that an iteration leaves to the next one, as a table of them ------------------===//
#include "CarriedRows.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostElements = int64_t(1) << 26; ///< of a table, while it has
constexpr int64_t kFewestRows = 1024;               ///< of the source's

using List = std::vector<Stmt>;

class RowReader {
public:
  RowReader(const Function& f, const For& loop, const analysis::Context& known)
      : function_(f), loop_(loop), known_(known) {}

  std::optional<CarriedRows> read() {
    if (!split() || others_.empty() || !findRows()) return {};
    found_.nest = loop_;
    found_.count = tripCount(loop_);
    makeTables();
    For inner = inner_;
    inner.body = block(elements());
    if (!isGood_) return {};
    found_.nest.body = makeStmt(loop_.body->span, std::move(inner));
    if (rows_.empty() && found_.scalars.empty())
      found_.nest.body = substitute(found_.nest.body, {{found_.first, loop_.lo}});
    else
      found_.nest.lo = var(found_.first), found_.nest.hi = var(found_.end);
    if (!consistsOf<Block, Assign>(block(others_))) {
      For rest = loop_;
      rest.body = block(others_);
      rest.hints.origins.clear();
      found_.otherwise = makeStmt(loop_.body->span, std::move(rest));
    }
    found_.rows.assign(rows_.begin(), rows_.end());
    return std::move(found_);
  }

private:
  struct Row : CarriedRow {
    int64_t offset = 0;      ///< the inner loop stores current[j + offset]
    List inFront{};          ///< what stores into it before the inner loop
    bool isStored = false;   ///< is the element, at the place at hand
    bool isOptional = false; ///< some step may leave it as it was
  };
  enum class Place { Before, Inside, After };

  void fail() { isGood_ = false; }

  //===--- parts ----------------------------------------------------------------------------------------===//

  /// What stands before and after the one inner loop in order, without what hands rows on.
  bool split() {
    bool hasInner = false;
    for (const Stmt& s : statementsOf(loop_.body)) {
      const auto* loop = s.as<For>();
      if (loop && loop->order == Order::Serial) {
        if (hasInner) return false;
        inner_ = *loop;
        hasInner = true;
        continue;
      }
      others_.push_back(s);
      if (const auto* made = s.as<Alloc>())
        fresh_.insert(made->buffer.name);
      else if (!hasInner && takeFilling(s))
        continue;
      else if (!takePair(s))
        (hasInner ? after_ : before_).push_back(s);
      else if (!hasInner && !takeSnapshot())
        return false;
    }
    return hasInner && consistsOf<Block, Assign, Store, If>(inner_.body) &&
           consistsOf<Block, Assign, Store, If>(block(before_)) &&
           consistsOf<Block, Store, If>(block(after_));
  }

  ///   for x in [0, n): C[x] = e(x)
  bool takeFilling(const Stmt& s) {
    const auto* loop = s.as<For>();
    const auto* store = loop ? loop->body.as<Store>() : nullptr;
    if (!store || store->atomicOp || store->index.size() != 1 || !equal(store->index[0], var(loop->index)) ||
        !isConst(loop->lo, 0) || !isConst(loop->step, 1) ||
        !isExtent(loop->hi, function_.buffer(store->buffer)) || !isFixed(store->value) ||
        mentionsAny(store->value, assignedVars(loop_.body)))
      return false;
    return fillings_.emplace(store->buffer, std::pair(loop->index, store->value)).second;
  }
  ///   for x in [0, n): P[x] = C[x],   or   C, P = P, C
  bool takePair(const Stmt& s) {
    Row row;
    if (const auto* swap = s.as<Swap>()) {
      row.form = CarriedRow::Swapped;
      row.previous = function_.buffer(swap->a), row.current = function_.buffer(swap->b);
      if (touchesInner(row.previous.name, true)) std::swap(row.previous, row.current);
    } else {
      const auto* loop = s.as<For>();
      const auto* to = loop ? loop->body.as<Store>() : nullptr;
      const auto* from = to && !to->atomicOp ? to->value.as<Load>() : nullptr;
      if (!from || from->buffer == to->buffer || to->index.size() != 1 || from->index.size() != 1 ||
          !equal(to->index[0], var(loop->index)) || !equal(from->index[0], var(loop->index)) ||
          !isConst(loop->lo, 0) || !isConst(loop->step, 1))
        return false;
      row.form = CarriedRow::Copied;
      row.previous = function_.buffer(to->buffer), row.current = function_.buffer(from->buffer);
      if (!isExtent(loop->hi, row.previous)) return false;
    }
    rows_.push_back(std::move(row));
    return true;
  }
  /// The last pair is a copy in front of the inner loop: of the row before, which is then changed in place.
  bool takeSnapshot() {
    const Row pair = rows_.back();
    rows_.pop_back();
    return pair.form == CarriedRow::Copied && fresh_.erase(pair.previous.name) > 0 &&
           isExtent(pair.current.extents[0], pair.previous) &&
           !storedBuffers(block(before_)).count(pair.current.name) &&
           snapshots_.emplace(pair.previous.name, pair.current.name).second;
  }
  bool isExtent(const Expr& e, const Buffer& array) const {
    return analysis::alwaysEqual(e, array.extents[0], known_);
  }
  bool touchesInner(const Symbol& array, bool stored) const {
    return (stored ? storedBuffers(inner_.body) : loadedBuffers(inner_.body)).count(array) > 0;
  }

  //===--- rows -----------------------------------------------------------------------------------------===//

  bool findRows() {
    // Of one dimension, stored by all iterations alike: in place, if it is in no pair.
    for (const Symbol& array : storedBuffers(inner_.body)) {
      bool isRow = function_.buffer(array).extents.size() == 1;
      each<Store>(inner_.body,
                  [&](const Store& s) { isRow &= s.buffer != array || !mentions(s.index[0], loop_.index); });
      if (isRow && !rowOf(array))
        rows_.push_back({{CarriedRow::InPlace, function_.buffer(array), function_.buffer(array), {}, false}});
    }
    const std::set<Symbol> aside = storedBuffers(block(before_));
    std::set<Symbol> all;
    for (Row& row : rows_) {
      row.isFresh = fresh_.erase(row.current.name) > 0;
      if (const auto filled = fillings_.extract(row.current.name))
        std::tie(row.at, row.filling) = filled.mapped();
      const bool isPair = row.form != CarriedRow::InPlace;
      for (const Buffer* array : {&row.previous, &row.current})
        if (array->extents.size() != 1 || array->type != row.previous.type || !isHostValue(array->extents[0]))
          return false;
      if (isPair && (!all.insert(row.previous.name).second || touchesInner(row.previous.name, true) ||
                     aside.count(row.previous.name)))
        return false;
      if (!all.insert(row.current.name).second || !findOffset(row) ||
          (row.form == CarriedRow::Swapped && !isLeft(row)))
        return false;
      row.isWhole = isStoredWhole(row);
      if (row.form == CarriedRow::Swapped && !row.isWhole) return false; // other elements change names, too
    }
    const auto isRow = [&](const auto& copy) {
      const Row* row = rowOf(copy.second);
      return row && row->form == CarriedRow::InPlace;
    };
    return fresh_.empty() && fillings_.empty() && std::ranges::all_of(snapshots_, isRow);
  }
  Row* rowOf(const Symbol& array) {
    const auto copied = snapshots_.find(array);
    const Symbol& name = copied == snapshots_.end() ? array : copied->second;
    const auto found = std::ranges::find_if(
        rows_, [&](const Row& r) { return r.previous.name == name || r.current.name == name; });
    return found == rows_.end() ? nullptr : &*found;
  }
  bool isHostValue(const Expr& e) const {
    return !readsMemory(e) && !mentionsAny(e, assignedVars(function_.body)) && !mentions(e, loop_.index);
  }
  std::optional<int64_t> offsetOf(const Expr& index) const { return constantInt(index - var(inner_.index)); }

  bool findOffset(Row& row) const {
    std::optional<int64_t> offset;
    bool isOne = true;
    each<Store>(inner_.body, [&](const Store& s) {
      if (s.buffer != row.current.name) return;
      const auto here = offsetOf(s.index[0]);
      isOne &= here && !s.atomicOp && (!offset || *offset == *here);
      offset = here;
    });
    row.offset = offset.value_or(0);
    return offset && isOne;
  }
  /// Does each iteration store all elements?
  bool isStoredWhole(const Row& row) const {
    Expr end = intConst(0);
    std::vector<std::pair<Expr, Expr>> parts{{inner_.lo + row.offset, inner_.hi + row.offset}};
    for (const Stmt& s : before_)
      if (const auto* store = s.as<Store>(); store && store->buffer == row.current.name)
        parts.emplace_back(store->index[0], store->index[0] + 1);
    for (size_t i = 0; i < parts.size(); ++i)
      for (const auto& [from, to] : parts)
        if (equalIndex(from, end)) end = to;
    return isExtent(end, row.current) && isExtent(end, row.previous);
  }
  /// Is the one that has changed names last read nowhere else?
  bool isLeft(const Row& row) const {
    const auto isOne = [&](const auto& x) {
      return x.name == row.current.name || x.name == row.previous.name;
    };
    return countLoads(function_.body, row.current.name) == countLoads(loop_.body, row.current.name) &&
           std::ranges::none_of(function_.results, isOne) && std::ranges::none_of(function_.params, isOne);
  }

  //===--- the nest -------------------------------------------------------------------------------------===//

  void makeTables() {
    Expr width = intConst(0);
    for (const Row& row : rows_) width = width + row.current.extents[0];
    if (rows_.empty()) width = tripCount(inner_);
    found_.room =
        maxOf(minOf(found_.count, maxOf(floorDiv(intConst(kMostElements), maxOf(width, 1)), kFewestRows)), 1);
    for (Row& row : rows_)
      row.table = {Symbol(row.current.name.hint() + "_rows"),
                   row.current.type,
                   {found_.room + 1, row.current.extents[0]},
                   false,
                   0};
  }

  Expr rowBefore() const { return var(loop_.index) - var(found_.first); }
  Load element(const Row& row, bool isCurrent, const Expr& at) const {
    return {row.table.type, row.table.name, {isCurrent ? rowBefore() + 1 : rowBefore(), at}};
  }

  /// Of which row of the table an element is read there.
  Expr elementRead(Row& row, const Load& l, Place place) {
    const Expr& at = l.index[0];
    const bool inPlace = row.form == CarriedRow::InPlace;
    if (snapshots_.count(l.buffer) || (!inPlace && l.buffer == row.previous.name))
      return make(element(row, false, at));
    bool isCurrent = place == Place::After || row.filling;
    if (place == Place::Inside && !row.filling) {
      const auto offset = offsetOf(at);
      if (!offset) fail();
      isCurrent = offset && (*offset < row.offset || (*offset == row.offset && row.isStored));
    } else if (place == Place::Before) {
      for (const Stmt& s : row.inFront) {
        const auto distance = constantInt(at - s.as<Store>()->index[0]);
        if (!distance) fail();
        isCurrent |= distance == 0;
      }
    }
    if (!isCurrent && !inPlace) fail(); // what it has been two iterations ago
    return make(element(row, isCurrent, at));
  }
  Expr translated(const Expr& e, Place place) {
    return replace<Load>(e, [&](const Load& l) {
      Row* row = rowOf(l.buffer);
      return row ? elementRead(*row, l, place) : Expr();
    });
  }
  Stmt translated(const Stmt& s, Place place) {
    if (const auto* list = s.as<Block>()) {
      List out;
      for (const Stmt& part : list->body) out.push_back(translated(part, place));
      return block(std::move(out));
    }
    if (const auto* branch = s.as<If>()) return translatedBranch(s, *branch, place);
    if (const auto* assign = s.as<Assign>())
      return makeStmt(s->span, Assign{assign->var, translated(assign->value, place)});
    Store store = *s.as<Store>();
    for (Expr& e : store.index) e = translated(e, place);
    store.value = translated(store.value, place);
    if (Row* row = rowOf(store.buffer)) {
      if (place == Place::After) fail();
      if (place == Place::Before) {
        // The inner loop stores none of those.
        row->inFront.push_back(s);
        if (!analysis::isNonNegative(inner_.lo + row->offset - store.index[0] - 1, known_)) fail();
      }
      row->isStored = true;
      store.buffer = row->table.name;
      store.index = element(*row, true, store.index[0]).index;
    }
    return makeStmt(s->span, std::move(store));
  }
  Stmt translatedBranch(const Stmt& s, const If& branch, Place place) {
    const auto states = [&] {
      std::vector<bool> all;
      for (const Row& r : rows_) all.push_back(r.isStored);
      return all;
    };
    const Expr cond = translated(branch.cond, place);
    const std::vector<bool> at = states();
    Stmt then = translated(branch.then, place), otherwise;
    const std::vector<bool> first = states();
    for (size_t r = 0; r < rows_.size(); ++r) rows_[r].isStored = at[r];
    if (branch.otherwise) otherwise = translated(branch.otherwise, place);
    for (size_t r = 0; r < rows_.size(); ++r) {
      Row& row = rows_[r];
      row.isOptional |= first[r] != row.isStored;
      if (first[r] != row.isStored && !row.filling &&
          (row.form != CarriedRow::InPlace || place != Place::Inside))
        fail();
      row.isStored = row.isStored || first[r];
    }
    return makeStmt(s->span, If{cond, std::move(then), std::move(otherwise)});
  }

  /// An iteration of the perfect nest.
  List elements() {
    const Expr isFirst = eq(var(inner_.index), inner_.lo), isLast = eq(var(inner_.index), inner_.hi - 1);
    const std::set<Symbol> carried =
        intersection(assignedVars(inner_.body), analysis::exposedScalars(inner_.body));
    std::map<Symbol, Expr> starts;
    List out;
    for (const Stmt& s : before_) {
      const Stmt here = translated(s, Place::Before);
      const auto* assign = here.as<Assign>();
      if (!assign && !assignedVars(here).empty()) fail();
      if (assign && !isFixed(assign->value)) fail();
      if (assign && carried.count(assign->var))
        isGood_ &= starts.emplace(assign->var, assign->value).second;
      else
        out.push_back(assign ? here : makeStmt(s->span, If{isFirst, here, {}}));
    }
    for (Row& row : rows_) row.isStored = false;
    const List steps = statementsOf(translated(inner_.body, Place::Inside));
    List last;
    for (const Symbol& name : carried) {
      if (!starts.count(name)) continue; // carried by the outer loop, too: a fold, if it may be at all
      Expr left = leftBy(name, steps);
      if (!left) left = leftInTable(name, steps, last);
      out.push_back(makeStmt(inner_.body->span, Assign{name, select(isFirst, starts.at(name), left)}));
    }
    for (const Row& row : rows_)
      if (row.isOptional && !row.filling) {
        const Expr at = var(inner_.index) + row.offset;
        out.push_back(
            makeStmt(inner_.body->span,
                     Store{row.table.name, element(row, true, at).index, make(element(row, false, at)), {}}));
      }
    out.insert(out.end(), steps.begin(), steps.end());
    out.insert(out.end(), last.begin(), last.end());
    for (const Stmt& s : after_)
      out.push_back(makeStmt(s->span, If{isLast, translated(s, Place::After), {}}));
    return out;
  }
  static std::set<Symbol> intersection(const std::set<Symbol>& a, const std::set<Symbol>& b) {
    std::set<Symbol> both;
    std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
    return both;
  }

  /// Has it the value later in the nest that it has now? Of a table, each element is stored by one step.
  bool isFixed(const Expr& e) const {
    const std::set<Symbol> stored = storedBuffers(loop_.body);
    return std::ranges::none_of(loadedBuffers(e),
                                [&](const Symbol& array) { return stored.count(array) > 0; });
  }
  /// What the step before leaves in a scalar, where that is an expression.
  Expr leftBy(const Symbol& scalar, const List& steps) const {
    std::map<Symbol, Expr> values;
    for (const Stmt& s : steps) {
      const auto* assign = s.as<Assign>();
      if (!assign) {
        for (const Symbol& name : assignedVars(s)) values[name] = {};
        each<Store>(s, [&](const Store& store) {
          for (auto& [name, value] : values)
            if (value && reads(value, store)) value = {};
        });
        continue;
      }
      const bool isNew = !values.count(assign->var);
      Expr value = substituteKnown(assign->value, values);
      values[assign->var] = isNew && value && isFixed(value) ? value : Expr();
    }
    const Expr left = values[scalar];
    return left && !mentionsAny(left, assignedVars(block(steps)))
               ? substitute(left, {{inner_.index, var(inner_.index) - 1}})
               : Expr();
  }
  /// The same from a table, into which a statement of `last` puts it.
  Expr leftInTable(const Symbol& scalar, const List& steps, List& last) {
    const std::map<Symbol, DType> types = assignedTypes(block(steps));
    const Buffer table{
        Symbol(scalar.hint() + "_rows"), types.at(scalar), {found_.room, tripCount(inner_)}, false, 0};
    const Expr column = var(inner_.index) - inner_.lo;
    found_.scalars.push_back(table);
    last.push_back(
        makeStmt(inner_.body->span, Store{table.name, {rowBefore(), column}, var(scalar, table.type), {}}));
    return load(table, {rowBefore(), column - 1});
  }
  static bool reads(const Expr& e, const Store& store) {
    return anyExpr(e, [&](const Expr& part) {
      const auto* l = part.as<Load>();
      return l && l->buffer == store.buffer && equalIndices(l->index, store.index);
    });
  }
  static Expr substituteKnown(const Expr& e, const std::map<Symbol, Expr>& values) {
    std::map<Symbol, Expr> known;
    for (const auto& [name, value] : values) {
      if (!mentions(e, name)) continue;
      if (!value) return {};
      known.emplace(name, value);
    }
    return substitute(e, known);
  }

  const Function& function_;
  const For& loop_;
  const analysis::Context& known_;
  For inner_{};
  List before_, after_, others_;                       ///< `others`: all but the inner loop, as it stands
  std::set<Symbol> fresh_;                             ///< arrays that an iteration makes
  std::map<Symbol, std::pair<Symbol, Expr>> fillings_; ///< with what it fills some
  std::map<Symbol, Symbol> snapshots_; ///< of rows as they are when an iteration begins, by name
  std::vector<Row> rows_;
  CarriedRows found_;
  bool isGood_ = true;
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
