//===- Variance.cpp - np.var and np.std ---------------------------------------------------------------===//
#include "Lowering.h"

namespace appyc::sema {

/// |z|^2, a real number.
static Expr squaredSize(const Expr& z) {
  DType real = ir::realOf(ir::typeOf(z));
  if (!ir::isComplex(ir::typeOf(z))) return ir::call(ir::Intrinsic::Square, real, {z});
  Expr re = ir::call(ir::Intrinsic::Real, real, {z}), im = ir::call(ir::Intrinsic::Imag, real, {z});
  return ir::binary(ir::BinaryOp::Add, ir::binary(ir::BinaryOp::Mul, re, re),
                    ir::binary(ir::BinaryOp::Mul, im, im));
}

/// The mean first, then the mean of the squared distances from it, as NumPy does: one pass would cancel.
Value Lowering::variance(bool isStd, const Value& v, const std::vector<int>& axes, bool keepDims,
                         int64_t ddof, Span where) {
  Array a = toArray(v);
  DType type = ir::floatFor(a.type);
  if (a.expensive || a.uninitialised) a = materialize(a, "t");
  Expr count = ir::intConst(1);
  for (int d : axes) count = ir::mul(count, a.shape[static_cast<size_t>(d)]);
  auto over = [&](const Value& total, const Expr& n) {
    return arithmetic(ir::BinaryOp::Div, total, Value{Scalar{ir::cast(ir::realOf(type), n)}}, where);
  };
  Value x = castTo(v.as<Array>() ? Value{a} : v, type, where);
  Value mean = over(reduce(ir::ReduceOp::Sum, x, axes, true, type, where), count);
  Value squares = elementwise(
      {arithmetic(ir::BinaryOp::Sub, x, mean, where)}, ir::realOf(type), false,
      [](const std::vector<Expr>& e) { return squaredSize(e[0]); }, where);
  Expr freedom = ir::maxOf(ir::sub(count, ir::intConst(ddof)), ir::intConst(0));
  Value result = over(reduce(ir::ReduceOp::Sum, squares, axes, keepDims, ir::realOf(type), where), freedom);
  if (!isStd) return result;
  return elementwise(
      {result}, ir::realOf(type), false,
      [](const std::vector<Expr>& e) { return ir::call(ir::Intrinsic::Sqrt, ir::typeOf(e[0]), {e[0]}); },
      where);
}

} // namespace appyc::sema
