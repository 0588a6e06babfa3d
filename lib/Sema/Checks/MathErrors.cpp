//===- MathErrors.cpp - where Python's functions of floats raise -----------------------------------------===//
// NumPy gives nan or inf where CPython's `math` and `**` raise: ValueError outside of a function's domain, OverflowError
// where finite numbers give an infinite one. Checked where a statement runs once, or with --sanitize=arithmetic.
#include "Lowering.h"
#include "appyc/IR/Dsl.h"
#include <cmath>

namespace appyc::sema {

namespace {
using Op = ir::BinaryOp;

/// Where a function of one number has a value; nan gives nan.
enum class Domain { AtLeast, Above, Within, Inside, Finite }; ///< Within [-low, low], inside (-low, low)

struct Bounded {
  Domain domain;
  int64_t low;
};

std::optional<Bounded> domainOf(std::string_view function) {
  static const std::map<std::string_view, Bounded> kDomains = {
      {"sqrt", {Domain::AtLeast, 0}}, {"log", {Domain::Above, 0}},    {"log2", {Domain::Above, 0}},
      {"log10", {Domain::Above, 0}},  {"log1p", {Domain::Above, -1}}, {"acosh", {Domain::AtLeast, 1}},
      {"asin", {Domain::Within, 1}},  {"acos", {Domain::Within, 1}},  {"atanh", {Domain::Inside, 1}},
      {"sin", {Domain::Finite, 0}},   {"cos", {Domain::Finite, 0}},   {"tan", {Domain::Finite, 0}}};
  const auto found = kDomains.find(function);
  return found == kDomains.end() ? std::nullopt : std::optional(found->second);
}

bool mayOverflow(std::string_view function) {
  return function == "exp" || function == "exp2" || function == "expm1" || function == "sinh" ||
         function == "cosh";
}

const double* constantFloat(const Expr& e) {
  const auto* c = e.as<ir::Const>();
  return c ? std::get_if<double>(&c->value) : nullptr;
}

using ir::both;
using ir::isNot;
Expr isInfinite(const Expr& x) { return ir::call(ir::Intrinsic::IsInf, DType::Bool, {x}); }
Expr isFinite(const Expr& x) {
  if (const double* c = constantFloat(x)) return ir::boolConst(std::isfinite(*c));
  return ir::call(ir::Intrinsic::IsFinite, DType::Bool, {x});
}
Expr isNan(const Expr& x) { return ir::call(ir::Intrinsic::IsNan, DType::Bool, {x}); }
} // namespace

static bool isOutside(const Bounded& b, double x) {
  const auto low = static_cast<double>(b.low);
  switch (b.domain) {
  case Domain::AtLeast: return x < low;
  case Domain::Above: return x <= low;
  case Domain::Within: return std::fabs(x) > low;
  case Domain::Inside: return std::fabs(x) >= low;
  case Domain::Finite: return std::isinf(x);
  }
  return false;
}

static Expr isOutside(const Bounded& b, const Expr& x) {
  const Expr low = ir::floatConst(static_cast<double>(b.low)),
             size = ir::call(ir::Intrinsic::Abs, DType::F64, {x});
  switch (b.domain) {
  case Domain::AtLeast: return ir::binary(Op::Lt, x, low);
  case Domain::Above: return ir::binary(Op::Le, x, low);
  case Domain::Within: return ir::binary(Op::Gt, size, low);
  case Domain::Inside: return ir::binary(Op::Ge, size, low);
  case Domain::Finite: break;
  }
  return isInfinite(x);
}

/// What is used more than once is computed once, but for what the caller can compute: sizes may be made of it.
Expr Lowering::namedOnce(const Expr& e, const std::string& hint) {
  return e.is<ir::Const>() || isEntryExpr(e) ? e : materialize(e, hint);
}

/// An argument of a function of `math`, an F64; a constant outside of the domain is an error.
std::optional<Expr> Lowering::inDomain(const std::string& function, const Expr& argument, Span where) {
  if (mayOverflow(function) && raisesHere()) return namedOnce(argument, "x");
  const std::optional<Bounded> bounded = domainOf(function);
  if (!bounded) return argument;
  if (const double* x = constantFloat(argument)) {
    if (!isOutside(*bounded, *x)) return argument;
    error(DiagId::TypeMismatch, where,
          fmt::format("Python's `math.{}` raises ValueError for {}", function, *x));
    return std::nullopt;
  }
  if (!raisesHere()) return argument;
  if (const auto* c = argument.as<ir::Cast>(); c && ir::isInteger(ir::typeOf(c->arg))) {
    const int64_t least = bounded->low + (bounded->domain == Domain::Above ? 1 : 0);
    const bool hasEnd = bounded->domain == Domain::AtLeast || bounded->domain == Domain::Above;
    if (bounded->domain == Domain::Finite) return argument;
    if (hasEnd && isNonNegative(ir::sub(ir::cast(DType::I64, c->arg), ir::intConst(least)))) return argument;
  }
  const Expr x = namedOnce(argument, "x");
  require(isNot(isOutside(*bounded, x)), "ValueError", "math domain error");
  return x;
}

/// A function's value, which is finite where the argument is.
Value Lowering::inRange(const std::string& function, const Expr& argument, const Value& value) {
  constexpr double kSafe = 700; // e to it is finite
  const double* known = constantFloat(argument);
  const auto* result = value.as<Scalar>();
  if (!result || !mayOverflow(function) || !raisesHere() || (known && std::fabs(*known) < kSafe))
    return value;
  const Expr y = namedOnce(result->e, "y");
  require(isNot(both(isInfinite(y), isFinite(argument))), "OverflowError", "math range error");
  return Value{keptIn(*result, y)};
}

/// x ** y of Python's floats, or math.pow, which has a domain.
Value Lowering::powerInRange(const Expr& x, const Expr& y, const Value& value, bool isMath) {
  const auto* result = value.as<Scalar>();
  const double *base = constantFloat(x), *exponent = constantFloat(y);
  if (!result || !raisesHere() || (base && exponent && std::isfinite(std::pow(*base, *exponent))))
    return value;
  const Expr z = namedOnce(result->e, "power");
  const Expr overflows = both(isInfinite(z), both(isFinite(x), isFinite(y)));
  if (isMath) {
    const Expr areNumbers = both(isNot(isNan(x)), isNot(isNan(y)));
    require(isNot(both(isNan(z), areNumbers)), "ValueError", "math domain error");
    require(isNot(both(ir::binary(Op::Eq, x, ir::floatConst(0)), overflows)), "ValueError",
            "math domain error");
  }
  require(isNot(overflows), "OverflowError", isMath ? "math range error" : "a power past the largest float");
  return Value{keptIn(*result, z)};
}

} // namespace appyc::sema
