//===- FindMasks.cpp - loops over points that act between two edges only --------------------------------===//
// A loop acts only where lower <= point and point < upper if it does nothing when the first is false, and
// nothing when the second is false. Both are tried by running its body symbolically, so that the spelling of
// the mask does not matter.
#include "Masks.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace appyc::transform {
using namespace ir;

namespace {

/// One side of a mask: edge < point, or point < edge.
struct Side {
  Expr comparison, point, edge;
  bool isLower, open;
};

/// Whether `e`, added, changes nothing: of floats, -0.0 does not, and 0.0 does not change the value.
bool isZero(const Expr& e) {
  const auto* c = e.as<Const>();
  return c && (equal(e, constOf(c->type, 0)) || equal(e, constOf(c->type, -0.0)));
}
bool isNegativeZero(const Expr& e) {
  const auto* c = e.as<Const>();
  const auto* number = c ? std::get_if<double>(&c->value) : nullptr;
  return number && *number == 0 && std::signbit(*number);
}

class MaskSearch {
public:
  explicit MaskSearch(const PointLoop& at) : at_(at), body_(bodyOf(at)) {
    changed_ = assignedVars(at.parallel.body);
    stored_ = storedBuffers(at.parallel.body);
    visit(at.parallel.body, [&](const Stmt& s) {
      if (const auto* loop = s.as<For>(); loop && loop->index != at.loop.index) changed_.insert(loop->index);
      if (const auto* alloc = s.as<Alloc>()) stored_.insert(alloc->buffer.name);
      return true;
    });
    later_ = analysis::exposedScalars(at.loop.body);
    later_.merge(analysis::exposedScalars(at.after));
  }

  std::optional<Mask> run(std::string& reason) {
    collectSides();
    for (const Side& lower : sides_)
      for (const Side& upper : sides_) {
        if (!lower.isLower || upper.isLower || !equal(lower.point, upper.point)) continue;
        if (!mentions(lower.edge, at_.parallel.index) && !mentions(upper.edge, at_.parallel.index)) continue;
        Mask mask{lower.point, lower.edge, upper.edge, lower.open, upper.open, {}, {}, {}};
        for (const Side* side : {&lower, &upper}) mask.comparisons.push_back({side->comparison, true});
        if (doesNothingWithout(lower.comparison, mask) && doesNothingWithout(upper.comparison, mask)) {
          mask.folds = foldsWithin(mask);
          return mask;
        }
        reason = "it does something for points outside of the mask, too";
      }
    return std::nullopt;
  }

private:
  const PointLoop& at_;
  const Evaluation body_; ///< before the body
  std::set<Symbol> changed_, stored_, later_;
  std::vector<Expr> read_; ///< elements that the body reads for each point
  std::vector<Side> sides_;

  //===--- the two comparisons ------------------------------------------------------------------------===//

  void collectSides() {
    Evaluation all = body_;
    all.run(at_.loop.body);
    read_ = std::move(all.loads);
    for (size_t i = 0; i < all.comparisons.size(); ++i) {
      const Expr& e = all.comparisons[i];
      const auto seen = all.comparisons.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::any_of(all.comparisons.begin(), seen, [&](const Expr& x) { return equal(x, e); })) continue;
      if (!e.is<Binary>()) continue; // `x == True`, with what is known put in
      const auto& b = *e.as<Binary>();
      const DType type = typeOf(b.lhs);
      if (!isInteger(type) && !isFloat(type)) continue;
      const bool leftIsPoint = isPoint(b.lhs) && isEdge(b.rhs);
      if (!leftIsPoint && !(isPoint(b.rhs) && isEdge(b.lhs))) continue;
      const Expr& point = leftIsPoint ? b.lhs : b.rhs;
      const Expr& edge = leftIsPoint ? b.rhs : b.lhs;
      const bool less = b.op == BinaryOp::Lt || b.op == BinaryOp::Le;
      const bool open = b.op == BinaryOp::Lt || b.op == BinaryOp::Gt;
      if (b.op == BinaryOp::Ne) continue;
      if (b.op == BinaryOp::Eq) {
        sides_.push_back({e, point, edge, true, false});
        sides_.push_back({e, point, edge, false, false});
      } else {
        sides_.push_back({e, point, edge, less != leftIsPoint, open});
      }
    }
  }

  /// Nothing in the parallel loop's body changes it.
  bool isFixed(const Expr& e) const {
    return body_.isKnown(e) && !intersect(freeVars(e), changed_) && !intersect(loadedBuffers(e), stored_);
  }
  /// Numbers of points are no points: between those, a loop's bounds would do.
  bool isPoint(const Expr& e) const {
    return isFixed(e) && (readsMemory(e) || isFloat(typeOf(e))) && mentions(e, at_.loop.index) &&
           !mentions(e, at_.parallel.index) && existsIn(e, at_.loop);
  }
  bool isEdge(const Expr& e) const {
    return isFixed(e) && !mentions(e, at_.loop.index) && existsIn(e, at_.parallel);
  }

  /// Are the elements that it reads there in every iteration of `loop`, which may not read them itself?
  bool existsIn(const Expr& e, const For& loop) const {
    For resolved = loop;
    resolved.lo = at_.before.resolved(loop.lo);
    resolved.hi = at_.before.resolved(loop.hi);
    analysis::Context context = at_.known;
    context.loops.push_back(&resolved);
    bool exists = true;
    visit(e, [&](const Expr& part) {
      if (const auto* l = part.as<Load>())
        exists = exists &&
                 (std::any_of(read_.begin(), read_.end(), [&](const Expr& r) { return equal(r, part); }) ||
                  analysis::isInRange(at_.function, l->buffer, l->index, context));
      return exists;
    });
    return exists;
  }

  //===--- what happens outside -----------------------------------------------------------------------===//

  bool doesNothingWithout(const Expr& comparison, Mask& mask) const {
    Evaluation outside = body_;
    outside.assume({{comparison, false}});
    outside.run(at_.loop.body);
    if (outside.acts) return false;
    for (const auto& [name, type] : assignedTypes(at_.loop.body)) {
      bool addsZero = false;
      const Expr value = outside.valueOf(name, type);
      if (isUnchanged(value, name, addsZero) ? !addsZero || mayAddZeroOnce(name, mask) : !later_.count(name))
        continue;
      return false;
    }
    return true;
  }

  /// Is the value what `name` held, but for a zero that is added? What else is neutral is gone from what is simplified.
  static bool isUnchanged(const Expr& value, const Symbol& name, bool& addsZero) {
    if (const auto* v = value.as<Var>()) return v->name == name;
    const auto* b = value.as<Binary>();
    if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return false;
    addsZero = true; // -0.0 + 0.0 and -0.0 - -0.0 are 0.0
    if (isZero(b->rhs)) return isUnchanged(b->lhs, name, addsZero);
    return b->op == BinaryOp::Add && isZero(b->lhs) && isUnchanged(b->rhs, name, addsZero);
  }

  //===--- what happens inside ------------------------------------------------------------------------===//

  /// Of `x if x > name else name`, which passes over a NaN, what the maximum is folded with; likewise of a minimum.
  static Expr chosenInto(const Select& s, const Symbol& name, ReduceOp op) {
    const auto* rest = s.otherwise.as<Var>();
    const auto* b = s.cond.as<Binary>();
    if (!rest || rest->name != name || !b || mentions(s.then, name)) return {};
    const bool above = b->op == BinaryOp::Gt || b->op == BinaryOp::Ge;
    const bool below = b->op == BinaryOp::Lt || b->op == BinaryOp::Le;
    const bool first = equal(b->lhs, s.then) && equal(b->rhs, s.otherwise);
    if (!first && !(equal(b->rhs, s.then) && equal(b->lhs, s.otherwise))) return {};
    const bool largest = (above && first) || (below && !first);
    if ((!above && !below) || op != (largest ? ReduceOp::Max : ReduceOp::Min)) return {};
    if (!isFloat(s.type)) return s.then;
    return select(eq(s.then, s.then), s.then, identity(op, s.type));
  }

  /// With what `name` is folded, where `value` is its fold with something; an empty handle where it is not.
  static Expr foldedInto(const Expr& value, const Symbol& name, ReduceOp op) {
    if (const auto* s = value.as<Select>()) return chosenInto(*s, name, op);
    const auto* b = value.as<Binary>();
    if (!b) return {};
    const bool subtracts = op == ReduceOp::Sum && b->op == BinaryOp::Sub && !isBool(b->type);
    const Expr combined = combine(op, b->lhs, b->rhs);
    const auto* whole = combined.as<Binary>();
    const bool isBits = isBool(b->type) && ((op == ReduceOp::And && b->op == BinaryOp::BitAnd) ||
                                            (op == ReduceOp::Or && b->op == BinaryOp::BitOr));
    if (!subtracts && !isBits && (!whole || whole->op != b->op)) return {};
    for (const bool swapped : {false, true}) {
      if (swapped && subtracts) break;
      const Expr &rest = swapped ? b->rhs : b->lhs, &part = swapped ? b->lhs : b->rhs;
      if (mentions(part, name)) continue;
      const Expr own = subtracts ? unary(UnaryOp::Neg, part) : part;
      if (const auto* v = rest.as<Var>(); v && v->name == name) return own;
      if (const Expr before = foldedInto(rest, name, op)) return combine(op, before, own);
    }
    return {};
  }

  /// The folds of a body that does nothing else for points of the mask.
  std::optional<std::vector<PointFold>> foldsWithin(const Mask& mask) const {
    if (at_.loop.order == Order::Serial) return {};
    Evaluation inside = body_;
    inside.assume(mask.comparisons);
    inside.run(at_.loop.body);
    if (inside.acts) return {};
    std::vector<PointFold> folds;
    for (const auto& [name, type] : assignedTypes(at_.loop.body)) {
      const auto& all = at_.loop.reductions;
      const auto reduction =
          std::find_if(all.begin(), all.end(), [&, n = name](const Reduction& r) { return r.var == n; });
      if (reduction == all.end() && !later_.count(name)) continue;
      if (reduction == all.end()) return {};
      const Expr value = foldedInto(inside.valueOf(name, type), name, reduction->op);
      if (!value || !isFixed(value) || mentions(value, at_.parallel.index) || !existsIn(value, at_.loop))
        return {};
      folds.push_back({*reduction, value});
    }
    return folds.empty() ? std::nullopt : std::optional(folds);
  }

  /// Is `name` a sum, to which one 0.0 does what many do? One that starts from a number but -0.0 needs none.
  bool mayAddZeroOnce(const Symbol& name, Mask& mask) const {
    const auto& all = at_.loop.reductions;
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Reduction& r) { return r.var == name; });
    if (found == all.end() || found->op != ReduceOp::Sum) return !later_.count(name);
    const Expr start = at_.before.valueOf(name, found->type);
    if (isComplex(found->type)) return equal(start, constOf(found->type, 0));
    const bool known = start.is<Const>() && !isNegativeZero(start);
    const bool noted = std::any_of(mask.addZero.begin(), mask.addZero.end(),
                                   [&](const Reduction& r) { return r.var == name; });
    if (!known && !noted) mask.addZero.push_back(*found);
    return true;
  }
};

} // namespace

Evaluation bodyOf(const PointLoop& at) {
  Evaluation body = at.before;
  for (const Symbol& s : assignedVars(at.loop.body)) body.restart(s);
  body.acts = false;
  body.comparisons.clear();
  return body;
}

std::optional<Mask> findMask(const PointLoop& at, std::string& reason) { return MaskSearch(at).run(reason); }

} // namespace appyc::transform
