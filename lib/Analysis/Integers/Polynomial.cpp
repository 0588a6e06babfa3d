//===- Polynomial.cpp - sums of products of integers, beyond what is affine ----------------------------===//
#include "Polynomial.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <numeric>

namespace appyc::analysis {

namespace {

std::optional<int64_t> product(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

} // namespace

Polynomial::Polynomial(int64_t number) { add({}, number); }
Polynomial::Polynomial(const Symbol& variable) { add({variable}, 1); }

bool Polynomial::add(const Product& product, int64_t coefficient) {
  int64_t& sum = terms_[product];
  const bool fits = !__builtin_add_overflow(sum, coefficient, &sum);
  if (sum == 0) terms_.erase(product);
  return fits;
}

void Polynomial::reduce() {
  int64_t common = denominator_;
  for (const auto& [product, coefficient] : terms_) common = std::gcd(common, coefficient);
  if (common <= 1) return;
  denominator_ /= common;
  for (auto& [product, coefficient] : terms_) coefficient /= common;
}

std::optional<Polynomial> Polynomial::plus(const Polynomial& other, int64_t times) const {
  const int64_t common = std::lcm(denominator_, other.denominator_);
  Polynomial sum;
  sum.denominator_ = common;
  for (const auto& [p, factor] : {std::pair(this, int64_t(1)), std::pair(&other, times)})
    for (const auto& [which, coefficient] : p->terms_) {
      const auto scaled = product(coefficient, common / p->denominator_ * factor);
      if (!scaled || !sum.add(which, *scaled)) return std::nullopt;
    }
  sum.reduce();
  return sum;
}

std::optional<Polynomial> Polynomial::times(const Polynomial& other) const {
  Polynomial result;
  const auto common = product(denominator_, other.denominator_);
  if (!common) return std::nullopt;
  result.denominator_ = *common;
  for (const auto& [a, x] : terms_)
    for (const auto& [b, y] : other.terms_) {
      Product both = a;
      both.insert(both.end(), b.begin(), b.end());
      std::sort(both.begin(), both.end());
      const auto coefficient = product(x, y);
      if (!coefficient || !result.add(both, *coefficient)) return std::nullopt;
    }
  result.reduce();
  return result;
}

/// By trying all remainders of its variables.
bool Polynomial::isWholeOver(int64_t divisor) const {
  constexpr int64_t most = 4096; // values that are tried
  const std::vector<Symbol> names = variables();
  const auto modulus = product(divisor, denominator_);
  if (!modulus || *modulus > most) return false;
  int64_t count = 1;
  for (size_t k = 0; k < names.size(); ++k)
    if (count *= *modulus; count > most) return false;
  for (int64_t which = 0; which < count; ++which) {
    std::map<Symbol, int64_t> values;
    for (int64_t rest = which; const Symbol& name : names) values[name] = rest % *modulus, rest /= *modulus;
    int64_t sum = 0;
    for (const auto& [factors, coefficient] : terms_) {
      int64_t term = coefficient % *modulus;
      for (const Symbol& factor : factors) term = term * values[factor] % *modulus;
      sum = (sum + term) % *modulus;
    }
    if (sum != 0) return false;
  }
  return true;
}

std::optional<Polynomial> Polynomial::over(int64_t divisor) const {
  if (divisor <= 0 || !isWholeOver(divisor)) return std::nullopt;
  Polynomial result = *this;
  const auto denominator = product(denominator_, divisor);
  if (!denominator) return std::nullopt;
  result.denominator_ = *denominator;
  result.reduce();
  return result;
}

std::optional<Polynomial> Polynomial::with(const Symbol& variable, const Polynomial& value) const {
  std::optional<Polynomial> sum = Polynomial();
  for (const auto& [factors, coefficient] : terms_) {
    std::optional<Polynomial> term = Polynomial(coefficient);
    term->denominator_ = denominator_;
    for (const Symbol& factor : factors)
      if (term) term = term->times(factor == variable ? value : Polynomial(factor));
    sum = term ? sum->plus(*term) : std::nullopt;
    if (!sum) return std::nullopt;
  }
  return sum;
}

bool Polynomial::mentions(const Symbol& variable) const {
  return std::ranges::any_of(terms_,
                             [&](const auto& term) { return std::ranges::count(term.first, variable) > 0; });
}

int Polynomial::degree() const {
  size_t most = 0;
  for (const auto& [factors, coefficient] : terms_) most = std::max(most, factors.size());
  return static_cast<int>(most);
}

std::vector<Symbol> Polynomial::variables() const {
  std::set<Symbol> all;
  for (const auto& [factors, coefficient] : terms_) all.insert(factors.begin(), factors.end());
  return {all.begin(), all.end()};
}

bool Polynomial::hasNegative() const {
  return std::ranges::any_of(terms_, [](const auto& term) { return term.second < 0; });
}

std::optional<std::pair<Symbol, int64_t>> Polynomial::shifted() const {
  const std::vector<Symbol> names = variables();
  if (names.size() != 1 || denominator_ != 1) return std::nullopt;
  const auto scaled = terms_.find({names.front()});
  const auto number = terms_.find({});
  const size_t others = number == terms_.end() ? 1 : 2;
  if (scaled == terms_.end() || scaled->second != 1 || terms_.size() != others) return std::nullopt;
  return std::pair(names.front(), number == terms_.end() ? 0 : number->second);
}

std::optional<Polynomial> Polynomial::of(const ir::Expr& e, const Context& context) {
  if (const auto number = ir::constantInt(e)) return Polynomial(*number);
  if (const auto* v = e.as<ir::Var>()) {
    if (v->type != ir::DType::I64) return std::nullopt;
    const auto known = context.values.find(v->name);
    return known != context.values.end() && !ir::readsMemory(known->second) ? of(known->second, context)
                                                                            : Polynomial(v->name);
  }
  const auto* b = e.as<ir::Binary>();
  if (!b || b->type != ir::DType::I64) return std::nullopt;
  const bool isSum = b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub;
  if (!isSum && b->op != ir::BinaryOp::Mul && b->op != ir::BinaryOp::FloorDiv) return std::nullopt;
  const std::optional<Polynomial> left = of(b->lhs, context);
  if (!left) return std::nullopt;
  if (b->op == ir::BinaryOp::FloorDiv) return left->over(ir::constantInt(b->rhs).value_or(0));
  const std::optional<Polynomial> right = of(b->rhs, context);
  if (!right) return std::nullopt;
  if (!isSum) return left->times(*right);
  return left->plus(*right, b->op == ir::BinaryOp::Add ? 1 : -1);
}

namespace {

/// Shows that a polynomial is at least 0, loop by loop from the innermost one.
class Shifts {
public:
  explicit Shifts(const Context& context) : context_(context) {}

  /// `inner`: how many loops are still to be used.
  bool prove(const Polynomial& p, size_t inner) {
    if (isPlain(p) || (inner == 0 && isPlainFromOneOn(p))) return true;
    if (inner == 0) return false;
    const ir::For& loop = *context_.loops[inner - 1];
    const auto step = ir::constantInt(loop.step);
    const std::set<Symbol> changing = loop.body ? ir::assignedVars(loop.body) : std::set<Symbol>();
    if (!step || ir::mentionsAny(loop.lo, changing) || ir::mentionsAny(loop.hi, changing))
      return prove(p, inner - 1);
    const bool isUpward = *step > 0;
    const ir::Expr least = isUpward ? loop.lo : ir::add(loop.hi, ir::intConst(1)),
                   most = isUpward ? ir::sub(loop.hi, ir::intConst(1)) : loop.lo;
    const size_t before = shifts_.size();
    for (const bool usesMost : {true, false}) {
      std::optional<Polynomial> moved = p;
      if (usesMost) moved = aboveIndex(p, loop.index, most);
      if (moved) moved = fromLeast(*moved, loop.index, least);
      if (moved && prove(*moved, inner - 1)) return true;
      shifts_.resize(before);
    }
    return false;
  }

private:
  using Shift = std::pair<Symbol, Polynomial>;

  bool isLeast(const Symbol& v) const { return exceeds_.contains(v) || context_.sizes.contains(v); }
  bool isPlain(const Polynomial& p) const {
    return !p.hasNegative() &&
           std::ranges::all_of(p.variables(), [&](const Symbol& v) { return isLeast(v); });
  }
  /// n * (n - 1): at 0, and from 1 on.
  bool isPlainFromOneOn(const Polynomial& p) const {
    return std::ranges::any_of(p.variables(), [&](const Symbol& v) {
      const auto next = Polynomial(v).plus(Polynomial(1));
      const auto none = p.with(v, Polynomial()), some = next ? p.with(v, *next) : std::nullopt;
      return isLeast(v) && none && some && isPlain(*none) && isPlain(*some);
    });
  }

  /// What a bound is, by what stands for its variables by now.
  std::optional<Polynomial> boundOf(const ir::Expr& e) const {
    std::optional<Polynomial> bound = Polynomial::of(e, context_);
    for (const auto& [name, value] : shifts_)
      if (bound) bound = bound->with(name, value);
    return bound;
  }
  /// `least` and a number of its own that is 0 or more.
  std::optional<Polynomial> shift(const Polynomial& p, const Symbol& name, const Polynomial& least) {
    const Symbol rest(name.hint());
    exceeds_.insert(rest);
    const auto value = least.plus(Polynomial(rest));
    if (!value) return std::nullopt;
    shifts_.emplace_back(name, *value);
    return p.with(name, *value);
  }
  /// The end n is index + 1 + n' where the index is below n.
  std::optional<Polynomial> aboveIndex(const Polynomial& p, const Symbol& index, const ir::Expr& most) {
    const std::optional<Polynomial> end = boundOf(most);
    const auto bound = end ? end->shifted() : std::nullopt;
    if (!bound || bound->first == index || exceeds_.contains(bound->first) || !p.mentions(bound->first))
      return std::nullopt;
    const std::optional<Polynomial> at =
        boundOf(ir::var(index)); // that is shifted itself where it is a bound further in
    const auto least = at ? at->plus(Polynomial(-bound->second)) : std::nullopt;
    return least && !least->mentions(bound->first) ? shift(p, bound->first, *least) : std::nullopt;
  }
  std::optional<Polynomial> fromLeast(const Polynomial& p, const Symbol& index, const ir::Expr& least) {
    if (!p.mentions(index)) return p;
    const std::optional<Polynomial> begin = boundOf(least);
    return begin && !begin->mentions(index) ? shift(p, index, *begin) : std::nullopt;
  }

  const Context& context_;
  std::vector<Shift> shifts_; ///< in this order
  std::set<Symbol> exceeds_;  ///< the numbers that are 0 or more
};

} // namespace

bool isNonNegative(const Polynomial& p, const Context& context) {
  return Shifts(context).prove(p, context.loops.size());
}

} // namespace appyc::analysis
