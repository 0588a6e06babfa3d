//===- Expressions.h - ir expressions as C++ ------------------------------------------------------------===//
// An i64 of the ir is data, with NumPy's wrapping arithmetic in int64_t, or an index, with plain arithmetic
// in the index type. An expression of indices that fits the index type is written in it everywhere, also in
// data.
#pragma once
#include "Context.h"
#include <optional>

namespace appyc::target {

class Expressions {
public:
  explicit Expressions(Context& context) : c_(context) {}

  /// The value, to be assigned, compared or converted: where the C++ type is not the ir's, it holds the same
  /// number.
  cxx::Expr value(const ir::Expr&);
  /// The value in exactly the C++ type of its DType.
  cxx::Expr exact(const ir::Expr&);
  /// An i64 as a subscript, in the index type or a narrower one.
  cxx::Expr index(const ir::Expr&);
  /// `index_t(blockIdx.x) * blockDim.x + threadIdx.x`, which may be unsigned; nothing for other expressions.
  std::optional<cxx::Expr> threadPosition(const ir::Expr&);
  /// A loop's bound: an index, or a 64-bit number, of indices by plain arithmetic.
  cxx::Expr bound(const ir::Expr&, bool asIndex);
  /// The expression in the index type, if nothing in it can leave that type's range.
  std::optional<cxx::Expr> small(const ir::Expr&);
  /// `buffer[row-major position]`.
  cxx::Expr element(const Symbol& buffer, const std::vector<ir::Expr>& at);
  /// `buffer + position`, or `buffer` alone.
  cxx::Expr address(const Symbol& buffer, const ir::Expr& position);

private:
  /// `exact`: the C++ type is that of the DType.
  struct Value {
    cxx::Expr e;
    bool exact = true;
  };
  Value lower(const ir::Expr&);
  Value constant(const ir::Const&);
  Value variable(const ir::Var&);
  Value unary(const ir::Unary&);
  Value binary(const ir::Binary&);
  Value logical(const ir::Binary&);
  Value comparison(const ir::Binary&);
  Value wholeArithmetic(const ir::Binary&);
  Value boolArithmetic(const ir::Binary&);
  Value complexArithmetic(const ir::Binary&);
  Value realArithmetic(const ir::Binary&);
  Value division(const ir::Binary&);
  Value plain(std::string_view op, const ir::Binary&);
  Value cast(const ir::Cast&);
  Value call(const ir::Call&);
  Value lookup(const ir::Lookup&);
  Value apply(const ir::Apply&);
  Value complexCall(const ir::Call&);
  /// A function of the support code in type `type`, its template argument given where it could not be
  /// deduced.
  Value helper(std::string_view name, ir::DType type, const std::vector<ir::Expr>& args);
  std::optional<cxx::Expr> smallBinary(const ir::Binary&);
  bool dividesPlainly(const ir::Binary&, Width) const;
  cxx::Expr converted(ir::DType, const Value&);

  Context& c_;
  bool inBound_ = false;
};

/// `Complex<double>`: as cName, and its definition is asked for.
std::string typeName(Context&, ir::DType);

} // namespace appyc::target
