//===- Fold.cpp - arithmetic on constants, as NumPy does it ----------------------------------------===//
#include "Fold.h"
#include "appyc/IR/Build.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace appyc::ir {

namespace {

int bitWidth(DType type) { return 8 * byteSize(type); }

/// The low bits of `bits` as a value of integer type `type`.
Expr wrapped(DType type, uint64_t bits) {
  int unused = 64 - bitWidth(type);
  if (isSigned(type)) return make(Const{type, static_cast<int64_t>(bits << unused) >> unused});
  return make(Const{type, (bits << unused) >> unused});
}

/// Bits of an integer or bool constant, sign-extended.
uint64_t bitsOf(const Const& c) {
  return std::visit(Overloaded{[](bool v) -> uint64_t { return v; },
                               [](int64_t v) { return static_cast<uint64_t>(v); },
                               [](uint64_t v) { return v; },
                               [](const auto&) -> uint64_t { internalError("integer constant expected"); }},
                    c.value);
}

uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1, base *= base)
    if (exponent & 1) result *= base;
  return result;
}

template <class T> std::optional<bool> compare(BinaryOp op, T a, T b) {
  switch (op) {
  case BinaryOp::Eq: return a == b;
  case BinaryOp::Ne: return a != b;
  case BinaryOp::Lt: return a < b;
  case BinaryOp::Le: return a <= b;
  case BinaryOp::Gt: return a > b;
  case BinaryOp::Ge: return a >= b;
  default: return std::nullopt;
  }
}

int64_t floorDiv(int64_t a, int64_t b) {
  if (b == -1) // INT64_MIN // -1 wraps
    return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

/// Division, order and right shift: where signed and unsigned differ. Signed operands are sign-extended.
Expr foldSigned(BinaryOp op, DType type, int64_t a, int64_t b) {
  auto result = [&](int64_t v) { return wrapped(type, static_cast<uint64_t>(v)); };
  switch (op) {
  case BinaryOp::FloorDiv: return result(b == 0 ? 0 : floorDiv(a, b));
  case BinaryOp::Mod:
    if (b == 0 || b == -1) return result(0);
    return result(a % b != 0 && (a < 0) != (b < 0) ? a % b + b : a % b);
  case BinaryOp::Min: return result(std::min(a, b));
  case BinaryOp::Max: return result(std::max(a, b));
  case BinaryOp::Shr: return result(b >= 0 && b < bitWidth(type) ? a >> b : a < 0 ? -1 : 0);
  case BinaryOp::Pow:
    return b < 0 ? Expr() : wrapped(type, power(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  default: break;
  }
  auto truth = compare(op, a, b);
  return truth ? boolConst(*truth) : Expr();
}

Expr foldUnsigned(BinaryOp op, DType type, uint64_t a, uint64_t b) {
  switch (op) {
  case BinaryOp::FloorDiv: return wrapped(type, b == 0 ? 0 : a / b);
  case BinaryOp::Mod: return wrapped(type, b == 0 ? 0 : a % b);
  case BinaryOp::Min: return wrapped(type, std::min(a, b));
  case BinaryOp::Max: return wrapped(type, std::max(a, b));
  case BinaryOp::Shr: return wrapped(type, b < static_cast<uint64_t>(bitWidth(type)) ? a >> b : 0);
  case BinaryOp::Pow: return wrapped(type, power(a, b));
  default: break;
  }
  auto truth = compare(op, a, b);
  return truth ? boolConst(*truth) : Expr();
}

Expr foldInteger(BinaryOp op, DType type, uint64_t a, uint64_t b) {
  switch (op) {
  case BinaryOp::Add: return wrapped(type, a + b);
  case BinaryOp::Sub: return wrapped(type, a - b);
  case BinaryOp::Mul: return wrapped(type, a * b);
  case BinaryOp::BitAnd: return wrapped(type, a & b);
  case BinaryOp::BitOr: return wrapped(type, a | b);
  case BinaryOp::BitXor: return wrapped(type, a ^ b);
  case BinaryOp::Shl: return wrapped(type, b < static_cast<uint64_t>(bitWidth(type)) ? a << b : 0);
  default: break;
  }
  return isSigned(type) ? foldSigned(op, type, static_cast<int64_t>(a), static_cast<int64_t>(b))
                        : foldUnsigned(op, type, a, b);
}

/// On bools NumPy's + is `or` and * is `and`.
Expr foldBool(BinaryOp op, bool a, bool b) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Max:
  case BinaryOp::BitOr:
  case BinaryOp::LogicalOr: return boolConst(a || b);
  case BinaryOp::Mul:
  case BinaryOp::Min:
  case BinaryOp::BitAnd:
  case BinaryOp::LogicalAnd: return boolConst(a && b);
  case BinaryOp::BitXor: return boolConst(a != b);
  default: break;
  }
  auto truth = compare(op, a, b);
  return truth ? boolConst(*truth) : Expr();
}

/// Whether trunc(value) is a value of integer type `type`.
bool inRange(DType type, double value) {
  double truncated = std::trunc(value);
  int bits = bitWidth(type) - (isSigned(type) ? 1 : 0);
  double end = std::ldexp(1.0, bits);                                   // exact, one past the largest
  return truncated >= (isSigned(type) ? -end : 0.0) && truncated < end; // false for NaN
}

double roundedTo(DType realType, double value) {
  return realType == DType::F32 ? static_cast<double>(static_cast<float>(value)) : value;
}

Expr complexConst(DType type, std::complex<double> value) {
  DType real = realOf(type);
  return make(
      Const{type, std::complex<double>(roundedTo(real, value.real()), roundedTo(real, value.imag()))});
}

/// An integer in one rounding to the float type: by way of double it would be two.
template <class Int> double asReal(DType realType, Int value) {
  return realType == DType::F32 ? static_cast<double>(static_cast<float>(value)) : static_cast<double>(value);
}

template <class Int> Expr castInteger(DType type, Int value) {
  if (isBool(type)) return boolConst(value != 0);
  if (isInteger(type)) return wrapped(type, static_cast<uint64_t>(value));
  return isComplex(type) ? complexConst(type, asReal(realOf(type), value))
                         : floatConst(asReal(type, value), type);
}

Expr castDouble(DType type, double value) {
  if (isBool(type)) return boolConst(value != 0);
  if (isComplex(type)) return complexConst(type, value);
  if (isFloat(type)) return floatConst(value, type);
  if (!inRange(type, value)) return {};
  return isSigned(type) ? make(Const{type, static_cast<int64_t>(value)})
                        : make(Const{type, static_cast<uint64_t>(value)});
}

} // namespace

Expr foldBinary(BinaryOp op, const Const& a, const Const& b) {
  if (isBool(a.type)) return foldBool(op, std::get<bool>(a.value), std::get<bool>(b.value));
  if (isInteger(a.type)) return op == BinaryOp::Div ? Expr() : foldInteger(op, a.type, bitsOf(a), bitsOf(b));
  if (isComplex(a.type)) {
    bool same = std::get<std::complex<double>>(a.value) == std::get<std::complex<double>>(b.value);
    return op == BinaryOp::Eq ? boolConst(same) : op == BinaryOp::Ne ? boolConst(!same) : Expr();
  }
  auto truth = compare(op, std::get<double>(a.value), std::get<double>(b.value));
  return truth ? boolConst(*truth) : Expr();
}

Expr foldUnary(UnaryOp op, const Const& a) {
  if (isBool(a.type)) return op == UnaryOp::Neg ? Expr() : boolConst(!std::get<bool>(a.value));
  if (isInteger(a.type)) return wrapped(a.type, op == UnaryOp::Neg ? 0 - bitsOf(a) : ~bitsOf(a));
  if (op == UnaryOp::Neg && isFloat(a.type)) // exact
    return floatConst(-std::get<double>(a.value), a.type);
  return {};
}

Expr foldAbs(const Const& a) {
  if (isComplex(a.type)) return {}; // rounds
  if (isFloat(a.type)) return floatConst(std::fabs(std::get<double>(a.value)), a.type);
  const uint64_t bits = bitsOf(a);
  return isBool(a.type) || !isSigned(a.type) || static_cast<int64_t>(bits) >= 0 ? make(Const(a))
                                                                                : wrapped(a.type, 0 - bits);
}

Expr foldCast(DType type, const Const& c) {
  return std::visit(Overloaded{[&](bool v) { return castInteger(type, static_cast<int64_t>(v)); },
                               [&](int64_t v) { return castInteger(type, v); },
                               [&](uint64_t v) { return castInteger(type, v); },
                               [&](double v) { return castDouble(type, v); },
                               [&](const std::complex<double>& v) {
                                 if (isComplex(type)) return complexConst(type, v);
                                 return isBool(type) ? boolConst(v != 0.0) : castDouble(type, v.real());
                               }},
                    c.value);
}

//===--- makers of constants ----------------------------------------------------------------------------===//

Expr intConst(int64_t value, DType type) { return castInteger(type, value); }
Expr boolConst(bool value) { return make(Const{DType::Bool, value}); }
Expr floatConst(double value, DType type) {
  return isFloat(type) ? make(Const{type, roundedTo(type, value)}) : constOf(type, value);
}

Expr constOf(DType type, double value) {
  if (Expr e = castDouble(type, value)) return e;
  internalError("constant does not fit its type");
}

std::optional<int64_t> constantInt(const Expr& e) {
  const auto* c = e.as<Const>();
  if (!c || !isInteger(c->type)) return std::nullopt;
  if (const auto* value = std::get_if<int64_t>(&c->value)) return *value;
  uint64_t value = std::get<uint64_t>(c->value);
  if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return std::nullopt;
  return static_cast<int64_t>(value);
}

bool isConst(const Expr& e, int64_t value) { return constantInt(e) == value; }

/// The largest or smallest value of a type.
static Expr extreme(DType type, bool largest) {
  if (isBool(type)) return boolConst(largest);
  if (isUnsigned(type)) return wrapped(type, largest ? ~uint64_t{0} : 0);
  if (isSigned(type)) {
    uint64_t signBit = uint64_t{1} << (bitWidth(type) - 1);
    return wrapped(type, largest ? signBit - 1 : signBit);
  }
  double infinity = std::numeric_limits<double>::infinity();
  double value = largest ? infinity : -infinity;
  return isComplex(type) ? complexConst(type, {value, value}) : floatConst(value, type);
}

Expr identity(ReduceOp op, DType type) {
  switch (op) {
  case ReduceOp::Sum: return constOf(type, 0);
  case ReduceOp::Prod: return constOf(type, 1);
  case ReduceOp::Min: return extreme(type, true);
  case ReduceOp::Max: return extreme(type, false);
  case ReduceOp::And: return isInteger(type) ? wrapped(type, ~uint64_t{0}) : constOf(type, 1);
  case ReduceOp::Or:
  case ReduceOp::Xor: return constOf(type, 0);
  }
  internalError("unknown reduction operator");
}

/// The shortest text that reads back as the number and shows that it is no integer.
template <class Real> static std::string realText(Real value) {
  std::string text = fmt::format("{}", value);
  bool integral = text.find_first_not_of("-0123456789") == std::string::npos;
  return integral ? text + ".0" : text;
}

static std::string realText(DType type, double value) {
  return realOf(type) == DType::F32 ? realText(static_cast<float>(value)) : realText(value);
}

/// i64, f64 and bool stand bare, as in Python; the others name their type.
std::string constText(const Const& c) {
  return std::visit(Overloaded{[](bool v) -> std::string { return v ? "True" : "False"; },
                               [&](int64_t v) {
                                 return c.type == DType::I64 ? fmt::format("{}", v)
                                                             : fmt::format("{}({})", name(c.type), v);
                               },
                               [&](uint64_t v) { return fmt::format("{}({})", name(c.type), v); },
                               [&](double v) {
                                 std::string text = realText(c.type, v);
                                 return c.type == DType::F64 ? text
                                                             : fmt::format("{}({})", name(c.type), text);
                               },
                               [&](const std::complex<double>& v) {
                                 return fmt::format("{}({}, {})", name(c.type), realText(c.type, v.real()),
                                                    realText(c.type, v.imag()));
                               }},
                    c.value);
}

} // namespace appyc::ir
