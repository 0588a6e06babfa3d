//===- Numbers.cpp - expressions of the host as numbers, where sizes are some number ---------------------===//
#include "Numbers.h"
#include "appyc/IR/Build.h"
#include <algorithm>
#include <cmath>

namespace appyc::cost {
using namespace ir;

std::optional<double> Numbers::of(const Expr& e) {
  if (const auto known = constantInt(e)) return static_cast<double>(*known);
  if (const auto* cast = e.as<Cast>()) return of(cast->arg);
  if (const auto* v = e.as<Var>()) {
    const auto value = values.find(v->name);
    if (value != values.end()) return of(value->second);
    isOpen = true;
    return given.count(v->name) ? size : size / 2;
  }
  if (const auto* choice = e.as<Select>()) {
    const std::optional<bool> first = holds(choice->cond);
    return first ? of(*first ? choice->then : choice->otherwise) : std::nullopt;
  }
  const auto* b = e.as<Binary>();
  const std::optional<double> x = b ? of(b->lhs) : std::nullopt, y = x ? of(b->rhs) : std::nullopt;
  if (!y) return {};
  switch (b->op) {
  case BinaryOp::Add: return *x + *y;
  case BinaryOp::Sub: return *x - *y;
  case BinaryOp::Mul: return *x * *y;
  case BinaryOp::FloorDiv: return *y == 0 ? std::nullopt : std::optional(std::floor(*x / *y));
  case BinaryOp::Min: return std::min(*x, *y);
  case BinaryOp::Max: return std::max(*x, *y);
  default: return {};
  }
}

std::optional<bool> Numbers::holds(const Expr& e) {
  const auto* b = e.as<Binary>();
  if (!b) return {};
  if (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr) {
    const bool decides = b->op == BinaryOp::LogicalOr;
    const std::optional<bool> left = holds(b->lhs), right = holds(b->rhs);
    if (left == decides || right == decides) return decides;
    return left && right ? std::optional(!decides) : std::nullopt;
  }
  const std::optional<double> x = of(b->lhs), y = x ? of(b->rhs) : std::nullopt;
  if (!y) return {};
  switch (b->op) {
  case BinaryOp::Lt: return *x < *y;
  case BinaryOp::Le: return *x <= *y;
  case BinaryOp::Gt: return *x > *y;
  case BinaryOp::Ge: return *x >= *y;
  case BinaryOp::Eq: return *x == *y;
  case BinaryOp::Ne: return *x != *y;
  default: return {};
  }
}

} // namespace appyc::cost
