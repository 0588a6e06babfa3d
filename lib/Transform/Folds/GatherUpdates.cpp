//===- GatherUpdates.cpp - loops over elements that collect instead of loops whose iterations share elements --------------===//
//   for i in [0, n):                          for place in [0, n + m - 1):                         # parallel
//     for j in [0, m):                          for i in [max(0, place - m + 1), min(n, place + 1)):
//       y[i + j] += x[i] * h[j]        =>         y[place] += x[i] * h[place - i]
// Full convolutions, products of polynomials, gradients of convolutions: of a subscript that is the sum or the difference of
// two loops' indices, its value is a loop, and the inner one's index follows. An element is updated in the order that it was:
// the other loops keep theirs.
//   y[i + j] += x[i] * h[j], 10^6 x 64, an H200: 175 ms, a barrier an i; predicted 0.05, measured 0.060
//   y[i:i + 5, j:j + 5] += x[i, j] * h, 1000 x 1000: 255 ms to 0.050
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {

namespace {

using namespace ir;

/// Which elements of one subscript a nest goes to.
struct Walked {
  const For* kept = nullptr; ///< the loop whose index tells, or the outer one of two
  const For* gone = nullptr; ///< the inner one of two
  int64_t ofGone = 0;        ///< by how much the subscript grows with its index
};

class Gathering : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s) {
    if (const Stmt made = gathered(s)) return made;
    return inside(s, [&](const Stmt& child) { return visit(child); });
  }

private:
  Stmt gathered(const Stmt& s) {
    const loops::Nest nest = nestOf(s);
    if (nest.loops.size() < 2) return {};
    const Store* store = onlyUpdate(nest.body, live_.after(s));
    if (!store || !readAxes(nest, *store)) return {};
    const auto hasOwnBound = [&](const For* loop) {
      return loadedBuffers(loop->lo).count(store->buffer) + loadedBuffers(loop->hi).count(store->buffer) > 0;
    };
    if (std::ranges::any_of(nest.loops, hasOwnBound)) return {};
    const auto isFree = [&](const Walked& axis) { return !axis.gone || isParallel(*axis.kept); };
    if (std::ranges::all_of(axes_, isFree) && !isBetweenOthers(nest)) return {};
    return rebuilt(s->span, nest, *store);
  }

  /// Loops, each alone in the one around it or in a branch there, whose condition is the body's then.
  static loops::Nest nestOf(const Stmt& s) {
    loops::Nest nest{{}, s};
    Expr condition;
    for (;;) {
      const auto* branch = nest.body.as<If>();
      const auto* loop = (branch && !branch->otherwise ? branch->then : nest.body).as<For>();
      if (!loop || (branch && nest.loops.empty()) || !isUnmarked(*loop) || !isConst(loop->step, 1) ||
          !loop->reductions.empty())
        break;
      if (branch) condition = both(condition, branch->cond);
      nest.loops.push_back(loop);
      nest.body = loop->body;
    }
    nest.body = Builder{s->span}.when(condition, nest.body);
    return nest;
  }

  /// The store, if the body is straight code that carries nothing on and changes one element, which alone it reads of the array.
  static const Store* onlyUpdate(const Stmt& body, const std::set<Symbol>& liveAfter) {
    if (!consistsOf<Block, Assign, Store, If>(body) || !analysis::hasOwnScalars(body, liveAfter))
      return nullptr;
    const Store* first = nullptr;
    bool fits = true;
    each<Store>(body, [&](const Store& store) {
      if (!first) first = &store;
      fits =
          fits && !store.atomicOp && store.buffer == first->buffer && equalIndices(store.index, first->index);
    });
    if (!first || !fits) return nullptr;
    each<Load>(body, [&](const Load& l) {
      fits = fits && (l.buffer != first->buffer || equalIndices(l.index, first->index));
    });
    fits = fits && std::ranges::none_of(first->index, [&](const Expr& e) {
             return readsMemory(e) || mentionsAny(e, assignedVars(body));
           });
    return fits ? first : nullptr;
  }

  bool readAxes(const loops::Nest& nest, const Store& store) {
    axes_.clear();
    std::set<const For*> taken;
    for (const Expr& e : store.index) {
      Walked axis;
      for (const For* loop : nest.loops) {
        if (!mentions(e, loop->index)) continue;
        const auto by = analysis::coefficientOf(e, loop->index);
        if (!by || *by == 0 || axis.gone || !taken.insert(loop).second) return false;
        (axis.kept ? axis.gone : axis.kept) = loop;
        if (axis.gone) axis.ofGone = *by;
      }
      if (axis.gone && axis.ofGone != 1 && axis.ofGone != -1) return false;
      axes_.push_back(axis);
    }
    return true;
  }

  /// Does a loop that tells the element stand between others, of which each comes to it again? collect-columns takes what has those
  /// outside alone.
  bool isBetweenOthers(const loops::Nest& nest) const {
    const auto tells = [&](const For* loop) {
      return std::ranges::any_of(axes_, [&](const Walked& axis) { return axis.kept == loop; });
    };
    const auto first = std::ranges::find_if_not(nest.loops, tells);
    const auto kept = std::find_if(first, nest.loops.end(), tells);
    return !std::all_of(kept, nest.loops.end(), tells);
  }

  bool isParallel(const For& loop) const { return analysis::judgeParallel(loop, known_, {}).isProven(); }

  //===--- the nest over elements ------------------------------------------------------------------------===//

  Stmt rebuilt(Span span, const loops::Nest& nest, const Store& store) {
    std::set<Symbol> indices; // of the nest
    for (const For* loop : nest.loops) indices.insert(loop->index);
    std::vector<For> outer; // tell the element
    std::map<const For*, For> inner;
    for (const For* loop : nest.loops) inner.emplace(loop, *loop);
    std::map<Symbol, Expr> place;
    for (size_t d = 0; d < axes_.size(); ++d) {
      const Walked& axis = axes_[d];
      if (!axis.kept) continue;
      if (!axis.gone) {
        outer.push_back(*axis.kept);
        inner.erase(axis.kept);
      } else {
        For over = elementsOf(axis, store.index[d]);
        const Expr of = var(over.index) - (store.index[d] - times(axis.ofGone, axis.gone->index));
        const Expr goneIs = axis.ofGone == 1 ? of : intConst(0) - of;
        if (!limit(inner.at(axis.kept), *axis.gone, goneIs)) return {};
        place.emplace(axis.gone->index, goneIs);
        inner.erase(axis.gone);
        outer.push_back(std::move(over));
      }
      const For& made = outer.back();
      if (mentionsAny(made.lo, indices) || mentionsAny(made.hi, indices)) return {};
    }
    Stmt body = substitute(nest.body, place);
    for (auto at = nest.loops.rbegin(); at != nest.loops.rend(); ++at) {
      const auto kept = inner.find(*at);
      if (kept == inner.end()) continue;
      For loop = kept->second;
      loop.lo = substitute(loop.lo, place), loop.hi = substitute(loop.hi, place);
      loop.body = body;
      body = makeStmt(span, std::move(loop));
    }
    for (auto at = outer.rbegin(); at != outer.rend(); ++at) {
      at->body = body;
      body = makeStmt(span, *at);
    }
    ctx_.diag.report(
        DiagId::Parallelised, span,
        fmt::format("`{}` is computed element by element, as iterations of the loops that it is written in "
                    "update the same ones",
                    store.buffer.hint()));
    return body;
  }

  static Expr times(int64_t by, const Symbol& index) { return intConst(by) * var(index); }

  /// `e`, or what it is the least or the greatest of.
  static std::vector<Expr> partsOf(const Expr& e, BinaryOp op) {
    const auto* b = e.as<Binary>();
    if (!b || b->op != op) return {e};
    std::vector<Expr> parts = partsOf(b->lhs, op), more = partsOf(b->rhs, op);
    parts.insert(parts.end(), more.begin(), more.end());
    return parts;
  }

  /// The loop over all values of the subscript, from the least to the greatest.
  static For elementsOf(const Walked& axis, const Expr& subscript) {
    const auto end = [&](bool greatest) {
      const bool atLast = greatest == (axis.ofGone > 0);
      Expr all;
      for (const Expr& limit :
           atLast ? partsOf(axis.gone->hi, BinaryOp::Min) : partsOf(axis.gone->lo, BinaryOp::Max)) {
        Expr e = substitute(subscript, {{axis.gone->index, atLast ? limit - 1 : limit}});
        if (const auto by = analysis::coefficientOf(e, axis.kept->index))
          e = substitute(e, {{axis.kept->index, greatest == (*by > 0) ? axis.kept->hi - 1 : axis.kept->lo}});
        all = !all ? e : greatest ? minOf(all, e) : maxOf(all, e);
      }
      return all;
    };
    return serialLoop(Symbol("place"), end(false), end(true) + 1, intConst(1), {});
  }

  /// Keeps `kept` to where `gone`, whose index is `goneIs`, runs. False where that is no range.
  static bool limit(For& kept, const For& gone, const Expr& goneIs) {
    std::vector<Expr> rooms; // none of which is negative there
    for (const Expr& lo : partsOf(gone.lo, BinaryOp::Max)) rooms.push_back(goneIs - lo);
    for (const Expr& hi : partsOf(gone.hi, BinaryOp::Min)) rooms.push_back(hi - 1 - goneIs);
    for (const Expr& room : rooms) {
      const auto by = analysis::coefficientOf(room, kept.index);
      if (!by) return false;
      const Expr rest = room - times(*by, kept.index);
      if (mentions(rest, kept.index)) return false;
      const Expr steps = *by == 1 || *by == -1 ? rest : floorDiv(rest, std::abs(*by));
      if (*by > 0) kept.lo = maxOf(kept.lo, intConst(0) - steps);
      if (*by < 0) kept.hi = minOf(kept.hi, steps + 1);
    } // else elementsOf() has the limit
    return true;
  }

  std::vector<Walked> axes_;
};

} // namespace

void gatherUpdates(Function& f, PassContext& ctx) { f.body = Gathering(f, ctx).visit(f.body); }

} // namespace appyc::transform
