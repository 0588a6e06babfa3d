//===- Outliving.cpp - arrays that outlive the branch or the loop that makes them --------------------------===//
//   for t in range(n):                    y: room for all that it may be
//     y = step(x)                   =>    for t in range(n):
//     if norm(y - x) < eps: return y        y = step(x)
//     x = y                                 if ...: returned = True, result is y
// Names that are read behind the block keep their arrays: these are made before it. In a loop that is right where the
// name is bound anew in the last step, or where nothing else ever stores into its memory.
#include "Lowering.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

/// Does one of the statements make the buffer?
bool isMadeBy(const std::vector<ir::Stmt>& list, const Symbol& buffer) {
  return std::any_of(list.begin(), list.end(), [&](const ir::Stmt& s) {
    return ir::any<ir::Alloc>(s, [&](const ir::Alloc& alloc) { return alloc.buffer.name == buffer; });
  });
}

/// The objects in a value.
static void addObjects(const Value& v, std::set<std::string>& objects) {
  if (const auto* r = v.as<RecordValue>()) objects.insert(r->object);
  for (const Value& part : heldParts(v)) addObjects(part, objects);
}

/// The names by which Python may come to what the name stands for: of a field, those that have its object.
static std::vector<std::string> holdersOf(const std::string& name, const Env& env) {
  if (name[0] != '.') return {name};
  const auto objectOf = [](const std::string& field) { return field.substr(field.find(" of ") + 4); };
  std::vector<std::string> holders;
  for (const auto& [other, value] : env) {
    if (other[0] == '.') continue;
    std::set<std::string> objects;
    addObjects(value, objects);
    for (size_t before = 0; !objects.empty() && before != objects.size();) {
      before = objects.size();
      for (const auto& [field, inside] : env)
        if (field[0] == '.' && objects.count(objectOf(field))) addObjects(inside, objects);
    }
    if (objects.count(objectOf(name))) holders.push_back(other);
  }
  return holders;
}

/// Is the name read behind the statement?
bool Lowering::isAskedBehind(const std::string& name) const {
  const auto facts = frames_.back().names.find(name);
  return isAdded(name) || (facts != frames_.back().names.end() && isReadAfter(facts->second, statement_.end));
}

/// May it fail where nobody has asked for it?
static bool mayDivideByZero(const Expr& e) {
  bool may = false;
  ir::visit(e, [&](const Expr& inner) {
    const auto* b = inner.as<ir::Binary>();
    const bool divides =
        b && (b->op == ir::BinaryOp::Div || b->op == ir::BinaryOp::FloorDiv || b->op == ir::BinaryOp::Mod);
    may |= divides && ir::constantInt(b->rhs).value_or(0) == 0;
    return !may;
  });
  return may;
}

/// The extent, or what it does not pass, as it is known before the block that assigns what is in `inside`.
std::optional<Expr> Lowering::extentOutside(const Expr& extent, const std::set<Symbol>& inside,
                                            const ir::For* loop) const {
  const auto isOutside = [&](const Expr& e) {
    return !ir::readsMemory(e) && !mayDivideByZero(e) && !ir::intersect(ir::freeVars(e), inside);
  };
  std::optional<Expr> most = extent;
  if (!isOutside(extent)) most = roomFor(extent);
  if (!most && loop) most = mostIn(*loop, extent);
  if (!most || !isOutside(*most)) return std::nullopt;
  return atLeastZero(*most);
}

/// The memory is made before the block; false where its size is not known there.
bool Lowering::outlives(Stmts& list, const ir::Buffer& made, const ir::For* loop) {
  if (made.onChip || (loop && isShared(*loop)) || std::ranges::any_of(loops_, isShared)) return false;
  std::set<Symbol> inside = ir::assignedVars(ir::block(list));
  if (loop) inside.insert(loop->index);
  ir::Buffer outer = made;
  bool isSame = true;
  for (Expr& extent : outer.extents) {
    const std::optional<Expr> most = extentOutside(extent, inside, loop);
    if (!most) return false;
    isSame = isSame && !ir::intersect(ir::freeVars(extent), inside);
    extent = *most;
  }
  const bool isWhole = std::ranges::any_of(list, [&](const ir::Stmt& s) { // something takes it as it is
    return ir::any<ir::Routine>(s, [&](const ir::Routine&) {
      return ir::loadedBuffers(s).count(made.name) || ir::storedBuffers(s).count(made.name);
    });
  });
  if (!isSame && isWhole) return false;
  std::vector<Expr> sizes = made.extents; // as the step says them
  Span where;
  for (ir::Stmt& s : list)
    s = ir::rewrite(s, [&](const ir::Stmt& inner) -> ir::Stmt {
      const auto* alloc = inner.as<ir::Alloc>();
      if (!alloc || !(alloc->buffer.name == made.name)) return inner;
      where = inner->span;
      const Symbol mark("begins");
      copies_[mark] = {made.name, "", where, false, false, false, true};
      std::vector<ir::Stmt> says{ir::makeStmt(inner->span, ir::Assign{mark, ir::intConst(0)})};
      for (size_t d = 0; !isSame && d < sizes.size(); ++d) {
        const bool isKnown = sizes[d].is<ir::Var>() && roomFor(sizes[d]);
        if (isKnown || !ir::intersect(ir::freeVars(sizes[d]), inside)) continue;
        const Symbol n("n");
        nonNegative_.insert(n);
        if (const std::optional<Expr> most = roomFor(outer.extents[d])) room_[n] = *most;
        says.push_back(ir::makeStmt(inner->span, ir::Assign{n, sizes[d]}));
        sizes[d] = ir::var(n);
      }
      return ir::block(std::move(says));
    });
  for (ir::Buffer& b : out_.buffers)
    if (b.name == made.name) b = outer;
  emit(ir::makeStmt(where, ir::Alloc{outer}));
  const std::function<void(Value&)> follow = [&](Value& v) {
    if (hasParts(v)) {
      std::vector<Value> parts = heldParts(v);
      for (Value& part : parts) follow(part);
      v = builtLike(v, std::move(parts));
    }
    auto* a = std::get_if<Array>(&v.v);
    if (!a || !a->view || !(a->view->buffer.name == made.name)) return;
    for (Expr& extent : a->shape)
      for (size_t d = 0; d < sizes.size(); ++d)
        if (ir::equalIndex(extent, made.extents[d])) extent = sizes[d];
    if (a->view->whole) {
      a->view = cutTo(memory(outer), a->shape).view;
      return;
    }
    auto view = std::make_shared<View>(*a->view);
    view->buffer = outer;
    a->view = view;
  };
  if (!isSame)
    for (auto& [name, value] : env()) follow(value);
  return true;
}

/// Arrays made in a branch or a loop end with it, but those of names that are read behind it.
void Lowering::leaveScope(Stmts& list, const ast::Body& body, const ir::For* loop) {
  std::set<Symbol> inside; // variables that say which of a list of lists a name is
  for (const ir::Stmt& s : list) inside.merge(ir::assignedVars(s));
  if (loop) inside.insert(loop->index);
  for (const auto& [name, value] : Env(env()))
    if (const auto* l = value.as<ListValue>(); l && l->row && ir::intersect(inside, ir::freeVars(l->row)))
      lose(name, "is a list of a list of lists that was taken inside of a loop or a branch; take it again");
  std::map<Symbol, ir::Buffer> made;
  for (const ir::Stmt& s : list)
    ir::visit(s, [&](const ir::Stmt& inner) {
      if (const auto* alloc = inner.as<ir::Alloc>()) made.emplace(alloc->buffer.name, alloc->buffer);
      return true;
    });
  if (made.empty()) return;
  const Names sure = surelyAssigned(body);
  std::vector<std::string> lost;
  std::map<Symbol, bool> moved;
  for (const auto& [name, value] : Env(env())) {
    if (std::ranges::none_of(made, [&, &v = value](const auto& each) { return showsAny(v, {each.first}); }))
      continue;
    std::vector<std::string> holders = holdersOf(name, env());
    std::erase_if(holders, [&](const std::string& holder) { return !isAskedBehind(holder); });
    bool stays = !holders.empty();
    for (const auto& [symbol, buffer] : made) {
      if (!showsAny(value, {symbol})) continue;
      const bool isFirm = std::ranges::all_of(holders, [&, &of = symbol](const std::string& holder) {
        return sure.count(holder) > 0 || firm_.count({holder, of}) > 0;
      });
      const bool isLast =
          std::ranges::all_of(holders, [&](const std::string& holder) { return isAdded(holder); });
      stays = stays && !isList(value) && (!loop || isLast || isFirm);
      if (stays && !moved.count(symbol)) moved[symbol] = outlives(list, buffer, loop);
      stays = stays && moved[symbol];
      for (const std::string& holder : holders)
        if (stays && isFirm) firm_.insert({holder, symbol});
    }
    if (!stays && isAdded(name) && isAnyList(value))
      listStates_.haveChanged |= listStates_.returned.emplace(frame().function->nameSpan.begin, name).second;
    if (!stays) lost.push_back(name);
  }
  for (const std::string& name : lost) {
    env().lost[name] = fmt::format("is an array made inside the {}; make it before and fill it there",
                                   loop ? "loop" : "branch");
    env().erase(name);
  }
}

} // namespace appyc::sema
