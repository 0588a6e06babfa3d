//===- Promotion.cpp - types of operators' results, as far as a file's text tells -------------------===//
#include "Evident.h"
#include <algorithm>
#include <charconv>

namespace appyc::frontend {

namespace {

enum Category { Bool, Integer, Float, Complex };

Category categoryOf(std::string_view dtype) {
  if (dtype == "bool") return Bool;
  return dtype[0] == 'f' ? Float : dtype[0] == 'c' ? Complex : Integer;
}

int bitsOf(std::string_view dtype) {
  int bits = 8;
  std::from_chars(dtype.data() + 1, dtype.data() + dtype.size(), bits);
  return bits;
}

std::string named(char letter, int bits) { return letter + std::to_string(bits); }

/// Of NumPy's own types; empty for u64 with signed ones, which people do not mean.
std::string promoted(const std::string& a, const std::string& b) {
  if (a == b) return a;
  const Category of = categoryOf(a), with = categoryOf(b);
  if (of > with) return promoted(b, a);
  if (of == Bool) return b;
  if (of == with && a[0] == b[0]) return bitsOf(a) > bitsOf(b) ? a : b;
  if (of == Integer && with == Integer) {
    const int signedBits = bitsOf(a[0] == 'i' ? a : b), others = bitsOf(a[0] == 'i' ? b : a);
    return others < 64 ? named('i', std::max(signedBits, 2 * others)) : std::string();
  }
  const int floatBits = with == Complex ? bitsOf(b) / 2 : bitsOf(b);
  const int needed = of == Integer ? (bitsOf(a) > 16 ? 64 : 32) : bitsOf(a);
  return with == Complex ? named('c', 2 * std::max(floatBits, needed))
                         : named('f', std::max(floatBits, needed));
}

/// Of a number of Python's and a type of NumPy's (NEP 50).
std::string adapted(const std::string& weak, const std::string& strong) {
  const Category of = categoryOf(weak), to = categoryOf(strong);
  if (of <= to) return strong;
  if (of == Complex && to == Float) return named('c', 2 * bitsOf(strong));
  return weak; // i64, f64, c128
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
