//===- ChosenUpdates.cpp - nests of loops that update elements which the data choose ----------------------------===//
#include "ChosenUpdates.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Is it a loop with bounds that the host knows, whatever it and those around it do?
bool isStepped(const For& loop, const std::vector<const For*>& around) {
  if (loop.hints.mark != LoopMark::None || !isConst(loop.step, 1)) return false;
  if (around.empty() ? loop.order != Order::Serial : !loop.reductions.empty()) return false;
  std::set<Symbol> varying = assignedVars(around.empty() ? loop.body : around[0]->body);
  for (const For* outer : around) varying.insert(outer->index);
  const auto stays = [&](const Expr& e) { return !readsMemory(e) && !mentionsAny(e, varying); };
  return stays(loop.lo) && stays(loop.hi);
}

/// Without a target.
std::optional<ChosenUpdate> updateOf(const Store& store) {
  const auto isElement = [&](const Expr& e) {
    const auto* read = e.as<Load>();
    return read && read->buffer == store.buffer && equalIndices(read->index, store.index);
  };
  if (const auto* choice = store.value.as<Select>()) {
    const auto extreme = extremeOf(*choice, isElement);
    if (!extreme || store.atomicOp) return {};
    return ChosenUpdate{&store, {}, extreme->op, collectedBy(*extreme)};
  }
  const auto* b = store.value.as<Binary>();
  if (!b || store.atomicOp || isBool(b->type)) return {};
  const bool isLeft = isElement(b->lhs);
  if (!isLeft && !isElement(b->rhs)) return {};
  const Expr by = isLeft ? b->rhs : b->lhs;
  switch (b->op) {
  case BinaryOp::Add: return ChosenUpdate{&store, {}, ReduceOp::Sum, by};
  case BinaryOp::Mul: return ChosenUpdate{&store, {}, ReduceOp::Prod, by};
  case BinaryOp::Min: return ChosenUpdate{&store, {}, ReduceOp::Min, by};
  case BinaryOp::Max: return ChosenUpdate{&store, {}, ReduceOp::Max, by};
  case BinaryOp::Sub:
    if (isLeft) return ChosenUpdate{&store, {}, ReduceOp::Sum, unary(UnaryOp::Neg, by)};
    return {};
  default: return {};
  }
}

} // namespace

/// The loops of a step written out, from the inside out, as long as it has few updates then.
static Stmt writtenOut(const Stmt& s) {
  constexpr int64_t few = 4, most = 16;
  const Stmt inside = mapChildren(s, writtenOut);
  const auto* loop = inside.as<For>();
  if (!loop || loop->hints.mark != LoopMark::None || has<Alloc>(loop->body) || !isConst(loop->lo, 0) ||
      !isConst(loop->step, 1) || constantTrip(*loop).value_or(few + 1) > few)
    return inside;
  int64_t updates = 0;
  each<Store>(loop->body, [&](const Store& store) {
    if (updateOf(store) && std::ranges::any_of(store.index, [](const Expr& e) { return readsMemory(e); }))
      ++updates;
  });
  if (updates == 0 || updates * *constantTrip(*loop) > most) return inside;
  std::vector<Stmt> steps;
  for (int64_t k = 0; k < *constantTrip(*loop); ++k)
    steps.push_back(substitute(loop->body, {{loop->index, intConst(k)}}));
  return block(std::move(steps));
}

/// `if x < t[i]: t[i] = x` as `t[i] = x if x < t[i] else t[i]`
static Stmt chosen(const Stmt& s) {
  return replace<If>(s, [](const If& branch, const Stmt& part) -> Stmt {
    const auto* store = branch.then.as<Store>();
    if (!store || branch.otherwise || store->atomicOp) return {};
    const Expr old = make(Load{typeOf(store->value), store->buffer, store->index});
    Store either = *store;
    either.value = make(Select{typeOf(old), branch.cond, store->value, old});
    return updateOf(either) ? makeStmt(part->span, std::move(either)) : Stmt();
  });
}

/// `t[i] = t[i] + a; t[i] = t[i] + b` as `t[i] = t[i] + (a + b)`
static Stmt joined(const Stmt& s) {
  if (!s.is<Block>()) return mapChildren(s, joined);
  std::vector<Stmt> out;
  for (const Stmt& part : statementsOf(s)) {
    const auto *store = part.as<Store>(), *before = out.empty() ? nullptr : out.back().as<Store>();
    const auto now = store ? updateOf(*store) : std::nullopt, was = before ? updateOf(*before) : std::nullopt;
    const auto reads = [&](const Expr& e) { return loadedBuffers(e).count(store->buffer) > 0; };
    const bool isSame = now && was && now->op == was->op && store->buffer == before->buffer &&
                        equalIndices(store->index, before->index) && !reads(now->by) && !reads(was->by) &&
                        std::ranges::none_of(store->index, reads);
    if (!isSame) {
      out.push_back(joined(part));
      continue;
    }
    const auto& sum = *before->value.as<Binary>();
    const Expr old = equal(sum.lhs, was->by) ? sum.rhs : sum.lhs;
    out.back() = makeStmt(
        s->span,
        Store{store->buffer, store->index, combine(now->op, old, combine(now->op, was->by, now->by)), {}});
  }
  return block(std::move(out));
}

Stmt withUpdatesWrittenOut(const Stmt& nest) {
  const auto* loop = nest.as<For>();
  const Stmt body = loop ? chosen(writtenOut(loop->body)) : Stmt();
  return !loop || body == loop->body ? nest : makeStmt(nest->span, withBody(*loop, joined(body)));
}

bool UpdateNest::isFixed(const Expr& index) const {
  return !readsMemory(index) && !mentionsAny(index, inside);
}

const ChosenUpdate* UpdateNest::updateAt(const Stmt& s) const {
  const auto* store = s.as<Store>();
  const auto found =
      std::find_if(updates.begin(), updates.end(), [&](const ChosenUpdate& u) { return u.store == store; });
  return store && found != updates.end() ? &*found : nullptr;
}

UpdateNest findUpdates(const Stmt& nest, const Function& f) {
  UpdateNest found{{}, nest, assignedVars(nest), {}};
  const auto isChosen = [assigned = found.inside](const Expr& index) {
    bool chosen = mentionsAny(index, assigned);
    visit(index, [&](const Expr& e) {
      const auto* b = e.as<Binary>();
      const bool isLinear = !b || b->op == BinaryOp::Add || b->op == BinaryOp::Sub || b->op == BinaryOp::Mul;
      return !(chosen = chosen || e.is<Load>() || !isLinear);
    });
    return chosen;
  };
  const auto steps = loops::perfectNest(nest, isStepped);
  found.loops = steps.loops, found.body = steps.body;
  for (const For* loop : found.loops) found.inside.insert(loop->index);
  if (found.loops.empty()) return found;
  std::map<Symbol, int> stores, loads, own; // own: loads of updates
  visit(
      found.body,
      [&](const Stmt& s) {
        const auto* store = s.as<Store>();
        if (!store) return true;
        ++stores[store->buffer];
        std::optional<ChosenUpdate> update = updateOf(*store);
        const Buffer* target = f.findBuffer(store->buffer);
        if (!update || !target || std::none_of(store->index.begin(), store->index.end(), isChosen))
          return true;
        own[store->buffer] += store->value.is<Select>() ? 2 : 1;
        update->target = *target;
        found.updates.push_back(std::move(*update));
        return true;
      },
      [&](const Expr& e) {
        if (const auto* l = e.as<Load>()) ++loads[l->buffer];
        return true;
      });
  std::map<Symbol, std::vector<ChosenUpdate*>> byTarget;
  for (ChosenUpdate& u : found.updates) byTarget[u.target.name].push_back(&u);
  std::set<Symbol> others; // targets of which more is done
  for (auto& [target, updates] : byTarget) {
    const auto count = static_cast<int>(updates.size());
    if (stores[target] != count || loads[target] != own[target] ||
        std::ranges::any_of(updates, [&](const ChosenUpdate* u) { return u->op != updates[0]->op; }))
      others.insert(target);
    for (int k = 0; k < count; ++k) updates[k]->part = k, updates[k]->of = count;
  }
  std::erase_if(found.updates, [&](const ChosenUpdate& u) { return others.count(u.target.name) > 0; });
  return found;
}

} // namespace appyc::schedule
