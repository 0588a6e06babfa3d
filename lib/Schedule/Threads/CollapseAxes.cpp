//===- CollapseAxes.cpp - lanes go through the last axes of arrays as through one -----------------------------------------===//
//   for k in [lo, hi):                         for l in [0, (hi - lo) * n) (lanes):
//     for l in [0, n) (lanes):           =>      total = total + x[i, 0, lo * n + l]
//       total = total + x[i, k, l]
// where the last axis of x has n elements: rows follow each other in memory. What one thread goes through in order is the
// same (x[i, b + k, l], w[k, l, e]), and eight loads are then on their way at once: the trips of two short loops are few for that. A row alone may be too short for all lanes, as the
// 56 columns of a picture are. Behind all that ask which elements a statement touches: subscripts leave their axes here.
//   batch normalisation of 64 x 64 x 56 x 56, f32, an H200: 14 of 256 lanes had something to do, and few blocks (SplitRows.cpp);
//   3.22 ms, predicted 0.25, measured 0.090
//   convolutions by a thread a point, f32, an H200, by hand | 10 x 10 x 3 to 8 | 5 x 5 x 6 to 16
//   as it was; as one loop; written out eight at a time     | 222; 176; 147 us | 386; 350; 296
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int kAtOnce = 8; ///< loads of one thread that wait together

/// A loop of a worker whose iterations are loops of its lanes, and nothing else. Or two loops of one thread.
class Axes {
public:
  Axes(const Function& f, const For& rows, const For& lanes) : function_(f), rows_(rows), lanes_(lanes) {}

  bool areOne() const {
    if (isBound(rows_) || (!isParallel(rows_) && !isOfThread()) || !isConst(rows_.step, 1) ||
        !isConst(lanes_.lo, 0) || !isConst(lanes_.step, 1) || mentions(lanes_.hi, rows_.index))
      return false;
    const Symbol whole("whole"); // stands for what both indices say
    const Stmt body = collapsed(var(whole));
    return body != lanes_.body && !mentionsAny(body, {rows_.index, lanes_.index});
  }

  Stmt joined(Span span) const {
    For all = lanes_;
    all.index = Symbol(lanes_.index.hint());
    all.hi = (rows_.hi - rows_.lo) * lanes_.hi;
    all.body = collapsed(rows_.lo * lanes_.hi + var(all.index));
    if (isOfThread()) all.mapping = Serial{.unroll = kAtOnce};
    return makeStmt(span, std::move(all));
  }

private:
  Stmt collapsed(const Expr& at) const {
    return replace<Load>(lanes_.body, [&](const Load& l) -> Expr {
      const size_t axis = axisOfRows(l.buffer, l.index);
      if (axis == l.index.size()) return {};
      std::vector<Expr> whole = l.index;
      whole[axis] = substitute(whole[axis], {{rows_.index, intConst(0)}});
      *std::ranges::find_if(whole, [&](const Expr& e) { return equal(e, var(lanes_.index)); }) = at;
      return make(Load{l.type, l.buffer, std::move(whole)});
    });
  }

  bool isOfThread() const { return !isBound(lanes_); }

  /// The axis along which the rows go, all those up to the lanes' being whole: x[.., b + rows, 0, .., lanes]. The rank if there is
  /// none.
  size_t axisOfRows(const Symbol& name, const std::vector<Expr>& index) const {
    const Buffer* buffer = function_.findBuffer(name);
    const auto last = std::ranges::find_if(index, [&](const Expr& e) { return equal(e, var(lanes_.index)); });
    if (!buffer || last == index.end() || (!isOfThread() && last != index.end() - 1)) return index.size();
    const auto at = static_cast<size_t>(last - index.begin());
    Expr inside = buffer->extents[at];
    for (size_t d = at; d-- > 0;) {
      const analysis::Slope slope = analysis::slopeOf(index[d], rows_.index);
      if (slope.kind == analysis::Slope::Constant && slope.value == 1)
        return equal(inside, lanes_.hi) ? d : index.size();
      if (!isConst(index[d], 0)) break;
      inside = buffer->extents[d] * inside;
    }
    return index.size();
  }

  const Function& function_;
  const For& rows_;
  const For& lanes_;
};

class Collapsing : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (s.is<Launch>()) stored_ = storedBuffers(s);
    const auto* around = s.as<For>();
    const bool inThread = inThread_;
    inThread_ |= around && around->mapping.is<PerThread>();
    const Stmt inside = mapChildren(s, [&](const Stmt& child) { return child ? visit(child) : child; });
    inThread_ = inThread;
    const auto* rows = inside.as<For>();
    const auto* lanes = rows ? rows->body.as<For>() : nullptr;
    // What the kernel stores is read by the lanes that barriers stand for.
    if (!lanes || !(lanes->mapping.is<PerLane>() || (inThread && isSweep(*rows, *lanes))) ||
        intersect(loadedBuffers(lanes->body), stored_) || !storedBuffers(lanes->body).empty())
      return inside;
    const Axes axes(function_, *rows, *lanes);
    if (!axes.areOne()) return inside;
    note(DiagId::Parallelised, s,
         "{} through `{}` and `{}` as through one row, as their elements follow each other",
         isBound(*lanes) ? "lanes go" : "a thread goes", rows->index.hint(), lanes->index.hint());
    return axes.joined(s->span);
  }

private:
  /// Two plain loops around straight code.
  static bool isSweep(const For& rows, const For& lanes) {
    return !isBound(rows) && !isBound(lanes) && !isUnrolled(rows) && !isUnrolled(lanes) &&
           rows.mapping.is<Serial>() && lanes.mapping.is<Serial>() && isStraight(lanes.body) &&
           !constantTrip(lanes);
  }

  std::set<Symbol> stored_; ///< by the kernel
  bool inThread_ = false;
};

} // namespace

void collapseAxes(Function& f, PassContext& ctx) { f.body = Collapsing(f, ctx).visit(f.body); }

} // namespace appyc::schedule
