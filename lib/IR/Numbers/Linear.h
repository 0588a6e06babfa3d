//===- Linear.h - index arithmetic as a sum of coefficient times atom ------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::ir {

/// constant + sum of coefficient * atom. Atoms are not sums themselves and differ pairwise; they keep the
/// order in which they first appeared. Coefficients are never 0. Arithmetic wraps, as the ir's does.
struct LinearForm {
  struct Term {
    Expr atom;
    int64_t coefficient;
  };
  std::vector<Term> terms;
  int64_t constant = 0;

  void addAtom(const Expr& atom, int64_t coefficient);
  /// Adds `e` times `scale`.
  void addExpr(const Expr& e, int64_t scale);
  /// The sum as an expression: positive terms lead, the constant stands last, `N - 1` rather than `N + -1`.
  Expr toExpr() const;
};

LinearForm linearForm(const Expr&);
/// a - b, when that is a constant whatever the variables are.
std::optional<int64_t> constantDifference(const Expr& a, const Expr& b);

/// Children of `a` and `b` compared by `same`; all else must be identical.
bool equalNodes(const Expr& a, const Expr& b, bool (*same)(const Expr&, const Expr&));

} // namespace appyc::ir
