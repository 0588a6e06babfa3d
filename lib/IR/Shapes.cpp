//===- Shapes.cpp - the sizes of results, as the library tells them -------------------------------------===//
#include "appyc/IR/Shapes.h"
#include <algorithm>
#include <set>

namespace appyc::ir {

/// Sizes, scalars and constants, and choices among them: no arithmetic.
static bool isChosen(const Expr& e) {
  const auto* choice = e.as<Select>();
  if (!choice) return e.is<Var>() || e.is<Const>();
  const auto* b = choice->cond.as<Binary>();
  return b && isChosen(b->lhs) && isChosen(b->rhs) && isChosen(choice->then) && isChosen(choice->otherwise);
}

/// Adds those values, taken in turn, that are part of something beside None.
static void addBesideNone(const Form& form, bool isBeside, std::vector<Symbol>::const_iterator& next,
                          std::set<Symbol>& found) {
  const bool isLeaf = (form.kind == Form::Value && form.type.empty()) || form.kind == Form::Numbers ||
                      form.kind == Form::Elements || form.kind == Form::Extended;
  if (isLeaf && isBeside) found.insert(*next);
  if (isLeaf) ++next;
  for (size_t k = 0; k < form.parts.size(); ++k)
    addBesideNone(form.parts[k], isBeside || (form.kind == Form::Optional && k > 0), next, found);
}

static std::set<Symbol> resultsBesideNone(const Function& f) {
  std::vector<Symbol> values;
  for (const Result& r : f.results)
    if (r.kind == Result::View || !r.hidden) values.push_back(r.name);
  std::set<Symbol> found;
  auto next = values.cbegin();
  addBesideNone(f.returned, false, next, found);
  return found;
}

static bool isSize(const Function& f, const Expr& e) {
  const auto* v = e.as<Var>();
  return e.is<Const>() ||
         (v && std::any_of(f.sizes.begin(), f.sizes.end(), [&](const Size& s) { return s.name == v->name; }));
}

std::vector<ComputedExtent> computedExtents(const Function& f) {
  const std::set<Symbol> beside = resultsBesideNone(f);
  std::vector<ComputedExtent> all;
  for (const Result& r : f.results) {
    const bool isBeside = beside.count(r.name) > 0;
    for (const Expr& e : r.extents)
      if (r.kind == Result::Array && (!isChosen(e) || (isBeside && !isSize(f, e))))
        all.push_back({e, isBeside});
  }
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
