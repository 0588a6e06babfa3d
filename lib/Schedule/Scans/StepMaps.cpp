//===- StepMaps.cpp - steps as maps of the number that they hand on ------------------------------------===//
//   d = v[i] - mean
//   mean = mean + d / n                    a = 1 + -1 / n,  b = v[i] / n
//   h = (h * 31 + c) % m                   a = 31 % m,  b = c % m
//   if not isnan(v): last = v              v where it is no NaN
#include "StepMaps.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Walk.h"
#include <limits>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int kLongest = 400;               ///< nodes of an expression
constexpr int64_t kModulus = 3'037'000'499; ///< the largest one of which products fit

using Values = std::map<Symbol, Expr>;

bool readStep(const std::vector<Stmt>& step, Values& values) {
  for (const Stmt& s : step) {
    if (const auto* a = s.as<Assign>()) {
      const Expr value = substitute(a->value, values);
      int nodes = 0;
      visit(value, [&](const Expr&) { return ++nodes <= kLongest; });
      if (nodes > kLongest) return false;
      values[a->var] = value;
    } else if (const auto* branch = s.as<If>()) {
      const Expr cond = substitute(branch->cond, values);
      Values then = values, otherwise = values;
      if (!readStep(statementsOf(branch->then), then) ||
          (branch->otherwise && !readStep(statementsOf(branch->otherwise), otherwise)))
        return false;
      const std::map<Symbol, DType> types = assignedTypes(s);
      for (const auto& [x, type] : types) {
        const auto behind = [&](const Values& v) { return v.contains(x) ? v.at(x) : var(x, type); };
        values[x] = select(cond, behind(then), behind(otherwise));
      }
    } else if (!s.is<Store>()) {
      return false;
    }
  }
  return true;
}

//===--- a * x + b --------------------------------------------------------------------------------------===//

struct AffineForm {
  Expr a, b;
};

/// The value as a * v + b, of numbers that are free of v, where it is made of sums, and of products and quotients with what is.
/// Of integers modulo `modulus`, in any part of it.
std::optional<AffineForm> affineForm(const Expr& value, const Symbol& v, const Expr& modulus) {
  const DType type = typeOf(value);
  if (modulus ? type != DType::I64 : !isFloat(type)) return std::nullopt;
  if (value.is<Var>() && value.as<Var>()->name == v) return AffineForm{constOf(type, 1), constOf(type, 0)};
  if (!mentions(value, v)) return AffineForm{constOf(type, 0), value};
  if (const auto* u = value.as<Unary>(); u && u->op == UnaryOp::Neg) {
    const auto form = affineForm(u->arg, v, modulus);
    if (!form) return std::nullopt;
    return AffineForm{unary(UnaryOp::Neg, form->a), unary(UnaryOp::Neg, form->b)};
  }
  const auto* b = value.as<Binary>();
  if (b && b->op == BinaryOp::Mod && modulus && equal(b->rhs, modulus)) return affineForm(b->lhs, v, modulus);
  const bool isSum = b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub);
  const bool scales = b && ((b->op == BinaryOp::Mul && mentions(b->lhs, v) != mentions(b->rhs, v)) ||
                            (b->op == BinaryOp::Div && !mentions(b->rhs, v)));
  if (!isSum && !scales) return std::nullopt;
  const auto left = affineForm(b->lhs, v, modulus), right = affineForm(b->rhs, v, modulus);
  if (!left || !right) return std::nullopt;
  if (isSum) return AffineForm{binary(b->op, left->a, right->a), binary(b->op, left->b, right->b)};
  if (mentions(b->lhs, v)) return AffineForm{binary(b->op, left->a, b->rhs), binary(b->op, left->b, b->rhs)};
  return AffineForm{binary(b->op, b->lhs, right->a), binary(b->op, b->lhs, right->b)};
}

std::optional<StepMap> affineMap(const Expr& value, const Symbol& x) {
  const auto form = affineForm(value, x, {});
  if (!form) return std::nullopt;
  // Products of such are smaller than what they are made of.
  const DType type = typeOf(value);
  return StepMap{
      .kind = StepMap::Kind::Affine,
      .type = type,
      .parts = {{"rest", form->b, constOf(type, 0), type}, {"scale", form->a, constOf(type, 1), type}},
      .modulus = {},
      .isSafe = magnitudeOf(form->a) <= constOf(type, 1)};
}

/// `x & 255` as well, for `x % 256`.
std::optional<std::pair<Expr, Expr>> remainderOf(const Expr& value) {
  const auto* b = value.as<Binary>();
  if (!b || typeOf(value) != DType::I64) return std::nullopt;
  if (b->op == BinaryOp::Mod) return std::pair(b->lhs, b->rhs);
  const auto isMask = [](int64_t m) { return m > 0 && m < (1LL << 62) && (m & (m + 1)) == 0; };
  if (const auto mask = constantInt(b->rhs); b->op == BinaryOp::BitAnd && mask && isMask(*mask))
    return std::pair(b->lhs, intConst(*mask + 1));
  return std::nullopt;
}

std::optional<StepMap> modularMap(const Expr& value, const Symbol& x, const std::set<Symbol>& varying) {
  const auto remainder = remainderOf(value);
  if (!remainder || mentionsAny(remainder->second, varying) || readsMemory(remainder->second))
    return std::nullopt;
  const Expr& m = remainder->second;
  const auto known = constantInt(m);
  // What wraps is right modulo a power of two.
  if (known && (*known <= 0 || (*known > kModulus && (*known & (*known - 1)) != 0))) return std::nullopt;
  const auto form = affineForm(remainder->first, x, m);
  if (!form) return std::nullopt;
  return StepMap{.kind = StepMap::Kind::Modular,
                 .type = DType::I64,
                 .parts = {{"rest", mod(form->b, m), intConst(0), DType::I64},
                           {"scale", mod(form->a, m), intConst(1), DType::I64}},
                 .modulus = m,
                 .isSafe = known ? Expr() : both(m > 0, m <= intConst(kModulus))};
}

//===--- x, or what the step gives ----------------------------------------------------------------------===//

struct ChosenForm {
  Expr isGiven, given; ///< given: null where it never is
};

std::optional<ChosenForm> chosenForm(const Expr& value, const Symbol& x) {
  if (value.is<Var>() && value.as<Var>()->name == x) return ChosenForm{boolConst(false), {}};
  if (!mentions(value, x)) return ChosenForm{boolConst(true), value};
  const auto* s = value.as<Select>();
  if (!s || mentions(s->cond, x)) return std::nullopt;
  const auto then = chosenForm(s->then, x), otherwise = chosenForm(s->otherwise, x);
  if (!then || !otherwise) return std::nullopt;
  ChosenForm form{select(s->cond, then->isGiven, otherwise->isGiven),
                  then->given ? then->given : otherwise->given};
  if (then->given && otherwise->given) form.given = select(s->cond, then->given, otherwise->given);
  return form;
}

std::optional<StepMap> chosenMap(const Expr& value, const Symbol& x) {
  const auto form = chosenForm(value, x);
  if (!form || !form->given) return std::nullopt;
  const DType type = typeOf(value);
  // What is not given is not made either: it may be no element.
  const Expr none = constOf(type, 0), given = select(form->isGiven, form->given, none);
  return StepMap{
      .kind = StepMap::Kind::Chosen,
      .type = type,
      .parts = {{"is_given", form->isGiven, boolConst(false), DType::Bool}, {"given", given, none, type}},
      .modulus = {},
      .isSafe = {}};
}

} // namespace

Expr magnitudeOf(const Expr& e) {
  return isFloat(typeOf(e)) ? call(Intrinsic::Fabs, typeOf(e), {e}) : maxOf(e, intConst(0) - e);
}

std::optional<Values> valuesBehind(const std::vector<Stmt>& step) {
  Values values;
  return readStep(step, values) ? std::optional(values) : std::nullopt;
}

std::optional<StepMap> stepMap(const Expr& value, const Symbol& x, const std::set<Symbol>& varying,
                               const Expr& steps) {
  if (auto map = chosenMap(value, x)) return map;
  if (auto map = clampedMap(value, x, steps)) return map;
  if (auto map = affineMap(value, x)) return map;
  return modularMap(value, x, varying);
}

StepMap::Numbers StepMap::then(const Numbers& first, const Numbers& next) const {
  if (kind == Kind::Chosen) return {either(first[0], next[0]), select(next[0], next[1], first[1])};
  if (kind != Kind::Clamped) {
    const Expr rest = binary(BinaryOp::Add, binary(BinaryOp::Mul, next[1], first[0]), next[0]),
               scale = binary(BinaryOp::Mul, next[1], first[1]);
    return modulus ? Numbers{mod(rest, modulus), mod(scale, modulus)} : Numbers{rest, scale};
  }
  Numbers all{binary(BinaryOp::Add, first[0], next[0])};
  for (size_t k = 1; k < parts.size(); ++k) {
    Expr bound = binary(BinaryOp::Add, first[k], next[0]);
    if (hasLow) bound = maxOf(bound, next[1]);
    if (hasHigh) bound = minOf(bound, next.back());
    all.push_back(bound);
  }
  return all;
}

Expr StepMap::of(const Numbers& map, const Expr& x) const {
  if (kind == Kind::Chosen) return select(map[0], map[1], x);
  if (kind != Kind::Clamped) {
    const Expr from = modulus ? mod(x, modulus) : x,
               made = binary(BinaryOp::Add, binary(BinaryOp::Mul, map[1], from), map[0]);
    return modulus ? mod(made, modulus) : made;
  }
  Expr made = binary(BinaryOp::Add, x, map[0]);
  if (hasLow) made = maxOf(made, map[1]);
  return hasHigh ? minOf(made, map.back()) : made;
}

Expr StepMap::isSafeFor(const Expr& x) const {
  if (kind == Kind::Modular || kind == Kind::Chosen) return {};
  if (!isFloat(type)) return magnitudeOf(x) <= intConst(1LL << 60);
  const double most = kind == Kind::Clamped ? mostToAdd(type)
                      : type == DType::F64  ? std::numeric_limits<double>::max()
                                            : std::numeric_limits<float>::max();
  return magnitudeOf(x) <= constOf(type, most); // 0 * inf is not what all steps give
}

} // namespace appyc::schedule
