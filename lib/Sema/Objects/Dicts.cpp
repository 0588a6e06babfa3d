//===- Dicts.cpp - dicts whose keys are known ----------------------------------------------------------------===//
// A dict is a record (Records.cpp) whose fields are its keys as Python writes them, `"name"` or `3`, in their order.
#include "Arguments.h"
#include "Lowering.h"
#include "Steps.h"

namespace appyc::sema {

std::string keyOfText(const std::string& text) { return "\"" + text + "\""; }

/// `"name"` or `3`, as Python writes the key, if it is a constant that may be one here.
std::optional<std::string> Lowering::keyOf(const Value& v) const {
  if (const auto* text = v.as<StringValue>()) return keyOfText(text->text);
  const auto* s = v.as<Scalar>();
  const std::optional<int64_t> number =
      s && ir::isInteger(s->type()) && !ir::isBool(s->type()) ? constantArgument(v) : std::nullopt;
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

static Value valueOfKey(const std::string& key) {
  if (key[0] == '"') return Value{StringValue{key.substr(1, key.size() - 2)}};
  return Value{Scalar{ir::intConst(std::stoll(key)), true}};
}

Value Lowering::dictOf(const std::vector<std::pair<std::string, Value>>& items) {
  const int errors = diag_.errorCount();
  const RecordValue made = makeRecord(nullptr, items);
  return diag_.errorCount() > errors ? Value{} : Value{made};
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

/// `{"x": 1, **others}`
Value Lowering::evalDict(const ast::Dict& d) {
  std::vector<std::string> keys;
  Waiting values(*this);
  for (size_t k = 0; k < d.keys.size(); ++k) {
    const Value key = d.keys[k] ? eval(d.keys[k]) : Value{NoneValue{}};
    const Value value = key.isError() ? key : evalMaybe(d.values[k]);
    if (value.isError()) return Value{};
    const auto* others = value.as<RecordValue>();
    if (d.keys[k]) {
      const std::optional<std::string> known = keyOf(key);
      if (!known) return error(DiagId::Unsupported, d.keys[k]->span, std::string(kKeysOfDicts));
      keys.push_back(*known);
      values.add(value);
    } else if (others && !others->type) {
      std::vector<std::pair<std::string, Value>> items;
      if (!hasKnownKeys(*others, d.values[k]->span)) return Value{};
      addItems(*others, d.values[k]->span, items);
      for (const auto& [name, item] : items) keys.push_back(name), values.add(item);
    } else {
      return error(DiagId::TypeMismatch, d.values[k]->span,
                   fmt::format("`**` in a dict takes another dict, not {}", describe(value)));
    }
  }
  std::vector<std::pair<std::string, Value>> items;
  for (size_t k = 0; k < keys.size(); ++k) items.emplace_back(keys[k], values.take(k));
  return dictOf(items);
}

/// `d["name"]`
Value Lowering::recordItem(const RecordValue& r, const std::vector<ast::Expr>& index, Span where) {
  const Value key = !r.type && index.size() == 1 ? eval(index[0]) : Value{NoneValue{}};
  if (key.isError()) return key;
  if (r.type) {
    Values parts;
    for (const ast::Expr& i : index) parts.push_back(i.is<ast::Slice>() ? Value{} : eval(i));
    if (std::ranges::any_of(parts, [](const Value& v) { return v.isError(); })) return Value{};
    const Value item = parts.size() == 1 ? parts[0] : Value{TupleValue{parts}};
    if (const std::optional<Value> v = callSpecial("__getitem__", {Value{r}, item}, where)) return *v;
  }
  if (const std::optional<std::string> known = keyOf(key)) return fieldOf(r, *known, where);
  return error(DiagId::BadIndex, where,
               r.type ? fmt::format("{} cannot be subscripted", describe(Value{r}))
                      : std::string(kKeysOfDicts));
}

/// `del d["name"]`
bool Lowering::dropKey(const RecordValue& dict, const std::string& key, Span where) {
  Object& object = objects_.at(dict.object);
  if (fieldOf(dict, key, where).isError()) return false;
  if (object.isCallers || object.list != lists_.size()) {
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
    addItems(self, args.where, items);
    return dictOf(items);
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
