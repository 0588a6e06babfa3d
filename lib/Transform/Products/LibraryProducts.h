//===- LibraryProducts.h - who computes a matrix product: a library, or tiles ------------------------------===//
#pragma once
#include "Products.h"

namespace appyc::transform {

class LibraryProducts {
public:
  explicit LibraryProducts(ir::PassContext& ctx) : ctx_(ctx) {}

  /// May cuBLAS make `p` there: operands laid out for it, all of the target or a triangle?
  bool fits(const Product& p, const ir::Matrix& target, ir::DType type) const;
  /// Is it a triangle of a product that nothing is added to? Better the library's whole product, of which the loops take
  /// their part.
  bool isPartOfOne(const Product& p, const ir::MatMul& m) const;
  ir::MatMul product(const Product& p, const ir::Matrix& target, ir::DType type, const ir::Expr& beta) const;
  void report(const ir::MatMul& m, bool isBatch, Span span) const;

private:
  ir::PassContext& ctx_;
};

/// Temporaries that hold products, for the next nest that wants one.
class MadeProducts {
public:
  std::optional<ir::Buffer> find(const ir::MatMul& m) const;
  void add(const ir::MatMul& m, const ir::Buffer& buffer) { made_.emplace_back(m, buffer); }
  /// What the statements write makes products out of date.
  void forget(const std::vector<ir::Stmt>& list);

private:
  std::vector<std::pair<ir::MatMul, ir::Buffer>> made_;
};

} // namespace appyc::transform
