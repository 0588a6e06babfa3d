//===- GivenLists.cpp - lists and tuples that the caller passes --------------------------------------------------===//
//   def f(nums: list[int]): ...    =>   the wrapper makes an array, `nums.items`; nums = its elements as Python's own numbers
// A list of tuples comes as an array for each number, one of lists as their lengths and all that is in them. What the function
// does to a list shows in the caller's: where a statement has stored into it, it is given back.
#include "Lowering.h"
#include "appyc/IR/Walk.h"

namespace appyc::sema {

std::vector<GivenPart> partsOfGiven(const ast::TypeSpec& type) {
  std::vector<GivenPart> parts;
  if (type.container == ast::TypeSpec::Single) return parts;
  const auto listOf = [&](const ast::TypeSpec& item) {
    ast::TypeSpec list;
    list.where = type.where;
    list.container = ast::TypeSpec::List;
    list.items = {item};
    return list;
  };
  if (type.dtype == "text") {
    parts.emplace_back("number", type.items[0]);
    return parts;
  }
  const bool isTuple = type.container == ast::TypeSpec::Tuple;
  const ast::TypeSpec& first = type.items[0];
  if (isTuple || first.container == ast::TypeSpec::Tuple) {
    const std::vector<ast::TypeSpec>& items = isTuple ? type.items : first.items;
    for (size_t k = 0; k < items.size(); ++k)
      parts.emplace_back(std::to_string(k), isTuple ? items[k] : listOf(items[k]));
    return parts;
  }
  ast::TypeSpec array;
  array.where = type.where;
  array.isArray = true;
  array.extents = {""};
  if (first.container == ast::TypeSpec::Single) {
    array.dtype = first.dtype;
    parts.emplace_back("items", array);
    return parts;
  }
  array.dtype = "i64";
  parts.emplace_back("lengths", array);
  parts.emplace_back("rows", listOf(first.items[0]));
  return parts;
}

/// As `_taken` of the wrapper has it: `("list", ("tuple", "int", "float"))`.
static std::string textOfGiven(const ast::TypeSpec& type) {
  if (type.container == ast::TypeSpec::Single)
    return fmt::format("\"{}\"", type.dtype == "i64"    ? "int"
                                 : type.dtype == "f64"  ? "float"
                                 : type.dtype == "c128" ? "complex"
                                                        : "bool");
  std::string text = type.container == ast::TypeSpec::List ? "(\"list\"" : "(\"tuple\"";
  for (const ast::TypeSpec& item : type.items) text += ", " + textOfGiven(item);
  return text + ")";
}

/// How many numbers and arrays C gets of it.
static size_t leavesOf(const ast::TypeSpec& type) {
  if (type.container == ast::TypeSpec::Single) return 1;
  size_t count = 0;
  for (const auto& [part, of] : partsOfGiven(type)) count += leavesOf(of);
  return count;
}

/// What the parts make, which have names of their own; of each list another number tells what it holds.
std::optional<Value> Lowering::givenValue(const std::string& leaf, const ast::TypeSpec& type, uint64_t& made,
                                          Span where) {
  if (type.container == ast::TypeSpec::Single) {
    const Value v = env().at(leaf);
    env().erase(leaf);
    return v;
  }
  std::vector<Value> parts;
  for (const auto& [part, of] : partsOfGiven(type)) {
    const std::optional<Value> v = givenValue(fmt::format("{}.{}", leaf, part), of, made, where);
    if (!v) return std::nullopt;
    parts.push_back(*v);
  }
  if (type.container == ast::TypeSpec::Tuple) return Value{TupleValue{parts}};
  const auto listOf = [](const Array& items) {
    ListValue list;
    list.values = items;
    list.isWeak = true;
    return list;
  };
  if (type.items[0].container == ast::TypeSpec::Single) return Value{listOf(*parts[0].as<Array>())};
  if (type.items[0].container == ast::TypeSpec::List)
    return givenRows(leaf, listOf(*parts[0].as<Array>()), *parts[1].as<ListValue>(), made, where);
  ListValue list;
  TupleValue like;
  for (const Value& part : parts) {
    const ListValue& column = *part.as<ListValue>();
    like.items.push_back(column.like ? *column.like : Value{NoneValue{}});
    if (column.like)
      list.fields.insert(list.fields.end(), column.fields.begin(), column.fields.end());
    else
      list.fields.push_back(column);
  }
  for (ListValue& field : list.fields) // as many as there are tuples
    field.values =
        remapped(field.values, {list.fields[0].values.shape[0]}, [](const Indices& i) { return i; });
  list.like = std::make_shared<const Value>(Value{like});
  list.values = list.fields[0].values;
  return Value{list};
}

Value Lowering::bindGiven(const ast::Parameter& param, const ast::TypeSpec& type, ir::Form& form) {
  form.kind = ir::Form::Zipped;
  const bool areCharacters = type.dtype == "characters";
  form.type = areCharacters || type.dtype == "text" ? type.dtype : textOfGiven(type);
  form.parts.resize(leavesOf(type));
  for (ir::Form& part : form.parts) part.kind = ir::Form::Value;
  uint64_t made = 0;
  std::optional<Value> v = givenValue(param.name, type, made, param.where);
  if (!v) return Value{};
  if (type.dtype == "text") { // which of those that are known when all of the function has been seen
    const Value like = param.defaultValue ? eval(param.defaultValue) : Value{StringValue{""}};
    Value text = storedText(like.as<StringValue>() ? like : Value{StringValue{""}});
    std::get<RecordValue>(text.v).at = heldParts(*v)[0].as<Scalar>()->e;
    return text;
  }
  if (type.container == ast::TypeSpec::Tuple) return *v;
  if (areCharacters) return charactersOfNumbers(*v->as<ListValue>(), characterOf(ir::intConst(0)));
  if (v->as<ListValue>()) {
    *v = changeable(param.name, *v, frame().names[param.name], param.where);
    if (auto* list = std::get_if<ListValue>(&v->v)) list->isKept = true;
  }
  if (!v->isError()) given_.push_back({param.name, "", *v, changesOf(*v, lists_.front())});
  return *v;
}

//===--- lists of lists ------------------------------------------------------------------------------------------===//

/// All of them are in one memory from the begin on, one behind the other.
Value Lowering::givenRows(const std::string& name, const ListValue& lengths, const ListValue& items,
                          uint64_t& made, Span where) {
  const auto grown = [&](const char* part, const ListValue& from) -> std::optional<ListValue> {
    ListValue list;
    list.made = madeAt(where) | ++made << 44;
    list.isKept = true;
    const std::string hint = hintOf(name) + part;
    if (const auto tuples = changeableTuples(hint, list, Value{from}, true, where))
      return tuples->as<ListValue>() ? std::optional(*tuples->as<ListValue>()) : std::nullopt;
    if (!putState(list, *stateOf(from), where)) return std::nullopt;
    return growingList(hint, list, {from.values}, where);
  };
  const auto numbers = [&](const Array& values) {
    ListValue list;
    list.values = values;
    list.isWeak = true;
    return list;
  };
  const Value starts =
      callLibrary(*libraryFunctionAt("_rows_starts"), Arguments{{Value{lengths.values}}, {}, where});
  const auto* first = starts.as<Array>();
  if (!first) return Value{};
  Array places = emptyArray(DType::I64);
  places.shape = lengths.values.shape;
  places.at = [](const Indices& i) { return i[0]; };
  const auto order = grown("", numbers(places)), begins = grown("_starts", numbers(*first)),
             counts = grown("_lengths", lengths), rooms = grown("_rooms", lengths),
             all = grown("_items", items);
  if (!order || !begins || !counts || !rooms || !all) return Value{};
  const auto given = std::make_shared<const ListRows>(ListRows{*begins, *counts, *rooms, *all});
  rows_[all->made] = given;
  return Value{NestedValue{*order, given}};
}

//===--- at the end ----------------------------------------------------------------------------------------------===//

/// Its memory, and the variables of its length.
static std::set<Symbol> memoryOf(const Value& v) {
  std::set<Symbol> found;
  const std::function<void(const ListValue&)> add = [&](const ListValue& list) {
    if (list.values.view) found.insert(list.values.view->buffer.name);
    if (list.length) found.insert(list.length);
    for (const ListValue& field : list.fields) add(field);
  };
  if (const auto* list = v.as<ListValue>()) add(*list);
  if (const auto* nested = v.as<NestedValue>()) {
    add(nested->numbers);
    for (const ListValue* part : {&nested->rows->lengths, &nested->rows->items}) add(*part);
  }
  return found;
}

/// How many statements store into it.
size_t Lowering::changesOf(const Value& list, const Stmts& among) const {
  const std::set<Symbol> memory = memoryOf(list);
  const auto isOfIt = [&](Symbol s) { return memory.count(s) > 0; };
  size_t count = 0;
  for (const ir::Stmt& s : among)
    count +=
        std::ranges::any_of(ir::storedBuffers(s), isOfIt) || std::ranges::any_of(ir::assignedVars(s), isOfIt);
  return count;
}

/// The caller's list that the value is.
const GivenList* Lowering::givenListThatIs(const Value& v) const {
  const auto* list = v.as<ListValue>();
  if ((!list || list->row) && !v.as<NestedValue>()) return nullptr;
  const auto found = std::ranges::find_if(given_, [&](const GivenList& g) { return isSame(g.list, v); });
  return found == given_.end() ? nullptr : &*found;
}

void Lowering::giveListsBack(Names& seen, std::vector<Value>& values) {
  const std::vector<GivenList> all = std::exchange(given_, {}); // what they are now
  for (const GivenList& given : all)
    if (changesOf(given.list, lists_.front()) != given.changes)
      out_.givenBack.push_back({given.param, given.place + "[:]", formOf(given.list, seen, values)});
}

} // namespace appyc::sema
