//===- Linear.cpp - index arithmetic as a sum of coefficient times atom ----------------------------===//
#include "Linear.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::ir {

namespace {

// Wrapping arithmetic without undefined behaviour.
int64_t wrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t wrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
int64_t wrapNeg(int64_t a) { return wrapMul(a, -1); }

Expr node(BinaryOp op, Expr a, Expr b) { return make(Binary{DType::I64, op, std::move(a), std::move(b)}); }
Expr node(int64_t value) { return make(Const{DType::I64, value}); }

/// |coefficient| * atom.
Expr scaled(const Expr& atom, int64_t magnitude) {
  return magnitude == 1 ? atom : node(BinaryOp::Mul, atom, node(magnitude));
}

/// How many sums inside sums are being compared. Each level multiplies the comparisons, so there are few.
thread_local int openSums = 0;
constexpr int kMostOpenSums = 5;

/// Equality of the atoms of two sums: what is linear inside them is compared as linear.
bool sameIndexChild(const Expr& a, const Expr& b) {
  return typeOf(a) == DType::I64 && openSums < kMostOpenSums ? equalIndex(a, b) : equal(a, b);
}
bool sameAtom(const Expr& a, const Expr& b) {
  if (a == b) return true;
  ++openSums;
  const bool same = equalNodes(a, b, sameIndexChild);
  --openSums;
  return same;
}

using Factors = std::vector<Expr>;

/// A polynomial over atoms: products are multiplied out, so that (i+1)*N equals i*N + N.
struct Polynomial {
  struct Term {
    Factors factors;
    int64_t coefficient;
  };
  std::vector<Term> terms; ///< the constant is the term without factors

  void add(const Factors& factors, int64_t coefficient);
};

bool sameFactors(const Factors& a, const Factors& b) {
  if (a.size() != b.size()) return false;
  Factors rest = b;
  return std::all_of(a.begin(), a.end(), [&](const Expr& factor) {
    const auto found =
        std::find_if(rest.begin(), rest.end(), [&](const Expr& other) { return sameAtom(factor, other); });
    if (found == rest.end()) return false;
    rest.erase(found);
    return true;
  });
}

void Polynomial::add(const Factors& factors, int64_t coefficient) {
  if (coefficient == 0) return;
  auto found = std::find_if(terms.begin(), terms.end(),
                            [&](const Term& t) { return sameFactors(t.factors, factors); });
  if (found == terms.end()) {
    terms.push_back({factors, coefficient});
    return;
  }
  found->coefficient = wrapAdd(found->coefficient, coefficient);
  if (found->coefficient == 0) terms.erase(found);
}

constexpr size_t kMaxProductTerms =
    64; // past this, a product is an atom: multiplying out would only cost time

Polynomial polynomial(const Expr& e);

Polynomial product(const Expr& e, const Polynomial& a, const Polynomial& b) {
  Polynomial result;
  if (a.terms.size() * b.terms.size() > kMaxProductTerms) {
    result.add({e}, 1);
    return result;
  }
  for (const auto& x : a.terms)
    for (const auto& y : b.terms) {
      Factors factors = x.factors;
      factors.insert(factors.end(), y.factors.begin(), y.factors.end());
      result.add(factors, wrapMul(x.coefficient, y.coefficient));
    }
  return result;
}

Polynomial polynomial(const Expr& e) {
  Polynomial result;
  if (auto value = constantInt(e)) {
    result.add({}, *value);
    return result;
  }
  auto addAll = [&](const Expr& part, int64_t scale) {
    for (const auto& term : polynomial(part).terms)
      result.add(term.factors, wrapMul(term.coefficient, scale));
  };
  const auto* binaryNode = e.as<Binary>();
  if (binaryNode && (binaryNode->op == BinaryOp::Add || binaryNode->op == BinaryOp::Sub)) {
    addAll(binaryNode->lhs, 1);
    addAll(binaryNode->rhs, binaryNode->op == BinaryOp::Add ? 1 : -1);
  } else if (binaryNode && binaryNode->op == BinaryOp::Mul) {
    return product(e, polynomial(binaryNode->lhs), polynomial(binaryNode->rhs));
  } else if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Neg) {
    addAll(u->arg, -1);
  } else {
    result.add({e}, 1);
  }
  return result;
}

uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15U;
  return value ^ (value >> 29);
}

/// The polynomial's value where each atom is a number that equal atoms share: where two differ, so do the polynomials.
uint64_t fingerprint(const Expr& e) {
  if (const auto value = constantInt(e)) return static_cast<uint64_t>(*value);
  if (const auto* v = e.as<Var>()) return mixed(v->name.id() + 1);
  if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Neg) return -fingerprint(u->arg);
  const auto* b = e.as<Binary>();
  if (!b || b->type != DType::I64 || typeOf(b->lhs) != DType::I64 || typeOf(b->rhs) != DType::I64)
    return mixed(e->node.index() << 40U);
  const uint64_t x = fingerprint(b->lhs), y = fingerprint(b->rhs);
  switch (b->op) {
  case BinaryOp::Add: return x + y;
  case BinaryOp::Sub: return x - y;
  case BinaryOp::Mul: return x * y;
  default: return mixed(x + mixed(y + static_cast<uint64_t>(b->op)));
  }
}

} // namespace

void LinearForm::addAtom(const Expr& atom, int64_t coefficient) {
  if (coefficient == 0) return;
  auto found =
      std::find_if(terms.begin(), terms.end(), [&](const Term& t) { return sameAtom(t.atom, atom); });
  if (found == terms.end()) {
    terms.push_back({atom, coefficient});
    return;
  }
  found->coefficient = wrapAdd(found->coefficient, coefficient);
  if (found->coefficient == 0) terms.erase(found);
}

void LinearForm::addExpr(const Expr& e, int64_t scale) {
  if (auto value = constantInt(e)) {
    constant = wrapAdd(constant, wrapMul(*value, scale));
    return;
  }
  if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Neg) return addExpr(u->arg, wrapNeg(scale));
  const auto* b = e.as<Binary>();
  if (b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub)) {
    addExpr(b->lhs, scale);
    return addExpr(b->rhs, b->op == BinaryOp::Add ? scale : wrapNeg(scale));
  }
  if (b && b->op == BinaryOp::Mul) {
    if (auto factor = constantInt(b->rhs)) return addExpr(b->lhs, wrapMul(scale, *factor));
    if (auto factor = constantInt(b->lhs)) return addExpr(b->rhs, wrapMul(scale, *factor));
  }
  addAtom(e, scale);
}

Expr LinearForm::toExpr() const {
  auto lead = std::find_if(terms.begin(), terms.end(), [](const Term& t) { return t.coefficient > 0; });
  Expr sum;
  bool constantPlaced = false;
  if (lead != terms.end()) {
    sum = scaled(lead->atom, lead->coefficient);
  } else if (constant > 0 || terms.empty()) {
    sum = node(constant);
    constantPlaced = true;
  }
  for (auto term = terms.begin(); term != terms.end(); ++term) {
    if (sum && term == lead) continue;
    bool negative = term->coefficient < 0;
    Expr part = scaled(term->atom, negative ? wrapNeg(term->coefficient) : term->coefficient);
    if (sum)
      sum = node(negative ? BinaryOp::Sub : BinaryOp::Add, sum, part);
    else
      sum = make(Unary{DType::I64, UnaryOp::Neg, part});
  }
  if (constantPlaced || constant == 0) return sum;
  return constant < 0 && constant != INT64_MIN ? node(BinaryOp::Sub, sum, node(-constant))
                                               : node(BinaryOp::Add, sum, node(constant));
}

LinearForm linearForm(const Expr& e) {
  LinearForm form;
  form.addExpr(e, 1);
  return form;
}

std::optional<int64_t> constantDifference(const Expr& a, const Expr& b) {
  LinearForm difference = linearForm(a);
  difference.addExpr(b, -1);
  if (!difference.terms.empty()) return std::nullopt;
  return difference.constant;
}

uint64_t indexHash(const Expr& e) { return fingerprint(e); }

bool equalIndex(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (!a || !b || typeOf(a) != typeOf(b)) return false;
  if (typeOf(a) != DType::I64) return equal(a, b);
  if (fingerprint(a) != fingerprint(b)) return false;
  Polynomial difference = polynomial(a);
  for (const auto& term : polynomial(b).terms) difference.add(term.factors, wrapNeg(term.coefficient));
  return difference.terms.empty();
}

} // namespace appyc::ir
