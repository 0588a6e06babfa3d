//===- Bounds.cpp - extremes over loops, and how an index moves with a loop ----------------------------===//
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::analysis {
using namespace ir;

std::optional<int64_t> constantMost(const Expr& e, const Stmt& body) {
  if (auto value = constantInt(e)) return value;
  if (const auto* v = e.as<Var>()) {
    std::vector<Expr> values;
    visit(body, [&](const Stmt& s) {
      if (const auto* a = s.as<Assign>(); a && a->var == v->name) values.push_back(a->value);
      const auto* loop = s.as<For>();
      if (loop && loop->index == v->name) values.resize(2);
      return values.size() < 2;
    });
    return values.size() == 1 ? constantMost(values[0], body) : std::nullopt;
  }
  if (const auto* choice = e.as<Select>()) {
    const auto then = constantMost(choice->then, body), otherwise = constantMost(choice->otherwise, body);
    return then && otherwise ? std::optional(std::max(*then, *otherwise)) : std::nullopt;
  }
  const auto* b = e.as<Binary>();
  if (const auto* sum = b && b->op == BinaryOp::FloorDiv ? b->lhs.as<Binary>() : nullptr) {
    // (n + k) // n, k divided by n and rounded up, where n is at least 1
    const auto* least = b->rhs.as<Binary>();
    const auto more =
        sum->op == BinaryOp::Add && equal(sum->lhs, b->rhs) ? constantInt(sum->rhs) : std::nullopt;
    const bool isPositive = least && least->op == BinaryOp::Max && constantInt(least->rhs).value_or(0) >= 1;
    return isPositive && more && *more >= 0 ? std::optional(*more + 1) : std::nullopt;
  }
  if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max)) return std::nullopt;
  auto left = constantMost(b->lhs, body), right = constantMost(b->rhs, body);
  if (left && right) return b->op == BinaryOp::Min ? std::min(*left, *right) : std::max(*left, *right);
  if (b->op == BinaryOp::Max) return std::nullopt;
  return left ? left : right;
}

static bool isEvidentlyNonNegative(const Expr& e, const std::set<Symbol>& sizes) {
  if (auto value = constantInt(e)) return *value >= 0;
  if (const auto* v = e.as<Var>()) return sizes.count(v->name) > 0;
  const auto* b = e.as<Binary>();
  if (!b) return false;
  bool left = isEvidentlyNonNegative(b->lhs, sizes), right = isEvidentlyNonNegative(b->rhs, sizes);
  switch (b->op) {
  case BinaryOp::Add:
  case BinaryOp::Mul:
  case BinaryOp::FloorDiv:
  case BinaryOp::Min: return left && right;
  case BinaryOp::Max: return left || right;
  default: return false;
  }
}

Expr atLeastZero(const Expr& e, const std::set<Symbol>& sizes) {
  return isEvidentlyNonNegative(e, sizes) ? e : maxOf(e, intConst(0));
}

Expr atLeastZero(const Expr& e, const Context& context) {
  return isNonNegative(e, context) ? e : maxOf(e, intConst(0));
}

namespace {
/// Interval arithmetic over one loop's index: every occurrence goes to the end of the range that makes `e`
/// extreme.
struct Extreme {
  Symbol index;
  Expr least, most;

  Expr of(const Expr& e, bool upper) const {
    if (!mentions(e, index)) return e;
    if (e.is<Var>()) return upper ? most : least;
    const auto* b = e.as<Binary>();
    return b ? ofBinary(*b, upper) : Expr();
  }

  Expr ofBinary(const Binary& b, bool upper) const {
    auto both = [&](bool rightUpper, auto combine) -> Expr {
      Expr left = of(b.lhs, upper), right = of(b.rhs, rightUpper);
      return left && right ? combine(left, right) : Expr();
    };
    switch (b.op) {
    case BinaryOp::Add: return both(upper, add);
    case BinaryOp::Sub: {
      // min(x + n, end) - x is at most n, whatever x is: a chunk's length.
      if (const auto* chunkEnd = b.lhs.as<Binary>(); upper && chunkEnd && chunkEnd->op == BinaryOp::Min)
        for (const Expr& side : {chunkEnd->lhs, chunkEnd->rhs})
          if (Expr length = sub(side, b.rhs); !mentions(length, index)) return length;
      return both(!upper, sub);
    }
    case BinaryOp::Min: return both(upper, minOf);
    case BinaryOp::Max: return both(upper, maxOf);
    case BinaryOp::Mul: return ofProduct(b.lhs, b.rhs, upper);
    case BinaryOp::FloorDiv: {
      auto divisor = constantInt(b.rhs);
      Expr top = divisor && *divisor > 0 ? of(b.lhs, upper) : Expr();
      return top ? binary(BinaryOp::FloorDiv, top, b.rhs) : Expr();
    }
    case BinaryOp::Mod: { // of any number: which column of a colour is the first, `1 + (i + colour) % 2`
      auto divisor = constantInt(b.rhs);
      return divisor && *divisor > 0 ? intConst(upper ? *divisor - 1 : 0) : Expr();
    }
    default: return {};
    }
  }

  Expr ofProduct(Expr a, Expr b, bool upper) const {
    if (constantInt(a)) std::swap(a, b);
    auto factor = constantInt(b);
    if (!factor) return {};
    Expr extreme = of(a, *factor >= 0 ? upper : !upper);
    return extreme ? mul(extreme, b) : Expr();
  }
};
} // namespace

Expr upperBound(const Expr& e, const std::vector<const For*>& loops) {
  Expr bound = e;
  for (auto it = loops.rbegin(); it != loops.rend() && bound; ++it) {
    const For& loop = **it;
    if (!mentions(bound, loop.index)) continue;
    auto step = constantInt(loop.step);
    if (!step) return {};
    bool up = *step > 0;
    bound = Extreme{loop.index, up ? loop.lo : add(loop.hi, intConst(1)),
                    up ? sub(loop.hi, intConst(1)) : loop.lo}
                .of(bound, true);
  }
  return bound;
}

Expr growthOf(const Expr& e, const Symbol& index) {
  if (const auto* v = e.as<Var>(); v && v->name == index) return intConst(1);
  if (!mentions(e, index)) return intConst(0);
  const auto* b = e.as<Binary>();
  if (!b) return {};
  const bool isSum = b->op == BinaryOp::Add || b->op == BinaryOp::Sub;
  const Expr left = growthOf(b->lhs, index), right = growthOf(b->rhs, index);
  if (!left || !right || (!isSum && b->op != BinaryOp::Mul)) return {};
  if (isSum) return b->op == BinaryOp::Add ? add(left, right) : sub(left, right);
  if (isConst(right, 0)) return mul(left, b->rhs);
  return isConst(left, 0) ? mul(b->lhs, right) : Expr();
}

std::optional<int64_t> coefficientOf(const Expr& e, const Symbol& index) {
  if (!mentions(e, index)) return 0;
  const Expr next = substitute(e, {{index, add(var(index), intConst(1))}});
  return constantInt(sub(next, e));
}

Expr shiftFrom(const Expr& e, const Symbol& index, const std::set<Symbol>& varying) {
  const Expr shift = sub(e, var(index));
  const bool moves = mentions(e, index) && !mentions(shift, index);
  return moves && !readsMemory(shift) && !mentionsAny(shift, varying) ? shift : Expr();
}

Slope slopeOf(const Expr& e, const Symbol& index, const Slopes& others) {
  if (const auto* v = e.as<Var>()) {
    const auto other = others.find(v->name);
    return v->name == index ? Slope{Slope::Constant, 1} : other == others.end() ? Slope{} : other->second;
  }
  const auto isMentioned = [&](const auto& other) { return mentions(e, other.first); };
  if (!mentions(e, index) && std::ranges::none_of(others, isMentioned)) return {};
  if (const auto* u = e.as<Unary>(); u && u->op == UnaryOp::Neg) {
    Slope s = slopeOf(u->arg, index, others);
    return {s.kind, -s.value};
  }
  if (const auto* c = e.as<Cast>(); c && isInteger(c->type)) return slopeOf(c->arg, index, others);
  const auto* b = e.as<Binary>();
  if (!b) return {Slope::Unknown};
  Slope left = slopeOf(b->lhs, index, others), right = slopeOf(b->rhs, index, others);
  if (left.kind == Slope::Unknown || right.kind == Slope::Unknown) return {Slope::Unknown};
  if (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) {
    int64_t value = left.value + (b->op == BinaryOp::Add ? right.value : -right.value);
    return value == 0 ? Slope{} : Slope{Slope::Constant, value};
  }
  if (b->op == BinaryOp::Mul)
    for (const auto& [slope, other] : {std::pair(left, b->rhs), std::pair(right, b->lhs)})
      if (auto factor = constantInt(other)) return {Slope::Constant, slope.value * *factor};
  return {Slope::Unknown};
}

Slope slopeOf(const Expr& e, const Symbol& index, const std::set<Symbol>& dependents) {
  Slopes unknown;
  for (const Symbol& name : dependents) unknown[name] = {Slope::Unknown};
  return slopeOf(e, index, unknown);
}

std::set<Symbol> knownAtEntry(const Function& f) {
  std::set<Symbol> known;
  for (const Size& size : f.sizes) known.insert(size.name);
  for (const Param& p : f.params)
    if (!p.isArray) known.insert(p.name);
  for (const Symbol& name : assignedVars(f.body)) known.erase(name);
  return known;
}

bool followsFrom(const Expr& e, const std::set<Symbol>& scalars) {
  const std::set<Symbol> read = freeVars(e);
  return !readsMemory(e) && std::includes(scalars.begin(), scalars.end(), read.begin(), read.end());
}

bool hasKnownBounds(const Function& f, const For& loop) {
  const std::set<Symbol> assigned = assignedVars(f.body);
  const auto isKnown = [&](const Expr& e) { return !readsMemory(e) && !mentionsAny(e, assigned); };
  return isKnown(loop.lo) && isKnown(loop.hi);
}

bool isInRange(const Expr& first, const Expr& count, const Expr& extent, const Context& context) {
  return isNonNegative(first, context) && isNonNegative(sub(extent, add(first, count)), context);
}

bool isInRange(const Function& function, const Symbol& array, const std::vector<Expr>& index,
               const Context& context) {
  const Buffer* buffer = function.findBuffer(array);
  if (!buffer || buffer->extents.size() != index.size()) return false;
  for (size_t d = 0; d < index.size(); ++d)
    if (readsMemory(index[d]) || !isInRange(index[d], intConst(1), buffer->extents[d], context)) return false;
  return true;
}

} // namespace appyc::analysis
