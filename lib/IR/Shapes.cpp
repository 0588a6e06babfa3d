//===- Shapes.cpp - the sizes of results, as the library tells them -------------------------------------===//
#include "appyc/IR/Shapes.h"
#include <set>

namespace appyc::ir {

/// Sizes, scalars and constants, and choices among them: no arithmetic.
static bool isChosen(const Expr& e) {
  const auto* choice = e.as<Select>();
  if (!choice) return e.is<Var>() || e.is<Const>();
  const auto* b = choice->cond.as<Binary>();
  return b && isChosen(b->lhs) && isChosen(b->rhs) && isChosen(choice->then) && isChosen(choice->otherwise);
}

std::vector<Expr> computedExtents(const Function& f) {
  std::vector<Expr> all;
  for (const Result& r : f.results)
    for (const Expr& e : r.extents)
      if (r.kind == Result::Array && !isChosen(e)) all.push_back(e);
  return all;
}

std::vector<CParam> shapeParams(const Function& f) {
  std::vector<CParam> result = workspaceParams(f);
  std::set<std::string> taken;
  for (const CParam& p : result) taken.insert(p.name);
  result.push_back({CParam::ResultScalar, DType::I64, {}, uniqueIdentifier("extents", taken)});
  return result;
}

} // namespace appyc::ir
