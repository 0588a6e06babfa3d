//===- ScanSteps.cpp - assignments that are steps of a scan --------------------------------------------===//
//   s + a - b    =>   s + (a - b)           m or c    =>   max(m, c), of truth values
//   a if a > m else m   =>   max(m, -inf if isnan(a) else a)
//   s + a if c else s   =>   s + (a if c else 0)
// Products of complex numbers are none, of which parts overflow or vanish in other groupings. So are recurrences x = a * x + b, for
// their products of a. Those of floats have exponents of their own (scan_products).
#include "ScanSteps.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"

namespace appyc::schedule {
using namespace ir;

namespace {

bool isVar(const Expr& e, const Symbol& v) {
  const auto* x = e.as<Var>();
  return x && x->name == v;
}

std::optional<ReduceOp> foldOf(const Binary& b) {
  const bool isBool = ir::isBool(b.type);
  switch (b.op) {
  case BinaryOp::Add:
  case BinaryOp::Sub: return isBool ? std::nullopt : std::optional(ReduceOp::Sum);
  case BinaryOp::Mul: return isComplex(b.type) || isBool ? std::nullopt : std::optional(ReduceOp::Prod);
  case BinaryOp::Min: return isComplex(b.type) ? std::nullopt : std::optional(ReduceOp::Min);
  case BinaryOp::Max: return isComplex(b.type) ? std::nullopt : std::optional(ReduceOp::Max);
  case BinaryOp::LogicalAnd: return ReduceOp::Min;
  case BinaryOp::BitAnd: return isBool ? std::optional(ReduceOp::Min) : std::nullopt;
  case BinaryOp::LogicalOr: return ReduceOp::Max;
  case BinaryOp::BitOr: return isBool ? std::optional(ReduceOp::Max) : std::nullopt;
  default: return std::nullopt;
  }
}

std::optional<ScanStep> binaryStep(const Binary& b, const Symbol& v) {
  const std::optional<ReduceOp> op = foldOf(b);
  const bool isLeft = mentions(b.lhs, v);
  if (!op || isLeft == mentions(b.rhs, v) || (!isLeft && b.op == BinaryOp::Sub)) return std::nullopt;
  const Expr &inner = isLeft ? b.lhs : b.rhs, &rest = isLeft ? b.rhs : b.lhs;
  const Expr operand = b.op == BinaryOp::Sub ? unary(UnaryOp::Neg, rest) : rest;
  const bool isShort = b.op == BinaryOp::LogicalAnd || b.op == BinaryOp::LogicalOr;
  if (isVar(inner, v)) return ScanStep{*op, operand, isShort && isLeft};
  std::optional<ScanStep> step = scanStep(inner, v);
  if (!step || step->op != *op) return std::nullopt;
  step->operand = combine(*op, step->operand, operand);
  step->mayBeSkipped |= isShort;
  return step;
}

std::optional<ScanStep> extremeStep(const Select& s, const Symbol& v) {
  const auto extreme = extremeOf(s, [&](const Expr& e) { return isVar(e, v); });
  if (!extreme || mentions(extreme->by, v)) return std::nullopt;
  return ScanStep{extreme->op, collectedBy(*extreme)};
}

} // namespace

bool multipliesFloat(const Expr& value, const Symbol& v) {
  const auto* b = value.as<Binary>();
  if (!b || isInteger(b->type) || mentions(b->lhs, v) == mentions(b->rhs, v)) return false;
  const Expr& inner = mentions(b->lhs, v) ? b->lhs : b->rhs;
  if (b->op == BinaryOp::Mul) return isVar(inner, v) || multipliesFloat(inner, v);
  return (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) && multipliesFloat(inner, v);
}

std::optional<ScanStep> scanStep(const Expr& value, const Symbol& v) {
  if (const auto* b = value.as<Binary>()) return binaryStep(*b, v);
  const auto* s = value.as<Select>();
  if (!s) return std::nullopt;
  if (mentions(s->cond, v)) return extremeStep(*s, v);
  const bool keepsFalse = isVar(s->otherwise, v);
  if (!keepsFalse && !isVar(s->then, v)) return std::nullopt;
  std::optional<ScanStep> step = scanStep(keepsFalse ? s->then : s->otherwise, v);
  if (!step) return std::nullopt;
  const Expr none = identity(step->op, s->type);
  step->operand = select(s->cond, keepsFalse ? step->operand : none, keepsFalse ? none : step->operand);
  return step;
}

} // namespace appyc::schedule
