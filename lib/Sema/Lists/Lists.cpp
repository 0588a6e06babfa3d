//===- Lists.cpp - lists in memory: of a length known at run time, or that the function changes -------------===//
//   l = []                      room = n               (as many as the statements that append can add)
//   for i in range(n):     =>   l: room for these;  length = 0
//     if c: l.append(x)         for i in [0, n):
//                                 if c:  l[length] = x;  length = length + 1
// All that have a list share its memory and the variable of its length, so that a change shows to all of them. What the
// numbers of a list are, Python's or NumPy's, follows from all that is put into it: where that is more than was known when the
// list was made, the function is lowered once more.
#include "Arguments.h"
#include "Lowering.h"

namespace appyc::sema {

Array emptyArray(DType type) {
  Array none;
  none.type = type;
  none.shape = {ir::intConst(0)};
  none.at = [type](const Indices&) { return ir::constOf(type, 0); };
  return none;
}

//===--- what is in a list -----------------------------------------------------------------------------------===//

/// What its numbers are; nothing where none has been put in.
std::optional<Scalar> Lowering::stateOf(const ListValue& list) const {
  if (list.like) return std::nullopt; // the numbers have states
  if (!list.made || list.hasViews) return Scalar{ir::var(Symbol("item"), list.values.type), list.isWeak};
  const auto known = listStates_.states.find(list.made);
  return known == listStates_.states.end() ? std::nullopt : std::optional(known->second);
}

/// The number is put in.
bool Lowering::putState(const ListValue& list, const Scalar& s, Span where) {
  const auto [known, isFirst] = listStates_.states.try_emplace(list.made, Scalar());
  std::optional<Scalar> joined = isFirst ? s : joinNumbers(known->second, s, where, "");
  if (!joined) return false;
  listStates_.haveChanged |= isFirst || !isSameState(*joined, known->second);
  known->second = keptIn(*joined, ir::var(Symbol("item"), joined->type()));
  return true;
}

/// The list's memory as an array of as many elements as it has now.
Array Lowering::elementsOf(const ListValue& list) {
  if (list.row) { // as it is now
    const Expr n = materialize(list.values.shape[0], "length");
    nonNegative_.insert(n.as<ir::Var>()->name);
    room_[n.as<ir::Var>()->name] = ir::var(growing_.at(list.rows->items.length).room);
    return cutTo(list.values, {n});
  }
  if (!list.length) return list.values;
  const Expr n = stable(ir::var(list.length));
  nonNegative_.insert(n.as<ir::Var>()->name);
  room_[n.as<ir::Var>()->name] = ir::var(growing_.at(list.length).room);
  std::vector<Expr> shape = list.values.shape;
  shape[0] = n;
  return cutTo(list.values, shape);
}

/// len(list)
Scalar Lowering::itemsIn(const ListValue& list) const {
  return Scalar{list.length ? ir::var(list.length) : list.values.shape[0], true};
}

/// The elements, where they are all numbers of one kind.
std::optional<Array> Lowering::numbersOf(const ListValue& list, Span where) {
  const std::optional<Scalar> state = stateOf(list);
  if (state && state->others.empty() && !state->isExtended) return elementsOf(list);
  if (!list.like && !state) return nothingKnown(where), std::nullopt;
  error(DiagId::Unsupported, where,
        list.like
            ? "this is a list of tuples; run over it, or take what is needed out by `[x for x, y in ...]`"
            : "the numbers of this list differ in kind, as Python's int and float do; convert each when it "
              "is put in");
  return std::nullopt;
}

/// An item is asked for before any has been seen to be put in: what follows may do so.
Value Lowering::nothingKnown(Span where) {
  asksForUnknown_ = true;
  return error(DiagId::BadIndex, where, "nothing is put into this list before");
}

/// An element of the list's memory, or what is computed of them, as the list has its items.
Value Lowering::asItem(const ListValue& list, const Value& item) const {
  const auto* s = item.as<Scalar>();
  const std::optional<Scalar> state = s ? stateOf(list) : std::nullopt;
  return state ? Value{keptIn(*state, ir::cast(state->type(), s->e))} : item;
}

/// What a place of one element holds.
Scalar Lowering::numberAt(const Array& place) const {
  const auto list = place.view ? listMemory_.find(place.view->buffer.name) : listMemory_.end();
  const auto known =
      list == listMemory_.end() ? listStates_.states.end() : listStates_.states.find(list->second);
  if (known == listStates_.states.end()) return Scalar{place.at({})};
  return keptIn(known->second, ir::cast(known->second.type(), place.at({})));
}

/// Stores what becomes an item of a list; false where the place is none of a list's.
bool Lowering::putInto(const Array& place, const Value& v, Span where) {
  const auto list = place.view ? listMemory_.find(place.view->buffer.name) : listMemory_.end();
  if (list == listMemory_.end() || !place.shape.empty()) return false;
  ListValue of;
  of.made = list->second;
  const auto* s = v.as<Scalar>();
  if (!s && !v.isError())
    error(DiagId::TypeMismatch, where,
          fmt::format("a list of numbers gets a number here, not {}; use an array", describe(v)));
  const std::optional<Scalar> before = stateOf(of);
  if (!s || !putState(of, *s, where)) return true;
  if (before && !isSameState(*before, *stateOf(of))) listStates_.joined.insert(of.made);
  emit(ir::Store{place.view->buffer.name, place.view->index({}), ir::cast(place.type, s->e), {}});
  return true;
}

/// The numbers of a list of lists of one length each, and so on; false where there is anything else in it, or a list that
/// something else has, too.
static bool addNumbers(const TupleValue& t, size_t level, std::vector<size_t>& extents,
                       std::vector<Scalar>& numbers) {
  if (!t.isList || (level > 0 && t.isKept)) return false;
  if (level == extents.size()) extents.push_back(t.items.size());
  if (extents[level] != t.items.size()) return false;
  for (const Value& item : t.items) {
    const auto* inner = item.as<TupleValue>();
    const auto* s = item.as<Scalar>();
    if (inner ? !addNumbers(*inner, level + 1, extents, numbers) : !s || level + 1 != extents.size())
      return false;
    if (s) numbers.push_back(*s);
  }
  return true;
}

/// A new list that the name gets, in memory if the function changes it: by all of its names then.
Value Lowering::changeable(const std::string& name, const Value& given, const NameFacts& facts, Span where,
                           uint64_t field) {
  Value v = given;
  if (auto* known = std::get_if<TupleValue>(&v.v); known && known->isList && !known->isKept &&
                                                   !known->isDeque && known->items.size() > 1 &&
                                                   std::ranges::all_of(known->items, canBeItem)) {
    known->made = madeAt(where) | field << 48;
    if (listStates_.inRows.count(known->made)) return arraysInRows(name, TupleValue(*known), where);
  }
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  const bool isNew = (t && t->isList && !t->isKept) || (l && !l->isKept && (!l->hasViews || l->made));
  if (!isNew || isTuple(v)) return v;
  const Replacing made(replacing_);
  const bool grows = isChangedBy(facts, &NameFacts::grows);
  const auto isEmptyList = [](const Value& item) { // of which nothing says what it holds
    const auto* row = item.as<TupleValue>();
    return row && row->isList && row->items.empty();
  };
  if (grows && t && !t->isSet && std::ranges::all_of(t->items, isList) &&
      std::ranges::any_of(t->items, isEmptyList))
    listStates_.nested.insert(madeAt(where) | field << 48);
  const bool areSets = t && !t->items.empty() && std::ranges::all_of(t->items, [](const Value& item) {
                         const auto* set = item.as<TupleValue>();
                         return set && set->isSet && set->items.empty();
                       });
  if (areSets) {
    listStates_.nested.insert(madeAt(where) | field << 48);
    listStates_.ofSets.insert(madeAt(where) | field << 48);
  }
  const bool isNested = listStates_.nested.count(madeAt(where) | field << 48) > 0 ||
                        (listStates_.isNestedEverywhere && t && !t->items.empty() && !t->isSet &&
                         std::ranges::all_of(t->items, isList));
  if (!isNested && !grows && (!isChangedBy(facts, &NameFacts::isStored) || (l && l->hasViews))) return v;
  ListValue list;
  list.made = madeAt(where) | field << 48;
  list.isKept = true;
  list.isDeque = isDeque(v);
  list.most = t ? t->most : l->most;
  list.isSet = isSet(v);
  writtenAt_[list.made] = {loops_.size(), branches_.size()};
  if (listStates_.written.count(list.made) && t) return v;
  if (isNested) return nestedList(name, list, v, where);
  if (const std::optional<Value> tuples = changeableTuples(name, list, v, grows, where)) return *tuples;
  if (const std::optional<Value> arrays = grows ? changeableArrays(name, list, v, where) : std::nullopt)
    return *arrays;
  std::vector<size_t> extents;
  std::vector<Scalar> numbers;
  if (t && !addNumbers(*t, 0, extents, numbers)) return v;
  if (const std::optional<Scalar> state = l ? stateOf(*l) : std::nullopt) numbers.push_back(*state);
  for (const Scalar& s : numbers)
    if (!putState(list, s, where)) return Value{};
  const std::optional<Scalar> state = stateOf(list);
  const DType type = state ? state->type() : DType::F64;
  Value items = l                 ? Value{l->values}
                : numbers.empty() ? Value{emptyArray(type)}
                                  : arrayLiteral(*t, {}, where);
  if (!items.isError()) items = castTo(items, type, where);
  if (items.isError()) return items;
  const Array& array = *items.as<Array>();
  if (grows && array.shape.size() == 1) return Value{growingList(name, list, {array}, where)};
  list.values = newBuffer(hintOf(name), type, array.shape);
  listMemory_[list.values.view->buffer.name] = list.made;
  store(list.values, array);
  return Value{list};
}

//===--- reading ---------------------------------------------------------------------------------------------===//

/// The list as np.array() takes it.
Value Lowering::arrayOf(const ListValue& list, std::optional<DType> dtype, Span where) {
  if (list.like) return rowsOf(list, dtype, where);
  const std::optional<Scalar> state = stateOf(list);
  if (!state) return Value{emptyArray(dtype.value_or(DType::F64))};
  const bool isOfOneType = !state->isExtended && std::ranges::all_of(state->others, [&](const Scalar& o) {
    return !o.e || o.type() == state->type();
  });
  if (!isOfOneType && !dtype)
    return error(DiagId::Unsupported, where,
                 "the type of this array follows from which numbers are in the list; write `dtype=`");
  if (dtype && state->weak && ir::isInteger(list.values.type) && ir::isInteger(*dtype) &&
      *dtype != DType::I64)
    return error(DiagId::Unsupported, where,
                 "NumPy raises where Python's numbers do not fit the type; make the array, then `.astype`");
  Array fresh = elementsOf(list);
  const std::vector<Expr>& shape = fresh.shape;
  for (size_t d = 0; d < shape.size();
       ++d) // what an empty list has is an array of float64, without further axes
    if (const bool isAlike = dtype || list.values.type == DType::F64;
        (d == 0 || !list.hasViews) && (d + 1 < shape.size() || !isAlike) &&
        !isNonNegative(ir::sub(shape[d], ir::intConst(1))))
      requireWhereRun(ir::binary(ir::BinaryOp::Gt, shape[d], ir::intConst(0)), "NotImplementedError",
                      "NumPy makes an array of float64, of one dimension, of an empty list");
  if (list.isKept || (list.hasViews && list.made))
    fresh.view = nullptr; // a copy: nobody sees the list change
  return list.hasViews || !list.made ? Value{fresh} : castTo(Value{fresh}, state->type(), where);
}

/// `list[index]` of a list in memory.
Value Lowering::listItem(const ListValue& list, const std::vector<ast::Expr>& index, Span where) {
  const bool isSlice = index.size() == 1 && index[0].is<ast::Slice>();
  if (index.size() != 1 || (list.hasViews && !list.made))
    return error(DiagId::Unsupported, where,
                 list.hasViews && !list.made ? "a list of arrays is run over, or made an array; use np.array"
                                             : "a list takes one index here; use np.array");
  if (list.like && !isSlice) {
    const std::optional<Expr> at = evalIndexExpr(index[0], "an index");
    return at ? tupleAt(list, Value{Scalar{isStable(*at) ? *at : materialize(*at, "at"), true}}, where)
              : Value{};
  }
  const std::optional<Scalar> state = stateOf(list);
  if (!state && !list.like) return nothingKnown(where);
  if (isSlice && (list.like || list.hasViews || list.values.shape.size() == 1)) {
    Array positions = emptyArray(DType::I64);
    positions.shape = {elementsOf(list).shape[0]};
    positions.at = [](const Indices& i) { return i[0]; };
    const Value taken = subscriptArray(positions, index, where);
    if (taken.isError()) return taken;
    ListValue part = reordered(list, *taken.as<Array>());
    part.isTuple = list.isTuple;
    return Value{part};
  }
  // Both lists have the rows, so that both see these change.
  if (isSlice && list.values.shape.size() > 1 && !listStates_.rowsOf.count(list.made) &&
      becomesNested(list.made))
    return Value{};
  const Value v = subscript(Value{elementsOf(list)}, index, where);
  if (const auto* row = v.as<Array>(); row && list.hasViews) return arrayItem(*row, where);
  if (const auto* part = v.as<Array>()) {
    ListValue taken = list;
    taken.length = Symbol();
    taken.values = *part;
    if (!isSlice) return Value{taken};     // a row, which is a list of its own
    taken.isKept = part->shape.size() > 1; // a copy, which nothing changes where it has rows
    taken.values = roomyBuffer("part", part->type, part->shape);
    store(taken.values, *part);
    return Value{taken};
  }
  return asItem(list, v);
}

//===--- changing --------------------------------------------------------------------------------------------===//

/// `list[index]` as a target.
std::optional<Array> Lowering::listPlace(const ListValue& list, const std::vector<ast::Expr>& index,
                                         Span where) {
  const bool isKnown =
      list.made && !list.isTuple && list.values.view && listMemory_.count(list.values.view->buffer.name);
  if (!isKnown && !list.hasViews && list.values.shape.size() > 1 && becomesNested(list.made))
    return std::nullopt;
  if (!isKnown && index.size() == 1 && !site_) nestEverywhere();
  if (!isKnown || index.size() != 1 || index[0].is<ast::Slice>()) {
    error(
        DiagId::Unsupported, where,
        isKnown
            ? "a list takes one index here; use np.array"
            : "this list has several names, or stands in another value; a list that changes has the name by "
              "which it changes first, `a = list(b)`");
    return std::nullopt;
  }
  if (!site_ && !list.like && !stateOf(list)) return nothingKnown(where), std::nullopt;
  const Value v = subscriptArray(elementsOf(list), index, where);
  const auto* place = v.as<Array>();
  if (place && !place->shape.empty()) {
    if (!list.hasViews && becomesNested(list.made)) return std::nullopt; // of lists that change places
    error(DiagId::Unsupported, where,
          "a list in a list, or an array in one, is not replaced by another; store its items");
    return std::nullopt;
  }
  return place ? std::optional(*place) : std::nullopt;
}

/// The list that a name or a field has.
std::optional<ListValue> Lowering::listTarget(const ast::Expr& e) {
  const auto* n = e.as<ast::Name>();
  const auto found = n ? env().find(n->id) : env().end();
  const auto outer = [&] { return n ? enclosingName(n->id, e->span).value_or(Value{}) : Value{}; };
  const Value held = found != env().end() ? found->second : !n && fieldAt(e) ? eval(e) : outer();
  return held.as<ListValue>() ? std::optional(*held.as<ListValue>()) : std::nullopt;
}

/// `list[1:3] = [x, y]`: as many items as there are; false where the target is none of a list of numbers in memory.
bool Lowering::storeSlice(const ast::Expr& target, const std::function<Value()>& items) {
  const auto* s = target.as<ast::Subscript>();
  const std::optional<ListValue> l =
      s && s->index.size() == 1 && s->index[0].is<ast::Slice>() ? listTarget(s->base) : std::nullopt;
  if (!l || l->like || l->hasViews || l->values.shape.size() != 1 ||
      !listMemory_.count(l->values.view->buffer.name))
    return false;
  const ListValue list = *l;
  const Span where = target->span;
  if (list.length && !s->index[0].as<ast::Slice>()->step && !list.isDeque && !isOpen(list))
    return replaceSlice(list, *s->index[0].as<ast::Slice>(), items, where), true;
  const Value place = subscriptArray(elementsOf(list), s->index, where);
  const auto* to = place.as<Array>();
  Value given = to ? items() : Value{};
  if (given.as<IteratorValue>() || given.as<GeneratorValue>() || given.as<RangeValue>())
    given = callNamed("list", {{given}, {}, where});
  const auto* t = given.as<TupleValue>();
  const auto* other = given.as<ListValue>();
  const bool isOfNumbers = other && !other->like && !other->hasViews && stateOf(*other);
  const std::optional<Array> numbers = isOfNumbers               ? std::optional(elementsOf(*other))
                                       : other                   ? numbersOf(*other, where)
                                       : !t && given.as<Array>() ? std::optional(*given.as<Array>())
                                                                 : std::nullopt;
  if (!to || given.isError()) return true;
  if (!t && (!numbers || numbers->shape.size() != 1))
    return error(DiagId::Unsupported, where, "a slice of a list gets a list, a tuple or an array of numbers"),
           true;
  requireEqual(to->shape[0], t ? ir::intConst(static_cast<int64_t>(t->items.size())) : numbers->shape[0],
               "a slice of a list gets as many items as it has here, so that the list keeps its length",
               where, "NotImplementedError");
  std::vector<Expr> values;
  for (const Value& item : t ? t->items : std::vector<Value>()) {
    const auto* number = item.as<Scalar>();
    if (!number)
      error(DiagId::TypeMismatch, where,
            fmt::format("a list of numbers gets numbers here, not {}; use an array", describe(item)));
    if (!number || !putState(list, *number, where)) return true;
    values.push_back(isStable(number->e) ? number->e : materialize(number->e, "item"));
  }
  for (size_t k = 0; k < values.size(); ++k)
    emit(ir::Store{to->view->buffer.name,
                   to->view->index({ir::intConst(static_cast<int64_t>(k))}),
                   ir::cast(to->type, values[k]),
                   {}});
  if (t) return true;
  const std::optional<Scalar> state =
      other ? stateOf(*other) : Scalar{ir::var(Symbol("item"), numbers->type)};
  if (!putState(list, *state, where)) return true;
  Array now = *numbers; // all of it is read before anything is stored
  now.view = nullptr;
  store(*to, materialize(now, "items"));
  return true;
}

bool Lowering::isOpen(const ListValue& list) const { return list.length && iterated_.count(list.length) > 0; }

bool Lowering::mayGrow(const ListValue& list, Span where) {
  if (list.row) return mayChangeRow(list, where);
  const bool isShared = std::ranges::any_of(loops_, sema::isShared);
  if (isShared && openLoops("a list changes its length in order")) return false;
  if (list.length && !isShared && !isOpen(list)) return true;
  if (!isShared && !list.length && list.made) nestEverywhere();
  error(DiagId::Unsupported, where,
        isShared ? "a list changes its length in order, and the loop's iterations run in any"
        : isOpen(list)
            ? "the list that the loop runs over changes its length in it; run over `list(...)` of it"
            : "this list has several names, or stands in another value, or is one of lists; a list that "
              "grows has "
              "the name by which it grows first, `a = list(b)`, and holds numbers");
  return false;
}

static bool holdsError(const Value& v) {
  return v.isError() || std::ranges::any_of(heldParts(v), holdsError);
}

void Lowering::append(const ListValue& list, const Value& given, Span where) {
  if (holdsError(given) || !mayGrow(list, where)) return;
  const auto grown = growing_.find(list.length);
  const bool isMany =
      loops_.size() != (grown == growing_.end() ? frame().loops : grown->second.loops.size()) ||
      branches_.size() != frame().branches;
  const bool isOfTexts =
      list.like || isMany || list.row || list.isDeque || listStates_.stored.count(list.made);
  if (holdsText(given) && !isOfTexts && becomesWritten(list.made)) return;
  const auto* selected = given.as<Selection>();
  const Value item = list.isSet ? given : selected ? Value{asArray(*selected)} : storedText(given);
  if (list.row) return (void)callOnRow("append", list, {item}, where);
  if (list.most && list.isDeque) { // the first one leaves a deque that is full
    const Value now = evaluatedOnce(item, "item");
    const Expr isFull = ir::binary(ir::BinaryOp::Ge, ir::var(list.length), list.most);
    const Arguments none{{}, {}, where};
    Stmts leaves = collect([&] { under(isFull, [&] { callListMethod(Value{list}, "popleft", none); }); });
    emit(ir::If{isFull, ir::block(std::move(leaves)), {}});
    ListValue open = list;
    open.most = Expr();
    return append(open, now, where);
  }
  const Expr length = ir::var(list.length);
  require(ir::binary(ir::BinaryOp::Lt, length, ir::var(growing_.at(list.length).room)), "MemoryError",
          "a list has more items than there is room for; write into an array that has more");
  const auto put = [&](const ListValue& part, const Value& now) {
    if (const auto* a = now.as<Array>()) {
      const Array row = rowAt(part.values, length);
      store(row, *a);
      return noteShared(row, *a, true, where);
    }
    const Expr number = ir::cast(part.values.type, now.as<Scalar>()->e);
    emit(ir::Store{part.values.view->buffer.name, {length}, number, {}});
  };
  const auto* s = item.as<Scalar>();
  if (list.hasViews) return appendArray(list, item, where);
  if (const auto* a = item.as<Array>(); canBeItem(item) && !list.like && !stateOf(list)) {
    putFirstArray(list, *a, where);
    return;
  }
  if (isList(item) && !stateOf(list) && !list.isSet && !list.isDeque) {
    const auto* known = item.as<TupleValue>();
    if (isSet(item)) listStates_.ofSets.insert(list.made);
    const bool isRow = isTupleOfNumbers(item) && !listStates_.isNestedEverywhere &&
                       (!list.like || isBuiltAlike(*list.like, item));
    if (!isRow && (!known || known->items.empty() || isTupleOfNumbers(item) || known->isKept) &&
        becomesNested(list.made))
      return;
  }
  if (isTupleOfNumbers(item) && !list.like && !stateOf(list)) // is one of tuples when it is made again
    return noteParts(list.made, item);
  if (isStorable(item) && !list.like && !stateOf(list) && !list.isSet && !list.isDeque &&
      (isMany || listStates_.stored.count(list.made)))
    return noteParts(list.made, item);
  if (list.like) {
    if (!putTuple(list, item, put, where)) return;
  } else if (!s && ((isMany && becomesPooled(item)) || becomesWritten(list.made) || becomesPooled(item))) {
    return;
  } else if (!s) {
    error(DiagId::Unsupported, where,
          fmt::format(
              "a list that grows holds numbers of one kind, tuples of such, or arrays of one shape, not {}; "
              "write into arrays",
              describe(item)));
    return;
  } else if (putState(list, *s, where)) {
    put(list, Value{*s});
  } else {
    return;
  }
  emit(ir::Assign{list.length, ir::add(length, ir::intConst(1))});
}

/// list.pop()
Value Lowering::popped(const ListValue& list, Span where) {
  if (!mayGrow(list, where)) return Value{};
  if (!list.like && !stateOf(list)) return nothingKnown(where);
  if (list.row) return callOnRow("pop", list, {}, where);
  const Expr length = ir::var(list.length);
  require(ir::binary(ir::BinaryOp::Gt, length, ir::intConst(0)), "IndexError", "pop from empty list");
  const Expr last = ir::sub(length, ir::intConst(1));
  const Value item =
      list.hasViews ? arrayItem(rowAt(list.values, last), where) : evaluatedOnce(itemOf(list, last), "item");
  emit(ir::Assign{list.length, ir::sub(length, ir::intConst(1))});
  return item;
}

/// list.extend(), list += ...
void Lowering::extend(const ListValue& list, const Value& items, Span where) {
  const auto* t = items.as<TupleValue>();
  for (const Value& item : t ? t->items : std::vector<Value>()) append(list, item, where);
  if (t || items.isError() || isStillEmpty(items) || !mayGrow(list, where)) return;
  const auto* from = items.as<ListValue>();
  if (from && !from->row && !list.row && from->length == list.length)
    return void(error(DiagId::Unsupported, where, "a list is added to itself; add `list(...)` of it"));
  appendEach(Value{list}, items, where);
}

/// What is run over is appended, one after the other.
void Lowering::appendEach(const Value& list, const Value& items, Span where) {
  const std::string own = unusedName("items"), item = unusedName("item");
  const auto named = [&](const std::string& id) { return ast::make(where, ast::Name{id}); };
  env()[own] = Value{Method{std::make_shared<Value>(list), "append"}};
  if (const auto* g = items.as<GeneratorValue>()) { // each is put in before the next is made
    const ast::Expr element = g->generator.as<ast::Comprehension>()->element;
    foldedBy(*g, own,
             {ast::makeStmt(where, ast::ExprStmt{ast::make(where, ast::Call{named(own), {element}, {}})})},
             {}, {});
    forgetName(own);
    forgetName(item);
    return;
  }
  const ast::Body body{
      ast::makeStmt(where, ast::ExprStmt{ast::make(where, ast::Call{named(own), {named(item)}, {}})})};
  writtenOut_.push_back(
      {ast::makeStmt(where, ast::For{named(item), named("of " + own), body, {}, {}, {}, {}})});
  lowerClauses(writtenOut_.back(), items);
  env().erase(own);
  forgetName(item);
}

/// list + list, list * n
std::optional<Value> Lowering::listOperator(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  if (const std::optional<Value> nones = listOfNones(op, a, b, where)) return nones;
  if (const std::optional<Value> nones = listOfNones(op, b, a, where)) return nones;
  const auto isList = [](const Value& v) {
    const auto* t = v.as<TupleValue>();
    return v.as<ListValue>() || (t && t->isList);
  };
  const auto inMemory = [&](const Value& v) -> std::optional<Array> {
    if (const auto* l = v.as<ListValue>())
      return l->hasViews || l->values.shape.size() != 1 ? std::nullopt : std::optional(elementsOf(*l));
    const Value made = v.as<TupleValue>()->items.empty() ? Value{emptyArray(DType::F64)}
                                                         : arrayLiteral(*v.as<TupleValue>(), {}, where);
    const auto* array = made.as<Array>();
    return array && array->shape.size() == 1 ? std::optional(*array) : std::nullopt;
  };
  const auto kindOf = [&](const Value& v) -> std::optional<Scalar> {
    if (const auto* l = v.as<ListValue>()) return stateOf(*l);
    std::optional<Scalar> kind;
    for (const Value& item : v.as<TupleValue>()->items)
      if (const auto* s = item.as<Scalar>())
        kind = kind ? joinNumbers(*kind, *s, where, "")
                    : std::optional(keptIn(*s, ir::var(Symbol("item"), s->type())));
    return kind;
  };
  const bool isSum = op == ast::BinaryOp::Add && isList(a) && isList(b);
  const bool isRepeated =
      op == ast::BinaryOp::Mul && (isList(a) ? b : a).as<Scalar>() && (isList(a) || isList(b));
  if (!isSum && !isRepeated) return std::nullopt;
  if (isTuple(a) || isTuple(b))
    return error(DiagId::Unsupported, where,
                 "tuples of which the run tells the length are not repeated; make lists, `list(...)`");
  const Value &first = isList(a) ? a : b, &second = isList(a) ? b : a;
  const auto *ofArrays = first.as<ListValue>(), *more = second.as<ListValue>();
  if (isSum && ofArrays && more && ofArrays->hasViews && more->hasViews)
    return joinedArrays(*ofArrays, *more, where);
  for (const Value* v : {&first, &second}) // lists of one length each, which are kept side by side
    if (const auto* l = v->as<ListValue>();
        l && !l->hasViews && l->values.shape.size() > 1 && becomesNested(l->made))
      return Value{};
  const auto hasTuples = [](const Value& v) {
    const auto* t = v.as<TupleValue>();
    return (v.as<ListValue>() && v.as<ListValue>()->like) ||
           (t && t->isList && !t->items.empty() && isTupleOfNumbers(t->items[0]));
  };
  const auto isEmpty = [](const Value& v) { return v.as<TupleValue>() && v.as<TupleValue>()->items.empty(); };
  if (hasTuples(first) && !(isSum && isEmpty(second))) return joinedTuples(op, first, second, where);
  const std::optional<Array> x = inMemory(first), y = isSum ? inMemory(second) : std::nullopt;
  std::optional<Scalar> kind = kindOf(first), other = isSum ? kindOf(second) : std::nullopt;
  if (kind && other) kind = joinNumbers(*kind, *other, where, "");
  if (!kind) kind = other;
  if (!x || (isSum && !y) || !kind)
    return error(DiagId::Unsupported, where,
                 isRepeated
                     ? "a list of lists that is repeated has one row many times; write `np.zeros((m, n))`"
                     : "lists are joined here that hold numbers of one kind; use arrays");
  ListValue made;
  made.isWeak = kind->weak;
  made.made = where.begin;
  listStates_.states[made.made] = keptIn(*kind, ir::var(Symbol("item"), kind->type()));
  const Expr n = stable(x->shape[0]);
  const auto typed = [&](const Array& array) {
    return *castTo(Value{array}, kind->type(), where).as<Array>();
  };
  if (isSum) {
    const Expr m = stable(y->shape[0]), both = stable(ir::add(n, m));
    made.values = roomyBuffer("list", kind->type(), {both});
    store(cutTo(made.values, {n}), typed(*x));
    const auto behind = [n](const Indices& i) { return Indices{ir::add(n, i[0])}; };
    store(remapped(made.values, {m}, behind), typed(*y));
    return Value{made};
  }
  const auto* times = second.as<Scalar>();
  if (!ir::isInteger(times->type()))
    return error(DiagId::TypeMismatch, where, "a list is repeated by an integer");
  const Expr often = stable(ir::maxOf(ir::cast(DType::I64, times->e), ir::intConst(0)));
  made.values = roomyBuffer("list", kind->type(), {ir::mul(often, n)});
  Array all = typed(*x);
  all.view = nullptr;
  all.shape = made.values.shape;
  all.at = [at = typed(*x).at, n](const Indices& i) {
    return at({ir::isConst(n, 1) ? ir::intConst(0) : ir::binary(ir::BinaryOp::Mod, i[0], n)});
  };
  store(made.values, all);
  return Value{made};
}

} // namespace appyc::sema
