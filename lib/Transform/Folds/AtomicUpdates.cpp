//===- AtomicUpdates.cpp - updates of elements that several iterations may meet ----------------------------===//
#include "AtomicUpdates.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <map>
#include <optional>

namespace appyc::transform {

using ir::Stmt;

Stmt chosenUpdate(const ir::For& loop) {
  const std::set<Symbol> assigned = ir::assignedVars(loop.body);
  const auto isChosen = [&](const ir::Expr& index) {
    return ir::readsMemory(index) || ir::intersect(ir::freeVars(index), assigned);
  };
  const auto isOwn = [&](const ir::Expr& index) {
    const auto* v = index.as<ir::Var>();
    return v && v->name == loop.index;
  };
  Stmt found;
  ir::visit(loop.body, [&](const Stmt& s) {
    const auto* store = s.as<ir::Store>();
    if (found || !store || store->atomicOp) return !found;
    if (std::none_of(store->index.begin(), store->index.end(), isChosen) ||
        std::any_of(store->index.begin(), store->index.end(), isOwn))
      return true;
    ir::visit(store->value, [&](const ir::Expr& e) {
      const auto* read = e.as<ir::Load>();
      if (read && read->buffer == store->buffer && ir::equalIndices(read->index, store->index)) found = s;
      return !found;
    });
    return true;
  });
  return found;
}

bool updatesOnly(const Stmt& body, const std::set<Symbol>& own) {
  std::map<Symbol, ir::BinaryOp> by;
  std::map<Symbol, int> stores, loads;
  bool fits = true;
  ir::each<ir::Store>(body, [&](const ir::Store& store) {
    if (own.count(store.buffer)) return;
    const auto* b = store.value.as<ir::Binary>();
    const auto isElement = [&](const ir::Expr& e) {
      const auto* read = e.as<ir::Load>();
      return read && read->buffer == store.buffer && ir::equalIndices(read->index, store.index);
    };
    const bool isLeft = b && isElement(b->lhs);
    const bool isDifference = isLeft && b->op == ir::BinaryOp::Sub;
    fits = fits && b && !store.atomicOp && (isLeft || isElement(b->rhs)) &&
           (isDifference || b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Min ||
            b->op == ir::BinaryOp::Max);
    if (!fits) return;
    const ir::BinaryOp op = isDifference ? ir::BinaryOp::Add : b->op;
    fits = by.emplace(store.buffer, op).first->second == op;
    ++stores[store.buffer];
  });
  ir::each<ir::Load>(body, [&](const ir::Load& l) { ++loads[l.buffer]; });
  return fits && !stores.empty() &&
         std::ranges::all_of(stores, [&](const auto& of) { return loads[of.first] == of.second; });
}

namespace {

/// What an element becomes by a commutative operator, which may be done indivisibly: `h[k] + v`.
struct Update {
  ir::ReduceOp op;
  ir::Expr by;
};
std::optional<Update> updateOf(const ir::Store& store) {
  const ir::DType type = ir::typeOf(store.value);
  // Sums of floats depend on the order, and narrow integers have no instruction.
  if (!ir::isInteger(type) || ir::isBool(type) || ir::byteSize(type) < 4) return std::nullopt;
  static const std::map<ir::BinaryOp, ir::ReduceOp> kOps = {
      {ir::BinaryOp::Add, ir::ReduceOp::Sum},  {ir::BinaryOp::Min, ir::ReduceOp::Min},
      {ir::BinaryOp::Max, ir::ReduceOp::Max},  {ir::BinaryOp::BitAnd, ir::ReduceOp::And},
      {ir::BinaryOp::BitOr, ir::ReduceOp::Or}, {ir::BinaryOp::BitXor, ir::ReduceOp::Xor}};
  const auto* narrowed = store.value.as<ir::Cast>();
  const auto* b = (narrowed ? narrowed->arg : store.value).as<ir::Binary>();
  const bool isLess = b && b->op == ir::BinaryOp::Sub;
  const auto op = b ? kOps.find(isLess ? ir::BinaryOp::Add : b->op) : kOps.end();
  if (op == kOps.end()) return std::nullopt;
  // The low bits of a sum are the sum of the low bits; the smaller number is not the one of smaller low bits.
  const bool isOrdered = op->second == ir::ReduceOp::Min || op->second == ir::ReduceOp::Max;
  if (narrowed && (isOrdered || !ir::isInteger(b->type) || ir::byteSize(b->type) < ir::byteSize(type)))
    return std::nullopt;
  const auto isElement = [&](const ir::Expr& e) {
    const auto* widened = narrowed ? e.as<ir::Cast>() : nullptr;
    const auto* read = (widened ? widened->arg : e).as<ir::Load>();
    return read && read->buffer == store.buffer && ir::equalIndices(read->index, store.index);
  };
  const bool isLeft = isElement(b->lhs);
  if (!isLeft && (isLess || !isElement(b->rhs))) return std::nullopt;
  const ir::Expr other = ir::cast(type, isLeft ? b->rhs : b->lhs);
  const ir::Expr by = isLess ? ir::unary(ir::UnaryOp::Neg, other) : other;
  if (ir::loadedBuffers(by).count(store.buffer)) return std::nullopt;
  return Update{op->second, by};
}

} // namespace

Stmt withAtomicUpdates(const Stmt& s) {
  const auto* store = s.as<ir::Store>();
  const std::optional<Update> update = store && !store->atomicOp ? updateOf(*store) : std::nullopt;
  if (update) return ir::makeStmt(s->span, ir::Store{store->buffer, store->index, update->by, update->op});
  return ir::mapChildren(s, withAtomicUpdates);
}

} // namespace appyc::transform
