//===- Delinearize.cpp - subscripts that a reshape made, as the axes that they stand for ----------------===//
//   a[k / n, k % n]      =>   a[k]          two such elements are one where k is
//   a[i * n + j]         =>   a[i, j]       where 0 <= j < n
// Products and quotients by sizes are not affine; their parts are. Accesses are compared in this form where all to a
// buffer have it, by the same sizes. (Grosser et al., Optimistic Delinearization of Parametrically Sized Arrays.)
#include "Accesses.h"
#include "Isl.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::analysis {

namespace {

using ir::Expr;

const ir::Binary* binaryOf(const Expr& e, ir::BinaryOp op) {
  const auto* b = e.as<ir::Binary>();
  return b && b->op == op && b->type == ir::DType::I64 ? b : nullptr;
}

/// Joins neighbours [R / n, R % n] to [R]; `factors`: the n.
bool joinPair(std::vector<Expr>& index, std::vector<Access::Form::Factor>& factors) {
  for (size_t d = 0; d + 1 < index.size(); ++d) {
    const auto *quotient = binaryOf(index[d], ir::BinaryOp::FloorDiv),
               *rest = binaryOf(index[d + 1], ir::BinaryOp::Mod);
    if (!quotient || !rest || !ir::equalIndex(quotient->rhs, rest->rhs) ||
        !ir::equalIndex(quotient->lhs, rest->lhs))
      continue;
    const auto axis = static_cast<std::ptrdiff_t>(d);
    factors.push_back({-1 - axis, rest->rhs});
    index[d] = rest->lhs;
    index.erase(index.begin() + axis + 1);
    return true;
  }
  return false;
}

void addendsOf(const Expr& e, std::vector<Expr>& out) {
  if (const auto* sum = binaryOf(e, ir::BinaryOp::Add)) {
    addendsOf(sum->lhs, out);
    addendsOf(sum->rhs, out);
  } else {
    out.push_back(e);
  }
}

/// `e` as quotient * factor + rest, the factor a variable of one value.
struct Split {
  Expr factor, quotient, rest;
};

std::vector<Split> splitsOf(const Expr& e, const std::function<bool(const Expr&)>& isFixed) {
  std::vector<Expr> addends;
  addendsOf(e, addends);
  std::vector<Split> found;
  for (const Expr& candidate : addends) {
    const auto* scaled = binaryOf(candidate, ir::BinaryOp::Mul);
    if (!scaled) continue;
    for (const Expr& factor : {scaled->lhs, scaled->rhs}) {
      if (!factor.is<ir::Var>() || !isFixed(factor)) continue;
      Split s{factor, ir::intConst(0), ir::intConst(0)};
      for (const Expr& addend : addends) {
        const auto* m = binaryOf(addend, ir::BinaryOp::Mul);
        if (m && (ir::equal(m->lhs, factor) || ir::equal(m->rhs, factor)))
          s.quotient = ir::add(s.quotient, ir::equal(m->rhs, factor) ? m->lhs : m->rhs);
        else
          s.rest = ir::add(s.rest, addend);
      }
      found.push_back(s);
    }
  }
  return found;
}

} // namespace

/// Does 0 <= e < n hold wherever the access at hand is?
bool AccessCollector::isBelow(const Expr& e, const Expr& n) {
  const std::optional<Term> value = scope_.translate(e), end = scope_.translate(n);
  if (!value || !end) return false;
  Term outside = domain_;
  outside.exists.insert(outside.exists.begin(), dims_.begin(), dims_.end());
  append(outside, *value), append(outside, *end), append(outside, scope_.contextConstraints());
  outside.constraints.push_back(fmt::format("({0} < 0 or {0} >= {1})", value->text, end->text));
  return holdsNowhere(fmt::format("{} -> {{ : {} }}", scope_.paramList(), formula(outside)));
}

/// Adds what stands for `e` to `form`; false if its parts are not affine either.
bool AccessCollector::addParts(const Expr& e, Access::Form& form) {
  if (const std::optional<Term> t = scope_.translate(e)) {
    form.subscript.push_back(t->text);
    append(form.where, *t);
    return true;
  }
  const auto isFixed = [&](const Expr& factor) { return !scope_.bindings.count(factor.as<ir::Var>()->name); };
  for (const Split& s : splitsOf(e, isFixed)) {
    if (!isBelow(s.rest, s.factor)) continue;
    Access::Form parts = form;
    parts.factors.push_back({static_cast<std::ptrdiff_t>(parts.subscript.size()), s.factor});
    if (!addParts(s.quotient, parts) || !addParts(s.rest, parts)) continue;
    form = std::move(parts);
    return true;
  }
  return false;
}

std::optional<Access::Form> AccessCollector::formOf(std::vector<Expr> index) {
  Access::Form form{{}, domain_, {}};
  while (joinPair(index, form.factors)) {
  }
  for (const Access::Form::Factor& factor : form.factors)
    for (const Symbol& s : ir::freeVars(factor.size))
      if (scope_.bindings.count(s) || ir::readsMemory(factor.size)) return std::nullopt;
  for (const Expr& e : index)
    if (!addParts(e, form)) return std::nullopt;
  return form.factors.empty() ? std::nullopt : std::optional(std::move(form));
}

void settle(const std::vector<std::vector<Access>*>& all) {
  std::map<Symbol, const Access*> first;
  std::set<Symbol> mixed;
  for (const std::vector<Access>* accesses : all)
    for (const Access& a : *accesses) {
      const Access& other = *first.emplace(a.buffer, &a).first->second;
      const auto isSame = [](const Access::Form::Factor& x, const Access::Form::Factor& y) {
        return x.axis == y.axis && ir::equalIndex(x.size, y.size);
      };
      const bool isAlike = a.form && other.form &&
                           std::equal(a.form->factors.begin(), a.form->factors.end(),
                                      other.form->factors.begin(), other.form->factors.end(), isSame);
      if (!isAlike) mixed.insert(a.buffer);
    }
  for (std::vector<Access>* accesses : all)
    for (Access& a : *accesses) {
      if (mixed.count(a.buffer)) continue;
      a.subscript = a.form->subscript;
      a.where = a.form->where;
      a.exact = a.isSure;
    }
}

} // namespace appyc::analysis
