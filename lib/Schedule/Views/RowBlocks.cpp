//===- RowBlocks.cpp - rows that sum over earlier rows, as blocks of rows ---------------------------------===//
#include "RowBlocks.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool RowBlocks::find(const For& loop) {
  if (!analysis::hasKnownBounds(function_, loop) || constantTrip(loop).value_or(INT64_MAX) <= 2 * kMostRows)
    return false;
  const std::optional<Recurrence> found = recurrenceIn(statementsOf(loop.body), loop);
  if (!found || !scalarsAreOwn(*found, function_)) return false;
  r = *found;
  if (!passesOn()) {
    r = reversed(r);
    passed.clear();
    if (!passesOn()) return false;
  }
  if (!mayBeEager()) return false;
  if (!equalIndex(r.earlier->lo, r.rows->lo)) {
    if (!passesByRow()) return false;
    r = startedAtRows(r);
  }
  sums = {Symbol("sums"), r.type, {analysis::atLeastZero(loop.hi - loop.lo, known_.sizes)}};
  if (!mayRunInBlocks()) return false;
  forwardPassed();
  return fitsOnChip();
}

/// May terms be computed that the program leaves out? What they read is there then.
bool RowBlocks::mayBeEager() const {
  if (!chooses(r.term)) return true;
  analysis::Context inside = known_;
  inside.loops.insert(inside.loops.end(), {r.rows, r.earlier});
  return !anyExpr(r.term, [&](const Expr& e) {
    const auto* read = e.as<Load>();
    return read && !analysis::isInRange(function_, read->buffer, read->index, inside);
  });
}

/// Does the subscript tell the row: i + c, or c - i?
bool RowBlocks::tellsRow(const Expr& subscript) const {
  const Expr row = var(r.rows->index);
  return !mentions(subscript - row, r.rows->index) || !mentions(subscript + row, r.rows->index);
}

/// Does each iteration store elements that tell which one it is, so that none is of iterations before the first?
bool RowBlocks::passesByRow() const {
  return std::ranges::all_of(passed, [&](const auto& of) {
    return std::ranges::any_of(r.rest[of.first].template as<Store>()->index,
                               [&](const Expr& e) { return tellsRow(e); });
  });
}

bool RowBlocks::mayRunInBlocks() const {
  const Builder build{};
  const Expr row = var(r.rows->index), sum = sumOf(row);
  const Stmt take = build.store(sums, {row - r.rows->lo}, combine(r.op, sum, r.term));
  const Stmt rest = substitute(block(r.rest), std::map<Symbol, Expr>{{r.total, sum}});
  return analysis::mayRunByTime({{take, {r.rows, r.earlier}, 1}, {rest, {r.rows}, 0}}, {1, 0}, known_);
}

/// Finds where the iteration stores what the terms of later ones read: in a block it is passed on in a scalar.
bool RowBlocks::passesOn() {
  const std::set<Symbol> written = storedBuffers(block(r.rest));
  const std::map<Symbol, Expr> here{{r.earlier->index, var(r.rows->index)}};
  bool all = true;
  visit(r.term, [&](const Expr& e) {
    const auto* read = e.as<Load>();
    if (!read || !written.count(read->buffer)) return all;
    int stores = 0;
    for (size_t i = 0; i < r.rest.size(); ++i) {
      const auto* store = r.rest[i].as<Store>();
      if (!store || store->buffer != read->buffer) continue;
      bool same = ++stores == 1 && std::none_of(read->index.begin(), read->index.end(),
                                                [&](const Expr& x) { return mentions(x, r.rows->index); });
      for (size_t d = 0; d < store->index.size(); ++d)
        same = same && equalIndex(store->index[d], substitute(read->index[d], here));
      if (!same) all = false;
      passed.try_emplace(i, Symbol("value"));
    }
    all = all && stores == 1;
    return false;
  });
  return all;
}

/// What a row has stored it need not read again.
void RowBlocks::forwardPassed() {
  for (const auto& [at, value] : passed) {
    const Store store = *r.rest[at].as<Store>();
    for (size_t i = at + 1; i < r.rest.size(); ++i)
      r.rest[i] = loops::forwarded(r.rest[i], store, var(value, typeOf(store.value)));
  }
}

/// Is it the element that the row will store, and no other row?
bool RowBlocks::isOwnElement(const Load& read) const {
  const bool isPassed = std::any_of(passed.begin(), passed.end(), [&](const auto& of) {
    const Store& store = *r.rest[of.first].template as<Store>();
    return store.buffer == read.buffer && equalIndices(store.index, read.index);
  });
  return isPassed && std::ranges::any_of(read.index, [&](const Expr& e) { return tellsRow(e); });
}

void RowBlocks::collect(const Expr& e, bool isTerm) {
  const std::set<Symbol> written = storedBuffers(block(r.rest));
  visit(e, [&](const Expr& part) {
    const auto* l = part.as<Load>();
    if (!l || (written.count(l->buffer) && (isTerm || !isOwnElement(*l)))) return true;
    const auto names = [&](Symbol s) {
      return std::any_of(l->index.begin(), l->index.end(), [&](const Expr& x) { return mentions(x, s); });
    };
    Staged s{*l, names(r.rows->index), isTerm && names(r.earlier->index)};
    const bool simple = std::none_of(l->index.begin(), l->index.end(), [&](const Expr& x) {
      return readsMemory(x) || mentionsAny(x, assignedVars(r.rows->body));
    });
    if (simple && !isStaged(part) && (s.byRow || s.byColumn)) staged.push_back(s);
    return true;
  });
}

bool RowBlocks::isStaged(const Expr& read) const {
  return std::any_of(staged.begin(), staged.end(),
                     [&](const Staged& s) { return equal(make(s.read), read); });
}
void RowBlocks::makeCopies(Function& function, const Builder& build, std::vector<Stmt>& out) {
  for (Staged& s : staged) {
    const std::string name = s.read.buffer.hint();
    s.copy = s.isTile() ? loops::tileOnChip(function, build, name + "_tile", s.read.type, rows, rows, out)
                        : loops::onChip(function, build, name + "_here", s.read.type, {intConst(rows)}, out);
  }
}

Expr RowBlocks::onChip(const Expr& e, const Expr& row, const Expr& column) const {
  return replace<Load>(e, [&](const Load& l) -> Expr {
    for (const Staged& s : staged)
      if (l.buffer == s.read.buffer && equalIndices(l.index, s.read.index))
        return s.isTile() ? load(s.copy, {row, column}) : load(s.copy, {s.byRow ? row : column});
    return {};
  });
}

RowBlocks::Row RowBlocks::rowAt(const Expr& at) const {
  Row row{at, {{r.rows->index, first + at}}, {}};
  const auto own = [&](const Symbol& s, DType type) {
    return row.scalars.try_emplace(s, var(Symbol(s.hint()), type)).first->second;
  };
  own(r.total, r.type);
  for (const Stmt& s : r.rest)
    if (const auto* set = s.as<Assign>()) own(set->var, typeOf(set->value));
  for (const auto& [i, value] : passed) {
    const Store& store = *r.rest[i].as<Store>();
    row.results[store.buffer] = own(value, typeOf(store.value));
  }
  return row;
}

Expr RowBlocks::inRow(const Expr& e, const Row& row) const {
  return substitute(onChip(e, row.at, row.at), row.scalars);
}

Store RowBlocks::storeOf(size_t i, const Row& row) const {
  Store store = *r.rest[i].as<Store>();
  for (Expr& x : store.index) x = inRow(x, row);
  store.value = passed.count(i) ? row.results.at(store.buffer) : inRow(store.value, row);
  return store;
}

Expr RowBlocks::inRows(const Expr& e, const Expr& row, const Expr& earlier) const {
  return substitute(e, {{r.rows->index, row}, {r.earlier->index, earlier}});
}

Expr RowBlocks::termOf(const Expr& at, const Row& earlier) const {
  const Expr term = replace<Load>(onChip(r.term, at, earlier.at), [&](const Load& l) {
    const auto result = earlier.results.find(l.buffer);
    return result == earlier.results.end() ? Expr() : result->second;
  });
  return inRows(term, first + at, first + earlier.at);
}

Stmt RowBlocks::trailing(const Builder& build) const {
  constexpr int64_t kTogether = 2;
  const Symbol next("r"), column(r.earlier->index.hint());
  const Expr size = intConst(rows);
  std::vector<Stmt> takes, steps, adds;
  For columns = provenLoop(column, first - size, first, {});
  for (int64_t j = 0; j < kTogether; ++j) {
    const Symbol row("row"), sum("sum"), part(r.total.hint());
    const Expr there = var(next) + j, own = j == 0 ? there : var(row);
    if (j > 0) takes.push_back(build.assign(row, minOf(there, r.rows->hi - 1)));
    takes.push_back(build.assign(sum, sumOf(own)));
    takes.push_back(build.assign(part, identity(r.op, r.type)));
    const Expr term = inRows(r.term, own, var(column));
    steps.push_back(build.assign(part, combine(r.op, var(part, r.type), term)));
    columns.reductions.push_back({part, r.type, r.op});
    const Expr all = combine(r.op, var(sum, r.type), var(part, r.type));
    const Stmt store = build.store(sums, {there - r.rows->lo}, all);
    adds.push_back(j == 0 ? store : build.when(there < r.rows->hi, store));
  }
  columns.body = block(std::move(steps));
  columns.mapping = Serial{.unroll = 1};
  takes.push_back(build.make(std::move(columns)));
  takes.insert(takes.end(), adds.begin(), adds.end());
  const Stmt body = build.when(first > r.rows->lo, std::move(takes));
  For rows = provenLoop(next, first + size, r.rows->hi, body);
  rows.step = intConst(kTogether);
  return build.make(std::move(rows));
}

/// Is it known before the rows before this one are done?
bool RowBlocks::isEarly(const Expr& e) const {
  bool early = !mentionsAny(e, assignedVars(r.rows->body));
  visit(e, [&](const Expr& part) {
    const bool isHere = isStaged(part);
    early = early && (isHere || !part.is<Load>());
    return early && !isHere;
  });
  return early;
}

int64_t RowBlocks::bytesOnChip() const {
  int64_t bytes = rows * (lanesOfRow() + 2) * byteSize(r.type);
  for (const Expr& d : divisors.all()) bytes += 2 * rows * byteSize(typeOf(d));
  for (const Staged& s : staged) bytes += rows * (s.isTile() ? rows + 1 : 1) * byteSize(s.read.type);
  return bytes;
}

int64_t RowBlocks::groupSize() const {
  bool onChip = true;
  const auto check = [&](const Expr& e, const std::set<Symbol>& results) {
    visit(e, [&](const Expr& part) {
      const auto* l = part.as<Load>();
      onChip = onChip && (!l || results.count(l->buffer) || isStaged(part));
      return onChip && !l;
    });
  };
  std::set<Symbol> computed = assignedVars(r.rows->body);
  for (const auto& [i, value] : passed) computed.insert(value);
  for (const Stmt& s : r.rest) {
    forEachExpr(s, [&](const Expr& e) { check(e, {}); });
    if (const auto* store = s.as<Store>())
      for (const Expr& x : store->index) onChip = onChip && !mentionsAny(x, computed);
  }
  check(r.term, storedBuffers(block(r.rest)));
  return !onChip ? 1 : r.rest.size() > 2 ? 4 : 8;
}

/// Finds what the block reads, and a height at which it fits on chip.
bool RowBlocks::fitsOnChip() {
  for (const Stmt& s : r.rest) forEachExpr(s, [&](const Expr& e) { collect(e, false); });
  collect(r.term, true);
  for (const Stmt& s : r.rest) forEachExpr(s, [&](const Expr& e) { divisors.find(e); });
  group = groupSize();
  if (group == 1) divisors.clear();
  for (rows = kMostRows; rows > cost::Device::warp && bytesOnChip() > cost::Device::sharedForTiles;)
    rows -= cost::Device::warp;
  return bytesOnChip() <= cost::Device::sharedForTiles;
}

} // namespace appyc::schedule
