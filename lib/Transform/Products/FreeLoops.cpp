//===- FreeLoops.cpp - loops around products that run down ---------------------------------------------------===//
#include "Products.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"

namespace appyc::transform {
using namespace ir;

namespace {

/// Is it the element, with something added that does not read the array?
bool addsTo(const Expr& e, const Symbol& buffer, const std::vector<Expr>& index) {
  if (const auto* l = e.as<Load>()) return l->buffer == buffer && equalIndices(l->index, index);
  const auto* sum = e.as<Binary>();
  if (!sum || (sum->op != BinaryOp::Add && sum->op != BinaryOp::Sub)) return false;
  const auto reads = [&](const Expr& part) { return loadedBuffers(part).count(buffer) > 0; };
  return (addsTo(sum->lhs, buffer, index) && !reads(sum->rhs)) ||
         (sum->op == BinaryOp::Add && addsTo(sum->rhs, buffer, index) && !reads(sum->lhs));
}

/// Loops that do nothing but add to elements, of arrays that nothing in them reads otherwise.
bool onlyAdds(const Stmt& s) {
  const std::set<Symbol> stored = storedBuffers(s);
  return !anyStmt(s, [&](const Stmt& part) {
    const auto adds = [&](const auto* leaf, const Symbol& buffer) {
      std::set<Symbol> others = loadedBuffers(leaf->value);
      others.erase(buffer);
      for (const Expr& e : leaf->index) others.merge(loadedBuffers(e));
      return addsTo(leaf->value, buffer, leaf->index) && !intersect(others, stored);
    };
    if (const auto* store = part.as<Store>()) return !adds(store, store->buffer);
    if (const auto* index = part.as<IndexStmt>()) return !adds(index, index->target);
    return !part.is<For>() && !part.is<Block>();
  });
}

} // namespace

Stmt countingUpWhereFree(const Stmt& s, analysis::Context& known) {
  const auto runsDown = [](const For& loop) { return isConst(loop.step, -1); };
  if (!any<For>(s, runsDown)) return s;
  const auto inside = [&](const Stmt& child) { return child ? countingUpWhereFree(child, known) : child; };
  const auto* loop = s.as<For>();
  if (!loop) return mapChildren(s, inside);
  const bool isFree = runsDown(*loop) && loop->hints.mark == LoopMark::None &&
                      (onlyAdds(s) || analysis::judgeParallel(*loop, known, {}).isProven());
  For up = isFree ? loops::countingUp(*loop) : *loop;
  const analysis::Inside within(known, *loop);
  up.body = inside(loop->body);
  return makeStmt(s->span, std::move(up));
}

} // namespace appyc::transform
