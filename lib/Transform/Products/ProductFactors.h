//===- ProductFactors.h - the factors of a term, sorted into two operands ----------------------------------===//
#pragma once
#include "Products.h"

namespace appyc::transform {

bool contains(const std::vector<size_t>& group, size_t axis);
/// The axes in the order in which the subscripts mention them, then the others.
std::vector<size_t> inOrderOf(const std::vector<ir::Expr>& subscripts, const std::vector<Axis>& axes,
                              const std::vector<size_t>& chosen);
/// The axes of the sum, those of the statement first, with sums like `i + k` counted as one, and the factors over them.
/// False when a bound is not linear.
bool addSumAxes(const Nest& nest, const Term& term, Product& p, std::vector<ir::Expr>& factors);
/// Which axes the element on the left is indexed by, and which are summed over.
void assignRoles(const Nest& nest, Product& p, std::vector<size_t>& outputs);
/// Sorts the factors into the two operands; false when they are not two.
bool sortFactors(const Nest& nest, const std::vector<ir::Expr>& factors, const std::vector<size_t>& outputs,
                 Product& p, ir::Expr& left, ir::Expr& right);

} // namespace appyc::transform
