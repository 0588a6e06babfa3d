//===- ListMethods.cpp - methods of lists, what is sorted, lists that are compared --------------------------===//
// What is a few lines of Python is so in numpy_library/_lists.py.
#include "Arguments.h"
#include "Lowering.h"
#include "Steps.h"

namespace appyc::sema {

bool isTuple(const Value& v) {
  const auto* l = v.as<ListValue>();
  return l && l->isTuple;
}

bool isDeque(const Value& v) {
  const auto* t = v.as<TupleValue>();
  const auto* l = v.as<ListValue>();
  return (t && t->isDeque) || (l && l->isDeque);
}
bool areDequesAlike(const Value& a, const Value& b) {
  const auto mostOf = [](const Value& v) {
    const auto* t = v.as<TupleValue>();
    const auto* l = v.as<ListValue>();
    return !isDeque(v) ? Expr() : t ? t->most : l->most;
  };
  const Expr m = mostOf(a), n = mostOf(b);
  return isDeque(a) == isDeque(b) && bool(m) == bool(n) && (!m || ir::equal(m, n));
}
bool changesLength(const std::string& method) {
  static const std::set<std::string> kNames = {"append",
                                               "extend",
                                               "pop",
                                               "clear",
                                               "insert",
                                               "remove",
                                               "popleft",
                                               "appendleft",
                                               "add",
                                               "discard",
                                               "update",
                                               kPut,
                                               kTake,
                                               "difference_update",
                                               "intersection_update",
                                               "symmetric_difference_update"};
  return kNames.count(method) > 0 || spells(method);
}
bool changesOrder(const std::string& method) {
  return method == "sort" || method == "reverse" || method == "rotate";
}
bool isListMethod(const std::string& method) {
  return changesLength(method) || changesOrder(method) || method == "index" || method == "count" ||
         method == "copy" || isSetMethod(method) || isOfSpelledText(method);
}
bool makesList(const ast::Expr& e) {
  const auto* call = e.as<ast::Call>();
  const auto* callee = call ? call->callee.as<ast::Name>() : nullptr;
  return e.is<ast::Comprehension>() ||
         (callee && callee->id == "list" && call->args.size() == 1 && call->args[0].is<ast::Name>());
}
bool isSetMethod(const std::string& method) {
  static const std::set<std::string> kNames = {
      "union", "intersection", "difference", "symmetric_difference", "issubset", "issuperset", "isdisjoint"};
  return kNames.count(method) > 0;
}

/// A function of _lists.py.
Value Lowering::callListFunction(const std::string& name, const Values& given, Span where) {
  for (const Value& v : given)
    if (const auto* l = v.as<ListValue>(); l && std::ranges::any_of(l->fields, &ListValue::hasViews))
      return error(
          DiagId::Unsupported, where,
          "lists of tuples with arrays are appended to, popped at their end, run over, sorted by a key and "
          "returned; for others make a list of each part");
  return callLibrary(*libraryFunctionAt("_list_" + name), Arguments{given, {}, where});
}

/// A list of numbers, or of tuples of them, in memory.
std::optional<ListValue> Lowering::inMemory(const Value& v, Span where) {
  const auto* g = v.as<GeneratorValue>();
  const auto* known = v.as<TupleValue>();
  Value list = v.as<ListValue>() || known ? v : listOfGenerator(g ? *g : generatorOver(iterated(v), where));
  if (list.isError()) return std::nullopt;
  if (const auto* items = list.as<TupleValue>()) {
    NameFacts stored;
    stored.isStored = true;
    list = changeable("items", storedText(Value{TupleValue{items->items, true}}), stored, where);
  }
  const auto* l = list.as<ListValue>();
  if (l && !l->hasViews && l->values.shape.size() == 1) return *l;
  if (l && !l->hasViews && becomesNested(l->made)) return std::nullopt;
  if (!list.isError())
    error(DiagId::Unsupported, where,
          "this takes numbers of one kind here, or tuples of as many such numbers; use arrays");
  return std::nullopt;
}

/// The same items, in a list of their own.
ListValue Lowering::copiedList(const ListValue& list) {
  Array all = emptyArray(DType::I64);
  all.shape = elementsOf(list).shape;
  all.at = [](const Indices& i) { return i[0]; };
  return reordered(list, all);
}

/// `item for item in over`
GeneratorValue Lowering::generatorOver(const Value& over, Span where, bool isItem) {
  const auto item = [&] { return ast::make(where, ast::Name{"item of list"}); }; // no name of Python's
  const Span own{where.begin + isItem, where.end}; // another list than the one that has what this makes
  return madeGenerator({ast::make(own, ast::Name{"item of list"}), {{item(), item(), {}}}, true}, over,
                       where);
}

/// `(item for row in over for item in row)`
GeneratorValue Lowering::itemsOfItems(const Value& over, Span where) {
  const ast::Expr row = ast::make(where, ast::Name{"row of list"}),
                  item = ast::make(where, ast::Name{"item of list"});
  return madeGenerator({item, {{row, row, {}}, {item, row, {}}}, true}, over, where);
}

GeneratorValue Lowering::madeGenerator(ast::Comprehension made, const Value& over, Span where) {
  writtenOut_.push_back({ast::makeStmt(where, ast::ExprStmt{ast::make(where, std::move(made))})});
  return {writtenOut_.back()[0].as<ast::ExprStmt>()->value, std::make_shared<const Value>(over)};
}

//===--- methods ---------------------------------------------------------------------------------------------===//

namespace {
struct ListMethod {
  size_t least, most;
};
const std::map<std::string, ListMethod> kMethods = {
    {"append", {1, 1}}, {"extend", {1, 1}},  {"pop", {0, 1}},        {"clear", {0, 0}}, {"insert", {2, 2}},
    {"remove", {1, 1}}, {"reverse", {0, 0}}, {"sort", {0, 0}},       {"index", {1, 3}}, {"count", {1, 1}},
    {"copy", {0, 0}},   {"popleft", {0, 0}}, {"appendleft", {1, 1}}, {"rotate", {0, 1}}};
} // namespace

Value Lowering::callListMethod(const Value& self, const std::string& name, const Arguments& args) {
  if (isSet(self) || name == "add" || name == "discard" || name == "update" || isSetMethod(name))
    return callSetMethod(self, name, args);
  const bool isAtStart = name == "popleft" || name == "appendleft";
  const bool isOfDeque = isAtStart || name == "rotate";
  if (isOfDeque ? !isDeque(self)
                : isDeque(self) &&
                      (name == "sort" || name == "copy" || (name == "pop" && !args.positional.empty())))
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("`.{}` is no method of a {} here", name, isOfDeque ? "list" : "deque"));
  if (const auto* full = self.as<ListValue>();
      full && full->most && (name == "appendleft" || name == "insert"))
    return error(DiagId::Unsupported, args.where,
                 fmt::format("`.{}` of a deque with `maxlen` is not translated; `.append` is", name));
  if (isAtStart && args.keywords.empty() && args.positional.size() == (name == "appendleft")) {
    Value list = self; // as of a list
    if (auto* l = std::get_if<ListValue>(&list.v)) l->isDeque = false;
    Arguments all = args;
    all.positional.insert(all.positional.begin(), Value{Scalar{ir::intConst(0), true}});
    return callListMethod(list, name == "popleft" ? "pop" : "insert", all);
  }
  if (isOfSpelledText(name)) return callSpelled(self, name, args);
  const auto [least, most] = kMethods.at(name);
  const size_t given = args.positional.size();
  if (given < least || given > most || (!args.keywords.empty() && name != "sort"))
    return error(DiagId::Unsupported, args.where,
                 fmt::format("`.{}` of a list takes {} here", name,
                             most == 0   ? "no argument"
                             : most == 1 ? "one value"
                             : most == 2 ? "two values"
                                         : "a value, and from where to where it is looked for"));
  const auto* list = self.as<ListValue>();
  if (isTuple(self) && name != "index" && name != "count")
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("a tuple has no `.{}`; make a list of it, `list(...)`", name));
  if (name == "copy" && !list) return Value{TupleValue{self.as<TupleValue>()->items, true}};
  if (name == "copy" && list->hasViews)
    return error(DiagId::Unsupported, args.where, "a list of arrays is not copied; use np.array");
  if (list && list->like && isStoredText(*list->like) && (name == "index" || name == "count")) {
    const Value text = storedText(args.positional[0]);
    if (isStoredText(text) && given == 1)
      return callListFunction(name, {Value{list->fields[0]}, heldParts(text)[0]}, args.where);
  }
  if (list && list->like && holdsPooled(*list->like) &&
      (name == "index" || name == "count" || name == "remove"))
    return error(
        DiagId::Unsupported, args.where,
        fmt::format("`.{}` of a list of objects is not translated; find the place by `is`, and `.pop` it",
                    name));
  if (name == "index" || name == "count" || name == "copy") {
    const std::optional<ListValue> of = inMemory(self, args.where);
    if (!of) return Value{};
    if (name == "copy") return Value{copiedList(*of)};
    Values all = args.positional;
    all.insert(all.begin(), Value{*of});
    return callListFunction(given > 1 ? "index_between" : name, all, args.where);
  }
  if (!list) {
    if (!listStates_.isNestedEverywhere && changesLength(name) && !isSet(self)) // one in a list, perhaps
      listStates_.haveChanged = listStates_.isNestedEverywhere = true;
    const auto* dict = args.positional.empty() ? nullptr : args.positional.back().as<RecordValue>();
    if (dict && !dict->type && objects_.at(dict->object).fields.empty())
      return error(
          DiagId::Unsupported, args.where,
          "an empty dict in a list is not translated; put it in when it has all of its keys, or use an "
          "array with a row for each");
    error(
        DiagId::Unsupported, args.where,
        "this list has several names, or stands in another value, or holds other things than numbers of one "
        "kind, or tuples of such; a list that grows has the name by which it grows first, `a = list(b)`");
    return Value{};
  }
  if (list->hasViews && name == "remove")
    return error(DiagId::Unsupported, args.where,
                 "`.remove` of a list of arrays compares arrays; find the place, and `.pop` it");
  if (changesOrder(name) && !list->like && !list->hasViews && !stateOf(*list))
    return Value{NoneValue{}}; // empty
  if (name == "sort") return sortInPlace(*list, args);
  if (name == "reverse" || name == "rotate") {
    if ((list->values.shape.size() != 1 && !holdsArrays(*list)) || isOpen(*list))
      return error(DiagId::Unsupported, args.where,
                   "a list of numbers or of tuples is turned around, outside of loops over it");
    if (name == "rotate" && holdsArrays(*list))
      return error(DiagId::Unsupported, args.where,
                   "`.rotate` of a deque of arrays is not translated; use np.roll of an array");
    if (name == "rotate")
      return callListFunction(
          name, {self, given > 0 ? args.positional[0] : Value{Scalar{ir::intConst(1), true}}}, args.where);
    return holdsArrays(*list) ? turnedAround(*list, args.where) : callListFunction(name, {self}, args.where);
  }
  if (holdsArrays(*list) && (name == "insert" || (name == "pop" && given > 0)))
    return name == "pop" ? takenOut(*list, args.positional[0], "pop", args.where)
                         : putInBetween(*list, args.positional[0], args.positional[1], args.where);
  if (name == "pop" && given == 0) return popped(*list, args.where);
  if (!mayGrow(*list, args.where)) return Value{};
  if (name == "append")
    append(*list, args.positional[0], args.where);
  else if (name == "extend")
    extend(*list, args.positional[0], args.where);
  else if (name == "clear" && list->row)
    return callOnRow("clear", *list, {}, args.where);
  else if (name == "clear")
    emit(ir::Assign{list->length, ir::intConst(0)});
  else {
    Values all = args.positional;
    all.insert(all.begin(), self);
    return callListFunction(name, all, args.where);
  }
  return Value{NoneValue{}};
}

/// `del list[index]`
void Lowering::deleteItem(const ast::Subscript& place, Span where) {
  const Value of = eval(place.base);
  if (of.isError()) return;
  if (const RecordValue* table = tableIn(of)) return dropFromTable(*table, keyAt(place.index), where);
  if (const auto* nested = of.as<NestedValue>(); nested && place.index.size() == 1)
    return (void)callNestedMethod(*nested, "delete", {{eval(place.index[0])}, {}, where});
  const auto* list = of.as<ListValue>();
  if (const auto* dict = of.as<RecordValue>(); dict && !dict->type && place.index.size() == 1) {
    const Value key = eval(place.index[0]);
    const std::optional<std::string> known = keyOf(key);
    if (known)
      dropKey(*dict, *known, where);
    else if (!key.isError() && !becomesTable(*dict))
      error(DiagId::Unsupported, where, std::string(kKeysOfDicts));
    return;
  }
  const auto* slice = place.index.size() == 1 ? place.index[0].as<ast::Slice>() : nullptr;
  if (slice && !slice->step && list && !holdsArrays(*list) && !list->row) {
    Waiting bounds(*this);
    for (const ast::Expr& bound : {slice->lower, slice->upper})
      bounds.add(bound ? eval(bound) : Value{NoneValue{}});
    if (!bounds[0].isError() && !bounds[1].isError() && mayGrow(*list, where))
      callListFunction("delete_slice", {of, bounds[0], bounds[1]}, where);
    return;
  }
  if (!list || place.index.size() != 1 || slice) {
    error(DiagId::Unsupported, where,
          list ? "`del` takes one item out of such a list, or those of a slice without a step out of one of "
                 "numbers or tuples; write `a = a[:i] + a[j:]`"
               : "`del` takes names and items of lists and dicts here: arrays do not shrink, and memory is "
                 "freed after "
                 "its last use");
    return;
  }
  const Value index = eval(place.index[0]);
  if (!index.isError() && holdsArrays(*list)) return (void)takenOut(*list, index, "", where);
  if (!index.isError() && mayGrow(*list, where)) callListFunction("delete", {of, index}, where);
}

/// `list[1:1] = items` of a list that grows, and gets shorter.
void Lowering::replaceSlice(const ListValue& list, const ast::Slice& slice,
                            const std::function<Value()>& items, Span where) {
  Waiting parts(*this);
  for (const ast::Expr& bound : {slice.lower, slice.upper})
    parts.add(bound ? eval(bound) : Value{NoneValue{}});
  const Value given = items();
  if (given.isError() || parts[0].isError() || parts[1].isError() || !mayGrow(list, where)) return;
  const auto* known = given.as<TupleValue>();
  const Values what{Value{list}, parts[0], parts[1]};
  if (known && known->items.empty()) return (void)callListFunction("delete_slice", what, where);
  const std::optional<ListValue> now = inMemory(given, where);
  if (now) callListFunction("replace_slice", {what[0], what[1], what[2], Value{copiedList(*now)}}, where);
}

//===--- order -----------------------------------------------------------------------------------------------===//

/// In which order Python sorts the keys: which of them comes first, second, ...
std::optional<Array> Lowering::orderOf(const ListValue& keys, bool isReversed, Span where) {
  const std::function<bool(const Value&)> hasNone = [&](const Value& v) {
    return v.as<OptionalValue>() || std::ranges::any_of(heldParts(v), hasNone);
  };
  if (keys.like && hasNone(*keys.like)) {
    error(DiagId::Unsupported, where, "Python orders no None; take the numbers out first");
    return std::nullopt;
  }
  if (keys.like && holdsPooled(*keys.like)) {
    error(DiagId::Unsupported, where, "objects have no order here; write `key=lambda p: p.x`");
    return std::nullopt;
  }
  TupleValue arrays;
  if (std::ranges::any_of(keys.fields, &ListValue::hasViews)) {
    error(DiagId::Unsupported, where, "arrays have no order; write `key=`");
    return std::nullopt;
  }
  for (const ListValue& part : keys.like ? keys.fields : std::vector{keys}) {
    // Of which kind they are does not matter.
    const std::optional<Array> numbers = stateOf(part) ? elementsOf(part) : numbersOf(part, where);
    if (!numbers) return std::nullopt;
    arrays.items.push_back(Value{*numbers});
  }
  const Value order =
      callListFunction("order", {Value{arrays}, Value{Scalar{ir::boolConst(isReversed), true}}}, where);
  const auto* found = order.as<Array>();
  return found ? std::optional(materialize(*found, "order")) : std::nullopt;
}

/// What `key` gives of each item; the items themselves without one.
std::optional<ListValue> Lowering::keysOf(const Value& list, const Value* key, Span call) {
  if (!key || key->as<NoneValue>()) {
    ListValue own = *list.as<ListValue>();
    if (!own.like || !isStoredText(*own.like) || own.fields.empty() || !listStates_.areCharacters ||
        !listStates_.texts.empty())
      return own;
    own = ListValue(own.fields[0]); // characters are in the order of their numbers
    Array numbers = elementsOf(own);
    numbers.view = nullptr;
    numbers.at = [at = numbers.at](const Indices& i) { return ir::sub(ir::intConst(-1), at(i)); };
    own.values = materialize(numbers, "keys");
    own.length = Symbol();
    return own;
  }
  const Span where{call.begin + 1, call.end}; // not where the list itself may be made
  const auto named = [&](const char* id) { return ast::make(where, ast::Name{id}); }; // no names of Python's
  const ast::Expr item = named("item of list"),
                  keyed = ast::make(where, ast::Call{named("key of"), {item}, {}});
  writtenOut_.push_back({ast::makeStmt(
      where, ast::ExprStmt{ast::make(where, ast::Comprehension{keyed, {{item, item, {}}}, true})})});
  const Env outer = env();
  env()["key of"] = *key;
  const GeneratorValue keys{writtenOut_.back()[0].as<ast::ExprStmt>()->value,
                            std::make_shared<const Value>(list)};
  const Value made = listOfGenerator(keys);
  if (const auto before = outer.find("key of"); before != outer.end())
    env()["key of"] = before->second;
  else
    env().erase("key of");
  return made.isError() ? std::nullopt : inMemory(made, where);
}

std::optional<ListValue> Lowering::sortedList(const ListValue& list, const Value* key, bool isReversed,
                                              Span where) {
  const std::optional<ListValue> keys = keysOf(Value{list}, key, where);
  const std::optional<Array> order = keys ? orderOf(*keys, isReversed, where) : std::nullopt;
  return order ? std::optional(reordered(list, *order)) : std::nullopt;
}

/// list.sort(key=..., reverse=...)
Value Lowering::sortInPlace(const ListValue& list, const Arguments& args) {
  const Value* key = nullptr;
  bool isReversed = false;
  for (const auto& [name, value] : args.keywords) {
    const std::optional<int64_t> flag = name == "reverse" ? constantArgument(value) : 0;
    if (name != "key" && (name != "reverse" || !flag))
      return error(DiagId::Unsupported, args.where,
                   "`.sort` takes `key=`, a function, and `reverse=`, True or False");
    if (name == "key") key = &value;
    isReversed |= *flag != 0;
  }
  const bool isKnown = list.values.view && (listMemory_.count(list.values.view->buffer.name) > 0 ||
                                            (list.length && holdsArrays(list)));
  if (!isKnown || (list.values.shape.size() != 1 && !holdsArrays(list)) || isOpen(list))
    return error(DiagId::Unsupported, args.where,
                 "a list of numbers or of tuples that has a name is sorted, outside of loops over it; write "
                 "`a = sorted(b)`");
  const std::optional<ListValue> sorted = sortedList(list, key, isReversed, args.where);
  if (!sorted) return Value{};
  if (holdsArrays(list)) return putBack(list, *sorted, args.where), Value{NoneValue{}};
  if (!list.like) store(elementsOf(list), sorted->values);
  for (size_t k = 0; k < list.fields.size(); ++k) store(elementsOf(list.fields[k]), sorted->fields[k].values);
  return Value{NoneValue{}};
}

/// max(), min() of tuples, or by `key`: the first of equals.
Value Lowering::extremeBy(bool isMax, const Value& over, const Value* key, Span where) {
  if (const auto* nested = over.as<NestedValue>(); nested && key) {
    const Value sorted = orderedRows(*nested, key, isMax, where); // of equals the first, too, is first
    const auto* rows = sorted.as<NestedValue>();
    if (!rows) return sorted;
    require(ir::binary(ir::BinaryOp::Gt, itemsIn(rows->numbers).e, ir::intConst(0)), "ValueError",
            isMax ? "max() arg is an empty sequence" : "min() arg is an empty sequence");
    return Value{rowList(rows->rows, rows->numbers.values.at({ir::intConst(0)}))};
  }
  const auto *given = over.as<Array>(),
             *held = over.as<ListValue>() ? &over.as<ListValue>()->values : nullptr;
  if (const Array* of = given ? given : held; of && of->shape.size() > 1 && key && !key->as<NoneValue>()) {
    const Array rows = given ? materialize(*given, "rows") : elementsOf(*over.as<ListValue>());
    const std::optional<ListValue> keys = keysOf(given ? Value{rows} : over, key, where);
    if (!keys) return Value{};
    require(ir::binary(ir::BinaryOp::Gt, rows.shape[0], ir::intConst(0)), "ValueError",
            isMax ? "max() arg is an empty sequence" : "min() arg is an empty sequence");
    const Value at =
        callListFunction("extreme", {Value{*keys}, Value{Scalar{ir::boolConst(isMax), true}}}, where);
    const Expr place = at.as<Scalar>() ? stable(ir::cast(DType::I64, at.as<Scalar>()->e)) : Expr();
    const std::optional<Steps> steps = place && !given ? stepsOf(iterated(over), where) : std::nullopt;
    return given && place ? Value{rowAt(rows, place)} : steps ? steps->item(place) : Value{};
  }
  const std::optional<ListValue> list = inMemory(over, where);
  const std::optional<ListValue> keys = list ? keysOf(Value{*list}, key, where) : std::nullopt;
  if (!keys) return Value{};
  if (keys->like && holdsPooled(*keys->like))
    return error(DiagId::Unsupported, where, "objects have no order here; write `key=lambda p: p.x`");
  const Expr n = stable(itemsIn(*list).e);
  require(ir::binary(ir::BinaryOp::Gt, n, ir::intConst(0)), "ValueError",
          isMax ? "max() arg is an empty sequence" : "min() arg is an empty sequence");
  const Value at =
      callListFunction("extreme", {Value{*keys}, Value{Scalar{ir::boolConst(isMax), true}}}, where);
  const auto* s = at.as<Scalar>();
  return s ? evaluatedOnce(itemOf(*list, ir::cast(DType::I64, s->e)), "extreme") : Value{};
}

/// `==` of lists of which one is in memory.
std::optional<Value> Lowering::compareLists(const Value& a, const Value& b, Span where) {
  const auto isList = [](const Value& v) {
    const auto* t = v.as<TupleValue>();
    return v.as<ListValue>() || (t && t->isList);
  };
  if (!isList(a) || !isList(b) || (!a.as<ListValue>() && !b.as<ListValue>())) return std::nullopt;
  if (isDeque(a) != isDeque(b) || isSet(a) != isSet(b) || isTuple(a) != isTuple(b))
    return Value{Scalar{ir::boolConst(false), true}};
  for (const Value* v : {&a, &b})
    if (const auto* t = v->as<TupleValue>(); t && t->items.empty())
      return Value{
          Scalar{ir::binary(ir::BinaryOp::Eq, itemsIn(*(v == &a ? b : a).as<ListValue>()).e, ir::intConst(0)),
                 true}};
  const auto asList = [](Value v) { // sets stand in order
    if (auto* l = std::get_if<ListValue>(&v.v)) l->isSet = false;
    if (auto* t = std::get_if<TupleValue>(&v.v)) t->isSet = false;
    return v;
  };
  const auto* one = a.as<ListValue>();
  const auto* other = b.as<ListValue>();
  if (one && other && one->like && other->like && isStoredText(*one->like) && isStoredText(*other->like))
    return compareLists(Value{one->fields[0]}, Value{other->fields[0]}, where);
  for (const Value* v : {&a, &b})
    if (const auto* l = v->as<ListValue>(); l && l->like && holdsPooled(*l->like))
      return error(DiagId::Unsupported, where, "lists of objects are not compared; compare what they hold");
  const std::optional<ListValue> x = inMemory(asList(a), where),
                                 y = x ? inMemory(asList(b), where) : std::nullopt;
  return y ? callListFunction("equal", {Value{*x}, Value{*y}}, where) : Value{};
}

} // namespace appyc::sema
