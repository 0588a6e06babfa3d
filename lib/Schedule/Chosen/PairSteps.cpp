//===- PairSteps.cpp - steps over pairs, of which there are more than anything that is stored --------------------===//
//   variogram of 5,000 places, 12.5 million pairs in 20 bins, an H200: row by row 60 ms; predicted 1.5, measured 0.55
#include "PairSteps.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kPairsOfBatch = 1 << 22; ///< what is kept for them fits in a large device's cache
constexpr int64_t kFewInRow = 1024;        ///< of loops that are no row of pairs

/// What stands between the loops, if it tells each pair the same.
bool maySink(const Stmt& s, const Stmt& inner, const std::set<Symbol>& stored) {
  const auto* set = s.as<Assign>();
  return set && !assignedVars(inner).count(set->var) && !intersect(loadedBuffers(set->value), stored) &&
         !intersect(freeVars(set->value), assignedVars(inner));
}

} // namespace

std::optional<PairSteps> PairSteps::find(const Stmt& nest, const std::set<Symbol>& sizes) {
  const auto* outer = nest.as<For>();
  if (!outer || !isPlainSerial(*outer)) return {};
  std::vector<Stmt> body = statementsOf(outer->body);
  const auto* inner = body.empty() ? nullptr : body.back().as<For>();
  if (!inner || !isPlainSerial(*inner)) return {};
  const std::set<Symbol> stored = storedBuffers(outer->body);
  if (!std::all_of(body.begin(), body.end() - 1,
                   [&](const Stmt& s) { return maySink(s, body.back(), stored); }))
    return {};
  const auto stays = [&](const Expr& e) { return !readsMemory(e) && !mentionsAny(e, assignedVars(nest)); };
  const Expr length = inner->hi - inner->lo;
  if (!stays(outer->lo) || !stays(outer->hi) || !stays(inner->lo) || !stays(inner->hi) ||
      constantInt(length).value_or(kFewInRow) < kFewInRow)
    return {};
  if (!mentions(length, outer->index) && any<Load>(nest, [&](const Load& l) {
        const auto reads = [&](const Symbol& index) {
          return std::ranges::any_of(l.index, [&](const Expr& e) { return mentions(e, index); });
        };
        return !stored.count(l.buffer) && reads(outer->index) && reads(inner->index);
      }))
    return {};
  const Expr most = analysis::upperBound(length, {outer});
  if (!most) return {};

  PairSteps made;
  const Builder build{nest->span};
  const Expr count =
      loops::once(build, "count", analysis::atLeastZero(outer->hi - outer->lo, sizes), made.before_);
  const Expr width = loops::once(build, "width", maxOf(most, 1), made.before_);
  made.rows_ =
      build.let("rows", minOf(ceilDiv(intConst(kPairsOfBatch), width), maxOf(count, 1)), made.before_);
  made.batches_ = ceilDiv(count, made.rows_);
  const Symbol r(outer->index.hint()), k(inner->index.hint());
  const Expr i = outer->lo + (var(made.first_) + var(r));
  const auto ofRow = [&](const Expr& e) { return substitute(e, {{outer->index, i}}); };
  body.pop_back();
  body.push_back(inner->body);
  Stmt step = substitute(block(std::move(body)), {{inner->index, inner->lo + var(k)}});
  step = build.when(both(var(made.first_) + var(r) < count, var(k) < ofRow(length)),
                    substitute(step, {{outer->index, i}}));
  For columns = *inner, rows = *outer;
  columns.index = k, columns.lo = intConst(0), columns.hi = width, columns.body = step;
  rows.index = r, rows.lo = intConst(0), rows.hi = made.rows_, rows.body = build.make(std::move(columns));
  made.batch_ = build.make(std::move(rows));
  return made;
}

std::set<Symbol> PairSteps::counts() const { return assignedVars(block(before_)); }

Stmt PairSteps::around(const Stmt& folded) const {
  const Builder build{batch_->span};
  const Symbol c("batch");
  std::vector<Stmt> all = before_;
  all.push_back(
      build.inOrder(c, intConst(0), batches_, block({build.assign(first_, var(c) * rows_), folded})));
  return block(std::move(all));
}

} // namespace appyc::schedule
