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
#include <numeric>

namespace appyc::transform {

using ir::Expr;
using ir::Stmt;

namespace {

/// Known sizes below this are better off as plain loops.
constexpr int64_t kSmallestSize = 16;

/// Is it known to be below that?
bool isSmall(const Expr& size) {
  const auto* b = size.as<ir::Binary>();
  if (b && b->op == ir::BinaryOp::Min) return isSmall(b->lhs) || isSmall(b->rhs);
  std::optional<int64_t> known = ir::constantInt(size);
  return known && *known < kSmallestSize;
}

bool contains(const std::vector<size_t>& group, size_t axis) {
  return std::find(group.begin(), group.end(), axis) != group.end();
}

/// The factors of a term, gathered by the row and column axes that they share.
class Groups {
public:
  Groups(const std::vector<Axis>& axes, const std::vector<size_t>& outputs) : axes_(axes), outputs_(outputs) {
    parent_.resize(axes.size());
    std::iota(parent_.begin(), parent_.end(), size_t{0});
  }
  void join(const Expr& factor) {
    std::optional<size_t> first;
    for (size_t i : outputs_)
      if (ir::mentions(factor, axes_[i].index)) {
        if (first) parent_[root(i)] = root(*first);
        first = first.value_or(i);
      }
  }
  size_t root(size_t i) const { return parent_[i] == i ? i : root(parent_[i]); }
  /// The group of a factor; nullopt when it mentions no row or column.
  std::optional<size_t> of(const Expr& factor) const {
    for (size_t i : outputs_)
      if (ir::mentions(factor, axes_[i].index)) return root(i);
    return std::nullopt;
  }
  std::set<size_t> all() const {
    std::set<size_t> roots;
    for (size_t i : outputs_) roots.insert(root(i));
    return roots;
  }

private:
  const std::vector<Axis>& axes_;
  const std::vector<size_t>& outputs_;
  std::vector<size_t> parent_;
};

/// The axes in the order in which the subscripts mention them, then the others.
std::vector<size_t> inOrderOf(const std::vector<Expr>& subscripts, const std::vector<Axis>& axes,
                              const std::vector<size_t>& chosen) {
  std::vector<size_t> out;
  for (const Expr& e : subscripts)
    for (size_t i : chosen)
      if (!contains(out, i) && ir::mentions(e, axes[i].index)) out.push_back(i);
  for (size_t i : chosen)
    if (!contains(out, i)) out.push_back(i);
  return out;
}

} // namespace

bool isOne(const Expr& e) { return ir::equal(e, ir::constOf(ir::typeOf(e), 1)); }

Expr times(const Expr& a, const Expr& b) {
  if (!a || isOne(a)) return b;
  return isOne(b) ? a : ir::binary(ir::BinaryOp::Mul, a, b);
}

//===--- what is known ------------------------------------------------------------------------------===//

bool ProductBuilder::isHostKnown(const Expr& e) const {
  if (e.is<ir::Const>()) return true;
  if (ir::readsMemory(e) || ir::isComplex(ir::typeOf(e))) return false;
  const std::set<Symbol> assigned = ir::assignedVars(function_.body);
  const std::set<Symbol> used = ir::freeVars(e);
  return std::all_of(used.begin(), used.end(), [&](const Symbol& s) {
    auto isName = [&](const auto& x) { return x.name == s; };
    bool given = std::any_of(function_.params.begin(), function_.params.end(), isName) ||
                 std::any_of(function_.sizes.begin(), function_.sizes.end(), isName);
    return given && !assigned.count(s);
  });
}

Expr ProductBuilder::atLeastZero(const Expr& e) const {
  return analysis::isNonNegative(e, known_) ? e : ir::maxOf(e, 0);
}

ir::Buffer ProductBuilder::temporary(const std::string& hint, ir::DType type, std::vector<Expr> extents,
                                     Span span, std::vector<Stmt>& out) {
  ir::Buffer buffer{Symbol(hint), type, std::move(extents)};
  function_.buffers.push_back(buffer);
  out.push_back(ir::makeStmt(span, ir::Alloc{buffer}));
  return buffer;
}

bool ProductBuilder::inRange(const ir::Matrix& m, const Expr& rows, const Expr& columns) const {
  const ir::Buffer* it = function_.findBuffer(m.buffer);
  if (!it) return false;
  for (auto [d, count] : {std::pair(m.row, rows), std::pair(m.column, columns)}) {
    const Expr &at = m.at[static_cast<size_t>(d)], &extent = it->extents[static_cast<size_t>(d)];
    if (!analysis::isNonNegative(at, known_)) return false;
    if (!analysis::isNonNegative(extent - (at + count), known_)) return false;
  }
  return true;
}

//===--- operands -----------------------------------------------------------------------------------===//

Expr ProductBuilder::extentOf(const std::vector<Axis>& axes, const std::vector<size_t>& group) const {
  Expr extent = ir::intConst(1);
  for (size_t i : group) {
    Expr size = axes[i].boxHi - axes[i].boxLo;
    extent = extent * (group.size() > 1 ? atLeastZero(size) : size);
  }
  return extent;
}

std::optional<ir::Matrix> ProductBuilder::matrixOf(Symbol buffer, const std::vector<Expr>& index,
                                                   const std::vector<Axis>& axes,
                                                   const std::vector<size_t>& rows,
                                                   const std::vector<size_t>& columns) const {
  const ir::Buffer* it = function_.findBuffer(buffer);
  if (!it || it->extents.size() != index.size()) return std::nullopt;
  ir::Matrix m{buffer, index, -1, -1};
  std::vector<int> place(axes.size(), -1); // the dimension that an axis counts
  for (size_t d = 0; d < index.size(); ++d) {
    int moving = 0;
    for (size_t i = 0; i < axes.size(); ++i) {
      if (!ir::mentions(index[d], axes[i].index)) continue;
      bool chosen = contains(rows, i) || contains(columns, i);
      if (!chosen || place[i] >= 0 || ++moving > 1 || coefficientOf(index[d], axes[i].index) != 1)
        return std::nullopt;
      place[i] = static_cast<int>(d);
      m.at[d] = index[d] - ir::var(axes[i].index) + axes[i].boxLo;
    }
  }
  for (const auto* group : {&rows, &columns}) {
    for (size_t n = 0; n < group->size(); ++n) {
      int d = place[(*group)[n]];
      if (d < 0 || (n > 0 && d != place[(*group)[n - 1]] + 1)) return std::nullopt;
      const Axis& axis = axes[(*group)[n]];
      bool whole = ir::isConst(m.at[static_cast<size_t>(d)], 0) &&
                   ir::equalIndex(axis.boxHi, it->extents[static_cast<size_t>(d)]);
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
  ir::visit(e, [&](const Expr& part) {
    good &= !part.is<ir::Reduce>();
    const auto* l = part.as<ir::Load>();
    if (!l || !good) return good;
    std::vector<size_t> used;
    for (size_t i : axes)
      if (ir::mentions(part, p.axes[i].index)) used.push_back(i);
    if (used.empty()) return false;
    for (size_t i : used) {
      int places = 0;
      for (const Expr& at : l->index) places += ir::mentions(at, p.axes[i].index);
      good &= places == 1;
    }
    for (const Expr& at : l->index) {
      int moving = 0;
      for (size_t i : used) moving += ir::mentions(at, p.axes[i].index);
      good &= moving <= 1;
    }
    const ir::Buffer* it = function_.findBuffer(l->buffer);
    good &= it != nullptr;
    for (size_t d = 0; good && d < l->index.size(); ++d)
      for (size_t i : used) {
        if (!ir::mentions(l->index[d], p.axes[i].index)) continue;
        good &= coefficientOf(l->index[d], p.axes[i].index) == 1;
        Expr offset = l->index[d] - ir::var(p.axes[i].index);
        good = good && analysis::isNonNegative(offset + p.axes[i].boxLo, known_) &&
               analysis::isNonNegative(it->extents[d] - (offset + p.axes[i].boxHi), known_);
      }
    return false;
  });
  return good;
}

/// Computes the operand into a matrix of its own.
std::optional<ir::Matrix> ProductBuilder::packed(const Expr& e, Product& p, const std::vector<size_t>& rows,
                                                 const std::vector<size_t>& columns, Span span,
                                                 ir::DType type) {
  std::vector<size_t> axes = rows;
  axes.insert(axes.end(), columns.begin(), columns.end());
  if (!mayPack(e, p, axes)) return std::nullopt;
  ir::IndexStmt fill{{}, {}, {}, {}, std::nullopt, true, 0};
  std::vector<Expr> extents;
  std::map<Symbol, Expr> at;
  for (size_t i : axes) {
    const Axis& axis = p.axes[i];
    extents.push_back(atLeastZero(axis.boxHi - axis.boxLo));
    Symbol index(axis.index.hint());
    fill.domain.push_back({index, extents.back()});
    fill.index.push_back(ir::var(index));
    at[axis.index] = ir::var(index) + axis.boxLo;
  }
  ir::Buffer buffer = temporary("operand", type, extents, span, p.before);
  fill.target = buffer.name;
  fill.value = ir::substitute(e, at);
  p.before.push_back(ir::makeStmt(span, std::move(fill)));
  return ir::Matrix{buffer.name, std::vector<Expr>(axes.size(), ir::intConst(0)),
                    static_cast<int>(rows.size()) - 1, static_cast<int>(axes.size()) - 1};
}

std::optional<ir::Matrix> ProductBuilder::operand(const Expr& e, Product& p, const std::vector<size_t>& rows,
                                                  const std::vector<size_t>& columns, Span span,
                                                  ir::DType type) {
  if (const auto* l = e.as<ir::Load>())
    if (auto m = matrixOf(l->buffer, l->index, p.axes, rows, columns)) return m;
  return packed(e, p, rows, columns, span, type);
}

//===--- limits -------------------------------------------------------------------------------------===//

/// Bounds that mention other axes, counted from the boxes' starts.
std::optional<std::vector<ir::HalfSpace>> ProductBuilder::limitsOf(const Product& p) const {
  std::vector<ir::HalfSpace> out;
  auto add = [&](const Expr& bounded) { // bounded <= 0
    ir::HalfSpace h;
    Expr atStart = bounded;
    for (size_t i = 0; i < p.axes.size(); ++i) {
      std::optional<int64_t> c = coefficientOf(bounded, p.axes[i].index);
      if (!c || std::abs(*c) > 1000) return false;
      atStart = ir::substitute(atStart, {{p.axes[i].index, p.axes[i].boxLo}});
      if (*c == 0) continue;
      for (auto [group, factor] : {std::pair(&p.roles.rows, &h.row), std::pair(&p.roles.columns, &h.column),
                                   std::pair(&p.roles.inner, &h.inner)}) {
        if (!contains(*group, i)) continue;
        if (group->size() != 1) return false;
        *factor = static_cast<int>(*c);
      }
    }
    h.bound = ir::intConst(0) - atStart;
    out.push_back(std::move(h));
    return true;
  };
  for (size_t i = 0; i < p.axes.size(); ++i) {
    const Axis& axis = p.axes[i];
    Expr index = ir::var(axis.index);
    if (mentionsAny(axis.lo, p.axes) && !add(axis.lo - index)) return std::nullopt;
    for (const Expr& hi : axis.his) {
      if (mentionsAny(hi, p.axes) && !add(index - hi + 1)) return std::nullopt;
    }
  }
  return out;
}

//===--- the product --------------------------------------------------------------------------------===//

/// The axes of the sum, those of the statement first, with sums like `i + k` counted as one.
static bool addSumAxes(const Nest& nest, const Term& term, Product& p, std::vector<Expr>& factors) {
  p.axes = nest.axes;
  for (const Expr& f : term.factors) factors.push_back(ir::substitute(f, nest.toShifted));
  for (const ir::Range& range : term.over) {
    Axis axis{range.index, ir::intConst(0), {ir::substitute(range.extent, nest.toShifted)}, {}, {}};
    if (ir::readsMemory(axis.his.front())) return false;
    axis.his = {ir::unclipped(axis.his.front())};
    std::vector<Expr> subscripts;
    for (const Expr& f : factors) collectSubscripts(f, subscripts);
    if (Expr rest = shift(axis, p.axes, subscripts)) {
      Symbol sum(range.index.hint());
      for (Expr& f : factors) f = ir::substitute(f, {{range.index, ir::var(sum) - rest}});
      axis.index = sum;
    }
    p.axes.push_back(std::move(axis));
  }
  return setBoxes(p.axes);
}

static void assignRoles(const Nest& nest, Product& p, std::vector<size_t>& outputs) {
  for (size_t i = 0; i < p.axes.size(); ++i) {
    bool isOutput = i < nest.axes.size() &&
                    std::any_of(nest.leaf.index.begin(), nest.leaf.index.end(), [&](const Expr& e) {
                      return ir::mentions(ir::substitute(e, nest.toShifted), p.axes[i].index);
                    });
    (isOutput ? outputs : p.roles.inner).push_back(i);
  }
}

/// Sorts the factors into the two operands; false when they are not two.
static bool sortFactors(const Nest& nest, const std::vector<Expr>& factors,
                        const std::vector<size_t>& outputs, Product& p, Expr& left, Expr& right) {
  Groups groups(p.axes, outputs);
  for (const Expr& f : factors) groups.join(f);
  const std::set<size_t> roots = groups.all();
  if (roots.size() != 2 || p.roles.inner.empty()) return false;
  std::vector<Expr> subscripts;
  for (const Expr& e : nest.leaf.index) subscripts.push_back(ir::substitute(e, nest.toShifted));
  // Columns are what the last subscript counts: neighbours in memory.
  size_t columns = *roots.rbegin();
  for (const Expr& e : subscripts)
    if (auto group = groups.of(e)) columns = *group;
  for (size_t i : inOrderOf(subscripts, p.axes, outputs))
    (groups.root(i) == columns ? p.roles.columns : p.roles.rows).push_back(i);
  for (const Expr& f : factors) {
    if (!mentionsAny(f, p.axes)) continue;
    std::optional<size_t> group = groups.of(f);
    Expr& side = group && *group == columns ? right : left;
    side = times(side, f);
  }
  auto complete = [&](const Expr& side) {
    return side && std::all_of(p.roles.inner.begin(), p.roles.inner.end(),
                               [&](size_t i) { return ir::mentions(side, p.axes[i].index); });
  };
  return complete(left) && complete(right);
}

/// The factors that no axis moves: known to the host, or part of an operand. False where they are of the sum
/// and of what it adds up.
bool ProductBuilder::addScales(const std::vector<Expr>& factors, size_t ofSum, Product& p, Expr& left) const {
  p.scale = ir::constOf(ir::typeOf(left), 1);
  bool scalesTerms = false;
  for (size_t i = 0; i < factors.size(); ++i) {
    const Expr& f = factors[i];
    if (mentionsAny(f, p.axes)) continue;
    const bool isKnown = isHostKnown(f);
    if (i < ofSum && !isKnown) return false;
    if (!isKnown) left = times(f, left);
    if (isKnown) p.scale = times(p.scale, f);
    if (isKnown && !f.is<ir::Const>()) (i < ofSum ? p.scalesSum : scalesTerms) = true;
  }
  return !(p.scalesSum && scalesTerms);
}

std::optional<Product> ProductBuilder::build(const Nest& nest, const Term& term, ir::DType type) {
  Product p;
  std::vector<Expr> factors;
  std::vector<size_t> outputs;
  Expr left, right;
  if (!addSumAxes(nest, term, p, factors)) return std::nullopt;
  for (size_t i = 0; i < term.ofSum; ++i)
    if (mentionsAny(factors[i], p.axes)) return std::nullopt;
  assignRoles(nest, p, outputs);
  if (!sortFactors(nest, factors, outputs, p, left, right)) return std::nullopt;
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
  if (term.negative) p.scale = ir::unary(ir::UnaryOp::Neg, p.scale);
  auto a = operand(left, p, p.roles.rows, p.roles.inner, nest.span, type);
  auto b = a ? operand(right, p, p.roles.inner, p.roles.columns, nest.span, type) : std::nullopt;
  if (!a || !b) return std::nullopt;
  p.a = std::move(*a), p.b = std::move(*b);
  if (!p.limits.empty() && !(inRange(p.a, p.rows, p.inner) && inRange(p.b, p.inner, p.columns)))
    return std::nullopt;
  return p;
}

} // namespace appyc::transform
