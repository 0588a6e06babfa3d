//===- RulesTest.cpp - both sides of each row of Rules.def are the same to the last bit ---------------------===//
#include "Rules.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <random>

using namespace appyc;
using namespace appyc::ir;

namespace {

using Environment = std::map<Symbol, Const>;
__extension__ using Wide = __int128;

//===--- what an expression is, computed apart from Fold.cpp ------------------------------------------------===//

/// A whole number in the bits of its type.
Const whole(DType type, Wide value) {
  const int bits = 8 * byteSize(type);
  const Wide span = static_cast<Wide>(1) << bits;
  Wide low = value % span;
  if (low < 0) low += span;
  if (isSigned(type) && low >= span / 2) low -= span;
  if (isSigned(type)) return {type, static_cast<int64_t>(low)};
  return {type, static_cast<uint64_t>(low)};
}
double rounded(DType type, double value) {
  return realOf(type) == DType::F32 ? static_cast<double>(static_cast<float>(value)) : value;
}
Const real(DType type, double value) { return {type, rounded(type, value)}; }
Const complexNumber(DType type, std::complex<double> z) {
  return {type, std::complex<double>(rounded(type, z.real()), rounded(type, z.imag()))};
}

Wide wholeOf(const Const& c) {
  if (const auto* s = std::get_if<int64_t>(&c.value)) return *s;
  return std::get<uint64_t>(c.value);
}
bool truthOf(const Const& c) { return std::get<bool>(c.value); }

template <class T> std::optional<bool> compared(BinaryOp op, T a, T b) {
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

Const ofBools(BinaryOp op, bool a, bool b) {
  if (const auto truth = compared(op, a, b)) return {DType::Bool, *truth};
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Max:
  case BinaryOp::BitOr:
  case BinaryOp::LogicalOr: return {DType::Bool, a || b};
  case BinaryOp::BitXor: return {DType::Bool, a != b};
  default: return {DType::Bool, a && b};
  }
}

Wide flooredQuotient(Wide a, Wide b) {
  const Wide q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

Const ofWhole(BinaryOp op, DType type, Wide a, Wide b) {
  if (const auto truth = compared(op, a, b)) return {DType::Bool, *truth};
  const bool inWidth = b >= 0 && b < 8 * byteSize(type);
  switch (op) {
  case BinaryOp::Add: return whole(type, a + b);
  case BinaryOp::Sub: return whole(type, a - b);
  case BinaryOp::Mul:
    return whole(type, static_cast<Wide>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)));
  case BinaryOp::FloorDiv: return whole(type, b == 0 ? 0 : flooredQuotient(a, b));
  case BinaryOp::Mod: return whole(type, b == 0 ? 0 : a - b * flooredQuotient(a, b));
  case BinaryOp::Pow: return whole(type, b == 0 ? 1 : b == 1 ? a : a * a); // no others are tried
  case BinaryOp::Min: return whole(type, std::min(a, b));
  case BinaryOp::Max: return whole(type, std::max(a, b));
  case BinaryOp::BitAnd: return whole(type, a & b);
  case BinaryOp::BitOr: return whole(type, a | b);
  case BinaryOp::BitXor: return whole(type, a ^ b);
  case BinaryOp::Shl: return whole(type, inWidth ? a << b : 0);
  case BinaryOp::Shr: return whole(type, inWidth ? a >> b : a < 0 ? -1 : 0);
  default: FAIL("operator not of integers"); return {};
  }
}

Const ofReals(BinaryOp op, DType type, double a, double b) {
  if (const auto truth = compared(op, a, b)) return {DType::Bool, *truth};
  switch (op) {
  case BinaryOp::Add: return real(type, a + b);
  case BinaryOp::Sub: return real(type, a - b);
  case BinaryOp::Mul: return real(type, a * b);
  case BinaryOp::Div: return real(type, a / b);
  case BinaryOp::Pow: return real(type, std::pow(a, b));
  case BinaryOp::Min: return real(type, std::isnan(a) || a < b ? a : b);
  case BinaryOp::Max: return real(type, std::isnan(a) || a > b ? a : b);
  default: FAIL("operator not of floats"); return {};
  }
}

Const ofComplex(BinaryOp op, DType type, std::complex<double> a, std::complex<double> b) {
  switch (op) {
  case BinaryOp::Add: return complexNumber(type, a + b);
  case BinaryOp::Sub: return complexNumber(type, a - b);
  case BinaryOp::Mul:
    return complexNumber(
        type, {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()});
  case BinaryOp::Eq: return {DType::Bool, a == b};
  case BinaryOp::Ne: return {DType::Bool, a != b};
  default: FAIL("operator not of complex numbers"); return {};
  }
}

Const valueOf(const Expr& e, const Environment& at);

Const valueOf(const Unary& u, const Environment& at) {
  const Const x = valueOf(u.arg, at);
  if (isBool(u.type)) return {DType::Bool, !truthOf(x)};
  if (isInteger(u.type)) return whole(u.type, u.op == UnaryOp::Neg ? -wholeOf(x) : ~wholeOf(x));
  if (const auto* z = std::get_if<std::complex<double>>(&x.value)) return {u.type, -*z};
  return {u.type, -std::get<double>(x.value)};
}

Const valueOf(const Binary& b, const Environment& at) {
  const Const x = valueOf(b.lhs, at), y = valueOf(b.rhs, at);
  if (isBool(x.type)) return ofBools(b.op, truthOf(x), truthOf(y));
  if (isInteger(x.type)) return ofWhole(b.op, x.type, wholeOf(x), wholeOf(y));
  if (isFloat(x.type)) return ofReals(b.op, x.type, std::get<double>(x.value), std::get<double>(y.value));
  return ofComplex(b.op, x.type, std::get<std::complex<double>>(x.value),
                   std::get<std::complex<double>>(y.value));
}

/// From or to bool, among integers, and from integers to floats.
Const valueOf(const Cast& c, const Environment& at) {
  const Const x = valueOf(c.arg, at);
  if (isBool(c.type)) {
    if (const auto* number = std::get_if<double>(&x.value)) return {DType::Bool, *number != 0};
    return {DType::Bool, wholeOf(x) != 0};
  }
  const Wide number = isBool(x.type) ? static_cast<Wide>(truthOf(x)) : wholeOf(x);
  return isInteger(c.type) ? whole(c.type, number) : real(c.type, static_cast<double>(number));
}

Const valueOf(const Expr& e, const Environment& at) {
  if (const auto* c = e.as<Const>()) return *c;
  if (const auto* v = e.as<Var>()) return at.at(v->name);
  if (const auto* u = e.as<Unary>()) return valueOf(*u, at);
  if (const auto* b = e.as<Binary>()) return valueOf(*b, at);
  if (const auto* c = e.as<Cast>()) return valueOf(*c, at);
  const auto& s = *e.as<Select>();
  return valueOf(truthOf(valueOf(s.cond, at)) ? s.then : s.otherwise, at);
}

/// To the last bit; a NaN is like any other.
bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}
bool isSame(const Const& a, const Const& b) {
  if (a.type != b.type) return false;
  if (const auto* x = std::get_if<double>(&a.value)) return isSame(*x, std::get<double>(b.value));
  if (const auto* z = std::get_if<std::complex<double>>(&a.value)) {
    const auto& w = std::get<std::complex<double>>(b.value);
    return isSame(z->real(), w.real()) && isSame(z->imag(), w.imag());
  }
  return a.value == b.value;
}

//===--- random values and trees ------------------------------------------------------------------------------===//

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}

  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }

  double number() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double special[] = {0.0,          -0.0, 1.0,  -1.0,  infinity, -infinity,
                              std::nan(""), 0.5,  -2.0, 1e-45, 3e38,     -3e38};
    const int which = below(16);
    return which < 12 ? special[which] : (below(2001) - 1000) / 8.0;
  }

  Const value(DType type) {
    if (isBool(type)) return {type, below(2) == 1};
    if (isFloat(type)) return real(type, number());
    if (isComplex(type)) {
      const double re = number();
      return complexNumber(type, {re, number()});
    }
    const Wide span = static_cast<Wide>(1) << (8 * byteSize(type));
    const Wide edges[] = {0, 1, 2, -1, -2, span / 2 - 1, span / 2, span / 2 + 1};
    if (below(3) != 0) return whole(type, edges[below(8)]);
    return whole(type, (static_cast<Wide>(engine_()) << 32U) + engine_());
  }

  /// An operand of `type` over a, b (of it) and s, t (conditions), whose nodes are as they are drawn.
  Expr tree(DType type, int depth) {
    if (depth == 0 || below(8) == 0)
      return below(3) == 0 ? make(value(type))
                           : var(names[static_cast<size_t>(below(2) + (isBool(type) ? 2 : 0))], type);
    if (below(5) == 0) {
      const Expr cond = tree(DType::Bool, depth - 1), then = tree(type, depth - 1);
      return make(Select{type, cond, then, tree(type, depth - 1)});
    }
    if (isBool(type)) return condition(depth);
    if (below(6) == 0) return make(Cast{type, tree(DType::Bool, depth - 1)});
    if (below(4) == 0)
      return make(Unary{type, isInteger(type) && below(2) == 0 ? UnaryOp::BitNot : UnaryOp::Neg,
                        tree(type, depth - 1)});
    using enum BinaryOp;
    constexpr BinaryOp ofIntegers[] = {Add, Sub,    Mul,   Min,    Max, FloorDiv,
                                       Mod, BitAnd, BitOr, BitXor, Shl, Shr};
    constexpr BinaryOp ofFloats[] = {Add, Sub, Mul, Min, Max, Div};
    const BinaryOp op = isInteger(type) ? ofIntegers[below(12)] : ofFloats[below(6)];
    const Expr left = tree(type, depth - 1);
    return make(Binary{type, op, left, below(4) == 0 ? left : tree(type, depth - 1)});
  }

  std::array<Symbol, 4> names{Symbol("a"), Symbol("b"), Symbol("s"), Symbol("t")};
  DType operands = DType::I64; ///< of comparisons

private:
  Expr condition(int depth) {
    using enum BinaryOp;
    if (below(4) == 0) return make(Unary{DType::Bool, UnaryOp::LogicalNot, tree(DType::Bool, depth - 1)});
    if (below(8) == 0) return make(Cast{DType::Bool, tree(operands, depth - 1)});
    const bool ofNumbers = below(2) == 0;
    constexpr BinaryOp comparisons[] = {Eq, Ne, Lt, Le, Gt, Ge};
    constexpr BinaryOp logic[] = {LogicalAnd, LogicalOr, LogicalAnd, LogicalOr, BitAnd, BitOr, BitXor,
                                  Add,        Mul,       Min,        Max,       Eq,     Ne,    Le};
    const DType of = ofNumbers ? operands : DType::Bool;
    const Expr left = tree(of, depth - 1);
    const Expr right = below(4) == 0 ? left : tree(of, depth - 1);
    return make(Binary{DType::Bool, ofNumbers ? comparisons[below(6)] : logic[below(14)], left, right});
  }

  std::minstd_rand engine_;
};

const DType kTypes[] = {DType::Bool, DType::I8,  DType::I16, DType::I32, DType::I64, DType::U8,  DType::U16,
                        DType::U32,  DType::U64, DType::F32, DType::F64, DType::C64, DType::C128};

/// `row` with its names replaced, its nodes as they are.
Expr withOperands(const Expr& row, const std::map<Symbol, Expr>& operands) {
  if (const auto* v = row.as<Var>()) return operands.at(v->name);
  return mapChildren(row, [&](const Expr& part) { return withOperands(part, operands); });
}

} // namespace

TEST_CASE("each rule holds, to the last bit") {
  Random random(30);
  for (const DType type : kTypes)
    for (const Rule& rule : rulesOf(type)) {
      if (rule.ofIndices) continue;
      INFO(rule.name << " of " << name(type) << ": " << print(rule.from) << " is " << print(rule.to));
      const Expr made = rule.apply(rule.from);
      REQUIRE(made);
      CHECK_FALSE(equal(simplifiedNode(rule.from), rule.from));
      for (int round = 0; round < 400; ++round) {
        Environment at;
        visit(rule.from, [&](const Expr& part) {
          if (const auto* v = part.as<Var>(); v && !at.count(v->name)) at[v->name] = random.value(v->type);
          return true;
        });
        const Const before = valueOf(rule.from, at);
        REQUIRE(isSame(before, valueOf(rule.to, at)));
        REQUIRE(isSame(before, valueOf(made, at)));
      }
    }
}

TEST_CASE("each rule of indices holds where it fires") {
  Random random(31);
  const Symbol i("i"), j("j");
  for (const Rule& rule : rulesOf(DType::I64)) {
    if (!rule.ofIndices) continue;
    INFO(rule.name << ": " << print(rule.from) << " is " << print(rule.to));
    int fired = 0;
    for (int round = 0; round < 400; ++round) {
      std::map<Symbol, Expr> operands; // of the row's names
      visit(rule.from, [&](const Expr& part) {
        if (const auto* v = part.as<Var>(); v && !operands.count(v->name))
          operands[v->name] = add(var(random.below(3) == 0 ? j : i), intConst(random.below(7) - 3));
        return true;
      });
      const Expr from = withOperands(rule.from, operands);
      const Expr made = rule.apply(from, true);
      if (!made) continue;
      ++fired;
      for (int values = 0; values < 10; ++values) {
        const Environment at{{i, whole(DType::I64, random.below(20) - 10)},
                             {j, whole(DType::I64, random.below(20) - 10)}};
        REQUIRE(isSame(valueOf(from, at), valueOf(made, at)));
        REQUIRE(isSame(valueOf(from, at), valueOf(rewrite(from, simplifiedIndex), at)));
      }
    }
    CHECK(fired > 0);
  }
}

TEST_CASE("simplified trees are what they were, and simple") {
  Random random(32);
  for (const DType type : kTypes) {
    if (isComplex(type) || isBool(type)) continue;
    random.operands = type;
    for (int round = 0; round < 400; ++round) {
      const Expr tree = random.tree(round % 2 == 0 ? type : DType::Bool, 4);
      const Expr simple = rewrite(tree, simplifiedNode), ofIndices = rewrite(tree, simplifiedIndex);
      INFO(name(type) << ": " << print(tree) << " is " << print(simple));
      CHECK(equal(rewrite(simple, simplifiedNode), simple));
      for (int values = 0; values < 20; ++values) {
        Environment at;
        for (size_t k = 0; k < 4; ++k) at[random.names[k]] = random.value(k < 2 ? type : DType::Bool);
        REQUIRE(isSame(valueOf(tree, at), valueOf(simple, at)));
        if (type != DType::I64) REQUIRE(isSame(valueOf(tree, at), valueOf(ofIndices, at)));
      }
    }
  }
}
