//===- RowElements.cpp - iterations over rows that are carried, as those of a perfect nest over tables ------===//
#include "RowElements.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

RowParts::Row* RowParts::rowOf(const Symbol& array) {
  const auto copied = snapshots.find(array);
  const Symbol& name = copied == snapshots.end() ? array : copied->second;
  const auto found = std::ranges::find_if(
      rows, [&](const Row& r) { return r.previous.name == name || r.current.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<int64_t> RowParts::offsetOf(const Expr& index) const {
  return constantInt(index - var(inner.index));
}

namespace {

constexpr int64_t kMostElements = int64_t(1) << 26; ///< of a table, while it has
constexpr int64_t kFewestRows = 1024;               ///< of the source's

using List = std::vector<Stmt>;

class RowElements {
  using Row = RowParts::Row;

public:
  RowElements(RowParts& parts, CarriedRows& found, const For& loop, const analysis::Context& known)
      : parts_(parts), rows_(parts.rows), inner_(parts.inner), found_(found), loop_(loop), known_(known) {}

  List elements() {
    makeTables();
    const Expr isFirst = eq(var(inner_.index), inner_.lo), isLast = eq(var(inner_.index), inner_.hi - 1);
    const std::set<Symbol> carried = analysis::handedOn(inner_.body);
    std::map<Symbol, Expr> starts;
    List out;
    for (const Stmt& s : parts_.before) {
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
    for (const Stmt& s : parts_.after)
      out.push_back(makeStmt(s->span, If{isLast, translated(s, Place::After), {}}));
    return isGood_ ? out : List();
  }

private:
  enum class Place { Before, Inside, After };

  void fail() { isGood_ = false; }

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

  /// Does the inner loop surely not store it?
  bool isInFront(const Row& row, const Expr& at) const {
    return analysis::isNonNegative(inner_.lo + row.offset - at - 1, known_);
  }

  /// Of which row of the table an element is read there.
  Expr elementRead(Row& row, const Load& l, Place place) {
    const Expr& at = l.index[0];
    const bool inPlace = row.form == CarriedRow::InPlace;
    if (parts_.snapshots.count(l.buffer) || (!inPlace && l.buffer == row.previous.name))
      return make(element(row, false, at));
    bool isCurrent = place == Place::After || row.filling;
    if (place == Place::Inside && !row.filling) {
      const auto offset = parts_.offsetOf(at);
      if (!offset) fail();
      isCurrent = offset && (*offset < row.offset || (*offset == row.offset && row.isStored));
    } else if (place == Place::Before && row.filling) {
      if (!isInFront(row, at)) fail(); // asked for again by all steps
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
      Row* row = parts_.rowOf(l.buffer);
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
    if (Row* row = parts_.rowOf(store.buffer)) {
      if (place == Place::After) fail();
      if (place == Place::Before) {
        row->inFront.push_back(s);
        if (!isInFront(*row, store.index[0])) fail();
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

  /// Has it the value later in the loop that it has now? Of a table, each element is stored by one step.
  bool isFixed(const Expr& e) const { return !intersect(loadedBuffers(e), storedBuffers(loop_.body)); }
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
      return l && l->buffer == store.buffer && loops::mayBeSame(l->index, store.index);
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

  RowParts& parts_;
  std::vector<Row>& rows_;
  const For& inner_;
  CarriedRows& found_;
  const For& loop_;
  const analysis::Context& known_;
  bool isGood_ = true;
};

} // namespace

std::vector<Stmt> rowElements(RowParts& parts, CarriedRows& found, const For& loop,
                              const analysis::Context& known) {
  return RowElements(parts, found, loop, known).elements();
}

} // namespace appyc::schedule
