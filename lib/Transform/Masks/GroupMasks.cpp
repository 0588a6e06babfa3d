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
#include "appyc/Cost/Model.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

namespace {

/// From how many tests of masks on grouping pays: on a GPU its four launches take as long as so many, of four elements each.
int64_t leastOnGpu(const cost::Device& device) { return cost::elementsInLaunches(device, 4) / 4; }
constexpr int64_t kLeastOnCpu = int64_t{1} << 20;
/// What one thread sorts, it could as well test against a few masks.
constexpr int64_t kLeastGroupsOnCpu = 32;

/// Of a loop around those that are grouped: what is grouped in each takes launches of its own.
constexpr int64_t kFewIterations = 8;

/// Folds take workspace, and time.
constexpr size_t kMostFolds = 8;

/// What is made before the loop, and for which masks.
struct Grouping {
  Mask mask;
  Symbol index; ///< of the points, in mask.point
  Expr from, count, groups, pays;
  Symbol enabled; ///< no symbol: always
  Buffer apart, keys;
  Buffer start{}, order{}; ///< of the points by key
  bool onlyFolds = false;  ///< the points are folded by key, not ordered
  Buffer sizes{};          ///< of the groups
  /// A fold of the group's points.
  struct Fold {
    ReduceOp op;
    Expr value;  ///< of a point
    Symbol from; ///< array whose elements are the values; no symbol: they are computed first
    Buffer to;
  };
  std::vector<Fold> folds{};
};

/// Without assignments that nothing reads, of masks that hold.
Stmt withoutUnread(const Stmt& body, const std::set<Symbol>& kept) {
  std::set<Symbol> read = kept;
  visit(
      body, [](const Stmt&) { return true; },
      [&](const Expr& e) {
        if (const auto* v = e.as<Var>()) read.insert(v->name);
        return true;
      });
  return rewrite(body, [&](const Stmt& s) -> Stmt {
    const auto* a = s.as<Assign>();
    return a && !read.count(a->var) ? block({}) : Stmt();
  });
}

class MaskGrouping {
public:
  MaskGrouping(Function& f, PassContext& c) : function_(f), ctx_(c) {
    for (const Size& s : f.sizes) {
      known_.sizes.insert(s.name);
      hostKnown_.insert(s.name);
    }
    for (const Param& p : f.params)
      if (!p.isArray) hostKnown_.insert(p.name);
    for (const Symbol& name : assignedVars(f.body)) hostKnown_.erase(name);
  }

  Stmt visit(const Stmt& s) {
    const auto* loop = s.as<For>();
    if (!loop) return mapChildren(s, [&](const Stmt& child) { return visit(child); });
    if (loop->hints.mark == LoopMark::Sequential) return s;
    if (loop->order != Order::Serial) {
      const Stmt grouped = groupIn(s, *loop);
      return grouped == s ? groupInFew(s, *loop) : grouped;
    }
    known_.loops.push_back(loop);
    hostKnown_.insert(loop->index);
    Stmt out = mapChildren(s, [&](const Stmt& child) { return visit(child); });
    known_.loops.pop_back();
    return out;
  }

private:
  Function& function_;
  PassContext& ctx_;
  analysis::Context known_;
  std::set<Symbol> hostKnown_; ///< scalars that the host knows without asking the device
  std::vector<Expr> pays_;     ///< when what has been grouped pays

  std::optional<Buffer> bufferOf(const Symbol& name) const {
    for (const Param& p : function_.params)
      if (p.isArray && p.name == name) return Buffer{p.name, p.type, p.extents};
    for (const Buffer& b : function_.buffers)
      if (b.name == name) return b;
    return {};
  }

  bool isHostKnown(const Expr& e) const {
    const std::set<Symbol> free = freeVars(e);
    return !readsMemory(e) && std::includes(hostKnown_.begin(), hostKnown_.end(), free.begin(), free.end());
  }
  Expr nonNegative(const Expr& e) const { return analysis::isNonNegative(e, known_) ? e : maxOf(e, 0); }

  //===--- a parallel loop ------------------------------------------------------------------------------===//

  Stmt groupIn(const Stmt& s, const For& parallel) {
    if (!isConst(parallel.step, 1) || !parallel.reductions.empty() || !isHostKnown(parallel.lo) ||
        !isHostKnown(parallel.hi))
      return s;
    std::vector<Stmt> list = statementsOf(parallel.body), out;
    std::vector<Grouping> made;
    Evaluation before;
    for (size_t i = 0; i < list.size(); ++i) {
      const Stmt original = list[i];
      if (const auto* loop = original.as<For>()) {
        Stmt after = block({list.begin() + static_cast<std::ptrdiff_t>(i) + 1, list.end()});
        list[i] = tryLoop(original, {parallel, *loop, before, after, known_, function_}, made);
      }
      before.run(original);
    }
    if (made.empty()) return s;
    for (const Grouping& g : made) make(g, parallel, s->span, out), pays_.push_back(g.pays);
    For grouped = parallel;
    grouped.body = block(std::move(list));
    out.push_back(makeStmt(s->span, std::move(grouped)));
    return block(std::move(out));
  }

  /// A parallel loop around others, over whose points masks go: the host runs it where it has few iterations and grouping
  /// pays in each. All iterations of both loops are one kernel else.
  Stmt groupInFew(const Stmt& s, const For& outer) {
    const Expr count = outer.hi - outer.lo;
    if (!isConst(outer.step, 1) || outer.hints.mark != LoopMark::None || !outer.reductions.empty() ||
        !isHostKnown(outer.lo) || !isHostKnown(outer.hi) || constantInt(count).value_or(0) > kFewIterations ||
        !isCopied(outer.body))
      return s;
    pays_.clear();
    known_.loops.push_back(&outer);
    hostKnown_.insert(outer.index);
    For ofHost = outer;
    ofHost.order = Order::Serial;
    ofHost.hints.origins.clear();
    ofHost.body = visit(outer.body);
    known_.loops.pop_back();
    hostKnown_.erase(outer.index);
    if (ofHost.body == outer.body) return s;
    Expr pays = count <= kFewIterations;
    for (const Expr& each : pays_) {
      if (mentions(each, outer.index)) return s;
      pays = both(pays, each);
    }
    return makeStmt(s->span, If{pays, makeStmt(s->span, ofHost), withOwnArrays(s, function_.buffers)});
  }

  /// Statements that may stand beside their copy (withOwnArrays).
  static bool isCopied(const Stmt& body) {
    bool plain = true;
    ir::visit(body, [&](const Stmt& s) {
      plain = plain && (s.is<For>() || s.is<If>() || s.is<Block>() || s.is<Assign>() || s.is<Store>() ||
                        s.is<Alloc>());
      return plain;
    });
    return plain;
  }

  Stmt tryLoop(const Stmt& s, const PointLoop& at, std::vector<Grouping>& made) {
    const Expr from = at.before.resolved(at.loop.lo), end = at.before.resolved(at.loop.hi);
    const Expr count = end - from, groups = at.parallel.hi - at.parallel.lo;
    if (!isConst(at.loop.step, 1) || !isHostKnown(from) || !isHostKnown(end)) return s;
    std::string reason;
    const std::optional<Mask> mask = findMask(at, reason);
    if (!mask) {
      if (!reason.empty()) report(s, at, "are not grouped: " + reason);
      return s;
    }
    const Expr pays = enabling(s->span, count, groups);
    if (constantBool(pays) == false) return s;
    const Grouping wanted = declared(*mask, at, from, count, groups, pays);
    auto same = std::find_if(made.begin(), made.end(), [&](const Grouping& g) { return serves(g, wanted); });
    if (same == made.end()) {
      made.push_back(wanted);
      same = made.end() - 1;
      report(s, at,
             fmt::format("are grouped by `{}`{}, where no point belongs to two of its iterations",
                         at.parallel.index.hint(), whenText(pays)));
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
  Expr enabling(Span at, const Expr& count, const Expr& groups) const {
    const int64_t tests = ctx_.choose(at, "masks", ctx_.cuda ? leastOnGpu(ctx_.device) : kLeastOnCpu,
                                      {1, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 28});
    const Expr fits = maxOf(count, groups) <= kMostKeys;
    const Expr some = groups >= (ctx_.cuda ? 1 : std::min(tests, kLeastGroupsOnCpu));
    return both(both(some, fits), count * groups >= tests);
  }

  static bool serves(const Grouping& g, const Grouping& other) {
    const Expr point = substitute(other.mask.point, {{other.index, var(g.index)}});
    return g.onlyFolds == other.onlyFolds && equal(g.mask.point, point) &&
           equal(g.mask.lower, other.mask.lower) && equal(g.mask.upper, other.mask.upper) &&
           g.mask.lowerOpen == other.mask.lowerOpen && g.mask.upperOpen == other.mask.upperOpen &&
           equalIndex(g.from, other.from) && equalIndex(g.count, other.count);
  }

  //===--- before it ------------------------------------------------------------------------------------===//

  Grouping declared(const Mask& mask, const PointLoop& at, const Expr& from, const Expr& count,
                    const Expr& groups, const Expr& pays) const {
    Grouping g{mask, at.loop.index, from, count, groups, pays, {}, {}, {}};
    g.onlyFolds = ctx_.cuda && mask.folds && mask.folds->size() <= kMostFolds;
    if (!pays.is<Const>()) g.enabled = Symbol("grouped");
    g.apart = {Symbol("apart"), DType::I32, {intConst(1)}};
    g.keys = {Symbol("keys"), DType::I32, {nonNegative(count)}};
    if (g.onlyFolds) {
      g.sizes = foldsOf(g, "sizes", DType::I32);
    } else {
      g.start = {Symbol("start"), DType::I32, {nonNegative(groups) + 1}};
      g.order = {Symbol("order"), DType::I32, {nonNegative(count)}};
    }
    return g;
  }

  void allocate(const Buffer& buffer, Span span, std::vector<Stmt>& out) {
    function_.buffers.push_back(buffer);
    out.push_back(makeStmt(span, Alloc{buffer}));
  }
  Buffer allocate(const char* hint, DType type, Expr extent, Span span, std::vector<Stmt>& out) {
    Buffer buffer{Symbol(hint), type, {std::move(extent)}};
    allocate(buffer, span, out);
    return buffer;
  }

  /// The arrays and the statements that fill them, appended to `out`.
  void make(const Grouping& g, const For& parallel, Span span, std::vector<Stmt>& out) {
    const DType type = typeOf(g.mask.point);
    const Expr count = nonNegative(g.count), groups = nonNegative(g.groups);
    std::vector<Stmt> work;
    for (const Buffer& made : {g.apart, g.keys}) allocate(made, span, out);
    const Buffer lower = allocate("lower", type, groups, span, out);
    const bool oneEdge = equal(g.mask.lower, g.mask.upper);
    const Buffer upper = oneEdge ? lower : allocate("upper", type, groups, span, out);
    const Routine::Operand points = placePoints(g, type, count, span, work, out);
    storeEdges(g, parallel, span, lower, upper, work);
    const auto open = [](bool isOpen) { return intConst(isOpen ? 1 : 0); };
    work.push_back(
        makeStmt(span, Routine{RoutineName::FindGroups,
                               {points, first(lower), first(upper), first(g.keys), first(g.apart)},
                               {g.count, g.groups, open(g.mask.lowerOpen), open(g.mask.upperOpen)}}));
    g.onlyFolds ? makeFolds(g, count, span, work, out) : makeOrder(g, span, work, out);
    if (!g.enabled) {
      out.insert(out.end(), work.begin(), work.end());
      return;
    }
    out.push_back(makeStmt(span, Assign{g.enabled, g.pays}));
    out.push_back(makeStmt(span, If{var(g.enabled, DType::Bool), block(std::move(work)), {}}));
  }

  static Routine::Operand first(const Buffer& buffer) { return {buffer.name, {intConst(0)}}; }

  void makeOrder(const Grouping& g, Span span, std::vector<Stmt>& work, std::vector<Stmt>& out) {
    for (const Buffer& made : {g.start, g.order}) allocate(made, span, out);
    work.push_back(makeStmt(span, Routine{RoutineName::OrderByKey,
                                          {first(g.keys), first(g.order), first(g.start)},
                                          {g.count, g.groups}}));
  }

  void makeFolds(const Grouping& g, const Expr& count, Span span, std::vector<Stmt>& work,
                 std::vector<Stmt>& out) {
    allocate(g.sizes, span, out);
    std::vector<Grouping::Fold> folds = g.folds;
    if (folds.empty()) // the sizes are all that is asked for
      folds.push_back({ReduceOp::Sum, constOf(DType::I32, 1), {}, foldsOf(g, "counts", DType::I32)});
    std::vector<Stmt> calls; // behind all values, which one kernel may compute
    for (const Grouping::Fold& fold : folds) {
      Routine::Operand values{fold.from, {g.from}};
      if (!fold.from) values = first(computed("values", fold.to.type, fold.value, g, count, span, work, out));
      allocate(fold.to, span, out);
      calls.push_back(makeStmt(span, Routine{RoutineName::FoldByKey,
                                             {first(g.keys), values, first(fold.to), first(g.sizes)},
                                             {g.count, g.groups},
                                             fold.op}));
    }
    work.insert(work.end(), calls.begin(), calls.end());
  }

  /// An array of what is computed of each point.
  Buffer computed(const char* hint, DType type, const Expr& value, const Grouping& g, const Expr& count,
                  Span span, std::vector<Stmt>& work, std::vector<Stmt>& out) {
    const Buffer made = allocate(hint, type, count, span, out);
    const Symbol i(g.index.hint());
    const Expr own = substitute(value, {{g.index, var(i)}});
    work.push_back(makeStmt(span, provenLoop(i, g.from, g.from + g.count,
                                             makeStmt(span, Store{made.name, {var(i) - g.from}, own, {}}))));
    return made;
  }

  /// Elements of an array in a row are taken from there; other points are computed first.
  Routine::Operand placePoints(const Grouping& g, DType type, const Expr& count, Span span,
                               std::vector<Stmt>& work, std::vector<Stmt>& out) {
    if (const auto* l = g.mask.point.as<Load>(); l && !l->index.empty()) {
      std::vector<Expr> at;
      bool inRow = true;
      for (size_t d = 0; d < l->index.size(); ++d) {
        const bool last = d + 1 == l->index.size();
        const Expr rest = last ? l->index[d] - var(g.index) : l->index[d];
        inRow = inRow && !mentions(rest, g.index) && isHostKnown(rest);
        at.push_back(last ? rest + g.from : rest);
      }
      if (inRow) return {l->buffer, std::move(at)};
    }
    return first(computed("points", type, g.mask.point, g, count, span, work, out));
  }

  static void storeEdges(const Grouping& g, const For& parallel, Span span, const Buffer& lower,
                         const Buffer& upper, std::vector<Stmt>& work) {
    const Symbol b(parallel.index.hint());
    const auto store = [&](const Buffer& buffer, const Expr& edge) {
      const Expr value = substitute(edge, {{parallel.index, var(b)}});
      return makeStmt(span, Store{buffer.name, {var(b) - parallel.lo}, value, {}});
    };
    const Stmt isApart = makeStmt(span, Store{g.apart.name, {intConst(0)}, constOf(DType::I32, 1), {}});
    std::vector<Stmt> stores{makeStmt(span, If{eq(var(b), parallel.lo), isApart, {}}),
                             store(lower, g.mask.lower)};
    if (upper.name != lower.name) stores.push_back(store(upper, g.mask.upper));
    work.push_back(makeStmt(span, provenLoop(b, parallel.lo, parallel.hi, block(std::move(stores)))));
  }

  //===--- in it ----------------------------------------------------------------------------------------===//

  /// Does `array` have one element for each point, and no other one?
  std::optional<Buffer> pointwise(const Symbol& array, const PointLoop& at, const Grouping& g) const {
    std::optional<Buffer> from = bufferOf(array);
    const bool fits = from && from->extents.size() == 1 && equalIndex(from->extents[0], g.from + g.count) &&
                      analysis::isNonNegative(g.from, known_) &&
                      !storedBuffers(at.parallel.body).count(array);
    return fits ? from : std::nullopt;
  }

  static Buffer foldsOf(const Grouping& g, const std::string& hint, DType type) {
    const Expr count = maxOf(g.count, 0), groups = maxOf(g.groups, 0);
    return {Symbol(hint), type, {foldRoom(count, groups)}};
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
    const bool direct = index && index->name == g.index && pointwise(l->buffer, at, g);
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

Module groupMasks(const Module& module, PassContext& ctx) {
  return eachFunction(module, [&](Function& f) { f.body = MaskGrouping(f, ctx).visit(f.body); });
}

} // namespace appyc::transform
