//===- Counting.cpp - what operations and accesses cost, in elements side by side ------------------------===//
#include "Counting.h"
#include "Bounds.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <cstdlib>

namespace appyc::schedule {
using namespace ir;
using cost::Device;

Neighbours neighboursOf(const std::vector<Expr>& subscripts, const Symbol& lane,
                        const std::set<Symbol>& dependents) {
  for (size_t d = 0; d < subscripts.size(); ++d) {
    const Slope slope = slopeOf(subscripts[d], lane, dependents);
    if (slope.kind == Slope::None) continue;
    const bool isNext = slope.kind == Slope::Constant && std::abs(slope.value) == 1;
    return d + 1 == subscripts.size() && isNext ? Neighbours::SideBySide : Neighbours::Scattered;
  }
  return Neighbours::Same;
}

int64_t unitsOfAccess(const std::vector<Expr>& subscripts, const Symbol& lane) {
  const bool scattered = lane && neighboursOf(subscripts, lane, {}) == Neighbours::Scattered;
  return scattered ? Device::scatteredAccess : 1;
}

int64_t unitsOfOperation(const Expr& e) {
  if (e.is<Call>()) return Device::function;
  const auto* b = e.as<Binary>();
  if (!b) return 0;
  switch (b->op) {
  case BinaryOp::Div: return Device::quotient;
  case BinaryOp::Pow:
  case BinaryOp::Mod:
  case BinaryOp::FloorDiv: return Device::function;
  default: return 0;
  }
}

int64_t unitsOfExpr(const Expr& e, const Symbol& lane, std::vector<Expr>& loaded) {
  int64_t units = 0;
  visit(e, [&](const Expr& part) {
    const auto* l = part.as<Load>();
    if (!l) return units += unitsOfOperation(part), true;
    if (std::any_of(loaded.begin(), loaded.end(), [&](const Expr& known) { return equal(known, part); }))
      return false;
    loaded.push_back(part);
    return units += unitsOfAccess(l->index, lane), false;
  });
  return units;
}

} // namespace appyc::schedule
