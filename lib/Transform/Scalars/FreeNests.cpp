//===- FreeNests.cpp - nests whose iterations hand on nothing but flags that they raise --------------------------===//
#include "FreeNests.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include <algorithm>

namespace appyc::transform {

using namespace ir;

std::set<Symbol> flagsOf(const Stmt& nest) {
  std::set<Symbol> flags;
  each<Assign>(nest, [&](const Assign& a) {
    const auto* most = a.value.as<Binary>();
    const auto* self =
        most && most->op == BinaryOp::Max && isConst(most->rhs, 1) ? most->lhs.as<Var>() : nullptr;
    if (self && self->name == a.var) flags.insert(a.var);
  });
  return flags;
}

Stmt inAnyOrder(const Stmt& nest, const std::set<Symbol>& flags) {
  const Stmt made =
      mapChildren(nest, [&](const Stmt& child) { return child ? inAnyOrder(child, flags) : child; });
  const auto* loop = made.as<For>();
  if (!loop || storedBuffers(loop->body).empty() || !isSerial(*loop) ||
      !std::ranges::includes(flags, analysis::handedOn(loop->body)))
    return made;
  For free = *loop;
  free.order = Order::Proven;
  for (const Symbol& flag : flags)
    if (assignedVars(loop->body).count(flag)) free.reductions.push_back({flag, DType::I32, ReduceOp::Max});
  return makeStmt(made->span, std::move(free));
}

Stmt withUpdates(const Stmt& nest, const std::function<std::optional<ReduceOp>(const Store&)>& way) {
  return replace<Store>(nest, [&](const Store& store, const Stmt& part) {
    Store moves = store;
    if (!isBool(typeOf(store.value))) moves.atomicOp = way(store);
    return moves.atomicOp ? makeStmt(part->span, std::move(moves)) : Stmt();
  });
}

static Expr writtenOut(const Expr& e, const std::map<Symbol, Expr>& values, int depth) {
  constexpr int deepest = 8; // values may go in circles
  if (depth == deepest) return e;
  return rewrite(e, [&](const Expr& part) -> Expr {
    if (const Expr x = beforeWrap(part)) return writtenOut(x, values, depth + 1);
    const auto* v = part.as<Var>();
    const auto value = v ? values.find(v->name) : values.end();
    return value == values.end() ? Expr() : writtenOut(value->second, values, depth + 1);
  });
}

Expr writtenOut(const Expr& e, const std::map<Symbol, Expr>& values) { return writtenOut(e, values, 0); }

} // namespace appyc::transform
