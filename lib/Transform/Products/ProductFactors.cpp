//===- ProductFactors.cpp - the factors of a term, sorted into two operands --------------------------------===//
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include <algorithm>
#include <numeric>

namespace appyc::transform {
using namespace ir;

bool contains(const std::vector<size_t>& group, size_t axis) {
  return std::find(group.begin(), group.end(), axis) != group.end();
}

namespace {

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
      if (mentions(factor, axes_[i].index)) {
        if (first) parent_[root(i)] = root(*first);
        first = first.value_or(i);
      }
  }
  size_t root(size_t i) const { return parent_[i] == i ? i : root(parent_[i]); }
  /// The group of a factor; nullopt when it mentions no row or column.
  std::optional<size_t> of(const Expr& factor) const {
    for (size_t i : outputs_)
      if (mentions(factor, axes_[i].index)) return root(i);
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

} // namespace

std::vector<size_t> inOrderOf(const std::vector<Expr>& subscripts, const std::vector<Axis>& axes,
                              const std::vector<size_t>& chosen) {
  std::vector<size_t> out;
  for (const Expr& e : subscripts)
    for (size_t i : chosen)
      if (!contains(out, i) && mentions(e, axes[i].index)) out.push_back(i);
  for (size_t i : chosen)
    if (!contains(out, i)) out.push_back(i);
  return out;
}

bool isOne(const Expr& e) { return equal(e, constOf(typeOf(e), 1)); }

Expr times(const Expr& a, const Expr& b) {
  if (!a || isOne(a)) return b;
  return isOne(b) ? a : binary(BinaryOp::Mul, a, b);
}

bool addSumAxes(const Nest& nest, const Term& term, Product& p, std::vector<Expr>& factors) {
  p.axes = nest.axes;
  for (const Expr& f : term.factors) factors.push_back(substitute(f, nest.toShifted));
  for (const Range& range : term.over) {
    Axis axis{range.index, intConst(0), {substitute(range.extent, nest.toShifted)}, {}, {}};
    if (readsMemory(axis.his.front())) return false;
    axis.his = {unclipped(axis.his.front())};
    std::vector<Expr> subscripts;
    for (const Expr& f : factors) collectSubscripts(f, subscripts);
    if (Expr rest = shift(axis, p.axes, subscripts)) {
      Symbol sum(range.index.hint());
      for (Expr& f : factors) f = substitute(f, {{range.index, var(sum) - rest}});
      axis.index = sum;
    }
    p.axes.push_back(std::move(axis));
  }
  return setBoxes(p.axes);
}

void assignRoles(const Nest& nest, Product& p, std::vector<size_t>& outputs) {
  for (size_t i = 0; i < p.axes.size(); ++i) {
    bool isOutput = i < nest.axes.size() &&
                    std::any_of(nest.leaf.index.begin(), nest.leaf.index.end(), [&](const Expr& e) {
                      return mentions(substitute(e, nest.toShifted), p.axes[i].index);
                    });
    (isOutput ? outputs : p.roles.inner).push_back(i);
  }
}

static std::vector<Expr> shiftedSubscripts(const Nest& nest) {
  std::vector<Expr> subscripts;
  for (const Expr& e : nest.leaf.index) subscripts.push_back(substitute(e, nest.toShifted));
  return subscripts;
}

void takeBatch(const Nest& nest, const std::vector<Expr>& factors, Product& p, std::vector<size_t>& outputs) {
  const auto isSummed = [&](const Expr& f) {
    return std::ranges::any_of(p.roles.inner, [&](size_t i) { return mentions(f, p.axes[i].index); });
  };
  std::vector<size_t> batch;
  std::erase_if(outputs, [&](size_t i) {
    const auto count = std::ranges::count_if(
        factors, [&](const Expr& f) { return isSummed(f) && mentions(f, p.axes[i].index); });
    if (count > 1) batch.push_back(i);
    return count > 1;
  });
  p.roles.batch = inOrderOf(shiftedSubscripts(nest), p.axes, batch);
}

void widenBatch(const Nest& nest, Product& p) {
  for (auto* group : {&p.roles.rows, &p.roles.columns}) {
    p.roles.batch.insert(p.roles.batch.end(), group->begin(), group->end() - 1);
    group->erase(group->begin(), group->end() - 1);
  }
  p.roles.batch = inOrderOf(shiftedSubscripts(nest), p.axes, p.roles.batch);
}

bool sortFactors(const Nest& nest, const std::vector<Expr>& factors, const std::vector<size_t>& outputs,
                 Product& p, Expr& left, Expr& right) {
  Groups groups(p.axes, outputs);
  for (const Expr& f : factors) groups.join(f);
  const std::set<size_t> roots = groups.all();
  if (roots.size() != 2 || p.roles.inner.empty()) return false;
  const std::vector<Expr> subscripts = shiftedSubscripts(nest);
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
                               [&](size_t i) { return mentions(side, p.axes[i].index); });
  };
  return complete(left) && complete(right);
}

} // namespace appyc::transform
