//===- BlockUpdates.cpp - updates by a row and a column each step, many steps in one pass ---------------===//
//   for k in [lo, hi):                  for first in [lo, hi) step 32:
//     c[:], r[:] = A[:, k], A[k, :]       A[first:+32, first:+32] step by step: one block, on chip
//     A[i, j] = f(A[i, j], c[i], r[j]) => the rest of these rows and columns likewise: a block a tile
//                                         A[i, j] = f(.. f(A[i, j], C[i, 0], R[0, j]) .., C[i, 31], R[31, j])
// C and R keep what c and r held at each of the steps. No cell off those rows and columns is read by another,
// so each may take its steps at once: every cell goes through the same values as before, whatever f is.
//
//   measured on an H200            | predicted                                       | result
//   floyd_warshall N=2800, int32   | 88 passes of 70 us and 20 us before them: 65 to |
//                                  | 9 ms (best peer 41)                             | 12.9 ms
//   the same, 4 x 4 cells a thread | half the instructions: 7 ms                     | 9.2 ms: the three smaller kernels 60 %
//   a lane's cells written out     | loads of 4 cells at once: 6.7 ms                | 6.22 ms
#include "Bounds.h"
#include "Units.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kSteps = 32;
constexpr int kLanes = 256;
constexpr int64_t kCells = 4; ///< of a thread, in each of the two dimensions

struct Update {
  const For* time = nullptr;
  Symbol row, column; ///< the indices of the nest over A
  Buffer array;
  Expr rowShift, columnShift; ///< A[row + rowShift, column + columnShift] is written
  Expr own, ofColumn, ofRow;  ///< what stands in `value` for A[i, j], A[i, k], A[k, j]
  bool hasColumn = false, hasRow = false;
  Expr value; ///< f
};

bool isWhole(const For& loop) {
  return isParallel(loop) && isConst(loop.step, 1) && loop.reductions.empty() && loop.vectorLength == 0 &&
         loop.warps == 0;
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

/// `subscript` less the one index of the nest that it moves with; empty where it is no such sum.
Expr shiftOf(const Expr& subscript, const Symbol& index, const std::set<Symbol>& varying) {
  const Expr shift = sub(subscript, var(index));
  return readsMemory(shift) || mentionsAny(shift, varying) ? Expr() : shift;
}

class Reader {
public:
  Reader(const Function& f, const For& time) : function_(f), time_(time) {}

  std::optional<Update> read() {
    const std::vector<Stmt> body = statementsOf(time_.body);
    const auto* outer = body.empty() ? nullptr : body.back().as<For>();
    const auto* inner = outer ? outer->body.as<For>() : nullptr;
    const auto* store = inner ? inner->body.as<Store>() : nullptr;
    std::optional<Copies> copies = copiesOf(body);
    if (!copies || !store || store->atomicOp || store->index.size() != 2 || copies->count(store->buffer) ||
        !isWhole(*outer) || !isWhole(*inner))
      return {};
    const bool rowsOutside = mentions(store->index[0], outer->index);
    const For &rows = rowsOutside ? *outer : *inner, &columns = rowsOutside ? *inner : *outer;
    const std::set<Symbol> varying{time_.index, rows.index, columns.index};
    u_.time = &time_, u_.row = rows.index, u_.column = columns.index;
    u_.array = *std::find_if(function_.buffers.begin(), function_.buffers.end(),
                             [&](const Buffer& b) { return b.name == store->buffer; });
    u_.rowShift = shiftOf(store->index[0], rows.index, varying);
    u_.columnShift = shiftOf(store->index[1], columns.index, varying);
    if (!u_.rowShift || !u_.columnShift || !isAsTime(rows, u_.rowShift) || !isAsTime(columns, u_.columnShift))
      return {};
    return readsOwnRowAndColumn(*store, *copies) ? std::optional(u_) : std::nullopt;
  }

private:
  bool isAsTime(const For& loop, const Expr& shift) const {
    return equalIndex(add(loop.lo, shift), time_.lo) && equalIndex(add(loop.hi, shift), time_.hi);
  }

  bool readsOwnRowAndColumn(const Store& store, const Copies& copies) {
    const DType type = u_.array.type;
    u_.own = var(Symbol("own"), type), u_.ofColumn = var(Symbol("of_column"), type),
    u_.ofRow = var(Symbol("of_row"), type);
    const std::set<Symbol> stored = storedBuffers(time_.body);
    bool known = true;
    // What stands for the temporaries first: what they hold is read like what the text reads itself.
    const Expr direct = rewrite(store.value, [&](const Expr& e) -> Expr {
      const auto* l = e.as<Load>();
      const auto copy = l ? copies.find(l->buffer) : copies.end();
      if (copy == copies.end()) return {};
      return substitute(copy->second.value, {{copy->second.index, l->index[0]}});
    });
    u_.value = rewrite(direct, [&](const Expr& e) -> Expr {
      const auto* l = e.as<Load>();
      if (!l || !stored.count(l->buffer)) return {};
      if (l->buffer != store.buffer) return known = false, Expr();
      const bool ownRow = equalIndex(l->index[0], store.index[0]);
      const bool ownColumn = equalIndex(l->index[1], store.index[1]);
      if (ownRow && ownColumn) return u_.own;
      if (ownRow && equalIndex(l->index[1], var(time_.index))) return u_.hasColumn = true, u_.ofColumn;
      if (ownColumn && equalIndex(l->index[0], var(time_.index))) return u_.hasRow = true, u_.ofRow;
      return known = false, Expr();
    });
    return known && (u_.hasColumn || u_.hasRow);
  }

  const Function& function_;
  const For& time_;
  Update u_;
};

class Blocking {
public:
  Blocking(Function& f, const Update& u, Span span) : function_(f), u_(u), span_(span) {
    lo_ = u.time->lo, hi_ = u.time->hi;
    std::set<Symbol> sizes;
    for (const Size& s : f.sizes) sizes.insert(s.name);
    const Expr count = atLeastZero(sub(hi_, lo_), sizes);
    columns_ = {Symbol("columns"), u.array.type, {count, intConst(kSteps)}};
    rows_ = {Symbol("rows"), u.array.type, {intConst(kSteps), count}};
  }

  Stmt run() {
    const Symbol first("first"), worker("w"), tile("tile");
    first_ = var(first);
    std::vector<Stmt> out, phases;
    for (const Buffer* b : {&columns_, &rows_}) {
      if (!(b == &columns_ ? u_.hasColumn : u_.hasRow)) continue;
      function_.buffers.push_back(*b);
      out.push_back(makeStmt(span_, Alloc{*b}));
    }
    phases.push_back(makeStmt(span_, provenLoop(worker, intConst(0), intConst(1), panel(first_, first_))));
    // A worker for each tile but the one above, which counts as none.
    const Expr others = sub(ceilDiv(sub(hi_, lo_), intConst(kSteps)), intConst(1));
    for (const bool ofRows : {true, false}) {
      const Symbol other("w"), base("base");
      const Expr before = add(lo_, mul(var(other), intConst(kSteps)));
      const Expr skipping =
          select(binary(BinaryOp::Lt, before, first_), before, add(before, intConst(kSteps)));
      const Expr from = var(base);
      Stmt body = ofRows ? panel(first_, from) : panel(from, first_);
      body = block({makeStmt(span_, Assign{base, skipping}), body});
      phases.push_back(makeStmt(span_, provenLoop(other, intConst(0), others, body)));
    }
    phases.push_back(rest());
    out.push_back(makeStmt(span_, serialLoop(first, lo_, hi_, intConst(kSteps), block(phases))));
    return block(out);
  }

private:
  Expr steps() const { return minOf(intConst(kSteps), sub(hi_, first_)); }
  Expr inRange(const Expr& i) const { return binary(BinaryOp::Lt, i, hi_); }
  static Expr both(const Expr& a, const Expr& b) { return binary(BinaryOp::LogicalAnd, a, b); }
  Stmt store(const Buffer& b, std::vector<Expr> index, const Expr& value) const {
    return makeStmt(span_, Store{b.name, std::move(index), value, {}});
  }
  Expr kept(const Buffer& b, const Expr& at, const Expr& step) const {
    const Expr line = sub(at, lo_);
    return b.name == columns_.name ? load(b, {line, step}) : load(b, {step, line});
  }

  /// f at A[row, column] in step first + step.
  Expr valueAt(const Expr& row, const Expr& column, const Expr& step, const Expr& own, const Expr& ofColumn,
               const Expr& ofRow) const {
    return substitute(u_.value, {{u_.own.as<Var>()->name, own},
                                 {u_.ofColumn.as<Var>()->name, ofColumn},
                                 {u_.ofRow.as<Var>()->name, ofRow},
                                 {u_.row, sub(row, u_.rowShift)},
                                 {u_.column, sub(column, u_.columnShift)},
                                 {u_.time->index, add(first_, step)}});
  }

  Buffer onChip(const std::string& hint, std::vector<Expr> extents, std::vector<Stmt>& out) {
    Buffer b{Symbol(hint), u_.array.type, std::move(extents), true};
    function_.buffers.push_back(b);
    out.push_back(makeStmt(span_, Alloc{b}));
    return b;
  }
  /// One column more than there are: lanes along a column meet different banks.
  Buffer tileOnChip(const std::string& hint, std::vector<Stmt>& out) {
    return onChip(hint, {intConst(kSteps), intConst(kSteps + 1)}, out);
  }

  /// body(r, c) for each cell of a tile, shared by the lanes; a lane's are written out.
  Stmt forCells(const std::function<Stmt(const Expr& r, const Expr& c)>& body) const {
    const Symbol cell("cell");
    const Expr r = binary(BinaryOp::FloorDiv, var(cell), intConst(kSteps));
    const Expr c = binary(BinaryOp::Mod, var(cell), intConst(kSteps));
    For cells = provenLoop(cell, intConst(0), intConst(kSteps * kSteps), body(r, c), kLanes);
    cells.unroll = true;
    return makeStmt(span_, std::move(cells));
  }

  /// All steps of the tile from A[row, column] on, in shared memory. A tile on the diagonal has its own rows
  /// and columns; of the others, one of the two is known.
  Stmt panel(const Expr& row, const Expr& column) {
    const bool givesRows = equalIndex(row, first_), givesColumns = equalIndex(column, first_);
    const Expr size = intConst(kSteps);
    std::vector<Stmt> out, step;
    const Buffer tile = tileOnChip(u_.array.name.hint() + "_tile", out);
    const auto inside = [&](const Expr& r, const Expr& c) {
      return both(inRange(add(row, r)), inRange(add(column, c)));
    };
    const auto element = [&](const Expr& r, const Expr& c) {
      return std::vector<Expr>{add(row, r), add(column, c)};
    };
    out.push_back(forCells([&](const Expr& r, const Expr& c) {
      return makeStmt(span_, If{inside(r, c), store(tile, {r, c}, load(u_.array, element(r, c))), {}});
    }));
    const Symbol s("s"), x("x");
    std::vector<Stmt> passed;
    // What c holds in this step: a column of the tile, or what the tile on the diagonal has left.
    Expr ofColumn = u_.ofColumn, ofRow = u_.ofRow; // of cell (r, c), once these are put in
    const Symbol r("r"), c("c");
    if (u_.hasColumn && givesColumns) {
      const Buffer here = onChip("column_here", {size}, out);
      const Expr value = load(tile, {var(x), var(s)});
      passed.push_back(
          makeStmt(span_, If{inRange(add(row, var(x))),
                             block({store(here, {var(x)}, value),
                                    store(columns_, {sub(add(row, var(x)), lo_), var(s)}, value)}),
                             {}}));
      ofColumn = load(here, {var(r)});
    } else if (u_.hasColumn) {
      ofColumn = load(staged(columns_, out), {var(r), var(s)});
    }
    if (u_.hasRow && givesRows) {
      const Buffer here = onChip("row_here", {size}, out);
      const Expr value = load(tile, {var(s), var(x)});
      passed.push_back(
          makeStmt(span_, If{inRange(add(column, var(x))),
                             block({store(here, {var(x)}, value),
                                    store(rows_, {var(s), sub(add(column, var(x)), lo_)}, value)}),
                             {}}));
      ofRow = load(here, {var(c)});
    } else if (u_.hasRow) {
      ofRow = load(staged(rows_, out), {var(s), var(c)});
    }
    if (!passed.empty()) step.push_back(makeStmt(span_, provenLoop(x, intConst(0), size, block(passed))));
    step.push_back(forCells([&](const Expr& rowIn, const Expr& columnIn) {
      const std::map<Symbol, Expr> at{{r, rowIn}, {c, columnIn}};
      const Expr value =
          valueAt(add(row, rowIn), add(column, columnIn), var(s), load(tile, {rowIn, columnIn}),
                  substitute(ofColumn, at), substitute(ofRow, at));
      return makeStmt(span_, If{inside(rowIn, columnIn), store(tile, {rowIn, columnIn}, value), {}});
    }));
    out.push_back(makeStmt(span_, serialLoop(s, intConst(0), steps(), intConst(1), block(step))));
    out.push_back(forCells([&](const Expr& rowIn, const Expr& columnIn) {
      return makeStmt(span_, If{inside(rowIn, columnIn),
                                store(u_.array, element(rowIn, columnIn), load(tile, {rowIn, columnIn})),
                                {}});
    }));
    return block(out);
  }

  /// What the tile on the diagonal has left of its columns or rows, on chip.
  Buffer staged(const Buffer& from, std::vector<Stmt>& out) {
    const bool isColumns = from.name == columns_.name;
    Buffer tile = tileOnChip(from.name.hint() + "_tile", out);
    out.push_back(forCells([&](const Expr& r, const Expr& c) {
      const Expr line = add(first_, isColumns ? r : c), step = isColumns ? c : r;
      const Expr exists = both(inRange(line), binary(BinaryOp::Lt, add(first_, step), hi_));
      return makeStmt(span_, If{exists, store(tile, {r, c}, kept(from, line, step)), {}});
    }));
    return tile;
  }

  /// body(r, c) for each cell of a thread, written out.
  Stmt forOwnCells(const std::function<Stmt(const Expr& r, const Expr& c)>& body) const {
    const Symbol r("r"), c("c");
    const auto few = [&](const Symbol& index, const Stmt& inner) {
      For loop = serialLoop(index, intConst(0), intConst(kCells), intConst(1), inner);
      loop.unroll = true;
      return makeStmt(span_, std::move(loop));
    };
    return few(r, few(c, body(var(r), var(c))));
  }

  /// All steps of the cells off the block's rows and columns. A thread has the cells of four rows, in four
  /// columns that lie 32 apart: what it loads of a row or a column serves four.
  Stmt rest() {
    const Symbol first(u_.row.hint() + "_first"), thread("t"), j(u_.column.hint()), s("s");
    const Expr size = intConst(kCells), warp = intConst(32), wide = intConst(32 * kCells);
    const auto row = [&](const Expr& r) { return add(var(first), r); };
    const auto column = [&](const Expr& c) { return add(var(j), mul(c, warp)); };
    const auto exists = [&](const Expr& r, const Expr& c) {
      return both(inRange(row(r)), inRange(column(c)));
    };
    const auto outside = [&](const Expr& x) {
      return binary(BinaryOp::LogicalOr, binary(BinaryOp::Lt, x, first_),
                    binary(BinaryOp::Ge, x, add(first_, intConst(kSteps))));
    };
    // A cell that does not exist goes through the last one's steps.
    const auto last = [&](const Expr& x) { return minOf(x, sub(hi_, intConst(1))); };
    const Expr position = add(mul(binary(BinaryOp::FloorDiv, var(thread), warp), wide),
                              binary(BinaryOp::Mod, var(thread), warp));
    std::vector<Stmt> body{makeStmt(span_, Assign{j, add(lo_, position)})};
    const Buffer value = onChip("value", {size, size}, body);
    body.push_back(forOwnCells([&](const Expr& r, const Expr& c) {
      return store(
          value, {r, c},
          select(exists(r, c), load(u_.array, {row(r), column(c)}), identity(ReduceOp::Sum, u_.array.type)));
    }));
    const Stmt step = forOwnCells([&](const Expr& r, const Expr& c) {
      const Expr i = last(row(r)), k = last(column(c)), own = load(value, {r, c});
      return store(value, {r, c},
                   valueAt(i, k, var(s), own, u_.hasColumn ? kept(columns_, i, var(s)) : own,
                           u_.hasRow ? kept(rows_, k, var(s)) : own));
    });
    body.push_back(makeStmt(span_, serialLoop(s, intConst(0), steps(), intConst(1), step)));
    body.push_back(forOwnCells([&](const Expr& r, const Expr& c) {
      return makeStmt(span_, If{both(exists(r, c), both(outside(row(r)), outside(column(c)))),
                                store(u_.array, {row(r), column(c)}, load(value, {r, c})),
                                {}});
    }));
    const Expr threads = mul(ceilDiv(sub(hi_, lo_), wide), warp);
    For rows =
        provenLoop(first, lo_, hi_, makeStmt(span_, provenLoop(thread, intConst(0), threads, block(body))));
    rows.step = size;
    return makeStmt(span_, std::move(rows));
  }

  Function& function_;
  const Update& u_;
  Span span_;
  Expr lo_, hi_, first_;
  Buffer columns_, rows_; ///< C[i - lo, step], R[step, j - lo]
};

} // namespace

Module blockUpdates(const Module& module, PassContext& ctx) {
  Module result = module;
  if (!ctx.autoParallel) return result;
  for (Function& f : result.functions) {
    std::vector<Stmt> out;
    for (const Stmt& s : statementsOf(f.body)) {
      const auto* loop = s.as<For>();
      const bool suits = loop && loop->order == Order::Serial && loop->mark == LoopMark::None &&
                         isConst(loop->step, 1) && hasKnownBounds(f, *loop) &&
                         constantTrip(*loop).value_or(INT64_MAX) > 2 * kSteps;
      const std::optional<Update> update = suits ? Reader(f, *loop).read() : std::nullopt;
      out.push_back(update ? Blocking(f, *update, s->span).run() : s);
      if (update)
        ctx.diag.report(
            DiagId::TimeLoop, s->span,
            fmt::format("runs in blocks of {} iterations: tiles on their rows and columns first, then "
                        "all other elements in one pass",
                        kSteps));
    }
    f.body = block(out);
  }
  return result;
}

} // namespace appyc::schedule
