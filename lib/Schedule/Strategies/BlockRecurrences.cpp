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
//   steps by hand, 64 rows   | a warp without barriers, one launch: 2.5           | 6.86 to 2.17
//   all reads under way, two | 0.04 us a row, 2 us beside: 1.15                   | 1.36: 0.04 us a row; four
//     rows behind at a time  |                                                    | at a time 1.42
//   N=20000: longest growing row; | 313 blocks of 5 us: 1.6                        | 78, 31 and 33 (one block of
//     renewal; cuts of a rod  |                                                    | threads) to 1.6, 1.1, 1.8
//   fractional derivatives; Volterra | row by row: 3; exp in each term: 5          | 39 to 3.2; 73 to 8.3
#include "DelayedUpdates.h"
#include "HostLoops.h"
#include "RowBlocks.h"
#include "appyc/Schedule/Passes.h"
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

class RecurrenceBlocking {
public:
  RecurrenceBlocking(Function& f, RowBlocks& view, Span span)
      : function_(f), view_(view), r_(view.r), build_{span}, lo_(r_.rows->lo), hi_(r_.rows->hi) {}

  Stmt run() {
    function_.buffers.push_back(view_.sums);
    std::vector<Stmt> out{build_.alloc(view_.sums), fill()};
    const Stmt onDiagonal = diagonal(), others = view_.trailing(build_);
    out.push_back(
        build_.make(serialLoop(view_.blocks, lo_, hi_, intConst(view_.rows), block({onDiagonal, others}))));
    return block(std::move(out));
  }

private:
  Stmt fill() const {
    const Symbol i(r_.rows->index.hint());
    const Stmt set =
        build_.store(view_.sums, {var(i) - lo_}, substitute(r_.init, {{r_.rows->index, var(i)}}));
    return build_.inAnyOrder(i, lo_, hi_, set);
  }

  /// What the block reads: what rows have at their own index, tiles, and what each row takes from the block
  /// before, by several lanes, which take turns along it. All reads are under way before any is waited for: those
  /// at the rows' index are kept in scalars, whose stores stand at the end.
  Stmt stageRows(const Buffer& parts, const Buffer& sums) const {
    const Symbol lane("lane"), row("row"), j("j"), part("part");
    const Expr several = intConst(view_.lanesOfRow()), sum = var(part, r_.type);
    const Expr r = floorDiv(var(lane), several), own = mod(var(lane), several);
    const Expr isFirst = eq(own, 0);
    const Expr column = view_.first - view_.rows + own + var(j) * several;
    const Expr term = view_.inRows(r_.term, var(row), column);
    const Expr orNothing = select(view_.first > lo_, term, identity(r_.op, r_.type));
    std::vector<Stmt> body{build_.assign(row, minOf(view_.first + r, hi_ - 1))}, stores;
    const auto stage = [&](const Buffer& copy, const Symbol& of, const Expr& value,
                           const Expr& isThere = {}) {
      const Symbol name(of.hint() + "_row");
      body.push_back(build_.assign(name, select(both(isFirst, isThere), value, constOf(copy.type, 0))));
      stores.push_back(build_.store(copy, {r}, var(name, copy.type)));
    };
    stage(sums, view_.sums.name, view_.sumOf(var(row)));
    for (const RowBlocks::Staged& s : view_.staged)
      if (!s.isTile()) // of the last row no other one reads what is read of earlier ones
        stage(s.copy, s.read.buffer, view_.inRows(make(s.read), var(row), var(row)),
              s.byRow ? Expr() : var(row) < hi_ - 1);
    for (const RowBlocks::Staged& s : view_.staged)
      if (s.isTile()) body.push_back(stageTile(var(lane), s));
    body.push_back(build_.assign(part, identity(r_.op, r_.type)));
    body.push_back(loops::unrolled(build_, j, view_.rows / view_.lanesOfRow(),
                                   build_.assign(part, combine(r_.op, sum, orNothing))));
    body.push_back(build_.store(parts, {r, own}, sum));
    body.push_back(build_.when(isFirst, std::move(stores)));
    return loops::unrolledInAnyOrder(build_, lane, intConst(RowBlocks::kLanes), block(std::move(body)),
                                     RowBlocks::kLanes);
  }

  /// A lane's part of a tile by rows and columns, of which only the lower triangle exists.
  Stmt stageTile(const Expr& lane, const RowBlocks::Staged& s) const {
    const Symbol j("j");
    const Expr width = intConst(view_.rows), c = mod(lane, width);
    const Expr r = floorDiv(lane, width) + var(j) * (RowBlocks::kLanes / view_.rows);
    const Expr value = view_.inRows(make(s.read), view_.first + r, view_.first + c);
    const Expr inside = both(c < r, view_.first + r < hi_);
    const Expr orZero = select(inside, value, constOf(s.read.type, 0));
    return loops::unrolled(build_, j, view_.rows * view_.rows / RowBlocks::kLanes,
                           build_.store(s.copy, {r, c}, orZero));
  }

  /// The sum over all blocks before, and the inverses of the row's divisors.
  Stmt finishRow(const Buffer& parts, const Buffer& sums) const {
    const Symbol row("r"), q("q"), sum(r_.total.hint());
    const Expr value = var(sum, r_.type), r = var(row);
    std::vector<Stmt> out{
        build_.assign(sum, load(sums, {r})),
        loops::unrolled(build_, q, view_.lanesOfRow(),
                        build_.assign(sum, combine(r_.op, value, load(parts, {r, var(q)})))),
        build_.store(sums, {r}, value)};
    if (!inverses_.empty()) out.push_back(build_.store(sumsAgain_, {r}, value));
    for (size_t i = 0; i < inverses_.size(); ++i) {
      const Expr here =
          substitute(view_.onChip(view_.divisors.all()[i], r, r), {{r_.rows->index, view_.first + r}});
      out.push_back(build_.store(inverses_[i], {r}, call(Intrinsic::Reciprocal, inverses_[i].type, {here})));
    }
    return build_.inAnyOrder(row, intConst(0), intConst(view_.rows), block(std::move(out)));
  }

  /// Copies what the block reads; its rows' sums over all blocks before.
  Buffer stage(std::vector<Stmt>& out) {
    const Expr size = intConst(view_.rows);
    const auto line = [&](const std::string& hint, DType type) {
      return loops::onChip(function_, build_, hint, type, {size}, out);
    };
    const auto tile = [&](const std::string& hint, DType type, int64_t columns) {
      return loops::tileOnChip(function_, build_, hint, type, view_.rows, columns, out);
    };
    Buffer sums = line("sums_here", r_.type);
    const Buffer parts = tile("parts", r_.type, view_.lanesOfRow());
    view_.makeCopies(function_, build_, out);
    for (const Expr& d : view_.divisors.all()) {
      const auto* read = d.as<Load>();
      inverses_.push_back(line(read ? read->buffer.hint() + "_inverse" : "inverse", typeOf(d)));
    }
    if (!inverses_.empty()) {
      sumsAgain_ = line("sums_again", r_.type);
      again_ = loops::onChip(function_, build_, "again", DType::Bool, {intConst(1)}, out);
      out.push_back(build_.store(again_, {intConst(0)}, boolConst(false)));
    }
    out.push_back(stageRows(parts, sums));
    out.push_back(finishRow(parts, sums));
    return sums;
  }

  using Row = RowBlocks::Row;

  /// A value of the row with divisions prepared, which are exact where `tests` hold.
  Expr preparedInRow(const Expr& e, const Row& row, std::vector<Expr>& tests) const {
    std::vector<Expr> inverses;
    for (const Buffer& b : inverses_) inverses.push_back(load(b, {row.at}));
    const Expr prepared = view_.divisors.prepared(e, inverses, tests);
    for (Expr& test : tests) test = view_.inRow(test, row);
    return view_.inRow(prepared, row);
  }
  /// What a row computes. With `exact`, divisions are prepared, and it becomes false where that does not do.
  Stmt computed(size_t i, const Row& row, const Symbol* exact) const {
    const auto* set = r_.rest[i].as<Assign>();
    const Expr value = set ? set->value : r_.rest[i].as<Store>()->value;
    const Symbol name = row.scalars.at(set ? set->var : view_.passed.at(i)).as<Var>()->name;
    if (!exact) return build_.assign(name, view_.inRow(value, row));
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
      if (!isStore || view_.passed.count(i)) out.push_back(computed(i, row, nullptr));
      if (isStore) out.push_back(build_.make(view_.storeOf(i, row)));
    }
  }

  Stmt ofGroup(const Symbol& row, Stmt body) const {
    return loops::unrolled(build_, row, view_.group, std::move(body));
  }

  /// What the rows of a group store, in an array of each lane.
  struct Kept {
    std::map<size_t, Buffer> values; ///< by the place of the store in r_.rest
    std::vector<Stmt> made;
  };
  Kept keepStores() {
    Kept kept;
    for (size_t i = 0; i < r_.rest.size(); ++i)
      if (const auto* store = r_.rest[i].as<Store>()) {
        const Symbol name(view_.passed.count(i) ? view_.passed.at(i).hint() : store->buffer.hint() + "_row");
        function_.buffers.push_back({name, typeOf(store->value), {intConst(view_.group)}});
        kept.values.emplace(i, function_.buffers.back());
        kept.made.push_back(build_.alloc(function_.buffers.back()));
      }
    return kept;
  }

  /// Neighbouring rows, by each lane for itself: in order, what they store being kept, so that nothing stands between two but
  /// what the later one takes from the earlier; then the lane adds what its rows to come take from them. Rows behind the
  /// last one are computed with it, and not stored.
  Stmt runGroup(const Expr& at, const Buffer& sums) {
    const Symbol lane("lane"), j("j"), before("e"), part("b"), later("r"), ahead("ahead"), exact("exact");
    const Symbol* prepared = inverses_.empty() ? nullptr : &exact;
    const Row row = view_.rowAt(at + var(j));
    const Kept kept = keepStores();
    Row past{at + var(before), {}, {}};
    for (const auto& [i, name] : view_.passed)
      past.results[r_.rest[i].as<Store>()->buffer] = load(kept.values.at(i), {var(before)});
    const auto take = [&](const Symbol& sum, const Expr& to, const Expr& when) {
      const Expr all = combine(r_.op, var(sum, r_.type), view_.termOf(to, past));
      return ofGroup(before, build_.when(when, build_.assign(sum, all)));
    };
    const Symbol sum = row.scalars.at(r_.total).as<Var>()->name;
    std::vector<Stmt> body = kept.made, own{build_.assign(sum, load(sums, {row.at}))}, stores;
    own.push_back(take(sum, row.at, var(before) < var(j)));
    for (size_t i = 0; i < r_.rest.size(); ++i) {
      if (r_.rest[i].is<Assign>() || view_.passed.count(i)) own.push_back(computed(i, row, prepared));
      if (!r_.rest[i].is<Store>()) continue;
      Store store = view_.storeOf(i, row);
      own.push_back(build_.store(kept.values.at(i), {var(j)}, store.value));
      store.value = load(kept.values.at(i), {var(j)});
      stores.push_back(build_.make(std::move(store)));
    }
    if (prepared) body.push_back(build_.assign(exact, boolConst(true)));
    body.push_back(ofGroup(j, block(std::move(own))));
    const Expr to = var(lane) + var(part) * cost::Device::warp;
    std::vector<Stmt> add{build_.assign(later, to), build_.assign(ahead, load(sums, {var(later)})),
                          take(ahead, var(later), {})};
    add.push_back(
        build_.when(var(later) >= at + view_.group, build_.store(sums, {var(later)}, var(ahead, r_.type))));
    body.push_back(loops::unrolled(build_, part, view_.rows / cost::Device::warp, block(std::move(add))));
    std::vector<Stmt> last{ofGroup(j, build_.when(exists(row.at), std::move(stores)))};
    if (prepared)
      last.push_back(
          build_.when(isNot(var(exact, DType::Bool)), build_.store(again_, {intConst(0)}, boolConst(true))));
    body.push_back(build_.when(eq(var(lane), 0), std::move(last)));
    return loops::unrolledInAnyOrder(build_, lane, intConst(cost::Device::warp), block(std::move(body)));
  }

  /// The block's own rows, in order, by the lanes of one warp.
  Stmt ownRows(const Buffer& sums, int64_t size) {
    const Symbol at(r_.rows->index.hint()), later("r"), ahead("ahead");
    std::vector<Stmt> body;
    if (size > 1) {
      body.push_back(runGroup(var(at), sums));
    } else {
      const Row row = view_.rowAt(var(at));
      runRow(row, sums, body);
      const Expr all = combine(r_.op, load(sums, {var(later)}), view_.termOf(var(later), row));
      const Stmt update = build_.store(sums, {var(later)}, var(ahead, r_.type));
      Stmt take = block({build_.assign(ahead, all), build_.when(var(later) >= var(at) + 1, update)});
      if (view_.group == 1) take = build_.when(exists(var(later)), take);
      body.push_back(loops::unrolledInAnyOrder(build_, later, intConst(view_.rows), take));
    }
    For rows = serialLoop(at, intConst(0), var(count_), intConst(size), block(std::move(body)));
    rows.hints.warps = 1;
    return build_.make(std::move(rows));
  }

  /// The next block of rows, by one block of threads.
  Stmt diagonal() {
    std::vector<Stmt> out;
    const Buffer sums = stage(out);
    out.push_back(build_.assign(count_, minOf(intConst(view_.rows), hi_ - view_.first)));
    out.push_back(ownRows(sums, view_.group));
    if (!inverses_.empty()) out.push_back(build_.when(load(again_, {intConst(0)}), ownRows(sumsAgain_, 1)));
    return build_.inAnyOrder(Symbol("w"), intConst(0), intConst(1), block(std::move(out)));
  }

  Expr exists(const Expr& row) const { return row < var(count_); }

  Function& function_;
  RowBlocks& view_;
  const Recurrence& r_;
  Builder build_;
  Expr lo_, hi_;
  const Symbol count_{"rows"};   ///< of the block at hand
  std::vector<Buffer> inverses_; ///< of the divisors
  Buffer again_, sumsAgain_;     ///< whether prepared divisions did not do, and the sums to start again with
};

} // namespace

void blockRecurrences(Function& f, PassContext& ctx) {
  f.body = mapHostLoops(f, ctx, [&](const HostLoop& at) -> Stmt {
    return orWithDelayedUpdates(f, ctx, at, [&](const Stmt& rows) -> Stmt {
      RowBlocks view(f, at.around);
      if (!view.find(*rows.as<For>())) return {};
      ctx.diag.report(DiagId::TimeLoop, at.stmt->span,
                      fmt::format("runs in blocks of {} iterations, each by one block of threads; what "
                                  "later iterations add up of them, by all",
                                  view.rows));
      return RecurrenceBlocking(f, view, at.stmt->span).run();
    });
  });
}

} // namespace appyc::schedule
