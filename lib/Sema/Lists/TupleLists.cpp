//===- TupleLists.cpp - lists of tuples of numbers: one memory for each number, one length ------------------===//
// Lists of a known length that are put into a list that grows are such tuples, of which a number may be replaced.
//   edges.append((i, j, w))      =>      edges_0[length] = i;  edges_1[length] = j;  edges_2[length] = w
//                                        length = length + 1
// Each number is a list of its own with a state of its own, each array one of arrays (ArrayLists.cpp). What the tuples are like is known from the first that is put
// in: where that is after the list was made, the function is lowered once more.
// `[None] * n`, into which numbers are stored, has two: whether an item is None, and the number.
#include "Items.h"
#include "Lowering.h"

namespace appyc::sema {

/// A number, or perhaps None.
static bool isNumberOrNone(const Value& v) {
  const auto* o = v.as<OptionalValue>();
  return v.as<Scalar>() || (o && o->value->as<Scalar>());
}

bool isTupleOfNumbers(const Value& v) {
  const auto* t = v.as<TupleValue>();
  if (isPooled(v)) return true;
  return t && !(t->isList && t->isKept) && !t->items.empty() &&
         std::ranges::all_of(
             t->items, [](const Value& item) { return isNumberOrNone(item) || isTupleOfNumbers(item); });
}

bool isStorable(const Value& v) {
  const auto* t = v.as<TupleValue>();
  return isTupleOfNumbers(v) || (t && !(t->isList && t->isKept) && !t->items.empty() &&
                                 std::ranges::all_of(t->items, [](const Value& item) {
                                   return isNumberOrNone(item) || canBeItem(item) || isStorable(item);
                                 }));
}

/// The parts of tuples in tuples, in order.
static void addParts(const Value& v, std::vector<Value>& parts) {
  if (!hasParts(v)) return parts.push_back(v);
  for (const Value& item : heldParts(v)) addParts(item, parts);
}
std::vector<Value> partsOf(const Value& tuple) {
  std::vector<Value> parts;
  addParts(tuple, parts);
  return parts;
}

/// A tuple like that with these parts.
static Value filled(const Value& like, const std::vector<Value>& parts, size_t& next) {
  if (const auto* o = like.as<OptionalValue>()) {
    const auto* isNone = parts[next++].as<Scalar>();
    return Value{OptionalValue{isNone ? truth(isNone->e) : ir::boolConst(false),
                               std::make_shared<Value>(filled(*o->value, parts, next))}};
  }
  if (const auto* r = like.as<RecordValue>()) {
    const auto* at = parts[next++].as<Scalar>();
    return Value{RecordValue{r->type, r->object, true, at ? at->e : Expr()}};
  }
  const auto* t = like.as<TupleValue>();
  if (!t) return parts[next++];
  TupleValue made{
      {}, t->isList, t->type, t->isList}; // a list is that of its row, which does not show stores into it
  made.isRow = t->isList;
  for (const Value& item : t->items) made.items.push_back(filled(item, parts, next));
  return Value{made};
}
static Value filled(const Value& like, const std::vector<Value>& parts) {
  size_t next = 0;
  return filled(like, parts, next);
}

Value emptied(const Value& tuple) {
  return filled(tuple, std::vector<Value>(partsOf(tuple).size(), Value{NoneValue{}}));
}

/// The arrays among a tuple's parts are noted: what they are like is known when the list is made again.
void Lowering::noteParts(uint64_t made, const Value& item) {
  const std::vector<Value> parts = partsOf(item);
  for (size_t k = 0; k < parts.size(); ++k)
    if (const auto* a = parts[k].as<Array>()) {
      ListValue part;
      part.made = madeAs(made, k);
      if (!putFirstArray(part, *a, statement_)) return;
    }
  listStates_.haveChanged = true;
  listStates_.tuples[made] = emptied(item);
}

/// The list of one of the tuples' numbers.
uint64_t madeAs(uint64_t made, size_t part) { return made | uint64_t(part + 1) << 32; }

/// changeable() of a list of tuples; none where it is none, or nothing is known to be put into it.
std::optional<Value> Lowering::changeableTuples(const std::string& name, ListValue list, const Value& given,
                                                bool grows, Span where) {
  const Value v = grows && holdsText(given) ? storedText(given) : given;
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  if (l && l->hasViews) return std::nullopt;
  if (t && !grows && !t->items.empty() && isList(t->items[0])) return std::nullopt;
  if (t && grows)
    for (const Value& item : t->items)
      if (item.as<RecordValue>() && becomesPooled(item))
        return std::nullopt; // is one of these when it is made again
  if (l) {
    list.like = l->like;
  } else if (t->items.empty()) {
    if (const auto known = listStates_.tuples.find(list.made); known != listStates_.tuples.end())
      list.like = std::make_shared<const Value>(known->second);
  } else if (std::ranges::all_of(t->items, [&](const Value& item) {
               return (grows ? isStorable(item) : isTupleOfNumbers(item)) && isBuiltAlike(item, t->items[0]);
             })) {
    list.like = std::make_shared<const Value>(emptied(t->items[0]));
    if (!isTupleOfNumbers(t->items[0]) && !listStates_.tuples.count(list.made))
      noteParts(list.made, t->items[0]);
  }
  if (!list.like) return std::nullopt;
  std::vector<Array> parts;
  bool hasArrays = false;
  for (size_t k = 0; k < partsOf(*list.like).size(); ++k) {
    ListValue part;
    part.made = madeAs(list.made, k);
    part.isKept = true;
    const auto known = listStates_.arrays.find(part.made);
    if (known != listStates_.arrays.end() || (l && l->fields[k].hasViews)) {
      part.hasViews = hasArrays = true;
      Array none = known != listStates_.arrays.end() ? noArrays(known->second) : l->fields[k].values;
      none.view = nullptr;
      none.shape[0] = ir::intConst(0);
      parts.push_back(none);
      list.fields.push_back(part);
      continue;
    }
    TupleValue numbers;
    if (!l)
      for (const Value& item : t->items) numbers.items.push_back(partsOf(item)[k]);
    std::vector<Value> states = numbers.items;
    if (const std::optional<Scalar> state = l ? stateOf(l->fields[k]) : std::nullopt)
      states.push_back(Value{*state});
    for (const Value& s : states)
      if (!s.as<Scalar>() || !putState(part, *s.as<Scalar>(), where)) return Value{};
    const std::optional<Scalar> state = stateOf(part);
    const DType type = state ? state->type() : DType::F64;
    Value items = l                       ? Value{elementsOf(l->fields[k])}
                  : numbers.items.empty() ? Value{emptyArray(type)}
                                          : arrayLiteral(numbers, {}, where);
    if (!items.isError()) items = castTo(items, type, where);
    if (items.isError()) return items;
    parts.push_back(*items.as<Array>());
    list.fields.push_back(part);
  }
  if (hasArrays) { // one after the other
    if (!grows) return std::nullopt;
    for (Array& part : parts) part.shape[0] = ir::intConst(0);
    const ListValue grown = growingList(name, list, parts, where);
    for (const Value& item : t ? t->items : std::vector<Value>()) append(grown, item, where);
    if (l) extend(grown, v, where);
    return Value{grown};
  }
  if (grows) return Value{growingList(name, list, parts, where)};
  for (size_t k = 0; k < parts.size(); ++k) {
    ListValue& part = list.fields[k];
    part.values = newBuffer(fmt::format("{}_{}", hintOf(name), k), parts[k].type, parts[k].shape);
    listMemory_[part.values.view->buffer.name] = part.made;
    store(part.values, parts[k]);
  }
  list.values = list.fields[0].values;
  return Value{list};
}

//===--- reading ---------------------------------------------------------------------------------------------===//

/// Is known what its tuples' numbers are?
bool Lowering::isFilled(const ListValue& list) const {
  return list.like->as<OptionalValue>() ||
         std::ranges::all_of(list.fields, [&](const ListValue& part) { return stateOf(part).has_value(); });
}

/// Has the list only None so far, of which no number is known?
bool Lowering::holdsNoneOnly(const ListValue& list) const {
  return list.like->as<OptionalValue>() && !stateOf(list.fields[1]);
}

/// Number `k` of a list of numbers or of tuples.
Value Lowering::itemOf(const ListValue& list, const Expr& k) {
  if (!list.like) return asItem(list, Value{Scalar{list.values.at({k})}});
  if (!isFilled(list)) return nothingKnown(statement_);
  std::vector<Value> parts;
  for (const ListValue& part : list.fields)
    parts.push_back(part.hasViews ? arrayItem(rowAt(part.values, stable(k)), statement_) : itemOf(part, k));
  if (holdsNoneOnly(list)) parts.back() = Value{NoneValue{}};
  return filled(*list.like, parts);
}

/// `list[index]`
Value Lowering::tupleAt(const ListValue& list, const Value& index, Span where) {
  std::vector<Value> parts;
  if (!isFilled(list)) return nothingKnown(where);
  for (const ListValue& part : list.fields) {
    const Value v = subscriptBy(elementsOf(part), 0, {index}, where);
    if (v.isError()) return v;
    const auto* place = v.as<Array>();
    if (part.hasViews && place)
      parts.push_back(arrayItem(*place, where));
    else
      parts.push_back(asItem(part, place ? Value{Scalar{place->at({})}} : v));
  }
  if (holdsNoneOnly(list)) parts.back() = Value{NoneValue{}};
  return filled(*list.like, parts);
}

/// The items at these positions, as a list of its own; no more than it has.
ListValue Lowering::reordered(const ListValue& list, const Array& positions) {
  if (list.like && isList(*list.like)) noteRowShared();
  Array order = positions;
  if (!roomFor(order.shape[0])) order.shape[0] = sizeVariable(order.shape[0], elementsOf(list).shape[0]);
  ListValue taken = list;
  taken.length = Symbol();
  taken.rows = nullptr, taken.row = Expr();
  taken.most = Expr();
  taken.isKept = taken.isDeque = taken.isSet = taken.isTuple = false;
  if (list.like) {
    for (ListValue& part : taken.fields) part = reordered(part, order);
    taken.values = taken.fields[0].values;
    return taken;
  }
  Array items = list.values;
  items.view = nullptr;
  items.shape[0] = order.shape[0];
  items.at = [from = list.values.at, at = order.at](Indices i) {
    i[0] = at({i[0]});
    return from(i);
  };
  taken.values = roomyBuffer("part", items.type, items.shape);
  store(taken.values, items);
  if (list.hasViews) noteShared(taken.values, list.values, false, statement_);
  return taken;
}

/// As np.array() has it: a row for each.
Value Lowering::rowsOf(const ListValue& list, std::optional<DType> dtype, Span where) {
  std::optional<Strength> type;
  for (size_t k = 0; k < list.fields.size(); ++k) {
    const std::optional<Scalar> state = stateOf(list.fields[k]);
    const auto isOfType = [&](const Scalar& o) { return !o.e || o.type() == state->type(); };
    if (!state || list.fields[k].hasViews || state->isOpaque || state->isExtended ||
        !std::ranges::all_of(state->others, isOfType) || !list.like->as<TupleValue>() ||
        !list.like->as<TupleValue>()->items[k].as<NoneValue>())
      return error(DiagId::Unsupported, where,
                   "an array is made of tuples of numbers, each of one kind; make one of each number");
    const Strength here{state->type(), false};
    type = type ? promote(*type, here) : here;
  }
  std::vector<Array> parts;
  for (const ListValue& part : list.fields) parts.push_back(elementsOf(part));
  Array rows = parts[0];
  rows.view = nullptr;
  rows.type = dtype.value_or(type->type);
  rows.shape = {parts[0].shape[0], ir::intConst(static_cast<int64_t>(parts.size()))};
  rows.at = [parts, to = rows.type](const Indices& i) {
    const auto column = [&](size_t k) { return ir::cast(to, parts[k].at({i[0]})); };
    return itemAt(column, 0, parts.size(), i[1]);
  };
  requireWhereRun(ir::binary(ir::BinaryOp::Gt, rows.shape[0], ir::intConst(0)), "NotImplementedError",
                  "NumPy makes an array of one dimension of an empty list");
  return Value{rows};
}

/// How the wrapper makes the list that is returned.
ir::Form Lowering::formOfTuples(const ListValue& list, const Value& like, size_t& next, Names& seen,
                                Values& values) {
  ir::Form form;
  const auto* t = like.as<TupleValue>();
  if (like.as<OptionalValue>()) {
    form.kind = ir::Form::Zipped;
    form.type = "optional";
    for (const Value& part : heldParts(like))
      form.parts.push_back(
          formOfTuples(list, part.as<Scalar>() ? Value{NoneValue{}} : part, next, seen, values));
    return form;
  }
  if (isStoredText(like)) return formOfText(Value{elementsOf(list.fields[next++])}, true, values);
  if (const auto* r = like.as<RecordValue>(); r && !r->type)
    return formOfDicts(*r, list.fields[next++], seen, values);
  if (like.as<RecordValue>())
    error(DiagId::Unsupported, statement_,
          fmt::format("a list of {} is not returned; return lists of what they hold, `[p.x for p in points]`",
                      describe(like)));
  if (!t) {
    const ListValue& part = list.fields[next++];
    const std::optional<Scalar> state = stateOf(part);
    form.kind = state && state->weak && state->others.empty() && !part.hasViews ? ir::Form::Numbers
                                                                                : ir::Form::Elements;
    if (state && state->isExtended) form = formOfExtended(*state);
    values.push_back(Value{elementsOf(part)});
    return form;
  }
  if (t->type)
    error(DiagId::Unsupported, statement_, "a list of named tuples is not returned; return plain tuples");
  form.kind = ir::Form::Zipped;
  if (t->isList) form.type = "list";
  for (const Value& item : t->items) form.parts.push_back(formOfTuples(list, item, next, seen, values));
  return form;
}

/// `+` and `*` of lists of tuples, of which each number is a list.
Value Lowering::joinedTuples(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  const bool isSum = op == ast::BinaryOp::Add;
  const std::optional<ListValue> x = inMemory(a, where), y = isSum && x ? inMemory(b, where) : std::nullopt;
  if (!x || (isSum && !y)) return Value{};
  if (!x->like || (isSum && (!y->like || !isBuiltAlike(*x->like, *y->like))))
    return error(DiagId::Unsupported, where,
                 "lists are joined here whose items are alike, numbers or tuples of as many");
  if (isList(*x->like)) noteRowShared();
  ListValue made = *x;
  made.made = where.begin;
  made.length = Symbol();
  made.isKept = made.isDeque = made.isSet = false;
  made.rows = nullptr, made.row = Expr();
  for (size_t k = 0; k < made.fields.size(); ++k) {
    const std::optional<Value> part =
        listOperator(op, Value{x->fields[k]}, isSum ? Value{y->fields[k]} : b, where);
    const auto* numbers = part ? part->as<ListValue>() : nullptr;
    if (!numbers) return Value{};
    made.fields[k] = *numbers;
    made.fields[k].made = madeAs(where.begin, k);
    listStates_.states[made.fields[k].made] = listStates_.states.at(numbers->made);
  }
  made.values = made.fields[0].values;
  return Value{made};
}

//===--- changing --------------------------------------------------------------------------------------------===//

/// `[None, None] * n`; none of others.
std::optional<Value> Lowering::listOfNones(ast::BinaryOp op, const Value& list, const Value& times,
                                           Span where) {
  const auto* t = list.as<TupleValue>();
  const auto* s = times.as<Scalar>();
  const auto isNone = [](const Value& v) { return v.as<NoneValue>() != nullptr; };
  if (op != ast::BinaryOp::Mul || !t || !t->isList || t->items.empty() ||
      !std::ranges::all_of(t->items, isNone) || !s || !s->weak || !ir::isInteger(s->type()))
    return std::nullopt;
  const Expr often = ir::maxOf(ir::cast(DType::I64, s->e), ir::intConst(0));
  const Expr n = stable(ir::mul(often, ir::intConst(static_cast<int64_t>(t->items.size()))));
  ListValue made;
  made.made = where.begin;
  made.like = std::make_shared<const Value>(
      Value{OptionalValue{ir::boolConst(false), std::make_shared<Value>(Value{NoneValue{}})}});
  for (size_t k = 0; k < 2; ++k) {
    ListValue part;
    part.made = madeAs(made.made, k);
    part.values = emptyArray(DType::Bool);
    part.values.shape = {n};
    part.values.at = [k](const Indices&) { return ir::boolConst(k == 0); };
    made.fields.push_back(part);
  }
  listStates_.states[made.fields[0].made] = Scalar{ir::var(Symbol("item"), DType::Bool), true};
  made.values = made.fields[0].values;
  return Value{made};
}

/// The same of an item that may be None: what number it is then, nobody looks at.
bool Lowering::putOptional(const ListValue& list, const Value& item, const PutPart& put, Span where) {
  const auto* o = item.as<OptionalValue>();
  const auto* s = o ? o->value->as<Scalar>() : item.as<Scalar>();
  if (!s && !item.as<NoneValue>()) {
    error(DiagId::Unsupported, where,
          fmt::format("a list of None holds numbers beside that, not {}; put these into a list of their own",
                      describe(item)));
    return false;
  }
  if (s && !putState(list.fields[1], *s, where)) return false;
  const Expr isNone = stable(o ? o->isNone : ir::boolConst(!s));
  const Expr number = s ? stable(s->e) : ir::constOf(list.fields[1].values.type, 0);
  put(list.fields[0], Value{Scalar{isNone}});
  put(list.fields[1], Value{Scalar{number}});
  return true;
}

/// Has `put` store each part, after all of them are read.
bool Lowering::putTuple(const ListValue& list, const Value& given, const PutPart& put, Span where) {
  const Value item = list.like && holdsText(given) ? storedText(given) : given;
  if (item.isError()) return false;
  if (const auto* t = item.as<TupleValue>(); t && t->isList && t->isKept) {
    error(DiagId::Unsupported, where,
          "this list has a name, and would be one with the row that is put in; put in `list(...)` of it");
    return false;
  }
  if (list.like && list.like->as<OptionalValue>()) return putOptional(list, item, put, where);
  const std::vector<Value> parts = isStorable(item) ? partsOf(item) : std::vector<Value>();
  bool isAlike = list.like && !parts.empty() && isBuiltAlike(*list.like, item);
  for (size_t k = 0; isAlike && k < parts.size(); ++k) {
    const ListValue& field = list.fields[k];
    const auto* a = parts[k].as<Array>();
    isAlike = field.hasViews
                  ? a && a->type == field.values.type && a->shape.size() + 1 == field.values.shape.size()
                  : !a;
    for (size_t d = 0; isAlike && a && d < a->shape.size(); ++d)
      requireEqual(a->shape[d], field.values.shape[d + 1], "the arrays of a list that grows have one shape",
                   where, "NotImplementedError");
  }
  if (!isAlike) {
    error(
        DiagId::Unsupported, where,
        fmt::format("the items of a list are all numbers here, or all tuples of as many numbers, not {}, too",
                    describe(item)));
    return false;
  }
  Values now;
  for (size_t k = 0; k < parts.size(); ++k) {
    const auto* s = parts[k].as<Scalar>();
    if (s && !putState(list.fields[k], *s, where)) return false;
    now.push_back(evaluatedOnce(parts[k], "item"));
  }
  for (size_t k = 0; k < parts.size(); ++k) put(list.fields[k], now[k]);
  return true;
}

/// `rows[i][0]` as a target, in a list of lists of numbers.
std::optional<Array> Lowering::partOfItem(const ast::Subscript& s, Span where) {
  const auto* row = s.base.as<ast::Subscript>();
  const std::optional<ListValue> list =
      row && row->base.is<ast::Name>() ? listTarget(row->base) : std::nullopt;
  const auto* like = list && list->like ? list->like->as<TupleValue>() : nullptr;
  if (!like || !like->isList || s.index.size() != 1 || row->index.size() != 1) return std::nullopt;
  const ListValue of = *list;
  if (!std::exchange(listStates_.areRowsStored, true)) listStates_.haveChanged |= listStates_.areRowsShared;
  if (listStates_.areRowsShared && becomesNested(of.made)) return std::nullopt; // other lists see it change
  std::vector<std::string> shown;
  const std::function<bool(const Value&)> holdsRow = [&](const Value& v) {
    const auto* known = v.as<TupleValue>();
    return (known && known->isRow) || std::ranges::any_of(heldParts(v), holdsRow);
  };
  for (const auto& [id, value] : env())
    if (holdsRow(value)) shown.push_back(id);
  for (const std::string& id : shown)
    lose(id, "may be a row of a list that something was stored into since; take it again");
  if (listStates_.areRowsShared && listStates_.nested.count(of.made)) {
    error(DiagId::Unsupported, where,
          "another list may have this row, which would see it change; make an array first, `a = "
          "np.array(rows)`");
    return std::nullopt;
  }
  if (!isFilled(of)) return nothingKnown(where), std::nullopt;
  const std::optional<Expr> part = evalIndexExpr(s.index[0], "an index");
  const std::optional<int64_t> known = part ? ir::constantInt(*part) : std::nullopt;
  const int64_t count = static_cast<int64_t>(like->items.size());
  if (!known || *known < -count || *known >= count || partsOf(*of.like).size() != like->items.size()) {
    if (part)
      error(DiagId::Unsupported, where,
            "which number of a row is stored into is known at translation here; make it an array first, "
            "`a = np.array(rows)`");
    return std::nullopt;
  }
  const std::optional<Expr> at = evalIndexExpr(row->index[0], "an index");
  if (!at) return std::nullopt;
  const ListValue& column = of.fields[static_cast<size_t>(*known < 0 ? *known + count : *known)];
  const Value v = subscriptBy(elementsOf(column), 0, {Value{Scalar{stable(*at), true}}}, where);
  const auto* place = v.as<Array>();
  return place ? std::optional(*place) : std::nullopt;
}

/// `list[index] = item` of a list of tuples with a name; false where the target is none.
bool Lowering::storeTuple(const ast::Expr& target, const std::function<Value()>& item) {
  const auto* s = target.as<ast::Subscript>();
  const std::optional<ListValue> list = s ? listTarget(s->base) : std::nullopt;
  if (!list || !list->like) return false;
  const ListValue of = *list;
  if (!listMemory_.count(of.values.view->buffer.name) || s->index.size() != 1 ||
      s->index[0].is<ast::Slice>()) {
    error(DiagId::Unsupported, target->span, "an item of a list that has a name is replaced by one index");
    return true;
  }
  const std::optional<Expr> index = evalIndexExpr(s->index[0], "an index");
  if (!index) return true;
  const Value at{Scalar{isStable(*index) ? *index : materialize(*index, "at"), true}};
  const Value now = item();
  const bool isRow = isList(now) && !isSet(now) && !isDeque(now) && isList(*of.like);
  const auto* known = now.as<TupleValue>();
  const bool isOther = known && known->isKept && !site_; // which is in two places from here on
  if (isRow && (isOther || !isBuiltAlike(*of.like, now)) && becomesNested(of.made)) return true;
  putTuple(
      of, now,
      [&](const ListValue& part, const Value& stored) {
        const Value v = subscriptBy(elementsOf(part), 0, {at}, target->span);
        const auto* place = v.as<Array>();
        if (!place || !place->view) return;
        if (const auto* a = stored.as<Array>()) {
          store(*place, *a);
          noteShared(*place, *a, true, target->span);
          return;
        }
        const Expr number = ir::cast(place->type, stored.as<Scalar>()->e);
        emit(ir::Store{place->view->buffer.name, place->view->index({}), number, {}});
      },
      target->span);
  return true;
}

} // namespace appyc::sema
