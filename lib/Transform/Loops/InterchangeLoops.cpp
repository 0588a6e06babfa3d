//===- InterchangeLoops.cpp - a serial nest runs by the index that leaves the other one parallel ----===//
//   for i: for j in [0, i): L1(i, j)          =>     for t: L2(t)
//          L2(i)                                            for i in [t + 1, n): L1(i, t)     # parallel
// Factorisations are written row by row, where each element waits for the one before. By columns, all rows of
// a column are independent. The new order is accepted only when no dependence is turned round
// (analysis::mayRunByTime).
//
// Where that is so only of lengths, j - i, these are the time: alignments of a text with itself, orders of products.
//
//   measured on an H200      | predicted                                        | result
//   cholesky N=2000, f64     | 2 launches a column instead of 2M dots in turn:  |
//                            | 1914 to about 15 ms                              | 10.3 ms (best peer 477)
//   lu N=2000, f64           | the same, one dot down a column: 20 ms           | 32.7 ms (best peer 12675)
//   lu with pivots, N=500    | five launches a step, from a graph, for eight from |
//                            | the host: 9.2 to 4 ms                            |
#include "ExpandedSteps.h"
#include "FewInside.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <numeric>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

/// The half-open interval of a statement's times, over all iterations.
struct Interval {
  Expr lo, hi;
};

struct OrderedNest {
  const ir::For& outer;
  std::vector<analysis::Placed> leaves;
  std::vector<Span> spans;
  std::vector<size_t> rank;
};

/// The nest's statements; nullopt when its shape is another one. Serial inner loops give their index up as
/// time. `isWhole`: what stands between these is one statement, whose scalars loops in it may read.
std::optional<OrderedNest> orderedNestOf(const ir::For& outer, bool isWhole) {
  OrderedNest nest{outer, {}, {}, {}};
  std::vector<Stmt> items =
      outer.body.is<ir::Block>() ? outer.body.as<ir::Block>()->body : std::vector<Stmt>{outer.body};
  std::vector<Stmt> straight;
  auto close = [&] {
    if (straight.empty()) return;
    nest.spans.push_back(straight.front()->span);
    nest.leaves.push_back({ir::block(std::exchange(straight, {})), {&outer}, 0});
  };
  bool any = false;
  for (const Stmt& item : items) {
    const auto* inner = item.as<ir::For>();
    bool reduces = inner && !inner->reductions.empty();
    if (!inner || reduces || (isWhole && inner->order != ir::Order::Serial)) {
      straight.push_back(item);
      continue;
    }
    if (!isOfOneStep(*inner)) return std::nullopt;
    close();
    bool serial = inner->order == ir::Order::Serial;
    any |= serial;
    nest.spans.push_back(item->span);
    nest.leaves.push_back({inner->body, {&outer, inner}, serial ? size_t(1) : size_t(0)});
  }
  close();
  constexpr size_t kMostLeaves = 4; // their orders are tried one by one
  if (!any || nest.leaves.size() > kMostLeaves) return std::nullopt;
  return nest;
}

/// `bound` as outer + constant; nullopt when it is something else.
std::optional<Expr> offsetFrom(const Expr& bound, const Symbol& outer) {
  Expr rest = bound - ir::var(outer);
  return ir::mentions(rest, outer) ? std::nullopt : std::optional(rest);
}

class Interchange : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<ir::For>();
    if (!loop) {
      const Stmt turned = s.is<ir::Block>() ? withFewInside(s, known_, ctx_.diag) : s;
      return ir::mapChildren(turned, [&](const Stmt& child) { return visit(child); });
    }
    if (loop->order != ir::Order::Serial) return s; // what is inside has the parallelism it needs
    const Stmt up = ir::loopsUpward(s);
    downFrom_ = ir::isConst(loop->step, -1) ? loop->lo : Expr();
    if (const auto& upward = *up.as<ir::For>(); isOfOneStep(upward)) {
      Stmt turned = isSimple(upward.body) ? tryNest(s, upward) : tryExpanded(s, upward);
      if (const auto skewed = turned ? std::nullopt : loops::skewed(upward)) turned = tryNest(s, *skewed);
      if (turned) return turned;
    }
    return inside(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  Expr downFrom_; ///< where the outer loop begins in the text, if it counts down there

  /// The iterations' own arrays become rows of wider ones, if what is left can be turned round.
  Stmt tryExpanded(const Stmt& s, const ir::For& loop) {
    const std::optional<ExpandedSteps> expanded = expandedSteps(function_, loop, known_);
    const Stmt turned = expanded ? tryNest(s, expanded->steps) : Stmt();
    if (!turned) return {};
    std::vector<Stmt> out;
    std::erase_if(function_.buffers, [&](const ir::Buffer& b) { return expanded->own.count(b.name) > 0; });
    for (const auto& [name, wide] : expanded->own) {
      function_.buffers.push_back(wide);
      out.push_back(ir::Builder{s->span}.alloc(wide));
    }
    out.push_back(ir::makeStmt(s->span, ir::For(expanded->first)));
    out.push_back(turned);
    return ir::block(std::move(out));
  }

  //===--- the other index as time --------------------------------------------------------------------===//

  Stmt tryNest(const Stmt& s, const ir::For& loop) {
    const Stmt made = tryNest(s, loop, false);
    return made ? made : tryNest(s, loop, true);
  }
  Stmt tryNest(const Stmt& s, const ir::For& loop, bool isWhole) {
    std::optional<OrderedNest> nest = orderedNestOf(loop, isWhole);
    if (!nest || !scalarsAreOwn(s, *nest)) return {};
    std::vector<size_t> order(nest->leaves.size());
    std::iota(order.begin(), order.end(), size_t(0));
    do {
      nest->rank.assign(order.size(), 0);
      for (size_t r = 0; r < order.size(); ++r) nest->rank[order[r]] = r;
      if (!analysis::mayRunByTime(nest->leaves, nest->rank, known_)) continue;
      Stmt made = build(s, *nest, order);
      if (made)
        note(DiagId::Parallelised, s, "runs by `{}`, so that its other loops are parallel", timeName(*nest));
      return made;
    } while (std::next_permutation(order.begin(), order.end()));
    return {};
  }

  /// Each instance of a statement assigns its scalars before it reads them, and nobody else reads them, no loop's bound
  /// either.
  bool scalarsAreOwn(const Stmt& s, const OrderedNest& nest) const {
    std::set<Symbol> assigned = ir::assignedVars(s), read;
    for (const analysis::Placed& leaf : nest.leaves) {
      if (ir::intersect(assigned, analysis::exposedScalars(leaf.body))) return false;
      for (const ir::For* loop : leaf.loops)
        for (const Expr& bound : {loop->lo, loop->hi})
          if (ir::intersect(assigned, ir::freeVars(bound))) return false;
    }
    for (const ir::Result& r : function_.results) read.insert(r.name);
    ir::visit(
        function_.body, [&](const Stmt& x) { return !(x == s); },
        [&](const Expr& e) {
          if (const auto* v = e.as<ir::Var>()) read.insert(v->name);
          return true;
        });
    return std::none_of(assigned.begin(), assigned.end(), [&](const Symbol& x) { return read.count(x) > 0; });
  }

  static std::string timeName(const OrderedNest& nest) {
    for (const analysis::Placed& leaf : nest.leaves)
      if (leaf.time == 1 && !ir::constantTrip(*leaf.loops[1])) return leaf.loops[1]->index.hint();
    return {};
  }

  std::optional<Interval> timesOf(const OrderedNest& nest, const analysis::Placed& leaf) const {
    if (leaf.time == 0) return Interval{nest.outer.lo, nest.outer.hi};
    const ir::For& inner = *leaf.loops[1];
    Symbol i = nest.outer.index;
    Interval times{inner.lo, inner.hi};
    if (ir::mentions(times.lo, i)) {
      std::optional<Expr> offset = offsetFrom(times.lo, i);
      if (!offset) return std::nullopt;
      times.lo = nest.outer.lo + *offset;
    }
    if (ir::mentions(times.hi, i)) {
      std::optional<Expr> offset = offsetFrom(times.hi, i);
      if (!offset) return std::nullopt;
      times.hi = nest.outer.hi - 1 + *offset;
    }
    return times;
  }

  bool isAtLeast(const Expr& a, const Expr& b) const { return analysis::isNonNegative(a - b, known_); }
  Expr larger(const Expr& a, const Expr& b) const {
    return isAtLeast(a, b) ? a : isAtLeast(b, a) ? b : ir::maxOf(a, b);
  }
  Expr smaller(const Expr& a, const Expr& b) const {
    return isAtLeast(b, a) ? a : isAtLeast(a, b) ? b : ir::minOf(a, b);
  }

  Stmt build(const Stmt& s, const OrderedNest& nest, const std::vector<size_t>& order) {
    std::vector<Interval> times;
    for (const analysis::Placed& leaf : nest.leaves) {
      std::optional<Interval> own = timesOf(nest, leaf);
      if (!own) return {};
      times.push_back(*own);
    }
    const auto isFirst = [&](size_t at) { return comesFirst(times, at); };
    std::vector<Stmt> out, body;
    ir::For time;
    time.index = Symbol(timeName(nest));
    time.step = ir::intConst(1);
    for (size_t at : order) {
      if (isFirst(at)) {
        out.push_back(place(nest, at, times[at].lo));
        continue;
      }
      time.lo = time.lo ? smaller(time.lo, times[at].lo) : times[at].lo;
      time.hi = time.hi ? larger(time.hi, times[at].hi) : times[at].hi;
    }
    known_.loops.push_back(&time);
    for (size_t at : order)
      if (!isFirst(at)) body.push_back(place(nest, at, ir::var(time.index)));
    known_.loops.pop_back();
    time.body = ir::block(std::move(body));
    out.push_back(ir::makeStmt(s->span, std::move(time)));
    return ir::withoutOrigins(ir::block(std::move(out)));
  }
  /// Is it run at one time, which is before all others?
  bool comesFirst(const std::vector<Interval>& times, size_t at) const {
    if (!ir::equalIndex(times[at].hi, times[at].lo + 1)) return false;
    for (size_t other = 0; other < times.size(); ++other)
      if (other != at && !isAtLeast(times[other].lo, times[at].hi)) return false;
    return times.size() > 1;
  }

  /// The statement at time `t`: over its other index, where it has one; under the condition that it runs then.
  Stmt place(const OrderedNest& nest, size_t at, const Expr& t) const {
    const analysis::Placed& leaf = nest.leaves[at];
    if (leaf.time == 1) return placeRows(nest, at, t);
    Stmt whole = leaf.loops.size() == 2 ? ir::makeStmt(nest.spans[at], *leaf.loops[1]) : leaf.body;
    return guarded(ir::substitute(whole, {{nest.outer.index, t}}), nest.spans[at], t, nest.outer.lo,
                   nest.outer.hi);
  }

  /// inner.lo <= t < inner.hi, solved for the outer index, which runs in parallel.
  Stmt placeRows(const OrderedNest& nest, size_t at, const Expr& t) const {
    const ir::For& inner = *nest.leaves[at].loops[1];
    const Expr one = ir::intConst(1);
    const Symbol i = nest.outer.index, row(i.hint());
    ir::For rows = nest.outer;
    rows.index = row;
    rows.order = ir::Order::Proven;
    bool startsLater = ir::mentions(inner.hi, i), endsEarlier = ir::mentions(inner.lo, i);
    if (startsLater) rows.lo = larger(rows.lo, t - *offsetFrom(inner.hi, i) + one);
    if (endsEarlier) rows.hi = smaller(rows.hi, t - *offsetFrom(inner.lo, i) + one);
    rows.body = ir::substitute(nest.leaves[at].body, {{inner.index, t}, {i, ir::var(row)}});
    if (downFrom_) rows = countedAsInText(rows);
    return guarded(ir::makeStmt(nest.spans[at], rows), nest.spans[at], t, endsEarlier ? Expr() : inner.lo,
                   startsLater ? Expr() : inner.hi);
  }

  /// for u in [lo, hi): body(u)  =>  for i in [n - hi + 1, n - lo + 1): body(n - i), n being where the text begins
  ir::For countedAsInText(ir::For rows) const {
    const Symbol i(rows.index.hint());
    rows.body = ir::substitute(rows.body, {{rows.index, downFrom_ - ir::var(i)}});
    const Expr end = downFrom_ - rows.lo + 1;
    rows.lo = downFrom_ - rows.hi + 1;
    rows.hi = end;
    rows.index = i;
    return rows;
  }

  /// `s` when lo <= t < hi; a bound that is not there, or holds anyway, is not asked for.
  Stmt guarded(const Stmt& s, Span span, const Expr& t, const Expr& lo, const Expr& hi) const {
    Expr above = lo && !isAtLeast(t, lo) ? t >= lo : Expr();
    Expr below = hi && !isAtLeast(hi - 1, t) ? t < hi : Expr();
    if (!above && !below) return s;
    Expr runs = above && below ? ir::both(above, below) : above ? above : below;
    return ir::makeStmt(span, ir::If{runs, s, {}});
  }
};

} // namespace

void interchangeLoops(ir::Function& f, ir::PassContext& ctx) { f.body = Interchange(f, ctx).visit(f.body); }

} // namespace appyc::transform
