//===- GroupMasks.cpp - loops over masks of one array become loops over groups of its points ------------===//
//   for b:                                     group x by lower, upper: apart, start, order
//     for i: if lower(b) <= x(i) < upper(b):   for b:
//              s = s + y(i)                      if apart: for k in [start[b], start[b + 1]):
//                                     =>                     i = order[k]; s = s + y(i), or y as it was carried
//                                                else: for i: as before
// On cuda, where the body only folds, the points are folded by parts instead, and b folds its results of all parts.
// That the masks are apart is tested at the call, on the edges as they are used, so that no rounding is
// argued about here. Order keeps the points of a group as they were: sums are the same ones.
#include "Masks.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::transform {
using namespace ir;

namespace {

/// From how many tests of masks on grouping pays: on an H200 it takes about 15 us, in which eight million are made.
constexpr int64_t kLeastOnGpu = int64_t{1} << 22, kLeastOnCpu = int64_t{1} << 20;
/// What one thread sorts, it could as well test against a few masks.
constexpr int64_t kLeastGroupsOnCpu = 32;

/// How many arrays go with the points: each takes workspace, and time in the sort. Folds take registers.
constexpr size_t kMostCarried = 4, kMostFolds = 8;

/// What one Group makes, and for which masks.
struct Grouping {
  Mask mask;
  Symbol index; ///< of the points, in mask.point
  Expr from, count, groups, pays;
  Symbol enabled; ///< no symbol: always
  Buffer apart, start, order;
  std::map<Symbol, Buffer> carried; ///< by the array that the elements come from
  bool ordered = false;             ///< someone asks for the points' numbers
  Symbol parts{};                   ///< their number; no symbol: the points are sorted
  Buffer sizes{};                   ///< of the groups in each part; no symbol: nobody asks
  /// A fold of the group's points in each part.
  struct Part {
    ReduceOp op;
    Expr value;  ///< of a point
    Symbol from; ///< array whose elements are the values; no symbol: they are computed first
    Buffer to;
  };
  std::vector<Part> folds{};
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

bool mentionsIndex(const Stmt& body, const Symbol& index) {
  bool found = false;
  visit(
      body, [&](const Stmt&) { return !found; },
      [&](const Expr& e) { return !(found = found || mentions(e, index)); });
  return found;
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
    if (loop->mark == LoopMark::Sequential) return s;
    if (loop->order != Order::Serial) return groupIn(s, *loop);
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
  Expr nonNegative(const Expr& e) const {
    return analysis::isNonNegative(e, known_) ? e : maxOf(e, intConst(0));
  }

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
    for (const Grouping& g : made) make(g, parallel, s->span, out);
    For grouped = parallel;
    grouped.body = block(std::move(list));
    out.push_back(makeStmt(s->span, std::move(grouped)));
    return block(std::move(out));
  }

  Stmt tryLoop(const Stmt& s, const PointLoop& at, std::vector<Grouping>& made) {
    const Expr from = at.before.resolved(at.loop.lo), end = at.before.resolved(at.loop.hi);
    const Expr count = sub(end, from), groups = sub(at.parallel.hi, at.parallel.lo);
    if (!isConst(at.loop.step, 1) || !isHostKnown(from) || !isHostKnown(end)) return s;
    std::string reason;
    const std::optional<Mask> mask = findMask(at, reason);
    if (!mask) {
      if (!reason.empty()) report(s, at, "are not grouped: " + reason);
      return s;
    }
    const Expr pays = enabling(s->span, count, groups);
    if (const auto* never = pays.as<Const>(); never && !std::get<bool>(never->value)) return s;
    const Grouping wanted = declared(*mask, at, from, count, groups, pays);
    auto same = std::find_if(made.begin(), made.end(), [&](const Grouping& g) { return serves(g, wanted); });
    if (same == made.end()) {
      made.push_back(wanted);
      same = made.end() - 1;
      report(s, at,
             fmt::format("are grouped by `{}`{}, where no point belongs to two of its iterations",
                         at.parallel.index.hint(), whenText(pays)));
    }
    return same->parts ? loopOverParts(s, at, *mask, *same) : loopOverGroup(s, at, *mask, *same);
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
    const int64_t tests = ctx_.choose(at, "masks", ctx_.cuda ? kLeastOnGpu : kLeastOnCpu,
                                      {1, 1 << 12, 1 << 16, 1 << 20, 1 << 22, 1 << 24, 1 << 28});
    const auto both = [](const Expr& a, const Expr& b) { return binary(BinaryOp::LogicalAnd, a, b); };
    const auto atLeast = [](const Expr& e, int64_t n) { return binary(BinaryOp::Ge, e, intConst(n)); };
    const Expr fits = binary(BinaryOp::Le, maxOf(count, groups), intConst(kMostGrouped));
    const Expr some = atLeast(groups, ctx_.cuda ? 1 : std::min(tests, kLeastGroupsOnCpu));
    return both(both(some, fits), atLeast(mul(count, groups), tests));
  }

  static bool serves(const Grouping& g, const Grouping& other) {
    const Expr point = substitute(other.mask.point, {{other.index, var(g.index)}});
    return bool(g.parts) == bool(other.parts) && equal(g.mask.point, point) &&
           equal(g.mask.lower, other.mask.lower) && equal(g.mask.upper, other.mask.upper) &&
           g.mask.lowerOpen == other.mask.lowerOpen && g.mask.upperOpen == other.mask.upperOpen &&
           equalIndex(g.from, other.from) && equalIndex(g.count, other.count);
  }

  //===--- before it ------------------------------------------------------------------------------------===//

  Grouping declared(const Mask& mask, const PointLoop& at, const Expr& from, const Expr& count,
                    const Expr& groups, const Expr& pays) const {
    Grouping g{mask, at.loop.index, from, count, groups, pays, {}, {}, {}, {}, {}};
    if (ctx_.cuda && mask.folds && mask.folds->size() <= kMostFolds) g.parts = Symbol("parts");
    if (!pays.is<Const>()) g.enabled = Symbol("grouped");
    g.apart = {Symbol("apart"), DType::Bool, {intConst(1)}};
    g.start = {Symbol("start"), DType::I32, {add(nonNegative(groups), intConst(1))}};
    g.order = {Symbol("order"), DType::I32, {nonNegative(count)}};
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
    Group group;
    group.count = g.count, group.groups = g.groups;
    group.lowerOpen = g.mask.lowerOpen, group.upperOpen = g.mask.upperOpen;
    const Buffer lower = allocate("lower", type, groups, span, out);
    const bool oneEdge = equal(g.mask.lower, g.mask.upper);
    const Buffer upper = oneEdge ? lower : allocate("upper", type, groups, span, out);
    group.lower = lower.name, group.upper = upper.name;
    placePoints(g, type, count, span, group, work, out);
    storeEdges(g, parallel, span, lower, upper, work);
    allocate(g.apart, span, out);
    group.apart = g.apart.name, group.first = g.from;
    g.parts ? makeParts(g, count, groups, span, group, work, out)
            : makeOrder(g, count, groups, span, group, out);
    work.push_back(makeStmt(span, std::move(group)));
    if (!g.enabled) {
      out.insert(out.end(), work.begin(), work.end());
      return;
    }
    out.push_back(makeStmt(span, Assign{g.enabled, g.pays}));
    out.push_back(makeStmt(span, If{var(g.enabled, DType::Bool), block(std::move(work)), {}}));
  }

  void makeOrder(const Grouping& g, const Expr& count, const Expr& groups, Span span, Group& group,
                 std::vector<Stmt>& out) {
    for (const Buffer& made : {g.start, g.order}) allocate(made, span, out);
    for (const auto& [from, to] : g.carried) {
      allocate(to, span, out);
      group.carried.push_back({from, to.name});
    }
    group.ordered = g.ordered;
    group.scratch = allocate("scratch", DType::I32, groupScratch(count, groups), span, out).name;
    group.start = g.start.name, group.order = g.order.name;
  }

  void makeParts(const Grouping& g, const Expr& count, const Expr& groups, Span span, Group& group,
                 std::vector<Stmt>& work, std::vector<Stmt>& out) {
    group.parts = groupParts(count, groups);
    out.push_back(makeStmt(span, Assign{g.parts, group.parts}));
    if (g.sizes.name) allocate(g.sizes, span, out);
    group.sizes = g.sizes.name;
    for (const Grouping::Part& part : g.folds) {
      Symbol from = part.from;
      if (!from) {
        const Buffer values = allocate("values", part.to.type, count, span, out);
        const Symbol i(g.index.hint());
        const Expr value = substitute(part.value, {{g.index, var(i)}});
        work.push_back(
            makeStmt(span, provenLoop(i, g.from, add(g.from, g.count),
                                      makeStmt(span, Store{values.name, {sub(var(i), g.from)}, value, {}}))));
        from = values.name;
      }
      allocate(part.to, span, out);
      group.folds.push_back({part.op, from, part.to.name, part.from ? g.from : intConst(0)});
    }
    group.scratch = allocate("scratch", DType::I32, foldScratch(count, groups), span, out).name;
  }

  /// Elements of an array in a row are taken from there; other points are computed first.
  void placePoints(const Grouping& g, DType type, const Expr& count, Span span, Group& group,
                   std::vector<Stmt>& work, std::vector<Stmt>& out) {
    if (const auto* l = g.mask.point.as<Load>(); l && !l->index.empty()) {
      std::vector<Expr> at;
      bool inRow = true;
      for (size_t d = 0; d < l->index.size(); ++d) {
        const bool last = d + 1 == l->index.size();
        const Expr rest = last ? sub(l->index[d], var(g.index)) : l->index[d];
        inRow = inRow && !mentions(rest, g.index) && isHostKnown(rest);
        at.push_back(last ? add(rest, g.from) : rest);
      }
      if (inRow) {
        group.points = l->buffer;
        group.at = std::move(at);
        return;
      }
    }
    const Buffer points = allocate("points", type, count, span, out);
    const Symbol i(g.index.hint());
    const Expr point = substitute(g.mask.point, {{g.index, var(i)}});
    work.push_back(
        makeStmt(span, provenLoop(i, g.from, add(g.from, g.count),
                                  makeStmt(span, Store{points.name, {sub(var(i), g.from)}, point, {}}))));
    group.points = points.name;
    group.at = {intConst(0)};
  }

  static void storeEdges(const Grouping& g, const For& parallel, Span span, const Buffer& lower,
                         const Buffer& upper, std::vector<Stmt>& work) {
    const Symbol b(parallel.index.hint());
    const auto store = [&](const Buffer& buffer, const Expr& edge) {
      const Expr value = substitute(edge, {{parallel.index, var(b)}});
      return makeStmt(span, Store{buffer.name, {sub(var(b), parallel.lo)}, value, {}});
    };
    std::vector<Stmt> stores{store(lower, g.mask.lower)};
    if (upper.name != lower.name) stores.push_back(store(upper, g.mask.upper));
    work.push_back(makeStmt(span, provenLoop(b, parallel.lo, parallel.hi, block(std::move(stores)))));
  }

  //===--- in it ----------------------------------------------------------------------------------------===//

  /// Where elements of `array` go with their points: it has one for each, whether or not the loop reads it there, and
  /// they stay as they are.
  const Buffer* carriedFrom(const Symbol& array, const PointLoop& at, Grouping& g) const {
    if (const auto known = g.carried.find(array); known != g.carried.end()) return &known->second;
    const std::optional<Buffer> from = pointwise(array, at, g);
    if (!ctx_.cuda || !from || g.carried.size() == kMostCarried) return nullptr;
    const Buffer to{Symbol(array.hint() + "_grouped"), from->type, {nonNegative(g.count)}};
    return &g.carried.emplace(array, to).first->second;
  }

  /// Reads of the point's own elements become reads of those that are carried, at `k`.
  Stmt readCarried(const Stmt& body, const PointLoop& at, const Symbol& k, Grouping& g) const {
    return rewrite(
        body, [](const Stmt&) { return Stmt(); },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<Load>();
          const auto* index = l && l->index.size() == 1 ? l->index[0].as<Var>() : nullptr;
          if (!index || index->name != at.loop.index) return {};
          const Buffer* to = carriedFrom(l->buffer, at, g);
          return to ? load(*to, {var(k)}) : Expr();
        });
  }

  /// Does `array` have one element for each point, and no other one?
  std::optional<Buffer> pointwise(const Symbol& array, const PointLoop& at, const Grouping& g) const {
    std::optional<Buffer> from = bufferOf(array);
    const bool fits =
        from && from->extents.size() == 1 && equalIndex(from->extents[0], add(g.from, g.count)) &&
        analysis::isNonNegative(g.from, known_) && !storedBuffers(at.parallel.body).count(array);
    return fits ? from : std::nullopt;
  }

  static Buffer partsOf(const Grouping& g, const std::string& hint, DType type) {
    const Expr count = maxOf(g.count, intConst(0)), groups = maxOf(g.groups, intConst(0));
    return {Symbol(hint), type, {mul(groupParts(count, groups), groups)}};
  }

  /// How many points of the group are in a part.
  static Expr sizeAt(Grouping& g, const Expr& at) {
    if (!g.sizes.name) g.sizes = partsOf(g, "sizes", DType::I32);
    return load(g.sizes, {at});
  }

  /// The fold of a part's points: of a whole number, by how many they are.
  Expr partAt(const PointFold& fold, const PointLoop& at, const Expr& element, Grouping& g) const {
    const DType type = fold.into.type;
    if (const auto* c = fold.value.as<Const>(); c && fold.into.op == ReduceOp::Sum && isInteger(type)) {
      const Expr number = cast(type, sizeAt(g, element));
      return isConst(fold.value, 1) ? number : binary(BinaryOp::Mul, number, fold.value);
    }
    const Expr value = substitute(fold.value, {{at.loop.index, var(g.index)}});
    for (const Grouping::Part& p : g.folds)
      if (p.op == fold.into.op && p.to.type == type && equal(p.value, value)) return load(p.to, {element});
    const auto* wide = value.as<Cast>();
    const auto* l = (wide && isWidening(typeOf(wide->arg), type) ? wide->arg : value).as<Load>();
    const auto* index = l && l->index.size() == 1 ? l->index[0].as<Var>() : nullptr;
    const bool direct = index && index->name == g.index && pointwise(l->buffer, at, g);
    g.folds.push_back({fold.into.op, value, direct ? l->buffer : Symbol(),
                       partsOf(g, fold.into.var.hint() + "_parts", type)});
    return load(g.folds.back().to, {element});
  }

  /// Each number of the one type is one of the other, as C++ converts it.
  static bool isWidening(DType from, DType to) {
    if (isInteger(from) && isInteger(to))
      return byteSize(from) < byteSize(to) && (!isSigned(from) || isSigned(to));
    return isFloat(from) && isFloat(to) && byteSize(from) < byteSize(to);
  }

  Stmt loopOverParts(const Stmt& s, const PointLoop& at, const Mask& mask, Grouping& g) const {
    const Symbol t("t"), number("number");
    const Expr element = add(mul(var(t), g.groups), sub(var(at.parallel.index), at.parallel.lo));
    std::vector<Stmt> body, then;
    For parts = at.loop;
    const auto add = [&](const Reduction& into, const Expr& part) {
      const Expr whole = combine(into.op, var(into.var, into.type), part);
      body.push_back(makeStmt(s->span, Assign{into.var, whole}));
    };
    for (const PointFold& fold : *mask.folds) add(fold.into, partAt(fold, at, element, g));
    if (!mask.addZero.empty()) {
      then.push_back(makeStmt(s->span, Assign{number, intConst(0)}));
      parts.reductions.push_back({number, DType::I64, ReduceOp::Sum});
      add(parts.reductions.back(), cast(DType::I64, sizeAt(g, element)));
    }
    parts.index = t;
    parts.mark = LoopMark::Simd; // threads along the groups would be few
    parts.lo = intConst(0), parts.hi = var(g.parts);
    parts.body = block(std::move(body));
    parts.written.clear();
    then.push_back(makeStmt(s->span, std::move(parts)));
    return chosen(s, mask, g, binary(BinaryOp::Lt, var(number), g.count), std::move(then));
  }

  /// `then` where the grouping has been made, with the 0.0 of points that are `skipped`; else `s`.
  static Stmt chosen(const Stmt& s, const Mask& mask, const Grouping& g, const Expr& skipped,
                     std::vector<Stmt> then) {
    for (const Reduction& r : mask.addZero) {
      const Expr zero = select(skipped, floatConst(0.0, r.type), floatConst(-0.0, r.type));
      then.push_back(makeStmt(s->span, Assign{r.var, binary(BinaryOp::Add, var(r.var, r.type), zero)}));
    }
    Expr apart = load(g.apart, {intConst(0)});
    if (g.enabled) apart = binary(BinaryOp::LogicalAnd, var(g.enabled, DType::Bool), apart);
    return makeStmt(s->span, If{apart, block(std::move(then)), s});
  }

  Stmt loopOverGroup(const Stmt& s, const PointLoop& at, const Mask& mask, Grouping& g) const {
    Evaluation inside = bodyOf(at);
    inside.assume(mask.comparisons);
    std::set<Symbol> kept = analysis::exposedScalars(at.after);
    for (const Reduction& r : at.loop.reductions) kept.insert(r.var);
    const Symbol k("k"), i(at.loop.index.hint());
    const Stmt body = readCarried(withoutUnread(inside.run(at.loop.body), kept), at, k, g);
    const Expr group = sub(var(at.parallel.index), at.parallel.lo);
    const Expr point = add(g.from, cast(DType::I64, load(g.order, {var(k)})));
    For points = at.loop;
    points.index = k;
    points.lo = cast(DType::I64, load(g.start, {group}));
    points.hi = cast(DType::I64, load(g.start, {add(group, intConst(1))}));
    points.body = body;
    if (!ctx_.cuda || mentionsIndex(body, at.loop.index)) {
      g.ordered = true;
      points.body = block({makeStmt(s->span, Assign{i, point}), substitute(body, {{at.loop.index, var(i)}})});
    }
    points.written.clear();
    const Expr skipped = binary(BinaryOp::Lt, sub(points.hi, points.lo), g.count);
    return chosen(s, mask, g, skipped, {makeStmt(s->span, std::move(points))});
  }
};

} // namespace

Module groupMasks(const Module& module, PassContext& ctx) {
  Module out = module;
  for (Function& f : out.functions) f.body = MaskGrouping(f, ctx).visit(f.body);
  return out;
}

} // namespace appyc::transform
