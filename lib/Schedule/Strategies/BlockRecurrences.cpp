//===- BlockRecurrences.cpp - rows that sum over earlier rows, in blocks -------------------------------===//
//   for i in [lo, hi):                          for first in [lo, hi) step 64:
//     total = sum(e(i, k) for k in [lo, i))       for i in first + [0, 64): # one block, on chip
//     R(i, total)                          =>       R(i, sums[i])
//                                                   for r in (i, first + 64): sums[r] += e(r, i)
//                                                 for r in [first + 64, hi): # all blocks
//                                                   sums[r] += sum(e(r, k) for k in first + [0, 64))
// A row waits for all rows before it, but what it takes from them may be added as soon as they are done:
// accepted only where every e(i, k) may run at time k (analysis::mayRunByTime). It may also wait until row i
// runs, so rows behind a block take it while the next block's own rows run, which take it first themselves:
//   at `first`: one block of threads: rows first + [0, 64) take what the block before left, then run;
//               all others: rows behind take what the block before left
//
//   measured on an H200      | predicted                                          | result
//   trisolv N=16000, f64     | 64 rows a block of 0.11 us, 2 launches: 4 ms       | 6.66 ms: 0.3 us a row,
//                            | (best peer 2.45)                                   | two barriers of 8 warps
//   steps by hand, 64 rows   | a warp without block barriers, one launch, rows    | 6.86 to 2.59; divisions
//                            | read ahead: 2.5                                    | prepared 2.24; 32 rows 2.17
//   32 rows a launch         | 32 rows of 0.08 us, 2 us beside: 2.3               | 2.22
//   64 rows, 8 in scalars,   | 0.04 us a row, 2.3 us beside: 1.25                 | 1.86: reads wait for
//     tests after the block  |                                                    | reads, 3.5 us a block
//   all reads under way, two | 0.04 us a row, 2 us beside: 1.15                   | 1.36: 0.04 us a row; four
//     rows behind at a time  |                                                    | at a time 1.42
#include "HostLoops.h"
#include "Recurrences.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kWarp = cost::Device::warp, kMostRows = 2 * kWarp;
constexpr int kLanes = 512;
constexpr int64_t kRowsTogether = 2; ///< of the trailing ones

class Blocking {
public:
  Blocking(Function& f, PassContext& ctx, const analysis::Context& around)
      : function_(f), ctx_(ctx), known_(around) {}

  /// An empty handle where the loop has another form.
  Stmt run(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!analysis::hasKnownBounds(function_, *loop) ||
        constantTrip(*loop).value_or(INT64_MAX) <= 2 * kMostRows)
      return {};
    const std::optional<Recurrence> found = recurrenceIn(statementsOf(loop->body), *loop);
    if (!found || !scalarsAreOwn(*found, function_)) return {};
    r_ = *found;
    build_ = {s->span};
    if (!passesOn()) {
      r_ = reversed(r_);
      passed_.clear();
      if (!passesOn()) return {};
    }
    lo_ = loop->lo, hi_ = loop->hi;
    sums_ = {Symbol("sums"), r_.type, {analysis::atLeastZero(hi_ - lo_, known_.sizes)}};
    if (!mayRunInBlocks()) return {};
    forwardPassed();
    if (!fitsOnChip()) return {};
    function_.buffers.push_back(sums_);
    std::vector<Stmt> out{build_.alloc(sums_), fill()};
    const Symbol first("first");
    Stmt onDiagonal = diagonal(var(first)), others = trailing(var(first));
    out.push_back(build_.make(serialLoop(first, lo_, hi_, intConst(rows_), block({onDiagonal, others}))));
    ctx_.diag.report(DiagId::TimeLoop, s->span,
                     fmt::format("runs in blocks of {} iterations, each by one block of threads; what later "
                                 "iterations add up of them, by all",
                                 rows_));
    return block(std::move(out));
  }

private:
  Expr sumOf(const Expr& row) const { return load(sums_, {row - lo_}); }
  Stmt addTo(const Expr& row, const Expr& value) const {
    return build_.store(sums_, {row - lo_}, combine(r_.op, sumOf(row), value));
  }
  /// A statement of an iteration with the sum instead of `total`.
  Stmt withSum(const Stmt& s, const Expr& sum) const {
    return substitute(s, std::map<Symbol, Expr>{{r_.total, sum}});
  }

  bool mayRunInBlocks() const {
    const Expr row = var(r_.rows->index);
    std::vector<Stmt> rest;
    for (const Stmt& s : r_.rest) rest.push_back(withSum(s, sumOf(row)));
    const analysis::Placed own{block(std::move(rest)), {r_.rows}, 0};
    const analysis::Placed later{addTo(row, r_.term), {r_.rows, r_.earlier}, 1};
    return analysis::mayRunByTime({later, own}, {1, 0}, known_);
  }

  /// Finds where the iteration stores what the terms of later ones read: in a block it is passed on in a scalar.
  bool passesOn() {
    const std::set<Symbol> written = storedBuffers(block(r_.rest));
    const std::map<Symbol, Expr> here{{r_.earlier->index, var(r_.rows->index)}};
    bool all = true;
    visit(r_.term, [&](const Expr& e) {
      const auto* read = e.as<Load>();
      if (!read || !written.count(read->buffer)) return all;
      int stores = 0;
      for (size_t i = 0; i < r_.rest.size(); ++i) {
        const auto* store = r_.rest[i].as<Store>();
        if (!store || store->buffer != read->buffer) continue;
        bool same = ++stores == 1 && std::none_of(read->index.begin(), read->index.end(),
                                                  [&](const Expr& x) { return mentions(x, r_.rows->index); });
        for (size_t d = 0; d < store->index.size(); ++d)
          same = same && equalIndex(store->index[d], substitute(read->index[d], here));
        if (!same) all = false;
        passed_.try_emplace(i, Symbol("value"));
      }
      all = all && stores == 1;
      return false;
    });
    return all;
  }

  /// The store of `rest` whose value is passed on in a scalar, if `read` is of its element.
  std::optional<size_t> passedStore(const Load& read) const {
    for (const auto& [i, value] : passed_) {
      const Store& store = *r_.rest[i].as<Store>();
      if (store.buffer == read.buffer && equalIndices(store.index, read.index)) return i;
    }
    return {};
  }

  /// What a row has stored it need not read again.
  void forwardPassed() {
    for (const auto& [at, value] : passed_) {
      const Store store = *r_.rest[at].as<Store>();
      for (size_t i = at + 1; i < r_.rest.size(); ++i)
        r_.rest[i] = loops::forwarded(r_.rest[i], store, var(value, typeOf(store.value)));
    }
  }

  /// Is it the element that the row will store, and no other row?
  bool isOwnElement(const Load& read) const {
    const Expr row = var(r_.rows->index);
    const auto isRow = [&](const Expr& e) {
      return !mentions(e - row, r_.rows->index) || !mentions(e + row, r_.rows->index);
    };
    return passedStore(read) && std::any_of(read.index.begin(), read.index.end(), isRow);
  }

  /// What is read of arrays that the loop does not write, or not before, by where in the block.
  struct Staged {
    Load read;
    bool byRow = false, byColumn = false;
    Buffer copy{};
  };

  void collect(const Expr& e, bool isTerm) {
    const std::set<Symbol> written = storedBuffers(block(r_.rest));
    visit(e, [&](const Expr& part) {
      const auto* l = part.as<Load>();
      if (!l || (written.count(l->buffer) && (isTerm || !isOwnElement(*l)))) return true;
      const auto names = [&](Symbol s) {
        return std::any_of(l->index.begin(), l->index.end(), [&](const Expr& x) { return mentions(x, s); });
      };
      Staged s{*l, names(r_.rows->index), isTerm && names(r_.earlier->index)};
      const bool simple = std::none_of(l->index.begin(), l->index.end(), [&](const Expr& x) {
        return readsMemory(x) || mentionsAny(x, assignedVars(r_.rows->body));
      });
      const bool known = std::any_of(staged_.begin(), staged_.end(),
                                     [&](const Staged& k) { return equal(make(k.read), part); });
      if (simple && !known && (s.byRow || s.byColumn)) staged_.push_back(s);
      return true;
    });
  }

  /// Is it known before the rows before this one are done?
  bool isEarly(const Expr& e) const {
    bool early = !mentionsAny(e, assignedVars(r_.rows->body));
    visit(e, [&](const Expr& part) {
      const bool staged = isStaged(part);
      early = early && (staged || !part.is<Load>());
      return early && !staged;
    });
    return early;
  }

  /// Finds what a row's result is divided by: most of a division can be done before the other operand is known.
  void findDivisors(const Expr& e) {
    visit(e, [&](const Expr& part) {
      const auto* b = part.as<Binary>();
      const bool suits = b && b->op == BinaryOp::Div && b->type == DType::F64 && !b->rhs.is<Const>() &&
                         isEarly(b->rhs) && !isEarly(b->lhs);
      if (suits &&
          std::none_of(divisors_.begin(), divisors_.end(), [&](const Expr& d) { return equal(d, b->rhs); }))
        divisors_.push_back(b->rhs);
      return true;
    });
  }

  int64_t bytesOnChip() const {
    int64_t bytes = rows_ * (lanesOfRow() + 2) * byteSize(r_.type);
    for (const Expr& d : divisors_) bytes += 2 * rows_ * byteSize(typeOf(d));
    for (const Staged& s : staged_)
      bytes += rows_ * (s.byRow && s.byColumn ? rows_ + 1 : 1) * byteSize(s.read.type);
    return bytes;
  }

  /// Finds what the block reads, and a height at which it fits on chip.
  bool fitsOnChip() {
    for (const Stmt& s : r_.rest) forEachExpr(s, [&](const Expr& e) { collect(e, false); });
    collect(r_.term, true);
    for (const Stmt& s : r_.rest) forEachExpr(s, [&](const Expr& e) { findDivisors(e); });
    group_ = groupSize();
    if (group_ == 1) divisors_.clear();
    for (rows_ = kMostRows; rows_ > kWarp && bytesOnChip() > cost::Device::sharedForTiles;) rows_ -= kWarp;
    return bytesOnChip() <= cost::Device::sharedForTiles;
  }

  bool isStaged(const Expr& read) const {
    return std::any_of(staged_.begin(), staged_.end(),
                       [&](const Staged& s) { return equal(make(s.read), read); });
  }
  /// So many rows keep their results in scalars until all are computed. They read nothing but what is on chip, and
  /// where they store does not depend on results: these may be none, or be computed again.
  int64_t groupSize() const {
    bool onChip = true;
    const auto check = [&](const Expr& e, const std::set<Symbol>& results) {
      visit(e, [&](const Expr& part) {
        const auto* l = part.as<Load>();
        onChip = onChip && (!l || results.count(l->buffer) || isStaged(part));
        return onChip && !l;
      });
    };
    std::set<Symbol> computed = assignedVars(r_.rows->body);
    for (const auto& [i, value] : passed_) computed.insert(value);
    for (const Stmt& s : r_.rest) {
      forEachExpr(s, [&](const Expr& e) { check(e, {}); });
      if (const auto* store = s.as<Store>())
        for (const Expr& x : store->index) onChip = onChip && !mentionsAny(x, computed);
    }
    check(r_.term, storedBuffers(block(r_.rest)));
    return !onChip ? 1 : r_.rest.size() > 2 ? 4 : 8;
  }

  Stmt fill() const {
    const Symbol i(r_.rows->index.hint());
    Stmt set = build_.store(sums_, {var(i) - lo_}, r_.init);
    return build_.inAnyOrder(i, lo_, hi_, set);
  }

  Expr hasPrevious(const Expr& first) const { return first > lo_; }

  /// What the block reads: what rows have at their own index, tiles, and what each row takes from the block
  /// before, by several lanes, which take turns along it. All reads are under way before any is waited for: those
  /// at the rows' index are kept in scalars, whose stores stand at the end.
  Stmt stageRows(const Expr& first, const Buffer& parts, const Buffer& sums) const {
    const Symbol lane("lane"), row("row"), j("j"), part("part");
    const Expr several = intConst(lanesOfRow()), sum = var(part, r_.type);
    const Expr r = floorDiv(var(lane), several), own = mod(var(lane), several);
    const Expr isFirst = eq(own, 0);
    const Expr column = first - rows_ + own + var(j) * several;
    const Expr term = substitute(r_.term, {{r_.rows->index, var(row)}, {r_.earlier->index, column}});
    const Expr orNothing = select(hasPrevious(first), term, identity(r_.op, r_.type));
    std::vector<Stmt> body{build_.assign(row, minOf(first + r, hi_ - 1))}, stores;
    const auto stage = [&](const Buffer& copy, const Symbol& of, const Expr& value) {
      const Symbol name(of.hint() + "_row");
      body.push_back(build_.assign(name, select(isFirst, value, constOf(copy.type, 0))));
      stores.push_back(build_.store(copy, {r}, var(name, copy.type)));
    };
    stage(sums, sums_.name, sumOf(var(row)));
    for (const Staged& s : staged_)
      if (!s.byRow || !s.byColumn)
        stage(s.copy, s.read.buffer,
              substitute(make(s.read), {{r_.rows->index, var(row)}, {r_.earlier->index, var(row)}}));
    for (const Staged& s : staged_)
      if (s.byRow && s.byColumn) body.push_back(stageTile(first, var(lane), s));
    body.push_back(build_.assign(part, identity(r_.op, r_.type)));
    body.push_back(loops::unrolled(build_, j, rows_ / lanesOfRow(),
                                   build_.assign(part, combine(r_.op, sum, orNothing))));
    body.push_back(build_.store(parts, {r, own}, sum));
    body.push_back(build_.when(isFirst, std::move(stores)));
    return loops::unrolledInAnyOrder(build_, lane, intConst(kLanes), block(std::move(body)), kLanes);
  }

  /// A lane's part of a tile by rows and columns, of which only the lower triangle exists.
  Stmt stageTile(const Expr& first, const Expr& lane, const Staged& s) const {
    const Symbol j("j");
    const Expr width = intConst(rows_), c = mod(lane, width);
    const Expr r = floorDiv(lane, width) + var(j) * (kLanes / rows_);
    const Expr value =
        substitute(make(s.read), {{r_.rows->index, first + r}, {r_.earlier->index, first + c}});
    const Expr inside = both(c < r, first + r < hi_);
    const Expr orZero = select(inside, value, constOf(s.read.type, 0));
    return loops::unrolled(build_, j, rows_ * rows_ / kLanes, build_.store(s.copy, {r, c}, orZero));
  }

  /// The sum over all blocks before, and the inverses of the row's divisors.
  Stmt finishRow(const Expr& first, const Buffer& parts, const Buffer& sums) const {
    const Symbol row("r"), q("q"), sum(r_.total.hint());
    const Expr value = var(sum, r_.type), r = var(row);
    std::vector<Stmt> out{
        build_.assign(sum, load(sums, {r})),
        loops::unrolled(build_, q, lanesOfRow(),
                        build_.assign(sum, combine(r_.op, value, load(parts, {r, var(q)})))),
        build_.store(sums, {r}, value)};
    if (!divisors_.empty()) out.push_back(build_.store(sumsAgain_, {r}, value));
    for (size_t i = 0; i < divisors_.size(); ++i) {
      const Expr here = substitute(fromChip(divisors_[i], r, r), {{r_.rows->index, first + r}});
      out.push_back(
          build_.store(inverses_[i], {r}, call(Intrinsic::Reciprocal, typeOf(divisors_[i]), {here})));
    }
    return build_.inAnyOrder(row, intConst(0), intConst(rows_), block(std::move(out)));
  }

  /// Copies what the block reads; its rows' sums over all blocks before.
  Buffer stage(const Expr& first, std::vector<Stmt>& out) {
    const Expr size = intConst(rows_);
    const auto line = [&](const std::string& hint, DType type) {
      return loops::onChip(function_, build_, hint, type, {size}, out);
    };
    const auto tile = [&](const std::string& hint, DType type, int64_t columns) {
      return loops::tileOnChip(function_, build_, hint, type, rows_, columns, out);
    };
    Buffer sums = line("sums_here", r_.type);
    const Buffer parts = tile("parts", r_.type, lanesOfRow());
    for (Staged& s : staged_) {
      const std::string name = s.read.buffer.hint();
      s.copy = s.byRow && s.byColumn ? tile(name + "_tile", s.read.type, rows_)
                                     : line(name + "_here", s.read.type);
    }
    for (const Expr& d : divisors_) {
      const auto* read = d.as<Load>();
      inverses_.push_back(line(read ? read->buffer.hint() + "_inverse" : "inverse", typeOf(d)));
    }
    if (!divisors_.empty()) {
      sumsAgain_ = line("sums_again", r_.type);
      again_ = loops::onChip(function_, build_, "again", DType::Bool, {intConst(1)}, out);
      out.push_back(build_.store(again_, {intConst(0)}, boolConst(false)));
    }
    out.push_back(stageRows(first, parts, sums));
    out.push_back(finishRow(first, parts, sums));
    return sums;
  }

  /// `e` with what is on chip read there; row and column count from the block's first.
  Expr fromChip(const Expr& e, const Expr& row, const Expr& column) const {
    return rewrite(e, [&](const Expr& part) -> Expr {
      for (const Staged& s : staged_)
        if (equal(part, make(s.read))) {
          if (s.byRow && s.byColumn) return load(s.copy, {row, column});
          return load(s.copy, {s.byRow ? row : column});
        }
      return {};
    });
  }

  using Values = std::map<Symbol, Expr>; ///< by array: a row's results, in scalars

  /// e(first + row, first + column) in terms of what is on chip and of the results of row `column`.
  Expr termOnChip(const Expr& first, const Expr& row, const Expr& column, const Values& values) const {
    const Expr term = rewrite(fromChip(r_.term, row, column), [&](const Expr& e) -> Expr {
      const auto* l = e.as<Load>();
      return l && values.count(l->buffer) ? values.at(l->buffer) : Expr();
    });
    return substitute(term, {{r_.rows->index, first + row}, {r_.earlier->index, first + column}});
  }

  /// A row of the block, counted from its first, and the scalars that hold what it computes.
  struct Row {
    Expr at;
    std::map<Symbol, Expr> scalars; ///< by the iteration's own
    Values results;
  };
  Row rowAt(const Expr& first, const Expr& at) const {
    Row row{at, {{r_.rows->index, first + at}}, {}};
    const auto own = [&](const Symbol& s, DType type) {
      return row.scalars.try_emplace(s, var(Symbol(s.hint()), type)).first->second;
    };
    own(r_.total, r_.type);
    for (const Stmt& s : r_.rest)
      if (const auto* set = s.as<Assign>()) own(set->var, typeOf(set->value));
    for (const auto& [i, value] : passed_) {
      const Store& store = *r_.rest[i].as<Store>();
      row.results[store.buffer] = own(value, typeOf(store.value));
    }
    return row;
  }

  Expr inRow(const Expr& e, const Row& row) const {
    return substitute(fromChip(e, row.at, row.at), row.scalars);
  }
  /// The same with divisions prepared, which are exact where `tests` hold.
  Expr preparedInRow(const Expr& e, const Row& row, std::vector<Expr>& tests) const {
    const Expr prepared = rewrite(e, [&](const Expr& part) -> Expr {
      const auto* b = part.as<Binary>();
      for (size_t i = 0; b && b->op == BinaryOp::Div && !isEarly(b->lhs) && i < divisors_.size(); ++i)
        if (equal(divisors_[i], b->rhs)) {
          const Expr inverse = load(inverses_[i], {row.at});
          tests.push_back(inRow(call(Intrinsic::DividesBy, DType::Bool, {b->lhs, inverse}), row));
          return call(Intrinsic::DivideBy, b->type, {b->lhs, b->rhs, inverse});
        }
      return {};
    });
    return inRow(prepared, row);
  }

  Stmt storeOf(size_t i, const Row& row) const {
    Store store = *r_.rest[i].as<Store>();
    for (Expr& x : store.index) x = inRow(x, row);
    store.value = passed_.count(i) ? row.results.at(store.buffer) : inRow(store.value, row);
    return build_.make(std::move(store));
  }
  /// What a row computes. With `exact`, divisions are prepared, and it becomes false where that does not do.
  Stmt computed(size_t i, const Row& row, const Symbol* exact) const {
    const auto* set = r_.rest[i].as<Assign>();
    const Expr value = set ? set->value : r_.rest[i].as<Store>()->value;
    const Symbol name = row.scalars.at(set ? set->var : passed_.at(i)).as<Var>()->name;
    if (!exact) return build_.assign(name, inRow(value, row));
    std::vector<Expr> tests;
    std::vector<Stmt> out{build_.assign(name, preparedInRow(value, row, tests))};
    for (const Expr& test : tests)
      out.push_back(build_.assign(*exact, binary(BinaryOp::BitAnd, var(*exact, DType::Bool), test)));
    return block(std::move(out));
  }

  /// A row that reads what others may have stored: its statements in their order.
  void runRow(const Row& row, const Buffer& sums, std::vector<Stmt>& out) const {
    out.push_back(build_.assign(row.scalars.at(r_.total).as<Var>()->name, load(sums, {row.at})));
    for (size_t i = 0; i < r_.rest.size(); ++i) {
      const bool isStore = r_.rest[i].is<Store>();
      if (!isStore || passed_.count(i)) out.push_back(computed(i, row, nullptr));
      if (isStore) out.push_back(storeOf(i, row));
    }
  }

  /// `sum` and what a row takes from these.
  Expr take(Expr sum, const Expr& first, const Expr& at, const std::vector<Row>& rows) const {
    for (const Row& row : rows) sum = combine(r_.op, sum, termOnChip(first, at, row.at, row.results));
    return sum;
  }

  /// Neighbouring rows: each takes from those before it. They are stored where they exist.
  void runGroup(const Expr& first, const std::vector<Row>& group, const Buffer& sums, std::vector<Stmt>& out,
                std::vector<Stmt>& stores) const {
    const Symbol exact("exact"), *prepared = divisors_.empty() ? nullptr : &exact;
    if (prepared) out.push_back(build_.assign(exact, boolConst(true)));
    std::vector<Row> before;
    for (const Row& row : group) {
      const Symbol sum = row.scalars.at(r_.total).as<Var>()->name;
      out.push_back(build_.assign(sum, take(load(sums, {row.at}), first, row.at, before)));
      std::vector<Stmt> own;
      for (size_t i = 0; i < r_.rest.size(); ++i) {
        if (r_.rest[i].is<Assign>() || passed_.count(i)) out.push_back(computed(i, row, prepared));
        if (r_.rest[i].is<Store>()) own.push_back(storeOf(i, row));
      }
      stores.push_back(build_.when(exists(row.at), std::move(own)));
      before.push_back(row);
    }
    const Expr isInexact = unary(UnaryOp::LogicalNot, var(exact, DType::Bool));
    const Stmt again = prepared ? build_.store(again_, {intConst(0)}, boolConst(true)) : Stmt();
    if (prepared) stores.push_back(build_.when(isInexact, again));
  }

  /// The block's own rows, in order, by the lanes of one warp. Each lane computes the results of each row, those
  /// of a group in scalars, so that nothing stands between two rows but what the later one takes from the
  /// earlier; then the lanes add what all rows to come take from the group. Rows behind the last one are
  /// computed with it, and not stored.
  Stmt ownRows(const Expr& first, const Buffer& sums, int64_t size) const {
    const Symbol at(r_.rows->index.hint()), later("r"), ahead("ahead");
    std::vector<Stmt> body, stores;
    std::vector<Row> group;
    for (int64_t j = 0; j < size; ++j) group.push_back(rowAt(first, var(at) + j));
    if (size == 1)
      runRow(group.front(), sums, body);
    else
      runGroup(first, group, sums, body, stores);
    Expr isLater = var(later) >= var(at) + size;
    const Stmt update = build_.store(sums, {var(later)}, var(ahead, r_.type));
    Stmt all = block({build_.assign(ahead, take(load(sums, {var(later)}), first, var(later), group)),
                      build_.when(isLater, update)});
    if (group_ == 1) all = build_.when(exists(var(later)), all);
    body.push_back(loops::unrolledInAnyOrder(build_, later, intConst(rows_), all));
    body.insert(body.end(), stores.begin(), stores.end());
    For rows = serialLoop(at, intConst(0), var(count_), intConst(size), block(std::move(body)));
    rows.hints.warps = 1;
    return build_.make(std::move(rows));
  }

  /// The next block of rows, by one block of threads.
  Stmt diagonal(const Expr& first) {
    std::vector<Stmt> out;
    const Buffer sums = stage(first, out);
    out.push_back(build_.assign(count_, minOf(intConst(rows_), hi_ - first)));
    out.push_back(ownRows(first, sums, group_));
    if (!divisors_.empty())
      out.push_back(build_.when(load(again_, {intConst(0)}), ownRows(first, sumsAgain_, 1)));
    return build_.inAnyOrder(Symbol("w"), intConst(0), intConst(1), block(std::move(out)));
  }

  /// What the rows behind the block take from the block before. A worker has the reads of several under way.
  Stmt trailing(const Expr& first) const {
    const Symbol next("r"), column(r_.earlier->index.hint());
    const Expr size = intConst(rows_);
    std::vector<Stmt> takes, steps, adds;
    For columns = provenLoop(column, first - size, first, {});
    for (int64_t j = 0; j < kRowsTogether; ++j) {
      const Symbol row("row"), sum("sum"), part(r_.total.hint());
      const Expr there = var(next) + j, own = j == 0 ? there : var(row);
      if (j > 0) takes.push_back(build_.assign(row, minOf(there, hi_ - 1)));
      takes.push_back(build_.assign(sum, sumOf(own)));
      takes.push_back(build_.assign(part, identity(r_.op, r_.type)));
      const Expr term = substitute(r_.term, {{r_.rows->index, own}, {r_.earlier->index, var(column)}});
      steps.push_back(build_.assign(part, combine(r_.op, var(part, r_.type), term)));
      columns.reductions.push_back({part, r_.type, r_.op});
      const Expr all = combine(r_.op, var(sum, r_.type), var(part, r_.type));
      const Stmt store = build_.store(sums_, {there - lo_}, all);
      adds.push_back(j == 0 ? store : build_.when(there < hi_, store));
    }
    columns.body = block(std::move(steps));
    columns.mapping = Serial{.unroll = true};
    takes.push_back(build_.make(std::move(columns)));
    takes.insert(takes.end(), adds.begin(), adds.end());
    const Stmt body = build_.when(hasPrevious(first), std::move(takes));
    For rows = provenLoop(next, first + size, hi_, body);
    rows.step = intConst(kRowsTogether);
    return build_.make(std::move(rows));
  }

  Expr exists(const Expr& row) const { return row < var(count_); }
  int64_t lanesOfRow() const { return kLanes / rows_; }

  Function& function_;
  PassContext& ctx_;
  Builder build_;
  analysis::Context known_;
  Recurrence r_;
  Expr lo_, hi_;
  int64_t rows_ = kMostRows; ///< of a block
  int64_t group_ = 1;        ///< of neighbouring rows
  Symbol count_{"rows"};     ///< of the block at hand
  Buffer sums_;
  std::map<size_t, Symbol> passed_; ///< stores of `rest` whose value later rows take, with its name
  std::vector<Staged> staged_;
  std::vector<Expr> divisors_;   ///< of rows' results, known before these
  std::vector<Buffer> inverses_; ///< of the divisors
  Buffer again_, sumsAgain_;     ///< whether prepared divisions did not do, and the sums to start again with
};

} // namespace

Module blockRecurrences(const Module& module, PassContext& ctx) {
  if (!ctx.autoParallel) return module;
  return eachFunction(module, [&](Function& f) {
    f.body =
        mapHostLoops(f, ctx, [&](const HostLoop& at) { return Blocking(f, ctx, at.around).run(at.stmt); });
  });
}

} // namespace appyc::schedule
