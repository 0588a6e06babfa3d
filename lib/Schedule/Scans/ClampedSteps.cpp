//===- ClampedSteps.cpp - steps min(max(x + shift, low), high) -----------------------------------------===//
//   here = max(v, here + v)                shift = v, low = v
//   here = v if here < 0 else here + v     likewise: both branches give the same where `here` is 0
//   run = run + 1 if v > 0 else 0          shift = 1, no bounds;  or 0, with both bounds 0
#include "StepMaps.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <utility>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kNoBound = 1LL << 62; ///< of integers: beyond all that is safe
constexpr int64_t kSmall = 1 << 20;     ///< a constant that no number of steps adds up to what is unsafe

bool isZero(const Expr& e) { return e && equal(e, constOf(typeOf(e), 0)); }

Expr sum(const Expr& a, const Expr& b) {
  if (isZero(a)) return b;
  return isZero(b) ? a : binary(BinaryOp::Add, a, b);
}

/// What max(), or min(), with any number leaves as it is.
Expr noBound(BinaryOp bound, DType type) {
  if (isFloat(type)) return identity(bound == BinaryOp::Max ? ReduceOp::Max : ReduceOp::Min, type);
  return intConst(bound == BinaryOp::Max ? -kNoBound : kNoBound);
}

struct ClampForm {
  Expr shift, low, high; ///< null: no such bound
};

class Clamps {
public:
  Clamps(const Symbol& x, DType type, const Expr& steps) : x_(x), type_(type), steps_(steps) {}

  std::optional<ClampForm> of(const Expr& value) {
    if (typeOf(value) != type_) return std::nullopt;
    if (isX(value)) return ClampForm{constOf(type_, 0), {}, {}};
    if (!mentions(value, x_)) {
      ask(value);
      return ClampForm{constOf(type_, 0), value, value};
    }
    if (const auto* s = value.as<Select>()) return mentions(s->cond, x_) ? extreme(*s) : choice(*s);
    const auto* b = value.as<Binary>();
    if (!b || mentions(b->lhs, x_) == mentions(b->rhs, x_)) return std::nullopt;
    const bool isLeft = mentions(b->lhs, x_);
    if (!isLeft && b->op == BinaryOp::Sub) return std::nullopt;
    const Expr& other = isLeft ? b->rhs : b->lhs;
    std::optional<ClampForm> form = of(isLeft ? b->lhs : b->rhs);
    if (!form) return std::nullopt;
    switch (b->op) {
    case BinaryOp::Add: return shifted(*form, other);
    case BinaryOp::Sub: return shifted(*form, unary(UnaryOp::Neg, other));
    case BinaryOp::Max: return bounded(*form, other, BinaryOp::Max);
    case BinaryOp::Min: return bounded(*form, other, BinaryOp::Min);
    default: return std::nullopt;
    }
  }

  Expr isSafe() const { return isSafe_; }

private:
  bool isX(const Expr& e) const { return e.is<Var>() && e.as<Var>()->name == x_; }

  /// Sums of as many of these as there are steps are no more than a number can be.
  void ask(const Expr& number) {
    if (const auto known = constantInt(number); known && *known <= kSmall && *known >= -kSmall) return;
    if (number.is<Const>() && isFloat(type_)) return; // no NaN, as it is written
    const Expr most = isFloat(type_) ? constOf(type_, mostToAdd(type_))
                                     : floorDiv(intConst(1LL << 60), maxOf(steps_, intConst(1)));
    const Expr one = magnitudeOf(number) <= most;
    bool isAsked = false;
    if (isSafe_) visit(isSafe_, [&](const Expr& e) { return !(isAsked |= equal(e, one)); });
    if (!isAsked) isSafe_ = isSafe_ ? both(isSafe_, one) : one;
  }

  ClampForm shifted(const ClampForm& f, const Expr& by) {
    ask(by);
    const auto moved = [&](const Expr& bound) { return bound ? sum(bound, by) : bound; };
    return {sum(f.shift, by), moved(f.low), moved(f.high)};
  }

  ClampForm bounded(const ClampForm& f, const Expr& by, BinaryOp op) {
    ask(by);
    const auto meet = [&](const Expr& bound) { return equal(bound, by) ? bound : binary(op, bound, by); };
    const bool isMax = op == BinaryOp::Max;
    const Expr& own = isMax ? f.low : f.high;
    const Expr& other = isMax ? f.high : f.low;
    const Expr bound = own ? meet(own) : by;
    // Where one bound is past the other, the one that came last holds.
    const Expr moved = other ? meet(other) : Expr();
    return isMax ? ClampForm{f.shift, bound, moved} : ClampForm{f.shift, moved, bound};
  }

  /// Of branches that x does not choose.
  std::optional<ClampForm> choice(const Select& s) {
    const Expr before = std::exchange(isSafe_, Expr());
    const auto then = of(s.then);
    const Expr safeThen = std::exchange(isSafe_, Expr());
    const auto otherwise = then ? of(s.otherwise) : std::nullopt;
    if (!otherwise) return std::nullopt;
    const Expr safeOther = std::exchange(isSafe_, before);
    if (safeThen || safeOther) {
      const auto given = [](const Expr& e) { return e ? e : boolConst(true); };
      const Expr own = select(s.cond, given(safeThen), given(safeOther));
      isSafe_ = before ? both(before, own) : own;
    }
    const auto chosen = [&](const Expr& a, const Expr& b, const Expr& none) -> Expr {
      if (!a && !b) return {};
      const Expr first = a ? a : none, second = b ? b : none;
      return equal(first, second) ? first : select(s.cond, first, second);
    };
    return ClampForm{chosen(then->shift, otherwise->shift, {}),
                     chosen(then->low, otherwise->low, noBound(BinaryOp::Max, type_)),
                     chosen(then->high, otherwise->high, noBound(BinaryOp::Min, type_))};
  }

  /// `a if a > b else b`, where one of them is free of x; `v if x < 0 else x + v`, which is max(x, 0) + v.
  std::optional<ClampForm> extreme(const Select& s) {
    const auto* c = s.cond.as<Binary>();
    if (!c) return std::nullopt;
    const bool greater = c->op == BinaryOp::Gt || c->op == BinaryOp::Ge;
    if (!greater && c->op != BinaryOp::Lt && c->op != BinaryOp::Le) return std::nullopt;
    const bool straight = equal(c->lhs, s.then) && equal(c->rhs, s.otherwise);
    const bool turned = equal(c->lhs, s.otherwise) && equal(c->rhs, s.then);
    if (straight || turned) {
      const bool isFirst = mentions(s.then, x_);
      if (isFirst == mentions(s.otherwise, x_)) return std::nullopt;
      const auto form = of(isFirst ? s.then : s.otherwise);
      if (!form) return std::nullopt;
      return bounded(*form, isFirst ? s.otherwise : s.then,
                     greater == straight ? BinaryOp::Max : BinaryOp::Min);
    }
    // Which values of x the condition leaves to the other branch, and both give the same at its edge.
    const bool isLeft = isX(c->lhs), isRight = isX(c->rhs);
    if (isLeft == isRight) return std::nullopt;
    const Expr& edge = isLeft ? c->rhs : c->lhs;
    const bool thenIsMoved = mentions(s.then, x_);
    const Expr &moved = thenIsMoved ? s.then : s.otherwise, &fixed = thenIsMoved ? s.otherwise : s.then;
    if (mentions(edge, x_) || mentions(fixed, x_) || !mentions(moved, x_)) return std::nullopt;
    const Expr there = sumAt(moved, edge);
    if (!there || !equal(there, fixed)) return std::nullopt;
    const bool movesAbove = (greater == isLeft) == thenIsMoved;
    const auto form = of(moved);
    if (!form) return std::nullopt;
    return bounded(*form, fixed, movesAbove ? BinaryOp::Max : BinaryOp::Min);
  }

  /// `moved`, x + v or v + x or x - v, at an edge.
  Expr sumAt(const Expr& moved, const Expr& edge) const {
    const auto* b = moved.as<Binary>();
    if (isX(moved)) return edge;
    if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return {};
    if (b->op == BinaryOp::Add && isX(b->rhs) && !mentions(b->lhs, x_)) return sum(b->lhs, edge);
    if (!isX(b->lhs) || mentions(b->rhs, x_)) return {};
    return sum(edge, b->op == BinaryOp::Add ? b->rhs : unary(UnaryOp::Neg, b->rhs));
  }

  const Symbol& x_;
  DType type_;
  const Expr& steps_;
  Expr isSafe_;
};

} // namespace

std::optional<StepMap> clampedMap(const Expr& value, const Symbol& x, const Expr& steps) {
  const DType type = typeOf(value);
  if (!isFloat(type) && type != DType::I64) return std::nullopt;
  Clamps clamps(x, type, steps);
  const auto form = clamps.of(value);
  if (!form) return std::nullopt;
  StepMap map{.kind = StepMap::Kind::Clamped,
              .type = type,
              .parts = {{"shift", form->shift, constOf(type, 0), type}},
              .hasLow = bool(form->low),
              .hasHigh = bool(form->high),
              .modulus = {},
              .isSafe = clamps.isSafe()};
  if (form->low) map.parts.push_back({"low", form->low, noBound(BinaryOp::Max, type), type});
  if (form->high) map.parts.push_back({"high", form->high, noBound(BinaryOp::Min, type), type});
  return map;
}

} // namespace appyc::schedule
