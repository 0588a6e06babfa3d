//===- ProductSums.cpp - what a nest's value consists of -------------------------------------------------===//
#include "Products.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::transform {
using namespace ir;

static bool isElement(const Expr& e, const IndexStmt& leaf) {
  const auto* l = e.as<Load>();
  return l && l->buffer == leaf.target && equalIndices(l->index, leaf.index);
}

Sum sumOf(const Nest& nest, const ProductBuilder& builder) {
  Sum sum;
  const DType type = typeOf(nest.leaf.value);
  for (Term& term : termsOf(nest.leaf.value)) {
    auto self = std::find_if(term.factors.begin(), term.factors.end(),
                             [&](const Expr& f) { return isElement(f, nest.leaf); });
    if (self != term.factors.end() && term.over.empty() && !sum.self) {
      Term factor = term;
      factor.factors.erase(factor.factors.begin() + (self - term.factors.begin()));
      if (factor.factors.empty()) factor.factors.push_back(constOf(type, 1));
      bool known = std::all_of(factor.factors.begin(), factor.factors.end(),
                               [&](const Expr& f) { return builder.isHostKnown(f); });
      if (known) {
        sum.self = std::move(factor);
        continue;
      }
    }
    int arrays = 0;
    for (const Expr& f : term.factors) arrays += readsMemory(f);
    (arrays >= 2 ? sum.products : sum.rest).push_back(std::move(term));
  }
  return sum;
}

Expr restOf(const Nest& nest, const Sum& sum) {
  const DType type = typeOf(nest.leaf.value);
  Expr value;
  if (sum.self) {
    const Expr factor = textOf(*sum.self, type);
    value = make(Load{type, nest.leaf.target, nest.leaf.index});
    if (!equal(factor, constOf(type, 1))) value = binary(BinaryOp::Mul, value, factor);
  }
  for (const Term& term : sum.rest)
    value = value ? binary(BinaryOp::Add, value, textOf(term, type)) : textOf(term, type);
  return value;
}

bool hasSumLoop(const Nest& nest) {
  return std::any_of(nest.axes.begin(), nest.axes.end(), [&](const Axis& a) {
    return std::none_of(nest.leaf.index.begin(), nest.leaf.index.end(),
                        [&](const Expr& e) { return mentions(substitute(e, nest.toShifted), a.index); });
  });
}

/// The most axes around a place in `e` that multiplies elements, `axes` of them around `e` itself; -1 without
/// one.
static int depthOfProducts(const Expr& e, int axes) {
  int depth = -1;
  visit(e, [&](const Expr& part) {
    const auto* r = part.as<Reduce>();
    if (r) depth = std::max(depth, depthOfProducts(r->body, axes + static_cast<int>(r->over.size())));
    const auto* b = part.as<Binary>();
    if (b && b->op == BinaryOp::Mul && readsMemory(b->lhs) && readsMemory(b->rhs))
      depth = std::max(depth, axes);
    return !r;
  });
  return depth;
}

int depthOfProducts(const Stmt& s) {
  if (const auto* loop = s.as<For>()) {
    int inside = depthOfProducts(loop->body);
    return inside < 0 ? inside : inside + 1;
  }
  int depth = -1;
  forEachChild(s, [&](const Stmt& child) { depth = std::max(depth, depthOfProducts(child)); });
  const auto* index = s.as<IndexStmt>();
  int own = index ? static_cast<int>(index->domain.size()) : 0;
  forEachExpr(s, [&](const Expr& value) { depth = std::max(depth, depthOfProducts(value, own)); });
  return depth;
}

Stmt withValue(const Stmt& nest, const Expr& value) {
  if (nest.is<For>()) return mapChildren(nest, [&](const Stmt& body) { return withValue(body, value); });
  const auto set = [&](auto leaf) {
    leaf.value = value;
    return makeStmt(nest->span, std::move(leaf));
  };
  const auto* store = nest.as<Store>();
  return store ? set(*store) : set(*nest.as<IndexStmt>());
}

bool marksHold(const Nest& nest, const analysis::Context& known) {
  analysis::Context around = known;
  for (const For* loop : nest.loops) {
    if (loop->hints.mark != LoopMark::None && !analysis::judgeParallel(*loop, around, {}).isProven())
      return false;
    around.loops.push_back(loop);
  }
  return true;
}

bool readsTarget(const Nest& nest, const Term& term) {
  return std::any_of(term.factors.begin(), term.factors.end(),
                     [&](const Expr& f) { return loadedBuffers(f).count(nest.leaf.target) > 0; });
}

bool readsOnlyEarlier(const Nest& nest, const analysis::Context& known) {
  analysis::Context around = known;
  for (const For* loop : nest.loops) {
    if (analysis::readsEarlierWrites(*loop, around)) return false;
    around.loops.push_back(loop);
  }
  return true;
}

} // namespace appyc::transform
