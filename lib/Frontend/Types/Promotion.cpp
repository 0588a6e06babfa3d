//===- Promotion.cpp - types of operators' results, as far as a file's text tells -------------------===//
#include "Evident.h"
#include "appyc/IR/Types.h"
#include <algorithm>

namespace appyc::frontend {

namespace {

enum Category { Bool, Integer, Float, Complex };

Category categoryOf(std::string_view dtype) {
  const ir::DType type = *ir::dtypeNamed(dtype);
  return ir::isBool(type) ? Bool : ir::isInteger(type) ? Integer : ir::isFloat(type) ? Float : Complex;
}

/// Of NumPy's own types; empty for u64 with signed ones, which people do not mean.
std::string promoted(std::string_view a, std::string_view b) {
  const ir::DType joint = ir::promote(*ir::dtypeNamed(a), *ir::dtypeNamed(b));
  const bool areIntegers = categoryOf(a) == Integer && categoryOf(b) == Integer;
  return areIntegers && ir::isFloat(joint) ? std::string() : std::string(ir::name(joint));
}

/// Of a number of Python's and a type of NumPy's (NEP 50).
std::string adapted(const std::string& weak, const std::string& strong) {
  const Category of = categoryOf(weak), to = categoryOf(strong);
  if (of <= to) return strong;
  return of == Complex && to == Float ? promoted("c64", strong) : weak; // i64, f64, c128
}

} // namespace

Evident arrayOf(const Evident& value) {
  if (value.kind != Evident::Tuple && value.kind != Evident::List) return value;
  Evident common;
  for (const Evident& item : value.items) {
    const Evident inner = arrayOf(item);
    if (!inner.isPlain()) return {};
    if (common && inner.rank != common.rank) return {};
    common = common ? evidentBinary(ast::BinaryOp::Mul, common, inner) : inner;
    if (!common) return {};
  }
  if (!common) return Evident::array("f64", 1); // np.array([])
  const bool isBool =
      std::ranges::all_of(value.items, [](const Evident& item) { return arrayOf(item).dtype == "bool"; });
  return Evident::array(isBool ? "bool" : common.dtype, common.rank + 1);
}

Evident evidentBinary(ast::BinaryOp op, const Evident& lhs, const Evident& rhs) {
  if (op == ast::BinaryOp::Mul && lhs.kind == Evident::List) return lhs; // `[0] * n`
  const bool isList = lhs.kind == Evident::List || lhs.kind == Evident::Tuple;
  const bool withList = rhs.kind == Evident::List || rhs.kind == Evident::Tuple;
  if (isList && rhs.kind == Evident::Array) return evidentBinary(op, arrayOf(lhs), rhs);
  if (withList && lhs.kind == Evident::Array) return evidentBinary(op, lhs, arrayOf(rhs));
  if (!lhs.isPlain() || !rhs.isPlain()) return {};
  Evident result;
  result.weak = lhs.weak && rhs.weak;
  result.rank = std::max(lhs.rank, rhs.rank);
  result.dtype = lhs.weak == rhs.weak ? promoted(lhs.dtype, rhs.dtype)
                 : lhs.weak           ? adapted(lhs.dtype, rhs.dtype)
                                      : adapted(rhs.dtype, lhs.dtype);
  if (result.dtype.empty()) return {};
  const Category category = categoryOf(result.dtype);
  if (op == ast::BinaryOp::Div && category < Float) result.dtype = "f64";
  const bool isBitwise = op == ast::BinaryOp::And || op == ast::BinaryOp::Or || op == ast::BinaryOp::Xor;
  if (category == Bool && op != ast::BinaryOp::Div && !isBitwise && result.rank == 0)
    result.dtype = "i64", result.weak = true; // True + True
  if (op == ast::BinaryOp::MatMul) {
    if (lhs.rank == 0 || rhs.rank == 0 || lhs.rank > 2 || rhs.rank > 2) return {};
    result.rank = lhs.rank + rhs.rank - 2;
  }
  result.kind = result.rank > 0 ? Evident::Array : Evident::Number;
  return result;
}

} // namespace appyc::frontend
