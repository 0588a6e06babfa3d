//===- Divisions.cpp - divisions of which most is done before an operand is known --------------------------- ===//
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::loops {
using namespace ir;

std::optional<size_t> EarlyDivisors::divisorOf(const Binary& division) const {
  const auto found =
      std::find_if(divisors_.begin(), divisors_.end(), [&](const Expr& d) { return equal(d, division.rhs); });
  if (division.op != BinaryOp::Div || found == divisors_.end() || isEarly_(division.lhs)) return {};
  return static_cast<size_t>(found - divisors_.begin());
}

void EarlyDivisors::find(const Expr& e) {
  each<Binary>(e, [&](const Binary& b) {
    const bool suits = b.op == BinaryOp::Div && b.type == DType::F64 && !b.rhs.is<Const>() &&
                       isEarly_(b.rhs) && !isEarly_(b.lhs);
    if (suits && !divisorOf(b)) divisors_.push_back(b.rhs);
  });
}

Expr EarlyDivisors::prepared(const Expr& e, const std::vector<Expr>& inverses,
                             std::vector<Expr>& tests) const {
  return replace<Binary>(e, [&](const Binary& b) -> Expr {
    const std::optional<size_t> i = divisorOf(b);
    if (!i) return {};
    tests.push_back(call(Intrinsic::DividesBy, DType::Bool, {b.lhs, inverses[*i]}));
    return call(Intrinsic::DivideBy, b.type, {b.lhs, b.rhs, inverses[*i]});
  });
}

} // namespace appyc::loops
