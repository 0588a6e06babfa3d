//===- Counting.cpp - what operations and accesses cost, in elements side by side ------------------------===//
#include "appyc/Cost/Counting.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <cstdlib>
#include <utility>

namespace appyc::cost {
using namespace ir;

/// Of a bound the part that moves with `lane`: `max(0, i - n)` is `i - n` for most rows of a long array.
static Expr moving(const Expr& e, const Symbol& lane, const analysis::Slopes& dependents) {
  const auto moves = [&](const Expr& part) {
    return analysis::slopeOf(part, lane, dependents).kind != analysis::Slope::None;
  };
  return rewrite(e, [&](const Expr& part) -> Expr {
    if (const auto* choice = part.as<Select>()) return moves(choice->then) ? choice->then : choice->otherwise;
    const auto* b = part.as<Binary>();
    const bool isEnd = b && (b->op == BinaryOp::Min || b->op == BinaryOp::Max);
    return isEnd ? moves(b->lhs) ? b->lhs : b->rhs : Expr();
  });
}

static analysis::Slope slopeAlong(const Expr& e, const Symbol& lane, const analysis::Slopes& dependents) {
  const analysis::Slope exact = analysis::slopeOf(e, lane, dependents);
  return exact.kind != analysis::Slope::Unknown || readsMemory(e)
             ? exact
             : analysis::slopeOf(moving(e, lane, dependents), lane, dependents);
}

Neighbours neighboursOf(const std::vector<Expr>& subscripts, const Symbol& lane,
                        const analysis::Slopes& dependents) {
  for (size_t d = 0; d < subscripts.size(); ++d) {
    const analysis::Slope slope = slopeAlong(subscripts[d], lane, dependents);
    if (slope.kind == analysis::Slope::None) continue;
    const bool isNext = slope.kind == analysis::Slope::Constant && std::abs(slope.value) == 1;
    return d + 1 == subscripts.size() && isNext ? Neighbours::SideBySide : Neighbours::Scattered;
  }
  return Neighbours::Same;
}

analysis::Slopes slopesIn(const Stmt& body, const Symbol& lane) {
  analysis::Slopes slopes;
  bool changed = true;
  const auto set = [&](const Symbol& name, const Expr& e) {
    const analysis::Slope slope = slopeAlong(e, lane, slopes);
    if (slope.kind == analysis::Slope::None) return;
    const auto [at, isNew] = slopes.emplace(name, slope);
    const bool differs = at->second.kind != slope.kind || at->second.value != slope.value;
    if (!isNew && differs && at->second.kind != analysis::Slope::Unknown)
      at->second = {analysis::Slope::Unknown}, changed = true;
    changed = changed || isNew;
  };
  while (std::exchange(changed, false))
    visit(body, [&](const Stmt& s) {
      if (const auto* a = s.as<Assign>()) set(a->var, a->value);
      if (const auto* loop = s.as<For>()) set(loop->index, loop->lo);
      return true;
    });
  return slopes;
}

int64_t unitsOfAccess(const std::vector<Expr>& subscripts, const Symbol& lane) {
  const bool scattered = lane && neighboursOf(subscripts, lane, {}) == Neighbours::Scattered;
  return scattered ? Device::scatteredAccess : 1;
}

/// The sum of what `of` finds in the expressions of a function's body, where loops are taken to run a few times.
template <class T> static T inBody(const Stmt& body, T (*of)(const Expr&)) {
  constexpr int64_t trips = 16;
  T sum{}, inside{};
  forEachExpr(body, [&](const Expr& e) { sum += of(e); });
  forEachChild(body, [&](const Stmt& child) { inside += inBody(child, of); });
  for (int64_t k = body.is<For>() || body.is<While>() ? trips : 1; k > 0; --k) sum += inside;
  return sum;
}

static int64_t unitsOfOperations(const Expr& e) {
  int64_t units = 0;
  visit(e, [&](const Expr& part) { return units += unitsOfOperation(part), true; });
  return units;
}

int64_t unitsOfOperation(const Expr& e) {
  if (const auto* a = e.as<Apply>())
    return a->function ? inBody(a->function->body, unitsOfOperations) : Device::function;
  if (e.is<Call>()) return Device::function;
  const auto* b = e.as<Binary>();
  if (!b) return 0;
  switch (b->op) {
  case BinaryOp::Div: return Device::quotient;
  case BinaryOp::Pow:
  case BinaryOp::Mod:
  case BinaryOp::FloorDiv: return Device::function;
  default: return 0;
  }
}

int64_t unitsOfExpr(const Expr& e, const Symbol& lane, std::vector<Expr>& loaded) {
  int64_t units = 0;
  visit(e, [&](const Expr& part) {
    const auto* l = part.as<Load>();
    if (!l) return units += unitsOfOperation(part), true;
    if (std::any_of(loaded.begin(), loaded.end(), [&](const Expr& known) { return equal(known, part); }))
      return false;
    loaded.push_back(part);
    return units += unitsOfAccess(l->index, lane), false;
  });
  return units;
}

Symbol laneOf(const std::vector<const For*>& loops) {
  const auto found =
      std::find_if(loops.rbegin(), loops.rend(), [](const For* l) { return isAlongLanes(*l); });
  return found == loops.rend() ? Symbol() : (*found)->index;
}

/// Sums gathered at each node.
static Expr gathered(const Expr& e) { return simplifiedIndex(mapChildren(e, gathered)); }

Expr mostTrips(const For& loop, const std::vector<const For*>& around, const std::set<Symbol>& unknown) {
  const auto most = [&](const For& bounds) {
    const Expr trips = tripCount(bounds);
    const Expr bound = trips ? analysis::upperBound(trips, around) : Expr();
    return bound && !readsMemory(bound) && !mentionsAny(bound, unknown) ? bound : Expr();
  };
  if (const Expr bound = most(loop)) return bound;
  Expr least; // a chunk ends where the array does
  each<Binary>(loop.hi, [&](const Binary& b) {
    if (b.op == BinaryOp::Min && !least) least = make(b);
  });
  if (!least) return {};
  for (const Expr& end : {least.as<Binary>()->lhs, least.as<Binary>()->rhs}) {
    For part = loop;
    part.hi = gathered(rewrite(loop.hi, [&](const Expr& e) { return equal(e, least) ? end : Expr(); }));
    if (const Expr bound = most(part)) return bound;
  }
  return {};
}

Operations& Operations::operator+=(const Operations& other) {
  doubles += other.doubles;
  singles += other.singles;
  return *this;
}

Operations operationsOf(const Expr& e) {
  constexpr int64_t ofCall = 16, ofQuotient = 8;
  Operations sum;
  visit(e, [&](const Expr& part) {
    const auto* b = part.as<Binary>();
    int64_t count = 0;
    if (part.is<Call>()) count = ofCall;
    if (const auto* a = part.as<Apply>())
      a->function ? void(sum += inBody(a->function->body, operationsOf)) : void(count = ofCall);
    if (b)
      count =
          b->op == BinaryOp::Div || b->op == BinaryOp::Mod || b->op == BinaryOp::FloorDiv ? ofQuotient : 1;
    if (b && b->op == BinaryOp::Pow) count = ofCall;
    const DType type = typeOf(b ? b->lhs : part);
    const bool isDouble = type == DType::F64 || type == DType::C128;
    (isDouble ? sum.doubles : sum.singles) += count;
    return !part.is<Load>();
  });
  return sum;
}

} // namespace appyc::cost
