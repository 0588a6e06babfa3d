//===- Outliving.cpp - arrays that outlive the branch or the loop that makes them --------------------------===//
//   for t in range(n):                    y: room for all that it may be
//     y = step(x)                   =>    for t in range(n):
//     if norm(y - x) < eps: return y        y = step(x)
//     x = y                                 if ...: returned = True, result is y
// Names that are read behind the block keep their arrays: these are made before it. In a loop that is right where the
// name is bound anew in the last step, or where nothing else ever stores into its memory. And what a name keeps of a value.
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
    if (auto* l = std::get_if<ListValue>(&v.v)) {
      for (ListValue& field : l->fields) {
        Value part{field};
        follow(part);
        field = *part.as<ListValue>();
      }
      Value values{l->values};
      follow(values);
      l->values = *values.as<Array>();
      return;
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
    else if (const auto* text = value.as<TextValue>();
             text && std::ranges::any_of(
                         text->values, [&](const Expr& e) { return ir::intersect(inside, ir::freeVars(e)); }))
      lose(name, std::string(kNamedText));
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
      const auto* ofItems = value.as<ListValue>();
      const bool isFixed = ofItems && !ofItems->like && !ofItems->length && !ofItems->row &&
                           !ofItems->isDeque && !ofItems->isSet;
      stays = stays && (!isList(value) || isFixed) && (!loop || isLast || isFirm);
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

//===--- what names keep ----------------------------------------------------------------------------------===//

/// What a part of a tuple or a record holds: computed arrays and numbers that may change move to memory of their own.
Value Lowering::keptPart(const Value& v, const std::string& hint) {
  if (const auto* selected = v.as<Selection>()) return keepSelection(*selected, hint);
  if (const auto* t = v.as<TupleValue>()) {
    TupleValue kept = t->like();
    kept.isKept = true;
    for (const Value& item : t->items) kept.items.push_back(keptPart(item, hint));
    return Value{kept};
  }
  if (const auto* r = v.as<RecordValue>(); r && r->isPooled)
    return builtLike(v, {keptPart(Value{Scalar{r->at, true}}, hint)});
  if (const auto* o = v.as<OptionalValue>())
    return builtLike(
        v, {keptPart(Value{Scalar{o->isNone, true}}, hint + "_is_none"), keptPart(*o->value, hint)});
  if (const auto* l = v.as<ListValue>()) {
    ListValue kept = *l;
    kept.isKept = true;
    return Value{kept};
  }
  if (const auto* nested = v.as<NestedValue>()) {
    NestedValue kept = *nested;
    kept.numbers.isKept = true;
    return Value{kept};
  }
  if (const auto* iterator = v.as<IteratorValue>()) {
    IteratorValue kept{iterator->kind, {}};
    for (const Value& part : iterator->parts) kept.parts.push_back(keptPart(part, hint));
    return Value{kept};
  }
  if (const auto* g = v.as<GeneratorValue>())
    return Value{GeneratorValue{g->generator, std::make_shared<const Value>(keptPart(*g->over, hint))}};
  if (const auto* a = v.as<Array>(); a && !a->symbolic) return Value{materialize(*a, hint)};
  const auto* s = v.as<Scalar>();
  return s && !isStable(s->e) ? Value{keptIn(*s, materialize(s->e, hint))} : v;
}

/// What is run over by the one read of the name: as the generator may as well be written there.
bool Lowering::runsOnce(const std::string& name, const Value& made, uint32_t where) {
  const auto known = frame().names.find(name);
  if (known == frame().names.end()) return false;
  const NameFacts& facts = known->second;
  if (facts.assignments != 1 || facts.uses.size() != 1 || facts.isCaptured || facts.isRepeated) return false;
  const auto* g = made.as<GeneratorValue>();
  if (!g) {
    const auto& parts = made.as<IteratorValue>()->parts;
    return std::ranges::all_of(parts, [&](const Value& part) {
      return (!part.as<GeneratorValue>() && !part.as<IteratorValue>()) || runsOnce(name, part, where);
    });
  }
  // It asks for names when it is run over.
  const auto asked = namesIn(g->generator);
  return std::ranges::none_of(asked, [&](const std::string& of) {
    const auto bound = frame().names.find(of);
    return bound != frame().names.end() &&
           std::ranges::any_of(bound->second.binds, [&](Span at) { return at.begin > where; });
  });
}

void Lowering::assignName(const std::string& name, const Value& asGiven, Span where) {
  const auto known = frame().names.find(name);
  Value given = asGiven;
  if (const auto* text = given.as<CharactersValue>();
      text && listStates_.isSpelled) { // which a list may be that changes
    ListValue numbers = text->characters.fields[0];
    Array copy = elementsOf(numbers);
    copy.view = nullptr;
    numbers.values = materialize(copy, "text");
    given = charactersOfNumbers(numbers, *text->characters.like);
  }
  const Value value = known == frame().names.end() ? given : changeable(name, given, known->second, where);
  if (const auto flag = frame().bound.find(name); flag != frame().bound.end())
    emit(ir::Assign{flag->second.as<ir::Var>()->name, ir::boolConst(true)});
  const auto* text = value.as<TextValue>();
  if (text && !text->arrays.empty()) {
    error(DiagId::Unsupported, where, "a text with an array in it has no name; print it where it is made");
    return;
  }
  auto old = env().find(name);
  env().boundIf.erase(name);
  if (const Expr n = wholeOf(value))
    return (void)(env()[name] = textOfDigits(Value{Scalar{stable(n), true}}));
  if (const auto* s = value.as<Scalar>()) {
    if (counters_.count(name) && ir::constantInt(s->e)) return (void)(env()[name] = value);
    const auto* o = old == env().end() ? nullptr : old->second.as<Scalar>();
    const auto* variable = o ? o->e.as<ir::Var>() : nullptr;
    if (variable && mutable_.count(variable->name) && o->type() == s->type()) {
      emit(ir::Assign{variable->name, s->e});
      env()[name] = Value{keptIn(*s, o->e)};
      return;
    }
    if (substitutable(name, *s)) {
      env()[name] = value;
      return;
    }
    Symbol symbol = newVariable(name, s->type(), s->e);
    auto facts = frame().names.find(name);
    if (facts == frame().names.end() || facts->second.assignments != 1)
      mutable_.insert(symbol);
    else if (ir::isInteger(s->type()) && s->type() != DType::U64 && isNonNegative(s->e))
      nonNegative_.insert(symbol);
    env()[name] = Value{keptIn(*s, ir::var(symbol, s->type()))};
    return;
  }
  if (const auto* a = value.as<Array>()) {
    const bool isTable = kernel_ && a->shares && isFileArray(a->shares); // threads read it where it is
    env()[name] = a->symbolic || a->choice || isTable ? value : Value{materialize(*a, name)};
    return;
  }
  if (const auto* s = value.as<Selection>()) {
    env()[name] = keepSelection(*s, name);
    return;
  }
  if (const auto* t = value.as<TupleValue>()) { // name the parts
    TupleValue bound = t->like();
    bound.isKept = true;
    for (const Value& v : t->items) {
      if (v.as<IteratorValue>() || v.as<GeneratorValue>()) {
        error(DiagId::Unsupported, where,
              fmt::format("{} cannot be kept in a tuple; write `list(...)` of it", describe(v)));
        return;
      }
      bound.items.push_back(keptPart(v, name));
    }
    env()[name] = Value{bound};
    return;
  }
  if (value.as<OptionalValue>() || isPooled(value)) {
    env()[name] = keptPart(value, name);
    return;
  }
  if (const auto* r = value.as<RangeValue>()) {
    env()[name] = Value{keptRange(*r)};
    return;
  }
  const auto* list = value.as<ListValue>();
  if (list && (!list->hasViews || list->made)) {
    ListValue kept = *list;
    kept.isKept = true;
    env()[name] = Value{kept};
    return;
  }
  if (const auto* nested = value.as<NestedValue>()) {
    NestedValue kept = *nested;
    if (!kept.numbers.isKept && !kept.numbers.length &&
        known != frame().names.end()) { // a copy, which may grow
      const Value numbers = changeable(name, Value{kept.numbers}, known->second, where);
      if (const auto* own = numbers.as<ListValue>()) kept.numbers = *own;
    }
    env()[name] = keptPart(Value{kept}, name);
    return;
  }
  if (value.as<IteratorValue>() || value.as<GeneratorValue>()) {
    const auto* group = value.as<IteratorValue>();
    const bool isGroup = group && group->kind == IteratorValue::Group && readOnce_.count(name) > 0;
    if (isGroup || runsOnce(name, value, where.begin)) return (void)(env()[name] = keptPart(value, name));
    error(DiagId::Unsupported, where,
          fmt::format("{} cannot be kept in a variable, but one that is read once, and not in another loop, "
                      "with nothing between that changes what it asks for; write `list(...)` of it",
                      describe(value)));
    return;
  }
  if (list) {
    error(DiagId::Unsupported, where, fmt::format("{} cannot be kept in a variable", describe(value)));
    return;
  }
  env()[name] = value;
}

} // namespace appyc::sema
