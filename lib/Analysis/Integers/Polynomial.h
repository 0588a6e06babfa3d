//===- Polynomial.h - sums of products of integers, beyond what is affine ------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <vector>

namespace appyc::analysis {
struct Context;

/// With integer coefficients over one denominator, as `i * (i + 1) // 2` has, which is exact: the quotient of a product
/// that is even for all i. Nothing where a coefficient would not fit.
class Polynomial {
public:
  Polynomial() = default; ///< 0
  explicit Polynomial(int64_t number);
  explicit Polynomial(const Symbol& variable);
  /// Of variables, sums, differences, products, and quotients that are exact.
  static std::optional<Polynomial> of(const ir::Expr& e, const Context& context);

  std::optional<Polynomial> plus(const Polynomial& other, int64_t times = 1) const;
  std::optional<Polynomial> times(const Polynomial& other) const;
  /// Divided by a positive number, where the quotient is a whole number for all values of the variables.
  std::optional<Polynomial> over(int64_t divisor) const;
  std::optional<Polynomial> with(const Symbol& variable, const Polynomial& value) const;

  bool mentions(const Symbol& variable) const;
  int degree() const;
  /// The variable that makes it with a number alone: v + c, as c; nothing where it has another form.
  std::optional<std::pair<Symbol, int64_t>> shifted() const;
  std::vector<Symbol> variables() const;
  bool hasNegative() const; ///< coefficients

private:
  using Product = std::vector<Symbol>; ///< sorted; none: of the number
  bool isWholeOver(int64_t divisor) const;
  bool add(const Product& product, int64_t coefficient);
  void reduce();

  std::map<Product, int64_t> terms_;
  int64_t denominator_ = 1;
};

/// Is it certainly at least 0 in all iterations of the loops around? By shifting each variable to what it is at least: with
/// i + 1 <= j < n, j is i + 1 + j' and n is j + 1 + n', so that i * (2 * n - i - 1) // 2 + j - i - 1 has no negative term left.
bool isNonNegative(const Polynomial& p, const Context& context);

} // namespace appyc::analysis
