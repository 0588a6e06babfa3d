//===- ProductSums.h - what a nest's value consists of ---------------------------------------------------===//
#pragma once
#include "Products.h"

namespace appyc::transform {

/// What a nest's value consists of: factors of the element itself, products, and what is neither.
struct Sum {
  std::optional<Term> self;
  std::vector<Term> products, rest;
};
Sum sumOf(const Nest& nest, const ProductBuilder& builder);
/// The element itself with its factor, and what is no product; empty where there is neither.
ir::Expr restOf(const Nest& nest, const Sum& sum);
/// The nest with another value of its statement.
ir::Stmt withValue(const ir::Stmt& nest, const ir::Expr& value);

/// What the user said of the loops has to be true: it is checked here where the loops vanish.
bool marksHold(const Nest& nest, const analysis::Context& known);
/// Does every read of the target see what was there before the nest? Then a product of that may be made there.
bool readsOnlyEarlier(const Nest& nest, const analysis::Context& known);
bool readsTarget(const Nest& nest, const Term& term);
/// Is the element on the left the same in all iterations of some axis?
bool hasSumLoop(const Nest& nest);
/// The most axes, of loops and sums, around a place that multiplies elements; -1 without one. A matrix product has three.
int depthOfProducts(const ir::Stmt& s);

} // namespace appyc::transform
