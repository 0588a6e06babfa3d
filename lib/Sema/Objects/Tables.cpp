//===- Tables.cpp - dicts in memory: those of whose keys only the run tells ---------------------------------===//
//   counts = {}                                  keys, values: lists, in the order of Python's dict
//   for k in a:                            =>    slots: at which place each key is
//     counts[k] = counts.get(k, 0) + 1           for k in a: at = the slot of k's hash on that is k's, or free; ...
// That a dict is one is known where it first gets such a key: the function is lowered once more. What is done with its
// parts is Python, numpy_library/_tables.py.
#include "Arguments.h"
#include "Lowering.h"
#include "Message.h"

namespace appyc::sema {

namespace { // no names of Python's
const std::string kKeys = "keys of", kValues = "values of", kSlots = "slots of", kMissing = "missing of";
constexpr std::string_view kItems = "the keys of this dict are computed; its values are numbers of one kind "
                                    "then, arrays, or tuples of as many "
                                    "of these: put the others into arrays, and their places into the dict";

ast::ClassRef typeNamed(const std::string& name) {
  ast::Class made{name};
  made.kind = ast::Class::DataClass;
  return std::make_shared<const ast::Class>(made);
}
const ast::ClassRef& plain() {
  static const ast::ClassRef kType = typeNamed("dict");
  return kType;
}
const ast::ClassRef& counter() {
  static const ast::ClassRef kType = typeNamed("Counter");
  return kType;
}
const ast::ClassRef& withDefault() {
  static const ast::ClassRef kType = typeNamed("defaultdict");
  return kType;
}

bool isItem(const Value& v) { return v.as<Scalar>() || isTupleOfNumbers(v); }
bool isEmptyList(const Value& v) {
  const auto* t = v.as<TupleValue>();
  return t && t->isList && t->items.empty() && !t->isDeque;
}
} // namespace

bool mayBeTableKey(const Value& v) {
  if (isStoredText(v) || isMember(v)) return true;
  const auto isKey = [](const Value& item) {
    const auto* s = item.as<Scalar>();
    return s && !s->isCell && !ir::isComplex(s->type());
  };
  const std::function<bool(const Value&)> hasNone = [&](const Value& part) {
    return part.as<OptionalValue>() || isPooled(part) || std::ranges::any_of(heldParts(part), hasNone);
  };
  return isItem(v) && !isList(v) && !hasNone(v) && std::ranges::all_of(partsOf(v), isKey);
}

/// The dict, if it is one in memory.
const RecordValue* tableIn(const Value& v) {
  const auto* r = v.as<RecordValue>();
  return r && (r->type == plain() || r->type == counter() || r->type == withDefault()) ? r : nullptr;
}

/// It gets a key that is computed, or gets or loses one on some paths: it is made in memory, and the function lowered once
/// more. False where that does not help.
bool Lowering::becomesTable(const RecordValue& dict) {
  const Object& object = objects_.at(dict.object);
  if (dict.type || object.isCallers || !object.made) return false;
  if (writesAnew_) return true; // whose steps may say what the keys are
  const auto isOfText = [](const std::string& key) { return key[0] == '"'; };
  if (dict.isPooled ||
      (std::ranges::any_of(object.fields, isOfText) && !std::ranges::all_of(object.fields, isOfText)))
    return false;
  if (!listStates_.tables.insert(object.made).second) return false;
  listStates_.haveChanged = true;
  return true;
}

Value Lowering::newTable(const ast::ClassRef& type, Span where, const RecordValue* like) {
  if (like && hasArrays(*like))
    return error(DiagId::Unsupported, where,
                 "a dict of arrays is not copied; make a new one, `{k: v.copy() for k, v in d.items()}`");
  std::shared_ptr<const ListRows> rows; // of lists that are its values: a copy has the same
  if (like && hasRows(*like)) rows = fieldOf(*like, kValues, where).as<NestedValue>()->rows;
  const auto listOf = [&](const std::string& field, size_t number, Value items) -> ListValue {
    NameFacts grows;
    grows.grows = true;
    const uint64_t at = madeAt(where) | number << 48; // never a list that its text writes out
    listStates_.written.erase(at);
    listStates_.stored.insert(at);
    const Value made = changeable(hintOf(fieldName("", field)), items, grows, where, number);
    const auto* l = made.as<ListValue>();
    if (const auto* nested = made.as<NestedValue>()) rows = nested->rows;
    return l ? *l : made.as<NestedValue>() ? made.as<NestedValue>()->numbers : ListValue{};
  };
  RecordValue made{type, type->name};
  for (int k = 2; objects_.count(made.object); ++k) made.object = fmt::format("{} {}", type->name, k);
  TupleValue free{{}, true};
  constexpr int kFirstSlots = 8;
  for (int k = 0; k < kFirstSlots; ++k) free.items.push_back(Value{Scalar{ir::intConst(-1), true}});
  const auto copied = [&](const std::string& field) { return Value{copiedList(listOfTable(*like, field))}; };
  const Value none{TupleValue{{}, true}};
  const ListValue keys = listOf(kKeys, 1, like ? copied(kKeys) : none);
  const ListValue values = listOf(kValues, 2, like ? copied(kValues) : none);
  const ListValue slots = listOf(kSlots, 3, like ? copied(kSlots) : Value{free});
  if (!keys.length || !values.length || !slots.length)
    return listStates_.haveChanged ? Value{} : error(DiagId::Unsupported, where, std::string(kKeysOfDicts));
  growing_.at(slots.length).atMost = // twice as many as there are keys, but for the first, and doubled
      ir::add(ir::intConst(kFirstSlots), ir::mul(ir::intConst(4), ir::var(growing_.at(keys.length).room)));
  objects_[made.object] = {type, {kKeys, kValues, kSlots}, lists_.size(), {}};
  objects_[made.object].made = where.begin;
  env()[fieldName(made.object, kKeys)] = Value{keys};
  env()[fieldName(made.object, kValues)] = rows ? Value{NestedValue{values, rows}} : Value{values};
  env()[fieldName(made.object, kSlots)] = Value{slots};
  return Value{made};
}

/// `{k: x}`, `dict(pairs)` where the text makes a dict in memory; none where it does not, yet.
std::optional<Value> Lowering::tableOf(const Values& keys, const Values& values, Span where) {
  if (!listStates_.tables.count(where.begin)) return std::nullopt;
  const Value made = newTable(plain(), where);
  for (size_t k = 0; k < keys.size() && !made.isError(); ++k)
    putIntoTable(*tableIn(made), keys[k], values[k], where);
  return made;
}

/// `{f(x): x for x in a}`
Value Lowering::tableOfPairs(const GeneratorValue& pairs, Span where) {
  const Value made = newTable(plain(), where);
  if (made.isError()) return made;
  const auto& c = *pairs.generator.as<ast::Comprehension>();
  const auto* pair = c.element.as<ast::Tuple>();
  const bool isWritten = pair && pair->items.size() == 2; // as `(key, value)`
  const std::string own = unusedName("table"), item = unusedName("pair");
  env()[own] = made;
  const auto named = [&](const std::string& name) { return ast::make(where, ast::Name{name}); };
  const auto part = [&](uint64_t k) {
    return isWritten ? pair->items[k]
                     : ast::make(where, ast::Subscript{named(item), {ast::make(where, ast::IntLit{k})}});
  };
  const ast::Expr place = ast::make(where, ast::Subscript{named(own), {part(0)}});
  ast::Body body{ast::makeStmt(where, ast::Assign{{place}, part(1), {}})};
  if (!isWritten) body.insert(body.begin(), ast::makeStmt(where, ast::Assign{{named(item)}, c.element, {}}));
  const Value filled = foldedBy(pairs, own, body, {}, {});
  forgetName(own);
  forgetName(item);
  return filled;
}

/// `collections.Counter(a)`, `collections.defaultdict(int)`; none of others.
std::optional<Value> Lowering::callOfTables(const std::string& path, const Arguments& args) {
  // Numba's are as Python's: of what types they are follows from what is put in.
  for (const std::string kind : {"List", "Dict"})
    if (const std::string typed = "numba.typed." + kind; path == typed || path.starts_with(typed + ".empty"))
      return callNamed(kind == "List" ? "list" : "dict",
                       path == typed ? args : Arguments{{}, {}, args.where});
  const size_t given = args.positional.size();
  if (path == "collections.defaultdict") {
    const auto* type = given == 1 ? args.positional[0].as<TypeValue>() : nullptr;
    const auto* made = given == 1 ? args.positional[0].as<Callable>() : nullptr;
    const bool isKnown = given == 1 && args.keywords.empty() &&
                         ((type && type->weak) || args.positional[0].as<UserFunction>() ||
                          (made && (made->path == "list" || made->path == "set")));
    if (!isKnown)
      return error(
          DiagId::Unsupported, args.where,
          "a defaultdict is of numbers, lists or sets here, `defaultdict(int)`, `defaultdict(float)`, "
          "`defaultdict(list)`, `defaultdict(set)` or of a function without parameters");
    const Value table = newTable(withDefault(), args.where);
    if (table.isError()) return table;
    const std::string& object = tableIn(table)->object;
    objects_.at(object).fields.push_back(kMissing);
    env()[fieldName(object, kMissing)] = args.positional[0];
    return table;
  }
  if (path != "collections.Counter") return std::nullopt;
  if (given > 1 || !args.keywords.empty() || (given == 1 && args.positional[0].as<RecordValue>()))
    return error(DiagId::Unsupported, args.where, "a Counter is made of what is counted, `Counter(a)`");
  const Value made = newTable(counter(), args.where);
  if (given == 0 || made.isError()) return made;
  const Value counted = callTableMethod(*tableIn(made), "update", args);
  return counted.isError() ? counted : made;
}

//===--- its parts -------------------------------------------------------------------------------------------===//

ListValue Lowering::listOfTable(const RecordValue& table, const std::string& field) {
  const Value v = fieldOf(table, field, statement_);
  const auto* l = v.as<ListValue>();
  const auto* nested = v.as<NestedValue>();
  return l ? *l : nested ? nested->numbers : ListValue{};
}

/// Are its values lists that change?
bool Lowering::hasRows(const RecordValue& table) {
  return fieldOf(table, kValues, statement_).as<NestedValue>() != nullptr;
}

/// Is it an empty list, or set, of which the values are such?
bool Lowering::isEmptyRow(const RecordValue& table, const Value& v) {
  const Value values = fieldOf(table, kValues, statement_);
  const auto* nested = values.as<NestedValue>();
  return nested && !nested->rows->areArrays && isEmptyList(v) && isSet(v) == nested->rows->areSets;
}

/// Are they arrays, which are copies?
bool Lowering::hasArrays(const RecordValue& table) {
  const Value values = fieldOf(table, kValues, statement_);
  const auto* nested = values.as<NestedValue>();
  const auto* list = values.as<ListValue>();
  return (list && holdsArrays(*list)) || (nested && nested->rows->areArrays);
}

/// A value as it stands in the list of values: of a list the number. Reports others.
Value Lowering::valueInTable(const RecordValue& table, const Value& value, Span where) {
  const Value values = fieldOf(table, kValues, where);
  if (const auto* nested = values.as<NestedValue>()) {
    const std::optional<Scalar> number = numberOfRow(*nested, value, where);
    return number ? Value{*number} : Value{};
  }
  const auto* list = values.as<ListValue>();
  const bool isRow =
      isList(value) && list &&
      (!isItem(value) || listStates_.isNestedEverywhere || (list->like && !isBuiltAlike(*list->like, value)));
  if (isRow && isSet(value) && list) listStates_.ofSets.insert(list->made);
  if (isRow && !isDeque(value) && becomesNested(list->made)) return Value{};
  if (value.as<Selection>()) return valueInTable(table, Value{asArray(*value.as<Selection>())}, where);
  if (canBeItem(value) && list && (list->hasViews || (!list->like && !stateOf(*list)))) return value;
  const Value kept = storedText(value);
  const bool isWithArrays = isStorable(kept) && !isList(kept) && list; // a list for each part
  if (!isItem(kept) && !isWithArrays && becomesPooled(kept)) return Value{};
  if (!isItem(kept) && !isWithArrays) return error(DiagId::Unsupported, where, std::string(kItems));
  return kept;
}

/// What the table has at a place.
Value Lowering::valueAt(const RecordValue& table, const Expr& at) {
  const Value values = fieldOf(table, kValues, statement_);
  if (const auto* nested = values.as<NestedValue>())
    return rowValue(nested->rows, nested->numbers.values.at({at}));
  const auto* list = values.as<ListValue>();
  if (!list || (!list->like && !stateOf(*list))) return Value{};
  return list->hasViews ? arrayItem(rowAt(list->values, stable(at)), statement_) : itemOf(*list, at);
}

/// A function of _rows.py of the lists that are its values, by the place in the table.
Value Lowering::rowInTable(const std::string& name, const RecordValue& table, const Expr& at, Span where) {
  const NestedValue list = *fieldOf(table, kValues, where).as<NestedValue>();
  const ListRows& rows = *list.rows;
  return callLibrary(*libraryFunctionAt("_rows_" + name),
                     Arguments{{Value{list.numbers}, Value{rows.starts}, Value{rows.lengths},
                                Value{rows.rooms}, Value{rows.items}, Value{Scalar{at, true}}},
                               {},
                               where});
}

/// The keys, as what is run over; of a dict's `.keys()` and its kind the list.
Value Lowering::asIterable(const Value& v) {
  if (const RecordValue* table = tableIn(v)) return Value{listOfTable(*table, kKeys)};
  if (const std::optional<Value> own = callSpecial("__iter__", {v}, statement_)) return asIterable(*own);
  const auto* i = v.as<IteratorValue>();
  const bool isList =
      i && i->kind == IteratorValue::Each && (i->parts[0].as<ListValue>() || i->parts[0].as<NestedValue>());
  return isList ? i->parts[0] : v;
}

Scalar Lowering::sizeOfTable(const RecordValue& table) { return itemsIn(listOfTable(table, kKeys)); }

/// A function of _tables.py of the dict's lists and the others.
Value Lowering::callTableFunction(const std::string& name, const RecordValue& table, const Values& more,
                                  Span where) {
  Values given;
  const bool asks = name == "place";
  if (!asks && name != "get" && !mayChange(table, where)) return Value{};
  for (const std::string& field : {kKeys, kValues, kSlots})
    if (!asks || field != kValues) given.push_back(Value{listOfTable(table, field)});
  given.insert(given.end(), more.begin(), more.end());
  const auto isNumber = [](const Value& v) { return isStoredText(v) || isMember(v); };
  if (const ListValue keys = listOfTable(table, kKeys);
      keys.like && isNumber(*keys.like)) { // the texts' numbers
    given[0] = Value{keys.fields[0]};
    Value& key = given[given.size() - more.size()];
    if (isNumber(key)) key = heldParts(key)[0];
    if (key.as<Scalar>() && name != "remove" && !putState(keys.fields[0], *key.as<Scalar>(), where))
      return Value{};
  }
  return callLibrary(*libraryFunctionAt("_table_" + name), Arguments{given, {}, where});
}

/// May it be asked for this key? Reports it.
bool Lowering::isTableKey(const RecordValue& table, const Value& given, Span where) {
  if (given.isError()) return false;
  const Value key = storedText(given);
  const ListValue keys = listOfTable(table, kKeys);
  const std::optional<Scalar> state = stateOf(keys);
  const auto* s = key.as<Scalar>();
  const bool isAlike = keys.like ? isBuiltAlike(*keys.like, key) : !state || s;
  const bool isOfKind = !s || !state || (ir::isFloat(s->type()) == ir::isFloat(state->type()));
  if (mayBeTableKey(key) && isAlike && isOfKind) return true;
  error(DiagId::Unsupported, where,
        fmt::format(
            "the keys of a dict that are computed are all texts here, or whole numbers, or floats, or tuples "
            "of as many numbers, not {}, too",
            describe(key)));
  return false;
}

/// Has anything been put in, as far as is known?
bool Lowering::isTableFilled(const RecordValue& table) {
  const ListValue keys = listOfTable(table, kKeys);
  return keys.like || stateOf(keys);
}

/// Where the key is; -1 where it is not there.
std::optional<Expr> Lowering::placeInTable(const RecordValue& table, const Value& given, Span where) {
  const Value key = isTableKey(table, given, where) ? keyKept(given) : Value{};
  if (key.isError()) return std::nullopt;
  if (!isTableFilled(table)) return ir::intConst(-1);
  const Value at = callTableFunction("place", table, {key}, where);
  const auto* s = at.as<Scalar>();
  return s ? std::optional(stable(ir::cast(DType::I64, s->e))) : std::nullopt;
}

/// The place of a key that is asked for: of a defaultdict, or where it is to change, it may be new.
std::optional<Expr> Lowering::askedPlace(const RecordValue& table, const Value& given, bool isUpdate,
                                         Span where) {
  const bool isNew = table.type == withDefault() || (isUpdate && table.type == counter());
  const Value key = isTableKey(table, given, where) ? keyKept(given) : Value{};
  if (key.isError()) return std::nullopt;
  const bool isRunOver = isOpen(listOfTable(table, kKeys)) || isOpen(listOfTable(table, kValues));
  if (isNew && !isRunOver) {
    Value fresh{Scalar{ir::intConst(0), true}};
    if (table.type == withDefault())
      fresh = callValue(fieldOf(table, kMissing, where), Arguments{{}, {}, where}, true);
    if (fresh.isError() || !mayGrow(listOfTable(table, kKeys), where)) return std::nullopt;
    const bool isRow = isEmptyRow(table, fresh);
    fresh = isRow ? Value{Scalar{ir::intConst(-1), true}} : valueInTable(table, fresh, where);
    if (fresh.isError()) return std::nullopt;
    if (!isTableFilled(table)) return fillTable(table, key, fresh, where), std::nullopt;
    const Value at = callTableFunction("place_or_new", table, {key, fresh}, where);
    const auto* s = at.as<Scalar>();
    if (s && isRow) {
      const Expr place = stable(ir::cast(DType::I64, s->e));
      rowInTable("fresh", table, place, where);
      return place;
    }
    return s ? std::optional(stable(ir::cast(DType::I64, s->e))) : std::nullopt;
  }
  const std::optional<Expr> at = placeInTable(table, key, where);
  if (!at) return at;
  Message message(isNew ? "dictionary changed size during iteration" : "");
  if (!isNew) show(key, message);
  require(ir::binary(ir::BinaryOp::Ge, *at, ir::intConst(0)), isNew ? "RuntimeError" : "KeyError", message);
  return at;
}

/// What its keys and values are like is known when it is made once more.
void Lowering::fillTable(const RecordValue& table, const Value& key, const Value& value, Span where) {
  append(listOfTable(table, kKeys), key, where);
  append(listOfTable(table, kValues), value, where);
}

//===--- what is asked ---------------------------------------------------------------------------------------===//

/// `d[k]`
Value Lowering::itemOfTable(const RecordValue& table, const Value& key, Span where) {
  if (table.type == counter())
    return callTableMethod(table, "get", {{key, Value{Scalar{ir::intConst(0), true}}}, {}, where});
  const std::optional<Expr> at = askedPlace(table, key, false, where);
  return at ? valueAt(table, *at) : Value{};
}

/// `k in d`
Value Lowering::isInTable(const RecordValue& table, const Value& key, Span where) {
  const std::optional<Expr> at = placeInTable(table, key, where);
  return at ? Value{Scalar{ir::binary(ir::BinaryOp::Ge, *at, ir::intConst(0)), true}} : Value{};
}

/// Reports it.
bool Lowering::mayChange(const RecordValue& dict, Span where) {
  const std::string_view readOnly = objects_.at(dict.object).readOnly;
  return readOnly.empty() || (error(DiagId::Unsupported, where, std::string(readOnly)), false);
}

/// `d[k] = x`
void Lowering::putIntoTable(const RecordValue& table, const Value& givenKey, const Value& given, Span where) {
  const Value key = storedText(givenKey);
  constexpr int64_t kFewSteps = 16;
  if (given.as<Array>() && writesOutKey(key, kFewSteps)) { // so that arrays may differ in their shapes
    listStates_.tables.erase(objects_.at(table.object).made);
    return;
  }
  if (given.isError() || !isTableKey(table, key, where) || !mayChange(table, where)) return;
  const Value value = valueInTable(table, given, where);
  if (value.isError()) return;
  const ListValue keys = listOfTable(table, kKeys);
  const bool isRunOver = isOpen(keys) || isOpen(listOfTable(table, kValues));
  if (!isRunOver && !mayGrow(keys, where)) return;
  if (!isTableFilled(table)) return fillTable(table, key, value, where);
  callTableFunction(isRunOver ? "replace" : "put", table, {key, value}, where);
}

/// `d[k] += f()`, of a defaultdict `d[k] += x`: what it has for a new key is nowhere but in the sum. False where the item's
/// own place is changed.
bool Lowering::updatesTable(const ast::AugAssign& s, Span span) {
  const auto* place = s.target.as<ast::Subscript>();
  const std::optional<Value> of = place ? recordAt(place->base) : std::nullopt;
  const RecordValue* table = of ? tableIn(*of) : nullptr;
  const bool isPlain = s.value.is<ast::IntLit>() || s.value.is<ast::FloatLit>() || s.value.is<ast::Name>();
  if (!table || (table->type == plain() && isPlain) || hasArrays(*table)) return false;
  Waiting parts(*this);
  parts.add(keyAt(place->index));
  if (parts[0].isError()) return true;
  const Value key = isTableKey(*table, parts[0], span) ? keyKept(parts[0]) : Value{};
  if (key.isError()) return true;
  if (hasRows(*table)) {
    const Value row = itemOfTable(*table, key, span);
    if (const std::string name = isSet(row) ? updateOfSet(s.op) : ""; !name.empty())
      return callSetMethod(row, name, {{eval(s.value)}, {}, span}), true;
    if (row.isError() || s.op == ast::BinaryOp::Add)
      return row.isError() || (extend(*row.as<ListValue>(), eval(s.value), span), true);
    return error(DiagId::Unsupported, span, "a list in a dict is added to by `+=`"), true;
  }
  Value current;
  if (table->type == withDefault()) {
    const Value fresh = callValue(fieldOf(*table, kMissing, span), Arguments{{}, {}, span}, true);
    if (!fresh.isError()) current = callTableMethod(*table, "get", {{key, fresh}, {}, span});
  } else {
    current = itemOfTable(*table, key, span);
  }
  if (!current.isError()) current = evaluatedOnce(current, "item");
  const Value updated = current.isError() ? current : updatedBy(s, current, span);
  putIntoTable(*table, key, updated, span);
  return true;
}

/// `d[k]` where `d[k] += x` changes it: none of tuples.
std::optional<Array> Lowering::placeOfTable(const RecordValue& table, const Value& key, Span where) {
  const std::optional<Expr> at =
      mayChange(table, where) ? askedPlace(table, key, true, where) : std::optional<Expr>();
  const ListValue values = listOfTable(table, kValues);
  if (!at || (!values.like && !stateOf(values))) return std::nullopt;
  if (values.like || hasRows(table)) {
    error(DiagId::Unsupported, where,
          "a tuple or a list in a dict is replaced by another; write `d[k] = ...`");
    return std::nullopt;
  }
  if (values.hasViews) return rowAt(values.values, *at);
  return remapped(values.values, {}, [at = *at](const Indices&) { return Indices{at}; });
}

/// `del d[k]`
void Lowering::dropFromTable(const RecordValue& table, const Value& key, Span where) {
  const std::optional<Expr> at = placeInTable(table, key, where);
  if (!at || !mayGrow(listOfTable(table, kKeys), where)) return;
  if (table.type != counter()) {
    Message message("");
    show(keyKept(key), message);
    require(ir::binary(ir::BinaryOp::Ge, *at, ir::intConst(0)), "KeyError", message);
  }
  if (isTableFilled(table)) callTableFunction("remove", table, {Value{Scalar{*at, true}}}, where);
}

Value Lowering::callTableMethod(const RecordValue& table, const std::string& name, const Arguments& args) {
  const size_t given = args.positional.size();
  const auto takes = [&](size_t least, size_t most) {
    if (given >= least && given <= most && args.keywords.empty()) return true;
    error(DiagId::TypeMismatch, args.where,
          fmt::format("`.{}` of a dict is called with {} values here", name, given));
    return false;
  };
  const ListValue keys = listOfTable(table, kKeys), values = listOfTable(table, kValues);
  if (name == "keys" || name == "values" || name == "items") {
    if (!takes(0, 0)) return Value{};
    const Value items = fieldOf(table, kValues, args.where);
    const IteratorValue one{IteratorValue::Each, {name == "keys" ? Value{keys} : items}};
    return Value{name == "items" ? IteratorValue{IteratorValue::Zip, {Value{keys}, items}} : one};
  }
  if (name == "get" || (name == "pop" && given == 2)) {
    if (!takes(1, 2) || (name == "pop" && !mayGrow(keys, args.where))) return Value{};
    const Value key =
        isTableKey(table, args.positional[0], args.where) ? keyKept(args.positional[0]) : Value{};
    const Value otherwise = given == 2 ? args.positional[1] : Value{NoneValue{}};
    if (key.isError() || !isTableFilled(table)) return key.isError() ? key : otherwise;
    if (hasRows(table)) {
      const std::optional<Expr> at = placeInTable(table, key, args.where);
      if (!isEmptyRow(table, otherwise) || name == "pop")
        return error(DiagId::Unsupported, args.where,
                     fmt::format("of a dict of lists write `.get(k, [])`, or `d{} if k in d else ...`",
                                 name == "pop" ? ".pop(k)" : "[k]"));
      const Value number = at ? rowInTable("or_new", table, *at, args.where) : Value{};
      return number.as<Scalar>() ? Value{rowList(fieldOf(table, kValues, args.where).as<NestedValue>()->rows,
                                                 number.as<Scalar>()->e)}
                                 : Value{};
    }
    return callTableFunction(name, table, {key, otherwise}, args.where);
  }
  if (name == "setdefault") {
    if (!takes(2, 2) || !isTableKey(table, args.positional[0], args.where) || !mayGrow(keys, args.where))
      return Value{};
    const bool isRow = isEmptyRow(table, args.positional[1]);
    const Value fresh =
        isRow ? Value{Scalar{ir::intConst(-1), true}} : valueInTable(table, args.positional[1], args.where);
    if (fresh.isError()) return fresh;
    if (!isTableFilled(table)) return fillTable(table, args.positional[0], fresh, args.where), Value{};
    const Value at =
        callTableFunction("place_or_new", table, {keyKept(args.positional[0]), fresh}, args.where);
    const auto* s = at.as<Scalar>();
    if (!s) return Value{};
    const Expr place = stable(s->e);
    if (isRow) rowInTable("fresh", table, place, args.where);
    return valueAt(table, place);
  }
  if (name == "pop" && given == 1) {
    if (!takes(1, 1)) return Value{};
    const Value key = keyKept(args.positional[0]);
    const Value item = evaluatedOnce(itemOfTable(table, key, args.where), "item");
    if (!item.isError()) dropFromTable(table, key, args.where);
    return item;
  }
  if (name == "copy") // also what `dict(d)` is
    return takes(0, 0) ? newTable(plain(), args.where, &table) : Value{};
  if (name == "clear" && takes(0, 0) && mayChange(table, args.where) && mayGrow(keys, args.where)) {
    for (const ListValue& list : {keys, values}) emit(ir::Assign{list.length, ir::intConst(0)});
    callLibrary(*libraryFunctionAt("_table_settle"),
                Arguments{{Value{keys}, Value{listOfTable(table, kSlots)}}, {}, args.where});
    return Value{NoneValue{}};
  }
  if (name == "update" && takes(1, 1) && mayGrow(keys, args.where) && !hasRows(table) && !hasArrays(table)) {
    const RecordValue* other = tableIn(args.positional[0]);
    if (table.type == counter() && !args.positional[0].as<RecordValue>()) {
      const Value items = iterated(args.positional[0]);
      if (!items.isError() && !isTableFilled(table)) {
        extend(keys, items, args.where);
        append(values, Value{Scalar{ir::intConst(0), true}}, args.where);
        return Value{};
      }
      return items.isError() ? items : callTableFunction("count", table, {items}, args.where);
    }
    const auto* known = args.positional[0].as<RecordValue>();
    if (other && other->object != table.object && table.type != counter())
      return !isTableFilled(*other) ? Value{NoneValue{}}
             : !isTableFilled(table)
                 ? (fillTable(table, itemOf(listOfTable(*other, kKeys), ir::intConst(0)),
                              itemOf(listOfTable(*other, kValues), ir::intConst(0)), args.where),
                    Value{})
                 : callTableFunction("update", table,
                                     {Value{listOfTable(*other, kKeys)}, Value{listOfTable(*other, kValues)}},
                                     args.where);
    if (known && !known->type && table.type != counter() && hasKnownKeys(*known, args.where)) {
      std::vector<std::pair<std::string, Value>> items;
      addItems(*known, args.where, items);
      for (const auto& [key, value] : items) putIntoTable(table, valueOfKey(key), value, args.where);
      return Value{NoneValue{}};
    }
  }
  if (name == "total" && table.type == counter() && takes(0, 0))
    return isTableFilled(table) ? callTableFunction(name, table, {}, args.where)
                                : Value{Scalar{ir::intConst(0), true}};
  if (name == "most_common" && table.type == counter() && takes(0, 1)) {
    std::optional<Array> order = orderOf(values, true, args.where);
    if (!order) return Value{};
    if (given == 1) {
      const std::optional<Scalar> most = scalarOf(args.positional[0], "how many are asked for", args.where);
      if (!most) return Value{};
      const Expr least = ir::maxOf(stable(ir::cast(DType::I64, most->e)), ir::intConst(0));
      order->shape[0] = ir::minOf(order->shape[0], least);
    }
    const ListValue first = reordered(keys, *order), second = reordered(values, *order);
    return listOfGenerator(
        generatorOver(Value{IteratorValue{IteratorValue::Zip, {Value{first}, Value{second}}}}, args.where));
  }
  return error(
      DiagId::Unsupported, args.where,
      fmt::format("`.{}` of a dict whose keys are computed is not translated like this; `get`, `pop(k, x)`, "
                  "`setdefault(k, x)`, `keys`, `values`, `items`, `copy`, `clear` and `update(d)` are",
                  name));
}

/// How the wrapper makes the dict that is returned.
ir::Form Lowering::formOfTable(const RecordValue& table, Names& seen, Values& values) {
  ir::Form form;
  form.kind = ir::Form::Dict;
  if (table.type == withDefault() || !seen.insert(table.object).second) {
    error(DiagId::Unsupported, statement_,
          table.type == withDefault() ? "a defaultdict is not returned; return `dict(...)` of it"
                                      : "the dict is returned twice, which is one in Python; return it once");
    return form;
  }
  if (table.type == counter()) form.type = table.type->name;
  if (!isTableFilled(table)) return form;
  form.kind = ir::Form::Paired;
  for (const std::string& field : {kKeys, kValues})
    form.parts.push_back(formOf(fieldOf(table, field, statement_), seen, values));
  return form;
}

} // namespace appyc::sema
