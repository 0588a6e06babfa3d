//===- Products.h - loop nests seen as sums of matrix products ------------------------------------------===//
// Private to find-products and mask-operands. A nest is loops around one index statement; its axes are the loops' indices and
// the statement's. What the element on the left is indexed by makes rows and columns, the others are summed
// over.
#pragma once
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Pass.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace appyc::transform {
using analysis::coefficientOf;

/// One dimension of an iteration space: lo <= index, index < each of `his`; those may mention axes before it.
struct Axis {
  Symbol index;
  ir::Expr lo;
  std::vector<ir::Expr> his;
  ir::Expr boxLo, boxHi; ///< the least lo, the largest hi: over no axis
};

struct Nest {
  Span span;
  std::vector<const ir::For*> loops; ///< from the outside in
  ir::IndexStmt leaf;                ///< a Store stands as one without domain
  std::vector<Axis> axes;            ///< of the loops, then of the domain
  /// An axis that occurs as `i + d` is counted by that sum. What the text's own index is, and what the sum is
  /// in the text.
  std::map<Symbol, ir::Expr> toShifted, toText;
};
/// Loops with step 1 around one IndexStmt or Store whose subscripts and bounds read no memory.
std::optional<Nest> nestOf(const ir::Stmt& s);
std::optional<ir::IndexStmt> leafOf(const ir::Stmt& s); ///< a store as such a statement; none of others

/// A part of the value: (-1)^negative * product of `factors`, summed over `over`.
struct Term {
  bool negative = false;
  std::vector<ir::Expr> factors;
  size_t ofSum = 0; ///< so many of them, the first ones, multiply the sum, not what is summed up
  std::vector<ir::Range> over;
};
/// The value as a sum of terms.
std::vector<Term> termsOf(const ir::Expr& value);
/// The term as it would stand in the text.
ir::Expr textOf(const Term& term, ir::DType type);

bool mentionsAny(const ir::Expr& e, const std::vector<Axis>& axes);
/// Gives `axis`, which follows `before`, the sum of which it is part in one of `subscripts`; the rest of the
/// sum, or an empty handle where there is none.
ir::Expr shift(Axis& axis, const std::vector<Axis>& before, const std::vector<ir::Expr>& subscripts);
/// Sets the boxes; false when a bound is not linear.
bool setBoxes(std::vector<Axis>& axes);
bool isOne(const ir::Expr& e);
/// Their product, without a factor of 1; `a` may be empty.
ir::Expr times(const ir::Expr& a, const ir::Expr& b);
/// All subscripts of loads in `e`.
void collectSubscripts(const ir::Expr& e, std::vector<ir::Expr>& out);

/// Which axes count rows, columns, points of the sum, and matrices of a batch.
struct Roles {
  std::vector<size_t> rows, columns, inner, batch;
};

/// A sum of products as one matrix product.
struct Product {
  Roles roles;
  std::vector<Axis> axes;
  ir::Matrix a, b;
  ir::Expr rows, columns, inner;
  ir::Expr scale;         ///< known to the host
  bool scalesSum = false; ///< ..., and what is summed up is not scaled
  std::vector<ir::HalfSpace> limits;
  std::vector<ir::Stmt> before; ///< make operands that are no matrices in memory

  /// A matrix for each point of `batch`, in an array of these and its own axes.
  ir::Matrix inBatch(const std::vector<size_t>& batch, const std::vector<size_t>& ofRows,
                     const std::vector<size_t>& ofColumns) const;
  /// `m`, for each point of the batch.
  ir::Stmt forBatch(Span span, ir::MatMul m) const;
};

class ProductBuilder {
public:
  /// With `batches`, a library takes many products at once.
  ProductBuilder(ir::Function& f, const analysis::Context& k, bool batches = false)
      : function_(f), known_(k), batches_(batches) {}
  /// The term as one product, or as a batch of them that all lie in memory as a library takes it.
  std::optional<Product> build(const Nest& nest, const Term& term, ir::DType type);
  /// The element `index` of `buffer` as a matrix over rows and columns; nullopt where memory is not laid out
  /// so.
  std::optional<ir::Matrix> matrixOf(Symbol buffer, const std::vector<ir::Expr>& index,
                                     const std::vector<Axis>& axes, const std::vector<size_t>& rows,
                                     const std::vector<size_t>& columns,
                                     const std::vector<size_t>& batch = {}) const;
  /// Are all elements in range that `m` reaches?
  bool inRange(const ir::Matrix& m, const ir::Expr& rows, const ir::Expr& columns) const;
  bool isHostKnown(const ir::Expr& e) const;
  const analysis::Context& known() const { return known_; }
  ir::Expr atLeastZero(const ir::Expr& e) const;
  /// A new array that lives until the end of the block; its Alloc goes to `out`.
  ir::Buffer temporary(const std::string& hint, ir::DType type, std::vector<ir::Expr> extents, Span span,
                       std::vector<ir::Stmt>& out);

  /// The axes' bounds that mention other axes, counted from the boxes' starts; nullopt where they cannot be
  /// written so.
  std::optional<std::vector<ir::HalfSpace>> limitsOf(const Product& p) const;

private:
  std::optional<Product> attempt(const Nest& nest, const Term& term, ir::DType type, bool inBatches,
                                 bool packs);
  bool addScales(const std::vector<ir::Expr>& factors, size_t ofSum, Product& p, ir::Expr& left) const;
  std::optional<ir::Matrix> operand(const ir::Expr& e, Product& p, const std::vector<size_t>& rows,
                                    const std::vector<size_t>& columns, Span span, ir::DType type,
                                    bool packs);
  std::optional<ir::Matrix> packed(const ir::Expr& e, Product& p, const std::vector<size_t>& rows,
                                   const std::vector<size_t>& columns, Span span, ir::DType type);
  bool mayPack(const ir::Expr& e, const Product& p, const std::vector<size_t>& axes) const;
  ir::Expr extentOf(const std::vector<Axis>& axes, const std::vector<size_t>& group) const;

  ir::Function& function_;
  const analysis::Context& known_;
  bool batches_;
};

/// Loops that run down count up where their order is free, but for that of sums, of which none is asked.
ir::Stmt countingUpWhereFree(const ir::Stmt& s, analysis::Context& known);

/// The loop with its body's statements in loops of their own, in an order that keeps every dependence;
/// scalars and rows that one statement hands to the next are replaced by their values where that frees the
/// statements. {s} when nothing can be taken apart.
std::vector<ir::Stmt> distribute(const ir::Stmt& s, const ir::Function& function,
                                 const analysis::Context& known);

/// Scales a whole target before or after products into it are summed up: becomes part of their factors.
std::vector<ir::Stmt> foldScales(std::vector<ir::Stmt> list, const ProductBuilder& builder);

//===--- ProductFactors.cpp -------------------------------------------------------------------------===//

bool contains(const std::vector<size_t>& group, size_t axis);
/// The axes in the order in which the subscripts mention them, then the others.
std::vector<size_t> inOrderOf(const std::vector<ir::Expr>& subscripts, const std::vector<Axis>& axes,
                              const std::vector<size_t>& chosen);
/// The axes of the sum, those of the statement first, with sums like `i + k` counted as one, and the factors over them.
/// False when a bound is not linear.
bool addSumAxes(const Nest& nest, const Term& term, Product& p, std::vector<ir::Expr>& factors);
/// Which axes the element on the left is indexed by, and which are summed over.
void assignRoles(const Nest& nest, Product& p, std::vector<size_t>& outputs);
/// Takes from `outputs` those axes that both operands are indexed by: each of their points has a product of its own.
void takeBatch(const Nest& nest, const std::vector<ir::Expr>& factors, Product& p,
               std::vector<size_t>& outputs);
/// Of several axes that count rows or columns, all but the last become the batch's: one operand serves them all.
void widenBatch(const Nest& nest, Product& p);
/// Sorts the factors into the two operands; false when they are not two.
bool sortFactors(const Nest& nest, const std::vector<ir::Expr>& factors, const std::vector<size_t>& outputs,
                 Product& p, ir::Expr& left, ir::Expr& right);

//===--- ProductSums.cpp ----------------------------------------------------------------------------===//

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
