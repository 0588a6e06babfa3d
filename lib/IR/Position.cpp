//===- Position.cpp - where an element lies in memory ---------------------------------------------------===//
#include "appyc/IR/Position.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"

namespace appyc::ir {

/// The summand of `e` that is a quotient by `divisor`, if there is one.
static const Binary* quotientIn(const Expr& e, const Expr& divisor) {
  const auto* b = e.as<Binary>();
  if (!b || typeOf(e) != DType::I64) return nullptr;
  if (b->op == BinaryOp::FloorDiv) return equalIndex(b->rhs, divisor) ? b : nullptr;
  if (b->op != BinaryOp::Add) return nullptr;
  const Binary* found = quotientIn(b->lhs, divisor);
  return found ? found : quotientIn(b->rhs, divisor);
}

Expr positionOf(const std::vector<Expr>& extents, const std::vector<Expr>& index) {
  if (index.empty()) return intConst(0);
  Expr position = index[0];
  for (size_t axis = 1; axis < index.size(); ++axis) {
    const Expr& extent = extents[axis];
    // k / n * n + k % n is k.
    const auto* rest = index[axis].as<Binary>();
    const bool isRest = rest && rest->op == BinaryOp::Mod && equalIndex(rest->rhs, extent);
    const Binary* quotient = isRest ? quotientIn(position, extent) : nullptr;
    if (quotient && equalIndex(quotient->lhs, rest->lhs))
      position = add(mul(sub(position, make(*quotient)), extent), rest->lhs);
    else
      position = add(mul(position, extent), index[axis]);
  }
  return position;
}

} // namespace appyc::ir
