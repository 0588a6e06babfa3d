//===- ListRooms.cpp - how many items a list can get -------------------------------------------------------===//
// As many as the statements that append can add, in loops of which the caller knows how often they run. Where nothing tells,
// there is room for kMostElements, of which the machine has no more memory at work than is used, and a check where it grows.
#include "Lowering.h"

namespace appyc::sema {

namespace {
/// Is it a number times `v`, plus what does not depend on it?
bool isLinearIn(const Expr& e, const Symbol& v) {
  if (!ir::mentions(e, v)) return true;
  const auto* b = e.as<ir::Binary>();
  if (!b) return e.is<ir::Var>();
  if (b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Sub && b->op != ir::BinaryOp::Mul) return false;
  const bool isScaled = ir::constantInt(b->lhs) || ir::constantInt(b->rhs);
  return isLinearIn(b->lhs, v) && isLinearIn(b->rhs, v) && (b->op != ir::BinaryOp::Mul || isScaled);
}

/// Is it convex in `v`? Factors are numbers of steps, which are not negative.
bool isConvexIn(const Expr& e, const Symbol& v) {
  if (isLinearIn(e, v)) return true;
  const auto* b = e.as<ir::Binary>();
  if (!b || !isConvexIn(b->lhs, v) || !isConvexIn(b->rhs, v)) return false;
  if (b->op == ir::BinaryOp::Mul) return !ir::mentions(b->lhs, v) || !ir::mentions(b->rhs, v);
  return b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Max;
}

/// Is it never negative, as numbers of steps are?
bool isCount(const Expr& e) {
  const auto* b = e.as<ir::Binary>();
  if (!b) return ir::constantInt(e).value_or(-1) >= 0;
  if (b->op == ir::BinaryOp::Max) return isCount(b->lhs) || isCount(b->rhs);
  return (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Mul) && isCount(b->lhs) && isCount(b->rhs);
}

/// What it is not past: of the lesser of two, one, and rather what does not depend on `v`.
Expr withoutMin(const Expr& e, const Symbol& v) {
  const auto* b = e.as<ir::Binary>();
  if (!b || !ir::mentions(e, v)) return e;
  if (b->op == ir::BinaryOp::Min) return ir::mentions(b->rhs, v) ? withoutMin(b->lhs, v) : b->rhs;
  if (b->op == ir::BinaryOp::Mul ? !isCount(b->lhs) || !isCount(b->rhs)
                                 : b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Max)
    return e;
  return ir::binary(b->op, withoutMin(b->lhs, v), withoutMin(b->rhs, v));
}

} // namespace

/// One that is convex in the index is greatest at the first or the last.
std::optional<Expr> mostIn(const ir::For& loop, const Expr& given) {
  const Expr e = withoutMin(given, loop.index);
  if (!ir::mentions(e, loop.index)) return e;
  const int64_t step = ir::constantInt(loop.step).value_or(0);
  if (step == 0) return std::nullopt;
  if (!isConvexIn(e, loop.index)) { // each part by itself
    const auto* b = e.as<ir::Binary>();
    const bool isProduct = b && b->op == ir::BinaryOp::Mul && isCount(b->lhs) && isCount(b->rhs);
    if (!isProduct && (!b || (b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Max))) return std::nullopt;
    const std::optional<Expr> x = mostIn(loop, b->lhs), y = mostIn(loop, b->rhs);
    return x && y ? std::optional(ir::binary(b->op, *x, *y)) : std::nullopt;
  }
  const Expr last = step > 0 ? ir::sub(loop.hi, ir::intConst(1)) : ir::add(loop.hi, ir::intConst(1));
  return ir::maxOf(ir::substitute(e, {{loop.index, loop.lo}}), ir::substitute(e, {{loop.index, last}}));
}

namespace {

/// How much statements add to a variable at most, a sum of products of loops' lengths; none where nothing says.
struct Added {
  Symbol to;
  const std::map<Symbol, ir::For>& leaving; ///< loops over ranges that are `while` loops now
  const std::map<Symbol, Expr>& room;       ///< of numbers of elements

  std::optional<Expr> by(const ir::Stmt& s) const {
    if (!s || !ir::assignedVars(s).count(to)) return ir::intConst(0);
    if (const auto* a = s.as<ir::Assign>()) {
      const auto* b = a->value.as<ir::Binary>();
      const bool isOne = b && b->op == ir::BinaryOp::Add && b->lhs.is<ir::Var>() && ir::isConst(b->rhs, 1);
      const auto* from = b ? b->lhs.as<ir::Var>() : nullptr;
      const bool isLess = b && b->op == ir::BinaryOp::Sub && from &&
                          (from->name == to || ir::constantInt(b->rhs).value_or(-1) >= 0);
      if (b && (b->op == ir::BinaryOp::Add || b->op == ir::BinaryOp::Sub) && !isOne && !isLess)
        return std::nullopt; // as many as an array has
      return ir::intConst(isOne ? 1 : 0);
    }
    if (const auto* block = s.as<ir::Block>()) {
      Expr sum = ir::intConst(0);
      for (const ir::Stmt& inner : block->body) {
        const std::optional<Expr> added = by(inner);
        if (!added) return std::nullopt;
        sum = ir::add(sum, *added);
      }
      return sum;
    }
    if (const auto* branch = s.as<ir::If>()) {
      const std::optional<Expr> then = by(branch->then), otherwise = by(branch->otherwise);
      return then && otherwise ? std::optional(ir::maxOf(*then, *otherwise)) : std::nullopt;
    }
    const auto* whole = s.as<ir::For>();
    const auto* left = s.as<ir::While>();
    const ir::For* loop = whole ? whole : left ? counted(*left) : nullptr;
    const std::optional<Expr> each = whole || left ? by(whole ? whole->body : left->body) : std::nullopt;
    if (!each || ir::isConst(*each, 0) || emptiesIn(whole ? whole->body : left->body)) return each;
    if (!loop) return std::nullopt;
    const int64_t step = ir::constantInt(loop->step).value_or(0);
    const std::optional<Expr> most = step == 0 ? std::nullopt : mostIn(*loop, *each);
    if (!most) return std::nullopt;
    const auto* number = step > 0 ? loop->hi.as<ir::Var>() : nullptr;
    const auto known = number ? room.find(number->name) : room.end();
    const Expr hi = known == room.end() ? loop->hi : known->second;
    const auto* least = step > 0 ? hi.as<ir::Binary>() : nullptr;
    const Expr distance = least && least->op == ir::BinaryOp::Min
                              ? ir::minOf(ir::sub(least->lhs, loop->lo), ir::sub(least->rhs, loop->lo))
                          : step > 0 ? ir::sub(hi, loop->lo)
                                     : ir::sub(loop->lo, hi);
    return ir::mul(ir::maxOf(distance, ir::intConst(0)), *most);
  }

private:
  /// Does each iteration have the list begin anew, so that it never has more than one iteration adds, before and behind that?
  bool emptiesIn(const ir::Stmt& body) const {
    return std::ranges::any_of(ir::statementsOf(body), [&](const ir::Stmt& s) {
      const auto* a = s.as<ir::Assign>();
      return a && a->var == to && ir::isConst(a->value, 0);
    });
  }
  /// The loop over a range that became this one as it may be left.
  const ir::For* counted(const ir::While& loop) const {
    for (const Symbol& v : ir::freeVars(loop.cond))
      if (const auto found = leaving.find(v); found != leaving.end()) return &found->second;
    return nullptr;
  }
};

bool dependsOnItself(const Symbol& room, const std::map<Symbol, Expr>& rooms) {
  std::set<Symbol> seen;
  std::vector<Symbol> open{room};
  while (!open.empty()) {
    const auto e = rooms.find(open.back());
    open.pop_back();
    for (const Symbol& next : e == rooms.end() ? std::set<Symbol>() : ir::freeVars(e->second)) {
      if (next == room) return true;
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

/// The statements behind the one that makes the buffer, in its block.
std::optional<std::vector<ir::Stmt>> behindAlloc(const std::vector<ir::Stmt>& list, const Symbol& buffer) {
  for (size_t k = 0; k < list.size(); ++k) {
    const auto* alloc = list[k].as<ir::Alloc>();
    if (alloc && alloc->buffer.name == buffer)
      return std::vector(list.begin() + static_cast<long>(k), list.end());
    std::optional<std::vector<ir::Stmt>> found;
    ir::visit(list[k], [&](const ir::Stmt& inner) {
      const auto* block = inner.as<ir::Block>();
      if (!found && block) found = behindAlloc(block->body, buffer); // with all that stands inside
      return !found && !block;
    });
    if (found) return found;
  }
  return std::nullopt;
}
} // namespace

/// At the function's end: how much room the lists have.
void Lowering::settleLists() {
  checkChangedItems();
  for (ir::Taken& taken : out_.taken) // by now all texts are known, too
    if (taken.form.type == "text") taken.form.keys = listStates_.texts;
  std::map<Symbol, Expr> values; // of variables that the function sets once, at its top
  for (const ir::Stmt& s : lists_.front())
    if (const auto* a = s.as<ir::Assign>(); a && !mutable_.count(a->var)) {
      const Expr value = ir::substitute(a->value, values);
      if (isEntryExpr(value)) values[a->var] = value;
    }
  std::map<Symbol, Expr> rooms;
  std::set<Symbol> unknown; // of lists of which nothing tells how many items they get
  for (const auto& [length, list] : growing_) {
    std::optional<std::vector<ir::Stmt>> scope = behindAlloc(lists_.front(), list.buffer);
    if (!scope && isArrayResult(list.buffer)) scope = lists_.front();
    if (!scope) continue; // of an attempt that was given up
    if (list.atMost) {
      rooms[list.room] = list.atMost;
      continue;
    }
    std::optional<Expr> most = Added{length, leaving_, room_}.by(ir::block(*scope));
    for (auto loop = list.loops.rbegin(); most && loop != list.loops.rend(); ++loop)
      most = mostIn(*loop, *most);
    const std::optional<Expr> first = roomFor(ir::substitute(list.first, values));
    if (most) most = roomFor(ir::substitute(*most, values));
    if (most && first)
      rooms[list.room] = ir::add(*first, *most);
    else
      unknown.insert(list.room);
  }
  for (const auto& [room, e] :
       rooms) // a list that gets its own items back, by whatever way, has no such number
    if (dependsOnItself(room, rooms)) unknown.insert(room);
  for (bool isNew = true; std::exchange(isNew, false);) // what gets the items of such a list is one
    for (const auto& [room, e] : rooms)
      if (!unknown.count(room) && ir::intersect(unknown, ir::freeVars(e)))
        isNew = unknown.insert(room).second;
  std::erase_if(rooms, [&](const auto& r) { return unknown.count(r.first) > 0; });
  for (size_t k = 0; k < rooms.size(); ++k) // a list that has got another one's items has that one's room
    for (auto& [room, e] : rooms) e = ir::substitute(e, rooms);
  for (const auto& [length, list] : growing_)
    if (const auto e = rooms.find(list.room); e != rooms.end())
      if (std::ranges::any_of(rooms, [&](const auto& r) { return ir::mentions(e->second, r.first); }))
        unknown.insert(list.room);
  std::set<Symbol> known; // rooms that are enough
  for (const auto& [room, e] : rooms)
    if (!unknown.count(room)) known.insert(room);
  for (const Symbol& room : unknown) rooms[room] = ir::intConst(kMostElements);
  if (rooms.empty()) return;
  const auto settle = [&](std::vector<Expr>& extents) {
    for (Expr& e : extents) e = ir::substitute(e, rooms);
  };
  for (ir::Buffer& b : out_.buffers) settle(b.extents);
  for (ir::Result& r : out_.results) {
    settle(r.extents);
    const auto unknownAxes =
        std::ranges::count_if(r.extents, [](const Expr& e) { return ir::isConst(e, kMostElements); });
    if (r.kind == ir::Result::Array && unknownAxes > 1 && !std::exchange(listStates_.areResultsFlat, true))
      listStates_.haveChanged = true; // no memory has room for all of their products
  }
  const auto isEnough = [&](const ir::Stmt& inner) {
    const auto* check = inner.as<ir::Require>();
    return check && ir::intersect(known, ir::freeVars(check->cond));
  };
  for (ir::Stmt& s : lists_.front())
    s = ir::rewrite(
        ir::substitute(
            ir::rewrite(s, [&](const ir::Stmt& inner) { return isEnough(inner) ? ir::block({}) : inner; }),
            rooms),
        [&](const ir::Stmt& inner) {
          const auto* alloc = inner.as<ir::Alloc>();
          if (!alloc) return inner;
          ir::Alloc settled = *alloc;
          settle(settled.buffer.extents);
          return ir::makeStmt(inner->span, std::move(settled));
        });
}

/// A list with room for what is appended to it: of these numbers, tuples, or arrays. How much that is, is known at the
/// function's end.
ListValue Lowering::growingList(const std::string& name, ListValue list, const std::vector<Array>& items,
                                Span where) {
  const Expr first = stable(items[0].shape[0]);
  const Symbol room("room");
  sizes_.insert(room);
  std::vector<Array> memory;
  for (size_t k = 0; k < items.size(); ++k) {
    std::vector<Expr> shape = items[k].shape;
    shape[0] = ir::var(room);
    const std::string hint =
        list.like ? fmt::format("{}_{}", hintOf(name), nameOfPart(list, k)) : hintOf(name);
    memory.push_back(newBuffer(hint, items[k].type, shape));
  }
  list.length = newVariable(hintOf(name) + "_length", DType::I64, first);
  mutable_.insert(list.length);
  growing_[list.length] = {memory[0].view->buffer.name, room, first, where, {loops_.begin(), loops_.end()}};
  for (size_t k = 0; k < items.size(); ++k) {
    ListValue& part = list.like ? list.fields[k] : list;
    part.values = memory[k];
    part.length = list.length;
    listMemory_[memory[k].view->buffer.name] = part.made;
    if (!ir::isConst(first, 0)) store(cutTo(memory[k], {first}), items[k]);
  }
  list.values = memory[0];
  return list;
}

} // namespace appyc::sema
