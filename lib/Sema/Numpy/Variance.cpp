//===- Variance.cpp - np.var and np.std ---------------------------------------------------------------===//
#include "Arguments.h"
#include "Lowering.h"
#include "Reductions.h"

namespace appyc::sema {

/// |z|^2, a real number.
static Expr squaredSize(const Expr& z) {
  DType real = ir::realOf(ir::typeOf(z));
  if (!ir::isComplex(ir::typeOf(z))) return ir::call(ir::Intrinsic::Square, real, {z});
  Expr re = ir::call(ir::Intrinsic::Real, real, {z}), im = ir::call(ir::Intrinsic::Imag, real, {z});
  return ir::binary(ir::BinaryOp::Add, ir::binary(ir::BinaryOp::Mul, re, re),
                    ir::binary(ir::BinaryOp::Mul, im, im));
}

/// `ddof`, which `correction` is another name of: what is taken off the count.
std::optional<Expr> Lowering::freedomArgument(const Bound& b) {
  const Value *ddof = &b["ddof"], *correction = b.find("correction");
  if (correction && constantArgument(*ddof) != 0) {
    error(DiagId::TypeMismatch, b.where, "`ddof` and `correction` are one thing: give one of them");
    return std::nullopt;
  }
  if (correction) ddof = correction;
  const auto* s = ddof->as<Scalar>();
  if (s && !ir::isComplex(s->type())) return isStable(s->e) ? s->e : materialize(s->e, "ddof");
  error(DiagId::TypeMismatch, b.where, "`ddof` must be a number");
  return std::nullopt;
}

/// The mean first, then the mean of the squared distances from it, as NumPy does: one pass would cancel.
Value Lowering::spread(bool isStd, const Value& v, const Folding& f, const Bound& b) {
  Span where = b.where;
  Array a = toArray(v);
  std::optional<DType> given = dtypeOr(ir::floatFor(a.type), b);
  std::optional<Expr> ddof = freedomArgument(b);
  if (!given || !ddof) return Value{};
  const DType type = *given;
  if (!ir::isFloat(type) && b.given("dtype"))
    return error(
        DiagId::Unsupported, where,
        fmt::format("`dtype={}` of `{}` is not translated; give a float", ir::numpyName(type), b.display()));
  if (a.expensive || a.uninitialised) a = materialize(a, "t");
  Value count = foldedCount(a, f, true, where), counted = foldedCount(a, f, f.keepDims, where);
  Value x = castTo(v.as<Array>() ? Value{a} : v, type, where);
  Value mean = dividedBy(fold(ir::ReduceOp::Sum, x, f, true, type, where), count, type, where);
  Value distance = arithmetic(ir::BinaryOp::Sub, v.as<Array>() ? Value{a} : v, mean, where);
  std::optional<Strength> wide = strengthOf(distance, where);
  if (!wide) return Value{};
  Value squares = elementwise(
      {distance}, ir::realOf(wide->type), false, [](const std::vector<Expr>& e) { return squaredSize(e[0]); },
      where);
  const DType real = ir::realOf(type);
  Value freedom = elementwise(
      {counted}, ir::isInteger(ir::typeOf(*ddof)) ? DType::I64 : DType::F64, false,
      [d = *ddof](const std::vector<Expr>& n) {
        const DType t = ir::isInteger(ir::typeOf(d)) ? DType::I64 : DType::F64;
        if (t == DType::I64) return ir::maxOf(ir::sub(n[0], ir::cast(t, d)), ir::intConst(0));
        Expr left = ir::binary(ir::BinaryOp::Sub, ir::cast(t, n[0]), ir::cast(t, d));
        return ir::binary(ir::BinaryOp::Max, left, ir::floatConst(0));
      },
      where);
  Value result =
      dividedBy(fold(ir::ReduceOp::Sum, squares, f, f.keepDims, real, where), freedom, real, where);
  if (isStd && !result.isError())
    result = elementwise(
        {result}, real, false,
        [](const std::vector<Expr>& e) { return ir::call(ir::Intrinsic::Sqrt, ir::typeOf(e[0]), {e[0]}); },
        where);
  return deliverExact(result, b);
}

} // namespace appyc::sema
