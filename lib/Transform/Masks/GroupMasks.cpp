//===- GroupMasks.cpp - loops over masks of one array become loops over groups of its points ------------===//
//   for b:                                     keys[i] = the b whose mask holds at x(i); apart: is there one at most?
//     for i: if lower(b) <= x(i) < upper(b):   for b:
//              s = s + y(i)                      if apart: for k in [start[b], start[b + 1]):
//                                     =>                     i = order[k]; s = s + y(i)
//                                                else: for i: as before
// On cuda, where the body only folds, y is folded by the keys instead: s = s + total[b].
// That the masks are apart is tested at the call, on the edges as they are used, so that no rounding is
// argued about here. Order keeps the points of a group as they were: sums are the same ones.
#include "Masks.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace appyc::transform {
using namespace ir;

namespace {

/// From how many tests of masks on grouping pays: on a GPU its four launches take as long as so many, of four elements each.
int64_t leastOnGpu(const cost::Device& device) { return cost::elementsInLaunches(device, 4) / 4; }
constexpr int64_t kLeastOnCpu = int64_t{1} << 20;
constexpr int64_t kTestsAtOnce =
    16; ///< 32 x 10^6 points of 16 columns: 0.1 ms for all tests, 0.3 for ordering them, predicted
/// What one thread sorts, it could as well test against a few masks.
constexpr int64_t kLeastGroupsOnCpu = 32;

/// Of a loop around those that are grouped: what is grouped in each takes launches of its own.
constexpr int64_t kFewIterations = 8;

/// Folds take workspace, and time.
constexpr size_t kMostFolds = 8;

/// Without assignments that nothing reads, of masks that hold.
Stmt withoutUnread(const Stmt& body, const std::set<Symbol>& kept) {
  std::set<Symbol> read = kept;
  each<Var>(body, [&](const Var& v) { read.insert(v.name); });
  return replace<Assign>(body, [&](const Assign& a) { return read.count(a.var) ? Stmt() : block({}); });
}

class MaskGrouping {
public:
  MaskGrouping(Function& f, PassContext& c)
      : function_(f), ctx_(c), known_{analysis::contextOf(f), analysis::knownAtEntry(f)} {}

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop) return mapChildren(s, [&](const Stmt& child) { return visit(child); });
    if (loop->hints.mark == LoopMark::Sequential) return s;
    if (loop->order != Order::Serial) {
      const Stmt grouped = groupIn(s, *loop);
      return grouped == s ? groupInFew(s, *loop) : grouped;
    }
    known_.scalars.insert(loop->index);
    return analysis::mapInside(known_.context, s, [&](const Stmt& child) { return visit(child); });
  }

private:
  Function& function_;
  PassContext& ctx_;
  HostKnown known_;
  std::vector<Expr> pays_; ///< when what has been grouped pays

  bool isKnown(const Expr& e) const { return analysis::followsFrom(e, known_.scalars); }

  //===--- a parallel loop ------------------------------------------------------------------------------===//

  Stmt groupIn(const Stmt& s, const For& parallel) {
    if (!isConst(parallel.step, 1) || !parallel.reductions.empty() || !isKnown(parallel.lo) ||
        !isKnown(parallel.hi))
      return s;
    std::vector<Stmt> out;
    std::vector<Grouping> made;
    Expr deeper; // when it pays for loops inside others: then those outside take little time
    std::vector<Stmt> list = statementsOf(parallel.body);
    if (isCopied(parallel.body)) list = inList(list, parallel, {}, {}, made, &deeper);
    if (made.empty()) list = inList(list, parallel, {}, {}, made, nullptr);
    if (made.empty()) return s;
    for (const Grouping& g : made) {
      makeGroups(g, parallel, {s->span}, function_, known_, out);
      pays_.push_back(g.pays);
    }
    out.push_back(makeStmt(s->span, withBody(parallel, block(std::move(list)))));
    const Stmt all = block(std::move(out));
    return deeper ? makeStmt(s->span, If{deeper, all, withOwnArrays(s, function_.buffers)}) : all;
  }

  /// The statements of the parallel loop's body, or of what is in it; `behind`: what follows. With `deeper`, of the loops inside
  /// of other parallel loops: it says when that pays.
  std::vector<Stmt> inList(std::vector<Stmt> list, const For& parallel, Evaluation before, const Stmt& behind,
                           std::vector<Grouping>& made, Expr* deeper, bool isDeeper = false) {
    for (size_t i = 0; i < list.size(); ++i) {
      const Stmt original = list[i];
      std::vector<Stmt> rest(list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end());
      if (behind) rest.push_back(behind);
      const Stmt after = block(std::move(rest));
      const auto* loop = original.as<For>();
      if (loop && isDeeper == (deeper != nullptr))
        list[i] =
            tryLoop(original, {parallel, *loop, before, after, known_.context, function_}, made, deeper);
      const bool isOther = loop && loop->order != Order::Serial && loop->reductions.empty();
      if (deeper && list[i] == original && (isOther || original.is<If>())) {
        Evaluation inside = before;
        if (isOther) inside.run(original); // an iteration may find what the one before it has left
        const Stmt later = isOther ? block({original, after}) : after;
        list[i] = mapChildren(original, [&](const Stmt& child) {
          const std::vector<Stmt> body = statementsOf(child);
          std::vector<Stmt> grouped =
              inList(body, parallel, inside, later, made, deeper, isDeeper || isOther);
          return grouped == body ? child : block(std::move(grouped));
        });
      }
      before.run(original);
    }
    return list;
  }

  /// A parallel loop around others, over whose points masks go: the host runs it where it has few iterations and grouping
  /// pays in each. All iterations of both loops are one kernel else.
  Stmt groupInFew(const Stmt& s, const For& outer) {
    const Expr count = outer.hi - outer.lo;
    if (!isConst(outer.step, 1) || outer.hints.mark != LoopMark::None || !outer.reductions.empty() ||
        !isKnown(outer.lo) || !isKnown(outer.hi) || constantInt(count).value_or(0) > kFewIterations ||
        !isCopied(outer.body))
      return s;
    pays_.clear();
    known_.context.loops.push_back(&outer);
    known_.scalars.insert(outer.index);
    For ofHost = outer;
    ofHost.order = Order::Serial;
    ofHost.hints.origins.clear();
    ofHost.body = visit(outer.body);
    known_.context.loops.pop_back();
    known_.scalars.erase(outer.index);
    if (ofHost.body == outer.body) return s;
    Expr pays = count <= kFewIterations;
    for (const Expr& each : pays_) {
      if (mentions(each, outer.index)) return s;
      pays = both(pays, each);
    }
    return makeStmt(s->span, If{pays, makeStmt(s->span, ofHost), withOwnArrays(s, function_.buffers)});
  }

  /// Statements that may stand beside their copy (withOwnArrays).
  static bool isCopied(const Stmt& body) { return consistsOf<For, If, Block, Assign, Store, Alloc>(body); }

  Stmt tryLoop(const Stmt& s, const PointLoop& at, std::vector<Grouping>& made, Expr* deeper) {
    const Expr from = at.before.resolved(at.loop.lo), end = at.before.resolved(at.loop.hi);
    const Expr count = end - from, groups = at.parallel.hi - at.parallel.lo;
    if (!isConst(at.loop.step, 1) || !isKnown(from) || !isKnown(end)) return s;
    std::string reason;
    const std::optional<Mask> mask = findMask(at, reason);
    if (!mask) {
      if (!reason.empty()) report(s, at, "are not grouped: " + reason);
      return s;
    }
    Expr pays = enabling(s->span, count, groups, deeper != nullptr);
    if (constantBool(pays) == false) return s;
    const std::string when = whenText(pays);
    if (deeper) *deeper = both(*deeper, std::exchange(pays, boolConst(true)));
    const bool onlyFolds = ctx_.cuda && mask->folds && mask->folds->size() <= kMostFolds;
    const Grouping wanted = groupingOf(*mask, at, from, count, groups, pays, onlyFolds, known_);
    auto same = std::find_if(made.begin(), made.end(), [&](const Grouping& g) { return serves(g, wanted); });
    if (same == made.end()) {
      made.push_back(wanted);
      same = made.end() - 1;
      report(s, at,
             fmt::format("are grouped by `{}`{}, where no point belongs to two of its iterations",
                         at.parallel.index.hint(), when));
    }
    return same->onlyFolds ? wholeFolds(s, at, *mask, *same) : loopOverGroup(s, at, *mask, *same);
  }

  void report(const Stmt& s, const PointLoop& at, const std::string& what) const {
    ctx_.diag.report(DiagId::Grouped, s->span,
                     fmt::format("the points of loop `{}` {}", at.loop.index.hint(), what));
  }
  static std::string whenText(const Expr& pays) {
    return pays.is<Const>() ? "" : fmt::format(" when {}", print(pays));
  }

  /// When the grouping is made.
  Expr enabling(Span at, const Expr& count, const Expr& groups, bool isDeeper) const {
    // In loops inside the groups' all threads of the device test, where the points of a group would be a thread's.
    const int64_t least = isDeeper ? kTestsAtOnce * leastOnGpu(ctx_.device) : leastOnGpu(ctx_.device);
    const int64_t tests = ctx_.choose(at, "masks", ctx_.cuda ? least : kLeastOnCpu,
                                      {1, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 28});
    const Expr fits = maxOf(count, groups) <= kMostKeys;
    const Expr some = groups >= (ctx_.cuda ? 1 : std::min(tests, kLeastGroupsOnCpu));
    return both(both(some, fits), count * groups >= tests);
  }

  //===--- in it ----------------------------------------------------------------------------------------===//

  /// Does `array` have one element for each point, and no other one?
  bool isPointwise(const Symbol& array, const PointLoop& at, const Grouping& g) const {
    const Buffer* from = function_.findBuffer(array);
    return from && from->extents.size() == 1 && equalIndex(from->extents[0], g.from + g.count) &&
           analysis::isNonNegative(g.from, known_.context) && !storedBuffers(at.parallel.body).count(array);
  }

  /// The fold of a group's points: of a whole number, or 1.0, by how many they are.
  Expr wholeFold(const PointFold& fold, const PointLoop& at, const Expr& element, Grouping& g) const {
    const DType type = fold.into.type;
    const bool isOne = equal(fold.value, constOf(type, 1));
    if (fold.into.op == ReduceOp::Sum && (isOne || (fold.value.is<Const>() && isInteger(type)))) {
      const Expr number = cast(type, load(g.sizes, {element}));
      return isOne ? number : binary(BinaryOp::Mul, number, fold.value);
    }
    const Expr value = substitute(fold.value, {{at.loop.index, var(g.index)}});
    for (const Grouping::Fold& p : g.folds)
      if (p.op == fold.into.op && p.to.type == type && equal(p.value, value)) return load(p.to, {element});
    const auto* wide = value.as<Cast>();
    const auto* l = (wide && isWidening(typeOf(wide->arg), type) ? wide->arg : value).as<Load>();
    const auto* index = l && l->index.size() == 1 ? l->index[0].as<Var>() : nullptr;
    const bool direct = index && index->name == g.index && isPointwise(l->buffer, at, g);
    g.folds.push_back({fold.into.op, value, direct ? l->buffer : Symbol(),
                       foldsOf(g, fold.into.var.hint() + "_all", type)});
    return load(g.folds.back().to, {element});
  }

  /// Each number of the one type is one of the other, as C++ converts it.
  static bool isWidening(DType from, DType to) {
    if (isInteger(from) && isInteger(to))
      return byteSize(from) < byteSize(to) && (!isSigned(from) || isSigned(to));
    return isFloat(from) && isFloat(to) && byteSize(from) < byteSize(to);
  }

  Stmt wholeFolds(const Stmt& s, const PointLoop& at, const Mask& mask, Grouping& g) const {
    const Expr group = var(at.parallel.index) - at.parallel.lo;
    std::vector<Stmt> then;
    for (const PointFold& fold : *mask.folds) {
      const Expr whole =
          combine(fold.into.op, var(fold.into.var, fold.into.type), wholeFold(fold, at, group, g));
      then.push_back(makeStmt(s->span, Assign{fold.into.var, whole}));
    }
    const Expr skipped = cast(DType::I64, load(g.sizes, {group})) < g.count;
    return chosen(s, mask, g, skipped, std::move(then));
  }

  /// `then` where the grouping has been made, with the 0.0 of points that are `skipped`; else `s`.
  static Stmt chosen(const Stmt& s, const Mask& mask, const Grouping& g, const Expr& skipped,
                     std::vector<Stmt> then) {
    for (const Reduction& r : mask.addZero) {
      const Expr zero = select(skipped, floatConst(0.0, r.type), floatConst(-0.0, r.type));
      then.push_back(makeStmt(s->span, Assign{r.var, binary(BinaryOp::Add, var(r.var, r.type), zero)}));
    }
    Expr apart = ne(load(g.apart, {intConst(0)}), constOf(DType::I32, 0));
    if (g.enabled) apart = both(var(g.enabled, DType::Bool), apart);
    return makeStmt(s->span, If{apart, block(std::move(then)), s});
  }

  Stmt loopOverGroup(const Stmt& s, const PointLoop& at, const Mask& mask, Grouping& g) const {
    Evaluation inside = bodyOf(at);
    inside.assume(mask.comparisons);
    std::set<Symbol> kept = analysis::exposedScalars(at.after);
    for (const Reduction& r : at.loop.reductions) kept.insert(r.var);
    const Symbol k("k"), i(at.loop.index.hint());
    const Stmt body = withoutUnread(inside.run(at.loop.body), kept);
    const Expr group = var(at.parallel.index) - at.parallel.lo;
    const Expr point = g.from + cast(DType::I64, load(g.order, {var(k)}));
    For points = at.loop;
    points.index = k;
    points.lo = cast(DType::I64, load(g.start, {group}));
    points.hi = cast(DType::I64, load(g.start, {group + 1}));
    points.body = block({makeStmt(s->span, Assign{i, point}), substitute(body, {{at.loop.index, var(i)}})});
    points.hints.origins.clear();
    const Expr skipped = points.hi - points.lo < g.count;
    return chosen(s, mask, g, skipped, {makeStmt(s->span, std::move(points))});
  }
};

} // namespace

void groupMasks(Function& f, PassContext& ctx) { f.body = MaskGrouping(f, ctx).visit(f.body); }

} // namespace appyc::transform
