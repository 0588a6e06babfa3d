//===- KnownValues.cpp - values that are the same, and where they are known -----------------------------===//
#include "KnownValues.h"
#include "appyc/IR/Walk.h"

namespace appyc::transform {
using namespace ir;

Symbol IndexNames::operator[](size_t n) {
  while (names_.size() <= n) names_.push_back(Symbol("k"));
  return names_[n];
}

Expr IndexNames::canonical(const Expr& e, size_t first) {
  const auto* fold = e.as<Reduce>();
  if (!fold) return mapChildren(e, [&](const Expr& child) { return canonical(child, first); });
  Reduce by = *fold;
  std::map<Symbol, Expr> renamed;
  for (size_t d = 0; d < by.over.size(); ++d) {
    by.over[d] = {(*this)[first + d], by.over[d].extent};
    renamed[fold->over[d].index] = var(by.over[d].index);
  }
  by.body = canonical(substitute(fold->body, renamed), first + by.over.size());
  return make(std::move(by));
}

/// With none of `inner`, the indices around.
static void collectOnce(const Expr& e, const std::set<Symbol>& inner, std::vector<Expr>& found) {
  if (const auto* fold = e.as<Reduce>()) {
    if (!mentionsAny(e, inner)) return found.push_back(e);
    std::set<Symbol> own = inner;
    for (const Range& r : fold->over) own.insert(r.index);
    return collectOnce(fold->body, own, found);
  }
  if (const auto* choice = e.as<Select>()) return collectOnce(choice->cond, inner, found);
  const auto* b = e.as<Binary>();
  if (b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr))
    return collectOnce(b->lhs, inner, found);
  mapChildren(e, [&](const Expr& child) { return collectOnce(child, inner, found), child; });
}

std::vector<Range> domainOf(const Stmt& s) {
  const auto* i = s.as<IndexStmt>();
  return i ? i->domain : std::vector<Range>();
}

std::vector<Expr> foldsOf(const Stmt& s) {
  std::vector<Expr> found;
  std::set<Symbol> inner;
  for (const Range& r : domainOf(s)) inner.insert(r.index);
  forEachExpr(s, [&](const Expr& e) { collectOnce(e, inner, found); });
  return found;
}

std::set<Symbol> changedBy(const Stmt& s) {
  std::set<Symbol> all = storedBuffers(s);
  all.merge(assignedVars(s));
  all.merge(loopIndices(s));
  return all;
}

std::map<Symbol, int> writersIn(const Stmt& body) {
  std::map<Symbol, int> writers;
  visit(body, [&](const Stmt& s) {
    if (isLeaf(s))
      for (const Symbol& name : changedBy(s)) ++writers[name];
    return true;
  });
  return writers;
}

bool isLeaf(const Stmt& s) { return !s.is<Block>() && !s.is<For>() && !s.is<If>() && !s.is<While>(); }

int usesOf(const Stmt& s, const Symbol& array) {
  int count = countLoads(s, array);
  visit(s, [&](const Stmt& part) {
    count += isLeaf(part) && !part.is<Alloc>() && storedBuffers(part).count(array) > 0;
    return true;
  });
  return count;
}

bool dependsOn(const Expr& value, const std::set<Symbol>& changed) {
  return intersect(loadedBuffers(value), changed) || mentionsAny(value, changed);
}

} // namespace appyc::transform
