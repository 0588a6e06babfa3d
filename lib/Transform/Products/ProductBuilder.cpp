//===- ProductBuilder.cpp - one term of a nest as a matrix product ----------------------------------===//
//   sum(alpha * A[i, k] * B[k, j] for k < K)   over i < M, j < N
// Factors that share a row or column axis make one operand: there have to be two, each over all of the sum's
// axes. An operand that is no matrix in memory (an expression, a slice of a slice) is computed into one
// first.
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include <algorithm>

namespace appyc::transform {

using namespace ir;

namespace {

/// Known sizes below this are better off as plain loops.
constexpr int64_t kSmallestSize = 16;

/// Is it known to be below that?
bool isSmall(const Expr& size) {
  const auto* b = size.as<Binary>();
  if (b && b->op == BinaryOp::Min) return isSmall(b->lhs) || isSmall(b->rhs);
  std::optional<int64_t> known = constantInt(size);
  return known && *known < kSmallestSize;
}

} // namespace

//===--- what is known ------------------------------------------------------------------------------===//

bool ProductBuilder::isHostKnown(const Expr& e) const {
  return e.is<Const>() ||
         (!isComplex(typeOf(e)) && analysis::followsFrom(e, analysis::knownAtEntry(function_)));
}

Expr ProductBuilder::atLeastZero(const Expr& e) const { return analysis::atLeastZero(e, known_); }

Buffer ProductBuilder::temporary(const std::string& hint, DType type, std::vector<Expr> extents, Span span,
                                 std::vector<Stmt>& out) {
  Buffer buffer{Symbol(hint), type, std::move(extents)};
  function_.buffers.push_back(buffer);
  out.push_back(makeStmt(span, Alloc{buffer}));
  return buffer;
}

bool ProductBuilder::inRange(const Matrix& m, const Expr& rows, const Expr& columns) const {
  const Buffer* it = function_.findBuffer(m.buffer);
  if (!it) return false;
  const auto fits = [&](int d, const Expr& count) {
    const auto dim = static_cast<size_t>(d);
    return analysis::isInRange(m.at[dim], count, it->extents[dim], known_);
  };
  return fits(m.row, rows) && fits(m.column, columns);
}

Matrix Product::inBatch(const std::vector<size_t>& batch, const std::vector<size_t>& ofRows,
                        const std::vector<size_t>& ofColumns) const {
  Matrix m{{}, {}, static_cast<int>(batch.size() + ofRows.size()) - 1, 0};
  for (size_t i : batch) m.at.push_back(var(axes[i].index) - axes[i].boxLo);
  m.at.resize(m.at.size() + ofRows.size() + ofColumns.size(), intConst(0));
  m.column = static_cast<int>(m.at.size()) - 1;
  return m;
}

Stmt Product::forBatch(Span span, MatMul m) const {
  const Builder build{span};
  Stmt s = build.make(std::move(m));
  for (size_t n = roles.batch.size(); n-- > 0;) {
    const Axis& axis = axes[roles.batch[n]];
    const Symbol index(axis.index.hint());
    s = build.inOrder(index, axis.boxLo, axis.boxHi, substitute(s, {{axis.index, var(index)}}));
  }
  return s;
}

//===--- operands -----------------------------------------------------------------------------------===//

Expr ProductBuilder::extentOf(const std::vector<Axis>& axes, const std::vector<size_t>& group) const {
  Expr extent = intConst(1);
  for (size_t i : group) {
    Expr size = axes[i].boxHi - axes[i].boxLo;
    extent = extent * (group.size() > 1 ? atLeastZero(size) : size);
  }
  return extent;
}

std::optional<Matrix> ProductBuilder::matrixOf(Symbol buffer, const std::vector<Expr>& index,
                                               const std::vector<Axis>& axes, const std::vector<size_t>& rows,
                                               const std::vector<size_t>& columns,
                                               const std::vector<size_t>& batch) const {
  const Buffer* it = function_.findBuffer(buffer);
  if (!it || it->extents.size() != index.size()) return std::nullopt;
  Matrix m{buffer, index, -1, -1};
  std::vector<int> place(axes.size(), -1); // the dimension that an axis counts
  for (size_t d = 0; d < index.size(); ++d) {
    int moving = 0;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (!mentions(index[d], axes[i].index) || contains(batch, i)) continue;
      bool chosen = contains(rows, i) || contains(columns, i);
      if (!chosen || place[i] >= 0 || ++moving > 1 || coefficientOf(index[d], axes[i].index) != 1)
        return std::nullopt;
      place[i] = static_cast<int>(d);
      m.at[d] = m.at[d] - var(axes[i].index) + axes[i].boxLo;
    }
  }
  for (const auto* group : {&rows, &columns}) {
    for (size_t n = 0; n < group->size(); ++n) {
      int d = place[(*group)[n]];
      if (d < 0 || (n > 0 && d != place[(*group)[n - 1]] + 1)) return std::nullopt;
      const Axis& axis = axes[(*group)[n]];
      bool whole = isConst(m.at[static_cast<size_t>(d)], 0) &&
                   equalIndex(axis.boxHi, it->extents[static_cast<size_t>(d)]);
      if (n > 0 && !whole) return std::nullopt; // its end has to join the next row's start
    }
    (group == &rows ? m.row : m.column) = place[group->back()];
  }
  return m;
}

/// Is it worth computing `e` over `axes` into memory: every load's subscripts move with one axis each, so
/// that there is no more to store than was there to load?
bool ProductBuilder::mayPack(const Expr& e, const Product& p, const std::vector<size_t>& axes) const {
  bool good = true;
  visit(e, [&](const Expr& part) {
    good &= !part.is<Reduce>();
    const auto* l = part.as<Load>();
    if (!l || !good) return good;
    std::vector<size_t> used;
    for (size_t i : axes)
      if (mentions(part, p.axes[i].index)) used.push_back(i);
    if (used.empty()) return false;
    for (size_t i : used) {
      int places = 0;
      for (const Expr& at : l->index) places += mentions(at, p.axes[i].index);
      good &= places == 1;
    }
    for (const Expr& at : l->index) {
      int moving = 0;
      for (size_t i : used) moving += mentions(at, p.axes[i].index);
      good &= moving <= 1;
    }
    const Buffer* it = function_.findBuffer(l->buffer);
    good &= it != nullptr;
    for (size_t d = 0; good && d < l->index.size(); ++d)
      for (size_t i : used) {
        if (!mentions(l->index[d], p.axes[i].index)) continue;
        good &= coefficientOf(l->index[d], p.axes[i].index) == 1;
        Expr offset = l->index[d] - var(p.axes[i].index);
        good = good && analysis::isInRange(offset + p.axes[i].boxLo, p.axes[i].boxHi - p.axes[i].boxLo,
                                           it->extents[d], known_);
      }
    return false;
  });
  return good;
}

/// Computes the operand into a matrix of its own.
std::optional<Matrix> ProductBuilder::packed(const Expr& e, Product& p, const std::vector<size_t>& rows,
                                             const std::vector<size_t>& columns, Span span, DType type) {
  std::vector<size_t> axes;
  std::ranges::copy_if(p.roles.batch, std::back_inserter(axes),
                       [&](size_t i) { return mentions(e, p.axes[i].index); });
  Matrix m = p.inBatch(axes, rows, columns);
  for (const auto* group : {&rows, &columns}) axes.insert(axes.end(), group->begin(), group->end());
  if (!mayPack(e, p, axes)) return std::nullopt;
  IndexStmt fill{{}, {}, {}, {}, std::nullopt, true, 0};
  std::vector<Expr> extents;
  std::map<Symbol, Expr> at;
  for (size_t i : axes) {
    const Axis& axis = p.axes[i];
    extents.push_back(atLeastZero(axis.boxHi - axis.boxLo));
    Symbol index(axis.index.hint());
    fill.domain.push_back({index, extents.back()});
    fill.index.push_back(var(index));
    at[axis.index] = var(index) + axis.boxLo;
  }
  Buffer buffer = temporary("operand", type, extents, span, p.before);
  fill.target = buffer.name;
  fill.value = substitute(e, at);
  p.before.push_back(makeStmt(span, std::move(fill)));
  m.buffer = buffer.name;
  return m;
}

std::optional<Matrix> ProductBuilder::operand(const Expr& e, Product& p, const std::vector<size_t>& rows,
                                              const std::vector<size_t>& columns, Span span, DType type,
                                              bool packs) {
  if (const auto* l = e.as<Load>())
    if (auto m = matrixOf(l->buffer, l->index, p.axes, rows, columns, p.roles.batch)) return m;
  return packs ? packed(e, p, rows, columns, span, type) : std::nullopt;
}

//===--- limits -------------------------------------------------------------------------------------===//

/// Bounds that mention other axes, counted from the boxes' starts.
std::optional<std::vector<HalfSpace>> ProductBuilder::limitsOf(const Product& p) const {
  std::vector<HalfSpace> out;
  auto add = [&](const Expr& bounded) { // bounded <= 0
    HalfSpace h;
    Expr atStart = bounded;
    for (size_t i = 0; i < p.axes.size(); ++i) {
      std::optional<int64_t> c = coefficientOf(bounded, p.axes[i].index);
      if (!c || std::abs(*c) > 1000) return false;
      atStart = substitute(atStart, {{p.axes[i].index, p.axes[i].boxLo}});
      if (*c == 0) continue;
      for (auto [group, factor] : {std::pair(&p.roles.rows, &h.row), std::pair(&p.roles.columns, &h.column),
                                   std::pair(&p.roles.inner, &h.inner)}) {
        if (!contains(*group, i)) continue;
        if (group->size() != 1) return false;
        *factor = static_cast<int>(*c);
      }
    }
    h.bound = intConst(0) - atStart;
    out.push_back(std::move(h));
    return true;
  };
  for (size_t i = 0; i < p.axes.size(); ++i) {
    const Axis& axis = p.axes[i];
    Expr index = var(axis.index);
    if (mentionsAny(axis.lo, p.axes) && !add(axis.lo - index)) return std::nullopt;
    for (const Expr& hi : axis.his) {
      if (mentionsAny(hi, p.axes) && !add(index - hi + 1)) return std::nullopt;
    }
  }
  return out;
}

//===--- the product --------------------------------------------------------------------------------===//

/// The factors that no axis moves: known to the host, or part of an operand. False where they are of the sum
/// and of what it adds up.
bool ProductBuilder::addScales(const std::vector<Expr>& factors, size_t ofSum, Product& p, Expr& left) const {
  p.scale = constOf(typeOf(left), 1);
  bool scalesTerms = false;
  for (size_t i = 0; i < factors.size(); ++i) {
    const Expr& f = factors[i];
    if (mentionsAny(f, p.axes)) continue;
    const bool isKnown = isHostKnown(f);
    if (i < ofSum && !isKnown) return false;
    if (!isKnown) left = times(f, left);
    if (isKnown) p.scale = times(p.scale, f);
    if (isKnown && !f.is<Const>()) (i < ofSum ? p.scalesSum : scalesTerms) = true;
  }
  return !(p.scalesSum && scalesTerms);
}

/// In the order of what it costs: no operand is copied, and one large product is faster than many small ones.
std::optional<Product> ProductBuilder::build(const Nest& nest, const Term& term, DType type) {
  for (const bool packs : {false, true}) {
    if (auto one = attempt(nest, term, type, false, packs)) return one;
    if (!batches_) continue;
    if (auto batch = attempt(nest, term, type, true, packs)) return batch;
  }
  return std::nullopt;
}

std::optional<Product> ProductBuilder::attempt(const Nest& nest, const Term& term, DType type, bool inBatches,
                                               bool packs) {
  Product p;
  std::vector<Expr> factors;
  std::vector<size_t> outputs;
  Expr left, right;
  if (!addSumAxes(nest, term, p, factors)) return std::nullopt;
  for (size_t i = 0; i < term.ofSum; ++i)
    if (mentionsAny(factors[i], p.axes)) return std::nullopt;
  assignRoles(nest, p, outputs);
  if (inBatches) takeBatch(nest, factors, p, outputs);
  if (!sortFactors(nest, factors, outputs, p, left, right)) return std::nullopt;
  if (inBatches) widenBatch(nest, p);
  if (inBatches && p.roles.batch.empty()) return std::nullopt;
  // The sum's axes in the order of the left operand's memory.
  std::vector<Expr> subscripts;
  collectSubscripts(left, subscripts);
  p.roles.inner = inOrderOf(subscripts, p.axes, p.roles.inner);
  p.rows = extentOf(p.axes, p.roles.rows);
  p.columns = extentOf(p.axes, p.roles.columns);
  p.inner = extentOf(p.axes, p.roles.inner);
  for (const Expr& size : {p.rows, p.columns, p.inner})
    if (isSmall(size)) return std::nullopt;
  auto limits = limitsOf(p);
  if (!limits) return std::nullopt;
  p.limits = std::move(*limits);
  if (!addScales(factors, term.ofSum, p, left)) return std::nullopt;
  if (term.negative) p.scale = unary(UnaryOp::Neg, p.scale);
  if (inBatches && (!p.limits.empty() || !p.scale.is<Const>() || equal(p.scale, constOf(type, 0))))
    return std::nullopt;
  auto a = operand(left, p, p.roles.rows, p.roles.inner, nest.span, type, packs);
  auto b = a ? operand(right, p, p.roles.inner, p.roles.columns, nest.span, type, packs) : std::nullopt;
  if (!a || !b) return std::nullopt;
  p.a = std::move(*a), p.b = std::move(*b);
  if (inBatches && !(isContiguous(p.a) && isContiguous(p.b))) return std::nullopt;
  if (!p.limits.empty() && !(inRange(p.a, p.rows, p.inner) && inRange(p.b, p.inner, p.columns)))
    return std::nullopt;
  return p;
}

} // namespace appyc::transform
