//===- BlockRecurrences.cpp - rows that sum over earlier rows, in blocks -------------------------------===//
//   for i in [lo, hi):                          for first in [lo, hi) step 32:
//     total = sum(e(i, k) for k in [lo, i))       for i in first + [0, 32): # one block, on chip
//     R(i, total)                          =>       R(i, sums[i])
//                                                   for r in (i, first + 32): sums[r] += e(r, i)
//                                                 for r in [first + 32, hi): # all blocks
//                                                   sums[r] += sum(e(r, k) for k in first + [0, 32))
// A row waits for all rows before it, but what it takes from them may be added as soon as they are done:
// accepted only where every e(i, k) may run at time k (analysis::mayRunByTime). It may also wait until row i
// runs, so rows behind a block take it while the next block's own rows run, which take it first themselves:
//   at `first`: one block of threads: rows first + [0, 32) take what the block before left, then run;
//               all others: rows behind take what the block before left
//
//   measured on an H200      | predicted                                          | result
//   trisolv N=16000, f64     | 64 rows a block of 0.11 us, 2 launches: 4 ms       | 6.66 ms: 0.3 us a row,
//                            | (best peer 2.45)                                   | two barriers of 8 warps
//   steps by hand, 64 rows   | a warp without block barriers, one launch, rows    | 6.86 to 2.59; divisions
//                            | read ahead: 2.5                                    | prepared 2.24; 32 rows 2.17
//     loads behind a branch  |                                                    | 3.55: none may wait for
//                            |                                                    | another
//   as it is now             | 32 rows of 0.08 us, 2 us beside: 2.3               | 2.22
#include "Bounds.h"
#include "Recurrences.h"
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostOnChip = 40960; ///< bytes
constexpr int64_t kRows = 32;          ///< of a block: one for each lane of a warp
constexpr int64_t kLanes = 256, kLanesOfRow = kLanes / kRows;

class Blocking {
public:
  Blocking(Function& f, PassContext& ctx) : function_(f), ctx_(ctx) {
    for (const Size& s : f.sizes) known_.sizes.insert(s.name);
  }

  /// Empty when the loop is none of the kind.
  Stmt run(const Stmt& s) {
    const Stmt up = upward(s);
    const auto* loop = up ? up.as<For>() : nullptr;
    if (!loop || loop->order != Order::Serial || !isPlainLoop(*loop) || !boundsAreKnown(*loop) ||
        isShort(*loop))
      return {};
    const std::optional<Recurrence> found = recurrenceIn(statementsOf(loop->body), *loop);
    if (!found || !scalarsAreOwn(*found, function_)) return {};
    r_ = *found;
    if (!passesOn()) {
      r_ = reversed(r_);
      passed_.clear();
      if (!passesOn()) return {};
    }
    lo_ = loop->lo, hi_ = loop->hi;
    sums_ = {Symbol("sums"), r_.type, {atLeastZero(sub(hi_, lo_), known_.sizes)}};
    if (!mayRunInBlocks()) return {};
    forwardPassed();
    if (!fitsOnChip()) return {};
    function_.buffers.push_back(sums_);
    std::vector<Stmt> out{makeStmt(s->span, Alloc{sums_}), fill(s->span)};
    const Symbol first("first");
    Stmt onDiagonal = diagonal(s->span, var(first)), others = trailing(s->span, var(first));
    out.push_back(
        makeStmt(s->span, serialLoop(first, lo_, hi_, intConst(kRows), block({onDiagonal, others}))));
    ctx_.diag.report(DiagId::TimeLoop, s->span,
                     fmt::format("runs in blocks of {} iterations, each by one block of threads; what later "
                                 "iterations add up of them, by all",
                                 kRows));
    return block(std::move(out));
  }

private:
  /// A loop that runs down as one that runs up.
  static Stmt upward(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop || !isConst(loop->step, -1)) return loop ? s : Stmt();
    const Symbol i(loop->index.hint());
    For up = *loop;
    up.index = i;
    up.lo = intConst(0), up.hi = sub(loop->lo, loop->hi), up.step = intConst(1);
    up.body = substitute(loop->body, {{loop->index, sub(loop->lo, var(i))}});
    return makeStmt(s->span, std::move(up));
  }

  bool boundsAreKnown(const For& loop) const {
    const std::set<Symbol> assigned = assignedVars(function_.body);
    const auto isKnown = [&](const Expr& e) { return !readsMemory(e) && !mentionsAny(e, assigned); };
    return isKnown(loop.lo) && isKnown(loop.hi);
  }
  static bool isShort(const For& loop) {
    const auto trip = constantTrip(loop);
    return trip && *trip <= 128;
  }
  Expr sumOf(const Expr& row) const { return load(sums_, {sub(row, lo_)}); }
  Stmt addTo(Span span, const Expr& row, const Expr& value) const {
    return makeStmt(span, Store{sums_.name, {sub(row, lo_)}, combine(r_.op, sumOf(row), value), {}});
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
    const analysis::Placed later{addTo(r_.rows->body->span, row, r_.term), {r_.rows, r_.earlier}, 1};
    return analysis::mayRunByTime({later, own}, {1, 0}, known_);
  }

  /// Finds where the iteration stores what the terms of later ones read: in a block that goes on in a scalar.
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

  /// The store of `rest` that goes on in a scalar, if `read` is of its element.
  std::optional<size_t> passedStore(const Load& read) const {
    for (const auto& [i, value] : passed_) {
      const Store& store = *r_.rest[i].as<Store>();
      if (store.buffer == read.buffer && std::equal(store.index.begin(), store.index.end(),
                                                    read.index.begin(), read.index.end(), equalIndex))
        return i;
    }
    return {};
  }

  /// What a row has stored it need not read again.
  void forwardPassed() {
    for (size_t i = 0; i < r_.rest.size(); ++i)
      r_.rest[i] = mapExprs(r_.rest[i], [&](const Expr& e) {
        return rewrite(e, [&](const Expr& part) -> Expr {
          const auto* l = part.as<Load>();
          const auto store = l ? passedStore(*l) : std::nullopt;
          return store && *store < i ? var(passed_.at(*store), l->type) : Expr();
        });
      });
  }

  /// Is it the element that the row will store, and no other row?
  bool isOwnElement(const Load& read) const {
    const Expr row = var(r_.rows->index);
    const auto isRow = [&](const Expr& e) {
      return !mentions(sub(e, row), r_.rows->index) || !mentions(add(e, row), r_.rows->index);
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
      const bool staged = std::any_of(staged_.begin(), staged_.end(),
                                      [&](const Staged& s) { return equal(make(s.read), part); });
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

  /// Finds what the block reads; does it fit on chip?
  bool fitsOnChip() {
    for (const Stmt& s : r_.rest) forEachExpr(s, [&](const Expr& e) { collect(e, false); });
    collect(r_.term, true);
    for (const Stmt& s : r_.rest) forEachExpr(s, [&](const Expr& e) { findDivisors(e); });
    int64_t bytes = kRows * (kLanesOfRow + 2) * byteSize(r_.type);
    for (const Expr& d : divisors_) bytes += kRows * byteSize(typeOf(d));
    for (const Staged& s : staged_)
      bytes += kRows * (s.byRow && s.byColumn ? kRows + 1 : 1) * byteSize(s.read.type);
    return bytes <= kMostOnChip;
  }

  Stmt fill(Span span) const {
    const Symbol i(r_.rows->index.hint());
    Stmt set = makeStmt(span, Store{sums_.name, {sub(var(i), lo_)}, r_.init, {}});
    return makeStmt(span, provenLoop(i, lo_, hi_, set));
  }

  Buffer onChip(const std::string& hint, DType type, std::vector<Expr> extents) {
    Buffer b{Symbol(hint), type, std::move(extents), true};
    function_.buffers.push_back(b);
    return b;
  }

  Expr hasPrevious(const Expr& first) const { return binary(BinaryOp::Gt, first, lo_); }

  /// A loop that all lanes share, each with the same number of iterations.
  Stmt shared(Span span, const Symbol& index, int64_t count, const Stmt& body) const {
    For loop = provenLoop(index, intConst(0), intConst(count), body, static_cast<int>(kLanes));
    loop.unroll = true;
    return makeStmt(span, std::move(loop));
  }
  Stmt unrolled(Span span, const Symbol& index, int64_t count, const Stmt& body) const {
    For loop = serialLoop(index, intConst(0), intConst(count), intConst(1), body);
    loop.unroll = true;
    return makeStmt(span, std::move(loop));
  }

  /// What the rows take from the block before, each by several lanes, which take turns along it, and what they
  /// read at their own index. Nothing but reads without branches: all of them are under way at once.
  Stmt stageRows(Span span, const Expr& first, const Buffer& parts, const Buffer& sums) const {
    const Symbol lane("lane"), row("row"), j("j"), part("part");
    const Expr several = intConst(kLanesOfRow), sum = var(part, r_.type);
    const Expr r = binary(BinaryOp::FloorDiv, var(lane), several),
               own = binary(BinaryOp::Mod, var(lane), several);
    const Expr column = add(add(sub(first, intConst(kRows)), own), mul(var(j), several));
    const Expr term = substitute(r_.term, {{r_.rows->index, var(row)}, {r_.earlier->index, column}});
    const Expr orNothing = select(hasPrevious(first), term, identity(r_.op, r_.type));
    std::vector<Stmt> body{
        makeStmt(span, Assign{row, minOf(add(first, r), sub(hi_, intConst(1)))}),
        makeStmt(span, Assign{part, identity(r_.op, r_.type)}),
        unrolled(span, j, kRows / kLanesOfRow, makeStmt(span, Assign{part, combine(r_.op, sum, orNothing)})),
        makeStmt(span, Store{parts.name, {r, own}, sum, {}})};
    std::vector<Stmt> stores;
    const auto stage = [&](const Buffer& copy, const Expr& value) {
      const Symbol name(plainHint(copy.name) + "_row");
      body.push_back(makeStmt(span, Assign{name, value}));
      stores.push_back(makeStmt(span, Store{copy.name, {r}, var(name, copy.type), {}}));
    };
    stage(sums, sumOf(var(row)));
    for (const Staged& s : staged_)
      if (!s.byRow || !s.byColumn)
        stage(s.copy, substitute(make(s.read), {{r_.rows->index, var(row)}, {r_.earlier->index, var(row)}}));
    body.push_back(makeStmt(span, If{binary(BinaryOp::Eq, own, intConst(0)), block(std::move(stores)), {}}));
    return shared(span, lane, kLanes, block(std::move(body)));
  }

  /// A tile by rows and columns, of which only the lower triangle exists.
  Stmt stageTile(Span span, const Expr& first, const Staged& s) const {
    const Symbol cell("cell");
    const Expr r = binary(BinaryOp::FloorDiv, var(cell), intConst(kRows));
    const Expr c = binary(BinaryOp::Mod, var(cell), intConst(kRows));
    const Expr value =
        substitute(make(s.read), {{r_.rows->index, add(first, r)}, {r_.earlier->index, add(first, c)}});
    const Expr inside =
        binary(BinaryOp::LogicalAnd, binary(BinaryOp::Lt, c, r), binary(BinaryOp::Lt, add(first, r), hi_));
    const Expr orZero = select(inside, value, constOf(s.read.type, 0));
    return shared(span, cell, kRows * kRows, makeStmt(span, Store{s.copy.name, {r, c}, orZero, {}}));
  }

  /// The sum over all blocks before, and the inverses of the row's divisors.
  Stmt finishRow(Span span, const Expr& first, const Buffer& parts, const Buffer& sums) const {
    const Symbol row("r"), q("q"), sum(r_.total.hint());
    const Expr value = var(sum, r_.type), r = var(row);
    std::vector<Stmt> out{
        makeStmt(span, Assign{sum, load(sums, {r})}),
        unrolled(span, q, kLanesOfRow,
                 makeStmt(span, Assign{sum, combine(r_.op, value, load(parts, {r, var(q)}))})),
        makeStmt(span, Store{sums.name, {r}, value, {}})};
    for (size_t i = 0; i < divisors_.size(); ++i) {
      const Expr here = substitute(fromChip(divisors_[i], r, r), {{r_.rows->index, add(first, r)}});
      out.push_back(makeStmt(
          span,
          Store{inverses_[i].name, {r}, call(Intrinsic::Reciprocal, typeOf(divisors_[i]), {here}), {}}));
    }
    const Expr exists = binary(BinaryOp::Lt, add(first, r), hi_);
    return makeStmt(span, provenLoop(row, intConst(0), intConst(kRows),
                                     makeStmt(span, If{exists, block(std::move(out)), {}})));
  }

  /// Copies what the block reads; its rows' sums over all blocks before.
  Buffer stage(Span span, const Expr& first, std::vector<Stmt>& out) {
    const Expr size = intConst(kRows);
    const auto alloc = [&](const std::string& hint, DType type, std::vector<Expr> extents) {
      Buffer b = onChip(hint, type, std::move(extents));
      out.push_back(makeStmt(span, Alloc{b}));
      return b;
    };
    Buffer sums = alloc("sums_here", r_.type, {size});
    // One column more than there are: lanes along a column meet different banks.
    const Buffer parts = alloc("parts", r_.type, {size, intConst(kLanesOfRow + 1)});
    for (Staged& s : staged_) {
      const bool isTile = s.byRow && s.byColumn;
      s.copy = alloc(s.read.buffer.hint() + (isTile ? "_tile" : "_here"), s.read.type,
                     isTile ? std::vector<Expr>{size, intConst(kRows + 1)} : std::vector<Expr>{size});
    }
    for (const Expr& d : divisors_) {
      const auto* read = d.as<Load>();
      inverses_.push_back(alloc(read ? read->buffer.hint() + "_inverse" : "inverse", typeOf(d), {size}));
    }
    for (const Staged& s : staged_)
      if (s.byRow && s.byColumn) out.push_back(stageTile(span, first, s));
    out.push_back(stageRows(span, first, parts, sums));
    out.push_back(finishRow(span, first, parts, sums));
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
  /// A statement of an iteration in the block, with divisions prepared.
  Stmt fromChip(const Stmt& s, const Expr& row) const {
    return mapExprs(s, [&](const Expr& e) {
      const Expr prepared = rewrite(e, [&](const Expr& part) -> Expr {
        const auto* b = part.as<Binary>();
        for (size_t i = 0; b && b->op == BinaryOp::Div && !isEarly(b->lhs) && i < divisors_.size(); ++i)
          if (equal(divisors_[i], b->rhs))
            return call(Intrinsic::DivideBy, b->type, {b->lhs, b->rhs, load(inverses_[i], {row})});
        return {};
      });
      return fromChip(prepared, row, row);
    });
  }

  using Values = std::map<Symbol, Expr>; ///< by array: the row's results, in scalars

  /// e(first + row, first + column) in terms of what is on chip and of the results of row `column`.
  Expr termOnChip(const Expr& first, const Expr& row, const Expr& column, const Values& values) const {
    const Expr term = rewrite(fromChip(r_.term, row, column), [&](const Expr& e) -> Expr {
      const auto* l = e.as<Load>();
      return l && values.count(l->buffer) ? values.at(l->buffer) : Expr();
    });
    return substitute(term, {{r_.rows->index, add(first, row)}, {r_.earlier->index, add(first, column)}});
  }

  /// The rest of an iteration, whose sum is there.
  std::vector<Stmt> ownRow(Span span, const Expr& first, const Expr& row, const Expr& sum,
                           Values& values) const {
    const std::map<Symbol, Expr> here{{r_.rows->index, add(first, row)}};
    std::vector<Stmt> out;
    for (size_t i = 0; i < r_.rest.size(); ++i) {
      Stmt s = substitute(withSum(fromChip(r_.rest[i], row), sum), here);
      if (passed_.count(i)) {
        Store store = *s.as<Store>();
        const Expr value = var(passed_.at(i), typeOf(store.value));
        out.push_back(makeStmt(span, Assign{passed_.at(i), store.value}));
        values[store.buffer] = store.value = value;
        s = makeStmt(span, std::move(store));
      }
      out.push_back(s);
    }
    return out;
  }

  /// Does a term read nothing but what is on chip or a scalar, so that it may be computed for any row?
  bool isOnChip(const Expr& term) const {
    bool all = true;
    visit(term, [&](const Expr& e) {
      const auto* l = e.as<Load>();
      all = all && (!l || std::any_of(staged_.begin(), staged_.end(), [&](const Staged& s) {
              return s.copy.name == l->buffer;
            }) || std::any_of(inverses_.begin(), inverses_.end(), [&](const Buffer& b) {
              return b.name == l->buffer;
            }));
      return all;
    });
    return all;
  }

  /// The name of the array of which this is a copy.
  static std::string plainHint(const Symbol& copy) {
    const std::string& hint = copy.hint();
    const size_t suffix = hint.rfind("_here");
    return suffix == std::string::npos ? hint : hint.substr(0, suffix);
  }

  /// A scalar that one row leaves for the next.
  struct Carried {
    Symbol name;
    Expr first, next;
  };

  /// `e` with what it reads on chip at `row` in scalars, which are read a row ahead: no row waits for them.
  Expr readAhead(const Expr& e, const Symbol& row, std::vector<Carried>& carried) const {
    return rewrite(e, [&](const Expr& part) -> Expr {
      const auto* l = part.as<Load>();
      const auto* at = l && l->index.size() == 1 ? l->index[0].as<Var>() : nullptr;
      if (!at || at->name != row || !isOnChip(part)) return {};
      for (const Carried& c : carried)
        if (c.first.as<Load>()->buffer == l->buffer) return var(c.name, l->type);
      const Symbol name(plainHint(l->buffer) + "_now");
      carried.push_back({name, make(Load{l->type, l->buffer, {intConst(0)}}), part});
      return var(name, l->type);
    });
  }

  /// The block's own rows, in order, by the lanes of one warp. Each lane computes each row's results and the sum
  /// of the next row, which wait for nothing else: that sum takes the results of the two rows before from
  /// scalars, and those of earlier ones, as all rows to come, in shared memory while the row at hand runs.
  Stmt diagonal(Span span, const Expr& first) {
    const Symbol worker("w"), row(r_.rows->index.hint()), later("r"), sum(r_.total.hint()), next("next"),
        before("before"), count("rows"), ahead("ahead");
    const Expr i = var(row), total = var(sum, r_.type), coming = var(ahead, r_.type);
    std::vector<Stmt> out, body;
    const Buffer sums = stage(span, first, out);
    const auto assign = [&](const Symbol& name, const Expr& value) {
      return makeStmt(span, Assign{name, value});
    };
    out.push_back(assign(count, minOf(intConst(kRows), sub(hi_, first))));
    out.push_back(assign(sum, load(sums, {intConst(0)})));

    Values values, earlier;
    std::vector<Stmt> own = ownRow(span, first, i, total, values);
    std::vector<Carried> carried;
    for (Stmt& s : own) s = mapExprs(s, [&](const Expr& e) { return readAhead(e, row, carried); });
    for (const auto& [buffer, value] : values) {
      const Symbol name(value.as<Var>()->name.hint() + "_before");
      earlier[buffer] = var(name, typeOf(value));
      out.push_back(assign(name, constOf(typeOf(value), 0)));
      own.push_back(assign(name, value));
    }
    for (const Carried& c : carried) out.push_back(assign(c.name, c.first));

    body.push_back(assign(next, minOf(add(i, intConst(1)), sub(var(count), intConst(1)))));
    body.push_back(assign(before, maxOf(sub(i, intConst(1)), intConst(0))));
    const Expr isSecond = binary(BinaryOp::Gt, i, intConst(0));
    const auto term = [&](const Symbol& r, const Symbol& c, const Values& results) {
      return termOnChip(first, var(r), var(c), results);
    };
    Expr last = term(next, row, values);
    const bool onlyChip = isOnChip(last);
    body.push_back(assign(ahead, load(sums, {var(next)})));
    for (Carried& c : carried) {
      const Symbol name(plainHint(c.first.as<Load>()->buffer) + "_next");
      body.push_back(assign(name, substitute(c.next, {{row, var(next)}})));
      own.push_back(assign(c.name, var(name, typeOf(c.first))));
    }
    if (onlyChip)
      last = rewrite(last, [&](const Expr& part) -> Expr {
        const auto* l = part.as<Load>();
        if (!l) return {};
        const Symbol name(plainHint(l->buffer) + "_next");
        body.push_back(assign(name, part));
        return var(name, l->type);
      });
    const Stmt takeEarlier = assign(ahead, combine(r_.op, coming, term(next, before, earlier)));
    body.push_back(makeStmt(span, If{isSecond, takeEarlier, {}}));
    Stmt update = makeStmt(span, Store{sums.name,
                                       {var(later)},
                                       combine(r_.op, load(sums, {var(later)}), term(later, before, earlier)),
                                       {}});
    const Expr after = binary(BinaryOp::LogicalAnd, binary(BinaryOp::Gt, var(later), var(next)),
                              binary(BinaryOp::Lt, var(later), var(count)));
    update = makeStmt(span, If{binary(BinaryOp::LogicalAnd, isSecond, after), update, {}});
    For all = provenLoop(later, intConst(0), intConst(kRows), update);
    all.unroll = true;
    body.push_back(makeStmt(span, std::move(all)));
    const Stmt takeLast = assign(sum, combine(r_.op, coming, last));
    own.push_back(onlyChip ? takeLast : makeStmt(span, If{binary(BinaryOp::Gt, var(next), i), takeLast, {}}));
    body.insert(body.end(), own.begin(), own.end());
    For rows = serialLoop(row, intConst(0), var(count), intConst(1), block(std::move(body)));
    rows.warps = 1;
    out.push_back(makeStmt(span, std::move(rows)));
    return makeStmt(span, provenLoop(worker, intConst(0), intConst(1), block(std::move(out))));
  }

  /// What the rows behind the block take from the block before.
  Stmt trailing(Span span, const Expr& first) const {
    const Symbol row("r"), column(r_.earlier->index.hint()), part(r_.total.hint());
    const Expr size = intConst(kRows), sum = var(part, r_.type);
    const Expr term = substitute(r_.term, {{r_.rows->index, var(row)}, {r_.earlier->index, var(column)}});
    For columns =
        provenLoop(column, sub(first, size), first, makeStmt(span, Assign{part, combine(r_.op, sum, term)}));
    columns.reductions = {{part, r_.type, r_.op}};
    columns.unroll = true;
    const Stmt take = block({makeStmt(span, Assign{part, identity(r_.op, r_.type)}),
                             makeStmt(span, std::move(columns)), addTo(span, var(row), sum)});
    const Stmt body = makeStmt(span, If{hasPrevious(first), take, {}});
    return makeStmt(span, provenLoop(row, add(first, size), hi_, body));
  }

  Function& function_;
  PassContext& ctx_;
  analysis::Context known_;
  Recurrence r_;
  Expr lo_, hi_;
  Buffer sums_;
  std::map<size_t, Symbol> passed_; ///< stores of `rest` whose value later rows take, with its name
  std::vector<Staged> staged_;
  std::vector<Expr> divisors_;   ///< of rows' results, known before these
  std::vector<Buffer> inverses_; ///< of the divisors
};

} // namespace

Module blockRecurrences(const Module& module, PassContext& ctx) {
  Module result = module;
  if (!ctx.autoParallel) return result;
  for (Function& f : result.functions) {
    std::vector<Stmt> out;
    for (const Stmt& s : statementsOf(f.body)) {
      const Stmt blocked = Blocking(f, ctx).run(s);
      out.push_back(blocked ? blocked : s);
    }
    f.body = block(std::move(out));
  }
  return result;
}

} // namespace appyc::schedule
