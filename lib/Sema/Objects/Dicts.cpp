//===- Dicts.cpp - dicts whose keys are known ----------------------------------------------------------------===//
// A dict is a record (Records.cpp) whose fields are its keys as Python writes them, `"name"` or `3`, in their order.
#include "Arguments.h"
#include "Lowering.h"
#include "Message.h"
#include "Steps.h"

namespace appyc::sema {

std::string keyOfText(const std::string& text) { return "\"" + text + "\""; }

/// `"name"`, `3` or `(1, 2)`, as Python writes the key, if it is a constant that may be one here.
std::optional<std::string> Lowering::keyOf(const Value& v) const {
  if (const auto* text = v.as<StringValue>()) return keyOfText(text->text);
  if (const auto* t = v.as<TupleValue>(); t && !t->isList && !t->type && !t->items.empty()) {
    std::string all;
    for (const Value& item : t->items) {
      const std::optional<std::string> part = item.as<Scalar>() ? keyOf(item) : std::nullopt;
      if (!part) return std::nullopt;
      all += (all.empty() ? "(" : ", ") + *part;
    }
    return all + (t->items.size() == 1 ? ",)" : ")");
  }
  const auto* s = v.as<Scalar>();
  const std::optional<int64_t> number =
      s && ir::isInteger(s->type()) && !ir::isBool(s->type()) ? constantArgument(v) : std::nullopt;
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

Value valueOfKey(const std::string& key) {
  if (key[0] == '"') return Value{StringValue{key.substr(1, key.size() - 2)}};
  if (key[0] == '(') {
    TupleValue parts;
    for (size_t at = 1; at + 1 < key.size(); at = key.find_first_of(",)", at) + 2)
      parts.items.push_back(valueOfKey(key.substr(at, key.find_first_of(",)", at) - at)));
    return Value{parts};
  }
  return Value{Scalar{ir::intConst(std::stoll(key)), true}};
}

Value Lowering::dictOf(const std::vector<std::pair<std::string, Value>>& items, Span where) {
  const int errors = diag_.errorCount();
  const RecordValue made = makeRecord(nullptr, items);
  objects_.at(made.object).made = where.begin;
  return diag_.errorCount() > errors ? Value{} : inPool(Value{made}, where);
}

/// The caller's dict may have keys that its type does not tell, and any order. Reports it.
bool Lowering::hasKnownKeys(const RecordValue& dict, Span where) {
  if (!objects_.at(dict.object).isCallers) return true;
  error(DiagId::Unsupported, where,
        "the dict is the caller's, which may have its keys in another order, and others; name those that are "
        "meant, one by one");
  return false;
}

void Lowering::addItems(const RecordValue& dict, Span where,
                        std::vector<std::pair<std::string, Value>>& items) {
  for (const std::string& key : std::vector<std::string>(objects_.at(dict.object).fields))
    items.emplace_back(key, fieldOf(dict, key, where));
}

/// An integer, or a tuple of them.
static bool mayBeKey(const Value& v) {
  const auto* s = v.as<Scalar>();
  const auto* t = v.as<TupleValue>();
  return (s && ir::isInteger(s->type()) && !ir::isBool(s->type()) && !s->isCell) ||
         (t && !t->isList && !t->type && std::ranges::all_of(t->items, [](const Value& item) {
            return item.as<Scalar>() && mayBeKey(item);
          }));
}

/// `{"x": 1, **others}`
Value Lowering::evalDict(const ast::Dict& d, Span where) {
  std::vector<std::string> keys;
  Values given; // keys that may be computed
  Waiting values(*this);
  for (size_t k = 0; k < d.keys.size(); ++k) {
    const Value key = d.keys[k] ? eval(d.keys[k]) : Value{NoneValue{}};
    const Value value = key.isError() ? key : evalMaybe(d.values[k]);
    if (value.isError()) return Value{};
    const auto* others = value.as<RecordValue>();
    if (d.keys[k]) {
      const std::optional<std::string> known = keyOf(key);
      if (!known && !mayBeTableKey(key))
        return error(DiagId::Unsupported, d.keys[k]->span, std::string(kKeysOfDicts));
      if (!known) listStates_.haveChanged |= listStates_.tables.insert(where.begin).second;
      keys.push_back(known.value_or(""));
      given.push_back(key.as<StringValue>() ? key : keyKept(key)); // a text is refused beside computed ones
      values.add(value);
    } else if (others && !others->type) {
      std::vector<std::pair<std::string, Value>> items;
      if (!hasKnownKeys(*others, d.values[k]->span)) return Value{};
      addItems(*others, d.values[k]->span, items);
      for (const auto& [name, item] : items)
        keys.push_back(name), given.push_back(valueOfKey(name)), values.add(item);
    } else {
      return error(DiagId::TypeMismatch, d.values[k]->span,
                   fmt::format("`**` in a dict takes another dict, not {}", describe(value)));
    }
  }
  if (std::optional<Value> table = tableOf(given, values.values(0, values.size()), where)) return *table;
  std::vector<std::pair<std::string, Value>> items;
  for (size_t k = 0; k < keys.size(); ++k) items.emplace_back(keys[k], values.take(k));
  return dictOf(items, where);
}

/// The key of `d["name"]`, `d[i, j]`.
Value Lowering::keyAt(const std::vector<ast::Expr>& index) {
  Values parts;
  for (const ast::Expr& i : index) parts.push_back(i.is<ast::Slice>() ? Value{} : eval(i));
  if (std::ranges::any_of(parts, [](const Value& v) { return v.isError(); })) return Value{};
  for (const Value& part : parts) // a text with the number of a loop's step in it
    if (part.as<TextValue>() && writesOutKey(part)) return Value{};
  return parts.size() == 1 ? parts[0] : Value{TupleValue{parts}};
}

/// `d["name"]`, `d[i, j]`
Value Lowering::recordItem(const RecordValue& r, const std::vector<ast::Expr>& index, Span where) {
  const Value key = keyAt(index);
  if (key.isError()) return key;
  if (tableIn(Value{r})) return itemOfTable(r, key, where);
  if (r.type) {
    if (const std::optional<Value> v = callSpecial("__getitem__", {Value{r}, key}, where)) return *v;
    return error(DiagId::BadIndex, where, fmt::format("{} cannot be subscripted", describe(Value{r})));
  }
  if (const std::optional<std::string> known = keyOf(key)) return fieldOf(r, *known, where);
  return itemOfComputedKey(r, key, where);
}

/// `del d["name"]`
bool Lowering::dropKey(const RecordValue& dict, const std::string& key, Span where) {
  Object& object = objects_.at(dict.object);
  if (!mayChange(dict, where) || fieldOf(dict, key, where).isError()) return false;
  if (object.isCallers || dict.isPooled || object.list != lists_.size()) {
    if (becomesTable(dict)) return false;
    error(DiagId::Unsupported, where,
          object.isCallers
              ? "the dict is the caller's, which keeps its keys"
              : fmt::format("the dict loses its key {} on some paths only, or in a loop; leave it in", key));
    return false;
  }
  std::erase(object.fields, key);
  env().erase(fieldName(dict.object, key));
  return true;
}

//===--- keys that only the run tells -------------------------------------------------------------------------===//
//   {0: x, 1: y}[k]      =>      require k in (0, 1), KeyError; y if k == 1 else x       (numpy_library/_dicts.py)

/// As Python shows it: `3`, `np.int32(3)`, `(1, 2)`.
void show(const Value& key, Message& message) {
  if (const auto* s = key.as<Scalar>()) {
    if (s->weak) {
      message.number(s->e);
    } else {
      message.text(fmt::format("np.{}(", ir::numpyName(s->type()))).number(s->e).text(")");
    }
    return;
  }
  if (isStoredText(key) || isMember(key))
    return (void)message.text(isMember(key) ? "the member" : "the text");
  const std::vector<Value>& items = key.as<TupleValue>()->items;
  message.text("(");
  for (size_t k = 0; k < items.size(); ++k) {
    message.text(k ? ", " : "");
    show(items[k], message);
  }
  message.text(items.size() == 1 ? ",)" : ")");
}

/// The keys to which the computed one may be equal, and their values. None where it is none of a dict here.
std::optional<Lowering::KeysAndValues> Lowering::likeKey(const RecordValue& dict, const Value& key,
                                                         Span where) {
  if (dict.type || !mayBeKey(key) || !hasKnownKeys(dict, where)) return std::nullopt;
  KeysAndValues found;
  for (const std::string& name : std::vector<std::string>(objects_.at(dict.object).fields)) {
    const Value known = valueOfKey(name);
    if (known.v.index() != key.v.index() ||
        (key.as<TupleValue>() && partsOf(known).size() != partsOf(key).size()))
      continue;
    const Value value = fieldOf(dict, name, where);
    if (value.isError()) return std::nullopt;
    found.keys.items.push_back(known);
    found.values.items.push_back(value);
  }
  const bool isOfNumbers =
      std::ranges::all_of(found.values.items, [](const Value& v) { return v.as<Scalar>(); });
  if (!isOfNumbers && writesOutKey(key)) return std::nullopt;
  return found;
}

/// Evaluated once, though it is compared with each.
Value Lowering::keyKept(const Value& given) {
  const Value key = storedText(given);
  if (isStoredText(key) || isMember(key)) return evaluatedOnce(key, "key");
  if (const auto* t = key.as<TupleValue>()) {
    TupleValue kept = t->like();
    for (const Value& item : t->items) kept.items.push_back(keyKept(item));
    return Value{kept};
  }
  return Value{keptIn(*key.as<Scalar>(), stable(key.as<Scalar>()->e))};
}

/// `d[k]`
Value Lowering::itemOfComputedKey(const RecordValue& dict, const Value& given, Span where) {
  const int errors = diag_.errorCount();
  const std::optional<KeysAndValues> like = likeKey(dict, given, where);
  if (!like && (writesAnew_ || (mayBeTableKey(given) && becomesTable(dict)))) return Value{};
  if (!like)
    return diag_.errorCount() > errors ? Value{} : error(DiagId::BadIndex, where, std::string(kKeysOfDicts));
  const Value key = keyKept(given);
  const Value isKey = compareMember(key, Value{like->keys}, where);
  if (isKey.isError()) return Value{};
  Message message("");
  show(key, message);
  if (like->keys.items.empty())
    return error(DiagId::UndefinedName, where, "the dict has no such key here, where Python raises KeyError");
  require(truth(isKey.as<Scalar>()->e), "KeyError", message);
  return callLibrary(*libraryFunctionAt("_dict_item"),
                     {{Value{like->keys}, Value{like->values}, key}, {}, where});
}

/// `d.get(k, otherwise)`
Value Lowering::itemOrElse(const RecordValue& dict, const Value& given, const Value& otherwise, Span where) {
  const int errors = diag_.errorCount();
  const std::optional<KeysAndValues> like = likeKey(dict, given, where);
  if (!like && (writesAnew_ || (mayBeTableKey(given) && becomesTable(dict)))) return Value{};
  if (!like)
    return diag_.errorCount() > errors ? Value{}
                                       : error(DiagId::Unsupported, where, std::string(kKeysOfDicts));
  return callLibrary(*libraryFunctionAt("_dict_get"),
                     {{Value{like->keys}, Value{like->values}, keyKept(given), otherwise}, {}, where});
}

//===--- methods ----------------------------------------------------------------------------------------------===//

bool isDictMethod(const std::string& name) {
  static const std::set<std::string> kNames = {"keys", "values", "items", "get",
                                               "copy", "update", "pop",   "setdefault"};
  return kNames.count(name) > 0;
}

Value Lowering::callDictMethod(const RecordValue& self, const std::string& name, const Arguments& args) {
  const std::vector<std::string> keys = objects_.at(self.object).fields;
  const size_t given = args.positional.size();
  const bool asks = name == "get" || name == "pop" || name == "setdefault";
  const size_t least = asks, most = asks ? 2 : name == "update" ? 1 : 0;
  if (given < least || given > most || (!args.keywords.empty() && name != "update"))
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("`.{}` of a dict takes {} value(s)", name, asks ? "one or two" : "no"));
  if (asks) {
    const std::optional<std::string> key = keyOf(args.positional[0]);
    if (!key && name == "get")
      return itemOrElse(self, args.positional[0], given == 2 ? args.positional[1] : Value{NoneValue{}},
                        args.where);
    if (!key && mayBeTableKey(args.positional[0]) && becomesTable(self)) return Value{};
    if (!key) return error(DiagId::Unsupported, args.where, std::string(kKeysOfDicts));
    const bool isThere = std::find(keys.begin(), keys.end(), *key) != keys.end();
    const Value found = isThere || (name == "pop" && given == 1) ? fieldOf(self, *key, args.where)
                        : !hasKnownKeys(self, args.where)        ? Value{}
                        : given == 2                             ? args.positional[1]
                                                                 : Value{NoneValue{}};
    if (found.isError() || name == "get" || (isThere && name == "setdefault")) return found;
    if (name == "pop") return !isThere || dropKey(self, *key, args.where) ? found : Value{};
    setField(self, *key, found, args.where);
    return fieldOf(self, *key, args.where);
  }
  std::vector<std::pair<std::string, Value>> items;
  if (name == "update") {
    const auto* other = given > 0 ? args.positional[0].as<RecordValue>() : nullptr;
    if (given > 0 && (!other || other->type))
      return error(DiagId::Unsupported, args.where, "`.update` takes a dict here");
    if (other && !hasKnownKeys(*other, args.where)) return Value{};
    if (other) addItems(*other, args.where, items);
    for (const auto& [key, value] : args.keywords) items.emplace_back(keyOfText(key), value);
    for (const auto& [key, value] : items) setField(self, key, value, args.where);
    return Value{NoneValue{}};
  }
  if (name == "copy") {
    if (!hasKnownKeys(self, args.where)) return Value{};
    if (listStates_.tables.count(args.where.begin) && becomesTable(self)) return Value{};
    addItems(self, args.where, items);
    return dictOf(items, args.where);
  }
  const IteratorValue::Kind kind = name == "keys"     ? IteratorValue::Keys
                                   : name == "values" ? IteratorValue::Values
                                                      : IteratorValue::Items;
  return Value{IteratorValue{kind, {Value{self}}}};
}

//===--- running over a dict ----------------------------------------------------------------------------------===//

/// Each value is read in its turn: the steps before may have changed it.
std::optional<Lowering::Steps> Lowering::stepsOfDict(const IteratorValue& v, Span where) {
  const RecordValue self = *v.parts[0].as<RecordValue>();
  if (!hasKnownKeys(self, where)) return std::nullopt;
  const std::vector<std::string> keys = objects_.at(self.object).fields;
  return Steps{ir::intConst(static_cast<int64_t>(keys.size())),
               [this, self, keys, kind = v.kind, where](const Expr& k) {
                 const std::optional<int64_t> at = ir::constantInt(k);
                 if (!at)
                   return error(DiagId::Unsupported, where,
                                "a dict is run over by a plain `for`, or with few others");
                 const std::string& key = keys[static_cast<size_t>(*at)];
                 const Value text = valueOfKey(key);
                 if (kind == IteratorValue::Keys) return text;
                 const Value value = fieldOf(self, key, where);
                 return kind == IteratorValue::Values ? value : Value{TupleValue{{text, value}}};
               },
               true, true};
}

/// The keys of all dicts that are run over.
std::vector<std::string> Lowering::keysOfDicts(const Value& over) const {
  if (const auto* r = over.as<RecordValue>()) return objects_.at(r->object).fields;
  std::vector<std::string> all;
  if (const auto* i = over.as<IteratorValue>())
    for (const Value& part : i->parts)
      for (const std::string& key : keysOfDicts(part)) all.push_back(key);
  return all;
}

} // namespace appyc::sema
