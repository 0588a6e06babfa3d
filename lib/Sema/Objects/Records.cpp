//===- Records.cpp - dicts, dataclasses, named tuples ------------------------------------------------------===//
// A named tuple is a tuple whose items have names. Dicts and instances of dataclasses change in place for all of their
// names, so that a value says only which object it is, and its fields are names of the environment, ".x of Point": what
// branches, loops and calls do with names holds for them as it is. They go with every call and come back.
#include "Arguments.h"
#include "Items.h"
#include "Leaving.h"
#include "Lowering.h"
#include "Scopes.h"

namespace appyc::sema {

std::string fieldName(const std::string& object, const std::string& field) {
  return fmt::format(".{} of {}", field, object);
}

std::string hintOf(const std::string& name) {
  if (name[0] != '.' && name[0] != '#') return name;
  const std::string field = name.substr(1, name.find(" of ") - 1);
  if (field[0] == '"') return field.size() > 2 ? field.substr(1, field.size() - 2) : "item";
  return std::isdigit(static_cast<unsigned char>(field[0])) ? "item_" + field : field;
}

/// The part of a map by names that is of fields.
template <class Map>
static std::pair<typename Map::const_iterator, typename Map::const_iterator> fieldRange(const Map& all) {
  return {all.lower_bound("."), all.lower_bound("/")};
}

Env fieldsIn(const Env& env) {
  Env fields;
  const auto [first, last] = fieldRange<std::map<std::string, Value>>(env);
  fields.insert(first, last);
  const auto [firstLost, lastLost] = fieldRange(env.lost);
  fields.lost.insert(firstLost, lastLost);
  return fields;
}

void moveFields(const Env& from, Env& to) {
  const Env fields = fieldsIn(from);
  for (const auto& [name, value] : fields) to[name] = value;
  for (const auto& [name, why] : fields.lost)
    if (!fields.count(name)) to.erase(name), to.lost[name] = why;
}

//===--- objects --------------------------------------------------------------------------------------------===//

/// A new object. Its fields are there once, in order.
RecordValue Lowering::makeRecord(const ast::ClassRef& type,
                                 const std::vector<std::pair<std::string, Value>>& fields) {
  const std::string base = type ? type->name : "dict";
  RecordValue made{type, base};
  for (int k = 2; objects_.count(made.object); ++k) made.object = fmt::format("{} {}", base, k);
  objects_[made.object] = {type, {}, lists_.size(), {}};
  for (const auto& [field, value] : fields) {
    std::vector<std::string>& known = objects_[made.object].fields;
    if (std::find(known.begin(), known.end(), field) == known.end()) known.push_back(field);
    setField(made, field, value, statement_);
  }
  if (type && type->isFrozen) objects_[made.object].readOnly = kFrozen;
  return made;
}

Value Lowering::fieldOf(const RecordValue& r, const std::string& field, Span where) {
  const std::vector<std::string>& fields = objects_.at(r.object).fields;
  if (std::find(fields.begin(), fields.end(), field) == fields.end())
    return error(DiagId::UndefinedName, where,
                 r.type ? fmt::format("`{}` has no field `{}`", r.type->name, field)
                        : fmt::format("the dict has no key {} here, where Python raises KeyError", field));
  if (r.isPooled) return pooledField(r, field, where);
  const std::string name = fieldName(r.object, field);
  if (const auto it = env().find(name); it != env().end()) return it->second;
  const auto lost = env().lost.find(name);
  return error(DiagId::Unsupported, where,
               fmt::format("the field `{}` {}", field,
                           lost != env().lost.end() ? lost->second : "has no value on every path"));
}

/// In order.
std::vector<Value> Lowering::fieldsOf(const RecordValue& r, Span where) {
  std::vector<Value> values;
  for (const std::string& field : objects_.at(r.object).fields) values.push_back(fieldOf(r, field, where));
  return values;
}

void Lowering::setField(const RecordValue& r, const std::string& field, const Value& value, Span where) {
  Object& object = objects_.at(r.object);
  const std::string name = fieldName(r.object, field);
  if (!object.readOnly.empty()) {
    error(DiagId::Unsupported, where, std::string(object.readOnly));
    return;
  }
  if (value.as<IteratorValue>() || value.as<GeneratorValue>()) {
    error(DiagId::Unsupported, where,
          fmt::format("{} is no value of a field here; make a list or an array of it", describe(value)));
    return;
  }
  if (std::find(object.fields.begin(), object.fields.end(), field) == object.fields.end()) {
    if (r.type) {
      error(
          DiagId::UndefinedName, where,
          fmt::format("`{}` has no field `{}`; attributes are not added to instances", r.type->name, field));
      return;
    }
    if (object.isCallers) {
      error(DiagId::Unsupported, where,
            "the dict is the caller's, which gets no keys that its type does not name");
      return;
    }
    if (r.isPooled || object.list != lists_.size()) {
      if ((field[0] != '"' || !counters_.empty()) && becomesTable(r)) return;
      error(DiagId::Unsupported, where,
            fmt::format("the dict gets its key {} on some paths only, or in a loop; give it a value where "
                        "the dict is made",
                        field));
      return;
    }
    object.fields.push_back(field);
  }
  if (r.isPooled) return setPooledField(r, field, value, where);
  env().lost.erase(name);
  const auto old = env().find(name);
  const auto *o = old == env().end() ? nullptr : old->second.as<Scalar>(), *s = value.as<Scalar>();
  const auto* variable = o ? o->e.as<ir::Var>() : nullptr;
  if (s && variable && mutable_.count(variable->name) && o->type() == s->type()) {
    emit(ir::Assign{variable->name, s->e});
    env()[name] = Value{keptIn(*s, o->e)};
    return;
  }
  int nodes = 0;
  if (s) ir::visit(s->e, [&](const Expr&) { return ++nodes < 12; });
  const bool isLong = s && nodes > 1 && (nodes == 12 || !ir::isInteger(s->type()));
  const auto at = std::find(object.fields.begin(), object.fields.end(), field) - object.fields.begin();
  const Value held = changeable(name, value, factsOfField(field), where, static_cast<uint64_t>(at) + 1);
  env()[name] = isLong ? Value{keptIn(*s, materialize(s->e, hintOf(name)))} : keptPart(held, hintOf(name));
}

/// What the program does to fields of that name, whatever they are of.
const NameFacts& Lowering::factsOfField(const std::string& field) {
  if (!fieldFacts_) {
    fieldFacts_.emplace();
    const auto add = [&](const ast::Function& fn) {
      for (const auto& [name, facts] : scanNames(fn))
        if (name[0] == '.')
          (*fieldFacts_)[name].grows |= facts.grows, (*fieldFacts_)[name].isStored |= facts.isStored;
    };
    for (const FileScope& f : program_.files) {
      for (const ast::Function& fn : f.module->functions) add(fn);
      for (const ast::ClassRef& c : f.module->classes)
        for (const ast::Class::Method& m : c->methods) add(*m.function);
    }
  }
  return (*fieldFacts_)["." + field];
}

//===--- what an expression makes and asks -------------------------------------------------------------------===//

namespace {
const ast::ClassRef* classOf(const Value& v) {
  if (const auto* t = v.as<TupleValue>()) return t->type ? &t->type : nullptr;
  if (const auto* r = v.as<RecordValue>()) return r->type ? &r->type : nullptr;
  return nullptr;
}
std::optional<size_t> fieldNumber(const ast::Class& type, const std::string& name) {
  for (size_t k = 0; k < type.fields.size(); ++k)
    if (type.fields[k].name == name) return k;
  return std::nullopt;
}
const ast::Class::Method* methodNamed(const ast::Class& type, const std::string& name) {
  for (const ast::Class::Method& m : type.methods)
    if (m.function->name == name) return &m;
  return nullptr;
}
} // namespace

bool isOwnMethod(const Value& callee) {
  if (const auto* made = callee.as<ClassValue>()) return methodNamed(*made->type, "__init__") != nullptr;
  const auto* method = callee.as<Method>();
  const auto* self = method ? method->self->as<RecordValue>() : nullptr;
  return self && self->type && methodNamed(*self->type, method->name);
}

/// `p.x`; none for values that are no records.
/// What the library calls a method of its own named tuples.
static const LibraryFunction* methodOfLibrary(const ast::Class& type, const std::string& name) {
  if (!type.name.ends_with("_")) return nullptr; // `csr_matrix_`: others have none
  return libraryFunctionAt(fmt::format("_{}{}", type.name, name));
}

std::optional<Value> Lowering::recordAttribute(const Value& base, const std::string& name, Span where) {
  if (const ast::ClassRef* of = classOf(base); of && name.starts_with(kFieldOfPattern))
    return recordAttribute(base, fieldOfPattern(**of, name), where);
  const auto* record = base.as<RecordValue>();
  if (record && !record->type) {
    if (isDictMethod(name)) return Value{Method{std::make_shared<Value>(base), name}};
    return error(DiagId::Unsupported, where,
                 fmt::format("`.{}` of a dict is not translated; its keys stay those that it is given where "
                             "it is made",
                             name));
  }
  if (tableIn(base)) return Value{Method{std::make_shared<Value>(base), name}};
  const auto* itself = base.as<ClassValue>();
  const ast::ClassRef* type = itself ? &itself->type : classOf(base);
  if (!type) return std::nullopt;
  if (const std::optional<Value> of = (*type)->isEnum && (*type)->problem.empty()
                                          ? attributeOfMember(*type, base, name, where)
                                          : std::nullopt)
    return of;
  if (const std::optional<Value> shared =
          (*type)->problem.empty() ? ofClass(*type, base, name) : std::nullopt)
    return shared;
  if (itself)
    return error(
        DiagId::Unsupported, where,
        (*type)->problem.empty()
            ? fmt::format("`.{}` of the class `{}` is not translated; use an instance", name, (*type)->name)
            : fmt::format("the class `{}` is not translated: {}", (*type)->name, (*type)->problem));
  if (const std::optional<size_t> k = fieldNumber(**type, name))
    return record ? fieldOf(*record, name, where) : base.as<TupleValue>()->items[*k];
  if (const ast::Class::Method* m = methodNamed(**type, name)) {
    if (!m->isProperty) return Value{Method{std::make_shared<Value>(base), name}};
    Arguments args;
    args.where = where;
    return callOwnMethod(*type, *m, base, args);
  }
  if (name == "nnz" && methodOfLibrary(**type, "getnnz"))
    return callRecordMethod(base, "getnnz", {{}, {}, where});
  if (methodOfLibrary(**type, name) || (!record && (name == "_replace" || name == "_asdict")))
    return Value{Method{std::make_shared<Value>(base), name}};
  return error(
      DiagId::UndefinedName, where,
      fmt::format("`{}` has no field or method `{}`{}", (*type)->name, name,
                  isStoredText(base) ? "; which text it is only the run tells: compare it by `==`" : ""));
}

/// The file that has the class.
static const FileScope& fileOf(const Program& program, const ast::ClassRef& type) {
  return *std::find_if(program.files.begin(), program.files.end(), [&](const FileScope& f) {
    const std::vector<ast::ClassRef>& classes = f.module->classes;
    return std::find(classes.begin(), classes.end(), type) != classes.end();
  });
}

/// What the class itself has: constants, methods that take no instance, and all methods as functions.
std::optional<Value> Lowering::ofClass(const ast::ClassRef& type, const Value& base,
                                       const std::string& name) {
  const bool isField = !base.as<ClassValue>() && fieldNumber(*type, name);
  for (const ast::Class::Field& c : isField ? std::vector<ast::Class::Field>() : type->constants)
    if (c.name == name) {
      const FileScope& file = fileOf(program_, type);
      for (const ast::Constant& constant : file.module->constants)
        if (constant.name == type->name + "." + name) {
          Value v = evalFileConstant(file, constant, c.where);
          if (auto* t = std::get_if<TupleValue>(&v.v)) t->isKept = true, t->made = t->isList ? kOfFile : 0;
          return v;
        }
      return eval(c.defaultValue);
    }
  const ast::Class::Method* m = methodNamed(*type, name);
  if (!m || m->isProperty) return std::nullopt;
  if (m->isOfClass) return Value{Method{std::make_shared<Value>(Value{ClassValue{type}}), name}};
  if (m->isStatic || base.as<ClassValue>()) return Value{functionOf(type, *m)};
  return std::nullopt;
}

/// By which instances the operators and builtins of Python act; none where the class says nothing of it.
std::optional<Value> Lowering::callSpecial(const std::string& name, const Values& given, Span where) {
  const ast::ClassRef* type =
      given[0].as<RecordValue>() || given[0].as<TupleValue>() ? classOf(given[0]) : nullptr;
  if (const LibraryFunction* f = type && given[0].as<TupleValue>() ? methodOfLibrary(**type, name) : nullptr)
    return callLibrary(*f, Arguments{given, {}, where});
  const ast::Class::Method* m = type ? methodNamed(**type, name) : nullptr;
  if (!m || m->isStatic || m->isOfClass) return std::nullopt;
  return callOwnMethod(*type, *m, given[0], {{given.begin() + 1, given.end()}, {}, where});
}

/// `a += b` of an instance whose class has `__iadd__`: what that returns.
std::optional<Value> Lowering::updateOfClass(const ast::AugAssign& s, const Value& current, Span where) {
  static const std::map<ast::BinaryOp, std::string> kNames = {{ast::BinaryOp::Add, "__iadd__"},
                                                              {ast::BinaryOp::Sub, "__isub__"},
                                                              {ast::BinaryOp::Mul, "__imul__"},
                                                              {ast::BinaryOp::Div, "__itruediv__"},
                                                              {ast::BinaryOp::MatMul, "__imatmul__"}};
  const auto found = kNames.find(s.op);
  const bool isObject = found != kNames.end() && current.as<RecordValue>();
  const ast::ClassRef* type = isObject ? classOf(current) : nullptr;
  if (!type || !methodNamed(**type, found->second)) return std::nullopt;
  return callSpecial(found->second, {current, eval(s.value)}, where);
}

/// `a + b` of instances whose class has `__add__`, or `__radd__` of the second.
std::optional<Value> Lowering::operatorOfClass(ast::BinaryOp op, const Value& a, const Value& b, Span where) {
  static const std::map<ast::BinaryOp, std::string> kNames = {{ast::BinaryOp::Add, "add"},
                                                              {ast::BinaryOp::Sub, "sub"},
                                                              {ast::BinaryOp::Mul, "mul"},
                                                              {ast::BinaryOp::Div, "truediv"},
                                                              {ast::BinaryOp::Mod, "mod"},
                                                              {ast::BinaryOp::Pow, "pow"},
                                                              {ast::BinaryOp::FloorDiv, "floordiv"},
                                                              {ast::BinaryOp::MatMul, "matmul"},
                                                              {ast::BinaryOp::And, "and"},
                                                              {ast::BinaryOp::Or, "or"},
                                                              {ast::BinaryOp::Xor, "xor"}};
  const auto found = kNames.find(op);
  const auto isObject = [](const Value& v) {
    const auto* t = v.as<TupleValue>();
    return v.as<RecordValue>() || (t && t->type);
  };
  if (found == kNames.end() || (!isObject(a) && !isObject(b))) return std::nullopt;
  if (std::optional<Value> v = callSpecial("__" + found->second + "__", {a, b}, where)) return v;
  return callSpecial("__r" + found->second + "__", {b, a}, where);
}

/// `a < b` of instances whose class has `__lt__`, or `__gt__` of the second; `!=` is what is not `==` unless the class says it.
std::optional<Value> Lowering::comparisonOfClass(ir::BinaryOp op, const Value& a, const Value& b,
                                                 Span where) {
  using enum ir::BinaryOp;
  static const std::map<ir::BinaryOp, std::pair<std::string, std::string>> kNames = {
      {Eq, {"__eq__", "__eq__"}}, {Ne, {"__ne__", "__ne__"}}, {Lt, {"__lt__", "__gt__"}},
      {Gt, {"__gt__", "__lt__"}}, {Le, {"__le__", "__ge__"}}, {Ge, {"__ge__", "__le__"}}};
  const auto found = kNames.find(op);
  if (found == kNames.end() || (!a.as<RecordValue>() && !b.as<RecordValue>())) return std::nullopt;
  if (std::optional<Value> v = callSpecial(found->second.first, {a, b}, where)) return v;
  if (std::optional<Value> v = callSpecial(found->second.second, {b, a}, where)) return v;
  const std::optional<Value> same = op == Ne ? comparisonOfClass(Eq, a, b, where) : std::nullopt;
  return same && !same->isError() ? std::optional(unary(ast::UnaryOp::Not, *same, where)) : same;
}

//===--- calls -----------------------------------------------------------------------------------------------===//

/// A method that the class defines, inlined as other functions of the file are.
Value Lowering::callOwnMethod(const ast::ClassRef& type, const ast::Class::Method& method, const Value& self,
                              Arguments args) {
  const UserFunction own = functionOf(type, method);
  args.positional.insert(args.positional.begin(), self);
  return callUser(own, method.function->name, args, true);
}

/// The method as a function, which takes the instance first.
UserFunction Lowering::functionOf(const ast::ClassRef& type, const ast::Class::Method& method) {
  std::shared_ptr<const ast::Function>& fn = nested_[method.function.get()];
  if (!fn) fn = std::make_shared<const ast::Function>(withoutLeaving(*method.function));
  return {fn.get(), &fileOf(program_, type)};
}

Value Lowering::instanceOf(const ast::ClassRef& type, const std::vector<Value>& values) {
  if (type->kind == ast::Class::NamedTuple) return Value{TupleValue{values, false, type}};
  std::vector<std::pair<std::string, Value>> fields;
  const bool isDict = type->kind == ast::Class::TypedDict;
  for (size_t k = 0; k < values.size(); ++k)
    fields.emplace_back(isDict ? keyOfText(type->fields[k].name) : type->fields[k].name, values[k]);
  if (isDict) return dictOf(fields, {});
  const int errors = diag_.errorCount();
  const RecordValue made = makeRecord(type, fields);
  return diag_.errorCount() > errors ? Value{} : Value{made};
}

/// `Point(x, y=1)`
Value Lowering::callClass(const ast::ClassRef& type, const Arguments& args) {
  if (!type->problem.empty()) {
    diag_
        .report(DiagId::Unsupported, args.where,
                fmt::format("the class `{}` is not translated: {}", type->name, type->problem))
        .note(type->where, "it is defined here");
    return Value{};
  }
  if (type->isEnum && args.positional.size() == 1 && args.keywords.empty() && !type->constants.empty())
    return memberWithValue(type, args.positional[0], args.where);
  if (type->isEnum)
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("a member of `{0}` is found by its value, `{0}(x)`", type->name));
  if (type->kind == ast::Class::TypedDict) return callOfRecords("dict", args).value_or(Value{});
  if (const ast::Class::Method* init =
          methodNamed(*type, "__init__")) { // which gives the fields their values
    const RecordValue made = makeRecord(type, {});
    for (const ast::Class::Field& f : type->fields) objects_[made.object].fields.push_back(f.name);
    const Value result = callOwnMethod(type, *init, Value{made}, args);
    if (result.isError()) return result;
    if (result.as<NoneValue>()) return inPool(Value{made}, args.where);
    return error(DiagId::TypeMismatch, args.where,
                 fmt::format("`__init__` of `{}` returns {}, and returns nothing in Python", type->name,
                             describe(result)));
  }
  std::vector<Parameter> parameters;
  for (const ast::Class::Field& f : type->fields)
    if (f.isArgument)
      parameters.push_back(
          {f.name, Parameter::Ordinary, f.defaultValue ? std::optional<std::string>("") : std::nullopt, {}});
  const std::optional<std::vector<std::vector<Value>>> found = matchArguments(parameters, type->name, args);
  if (!found) return Value{};
  std::vector<Value> values;
  const ast::Class::Method* post = methodNamed(*type, "__post_init__");
  size_t next = 0;
  for (const ast::Class::Field& f : type->fields) {
    const bool isGiven = f.isArgument && !(*found)[next].empty();
    values.push_back(isGiven          ? (*found)[next][0]
                     : f.defaultValue ? eval(f.defaultValue)
                                      : Value{NoneValue{}});
    next += f.isArgument;
  }
  const Value made = instanceOf(type, values);
  if (made.isError()) return made;
  for (const ast::Class::Field& f : type->fields) // to which a method gives a value
    if (!f.isArgument && !f.defaultValue) env().erase(fieldName(made.as<RecordValue>()->object, f.name));
  if (!post) return inPool(made, args.where);
  const Value result = callOwnMethod(type, *post, made, {{}, {}, args.where});
  return result.isError() ? result : inPool(made, args.where);
}

/// `collections.namedtuple("Point", "x y")`
Value Lowering::makeNamedTuple(const Arguments& args) {
  const auto* name = args.positional.empty() ? nullptr : args.positional[0].as<StringValue>();
  std::vector<std::string> fields;
  bool isKnown = name && args.positional.size() == 2 && args.keywords.empty();
  if (isKnown) {
    const auto* text = args.positional[1].as<StringValue>();
    const auto* items = args.positional[1].as<TupleValue>();
    std::string word;
    for (const char c : text ? text->text + " " : "") {
      if (c != ' ' && c != ',' && c != '\n' && c != '\t')
        word += c;
      else if (!word.empty())
        fields.push_back(std::exchange(word, ""));
    }
    for (const Value& item : items ? items->items : std::vector<Value>()) {
      const auto* field = item.as<StringValue>();
      isKnown &= field != nullptr;
      if (field) fields.push_back(field->text);
    }
    isKnown &= text || items;
  }
  for (const std::string& f : fields)
    isKnown &= !f.empty() && f[0] != '_' && std::count(fields.begin(), fields.end(), f) == 1;
  if (!isKnown)
    return error(
        DiagId::Unsupported, args.where,
        "write `namedtuple(\"Name\", [\"x\", \"y\"])`, with constant texts, or a class with the base "
        "`typing.NamedTuple`, which has defaults, too");
  ast::ClassRef& known = listStates_.named[args.where.begin];
  if (!known) {
    ast::Class made;
    made.name = name->text;
    made.where = args.where;
    for (const std::string& f : fields) made.fields.push_back({f, {}, args.where});
    known = std::make_shared<const ast::Class>(std::move(made));
  }
  return Value{ClassValue{known}};
}

/// `p._replace(x=1)`, `dataclasses.replace(p, x=1)`: `args` has the fields only.
Value Lowering::replaced(const Value& self, const Arguments& args) {
  const ast::ClassRef type = *classOf(self);
  const auto* r = self.as<RecordValue>();
  std::vector<Value> values = r ? fieldsOf(*r, args.where) : self.as<TupleValue>()->items;
  if (!args.positional.empty())
    return error(DiagId::TypeMismatch, args.where, "the new values are given by name, `x=1`");
  for (const auto& [name, value] : args.keywords) {
    const std::optional<size_t> k = fieldNumber(*type, name);
    if (!k)
      return error(DiagId::UndefinedName, args.where,
                   fmt::format("`{}` has no field `{}`", type->name, name));
    values[*k] = value;
  }
  return inPool(instanceOf(type, values), args.where);
}

/// `deque(items)`, `deque(items, maxlen=n)`, which keeps the last n.
Value Lowering::makeDeque(Arguments args) {
  const size_t given = args.positional.size();
  const bool isNamed = args.keywords.size() == 1 && args.keywords[0].first == "maxlen";
  if (given > 2 || (!args.keywords.empty() && (!isNamed || given > 1)))
    return error(DiagId::Unsupported, args.where, "a deque is made of its items, and `maxlen`, here");
  const Value limit = isNamed      ? args.keywords[0].second
                      : given == 2 ? args.positional[1]
                                   : Value{NoneValue{}};
  args.keywords.clear();
  args.positional.resize(std::min<size_t>(given, 1));
  Value made = callNamed("list", args);
  Expr most;
  if (!limit.as<NoneValue>()) {
    const auto* n = limit.as<Scalar>();
    if (!n || !ir::isInteger(n->type()))
      return limit.isError() ? limit : error(DiagId::TypeMismatch, args.where, "`maxlen` is a whole number");
    most = stable(ir::cast(DType::I64, n->e));
    requireWhereRun(ir::binary(ir::BinaryOp::Gt, most, ir::intConst(0)), "NotImplementedError",
                    "a deque has room for one item at least here");
    const auto* none = made.as<TupleValue>();
    if (!made.isError() && !(none && none->items.empty()))
      made = callListFunction("last", {made, Value{Scalar{most, true}}}, args.where);
  }
  if (auto* t = std::get_if<TupleValue>(&made.v)) t->isDeque = true, t->most = most;
  if (auto* l = std::get_if<ListValue>(&made.v)) l->isDeque = true, l->most = most;
  return made;
}

/// Functions that make records, or others of them.
std::optional<Value> Lowering::callOfRecords(const std::string& path, const Arguments& args) {
  if (path == "collections.namedtuple") return makeNamedTuple(args);
  if (path == "set" || path == "frozenset") return makeSet(args);
  if (std::optional<Value> table = callOfTables(path, args)) return table;
  if (path == "collections.deque") {
    return makeDeque(args);
  }
  if (path == "dict.fromkeys" && args.keywords.empty() && (args.positional.size() + 1) / 2 == 1) {
    const Value value = args.positional.size() == 2 ? args.positional[1] : Value{NoneValue{}};
    if (!value.as<Scalar>() && !value.as<NoneValue>() && !isText(value))
      return error(DiagId::Unsupported, args.where,
                   "`dict.fromkeys` gives all keys one object; write `{k: ... for k in keys}`, which gives "
                   "each its own");
    const Value same{IteratorValue{IteratorValue::Repeat, {value}}};
    return callOfRecords(
        "dict", {{Value{IteratorValue{IteratorValue::Zip, {args.positional[0], same}}}}, {}, args.where});
  }
  const auto* first = args.positional.size() == 1 ? args.positional[0].as<RecordValue>() : nullptr;
  if (path == "dict") {
    const bool isCopy = first && !first->type;
    std::vector<std::pair<std::string, Value>> items;
    if (first && tableIn(args.positional[0]) && args.keywords.empty())
      return callTableMethod(*first, "copy", {{}, {}, args.where});
    if (args.positional.empty() && args.keywords.empty())
      if (std::optional<Value> table = tableOf({}, {}, args.where)) return table;
    if (!isCopy && !args.positional.empty()) { // pairs
      const auto* g = args.positional[0].as<GeneratorValue>();
      if (listStates_.tables.count(args.where.begin))
        return tableOfPairs(g ? *g : generatorOver(iterated(args.positional[0]), args.where), args.where);
      if (g && !knownItems(*g->over, args.where)) { // whose keys the run tells
        listStates_.haveChanged |= listStates_.tables.insert(args.where.begin).second;
        return Value{};
      }
      const Value over = g ? listOfGenerator(*g) : args.positional[0];
      const std::optional<Values> pairs = over.isError() ? std::nullopt : knownItems(over, args.where);
      if (over.isError()) return over;
      for (const Value& pair : pairs ? *pairs : Values()) {
        const auto* t = pair.as<TupleValue>();
        const std::optional<std::string> key = t && t->items.size() == 2 ? keyOf(t->items[0]) : std::nullopt;
        if (!key && t && t->items.size() == 2) {
          listStates_.haveChanged |= listStates_.tables.insert(args.where.begin).second;
          return Value{};
        }
        if (!key) return error(DiagId::Unsupported, args.where, std::string(kKeysOfDicts));
        items.emplace_back(*key, t->items[1]);
      }
      if (!pairs) {
        listStates_.haveChanged |= listStates_.tables.insert(args.where.begin).second;
        return Value{};
      }
    }
    if (isCopy && !hasKnownKeys(*first, args.where)) return Value{};
    if (isCopy && listStates_.tables.count(args.where.begin) && becomesTable(*first)) return Value{};
    if (isCopy) addItems(*first, args.where, items);
    for (const auto& [name, value] : args.keywords) items.emplace_back(keyOfText(name), value);
    return dictOf(items, args.where);
  }
  if (!path.starts_with("dataclasses.")) return std::nullopt;
  const bool isReplace = path == "dataclasses.replace";
  const bool isDict = path == "dataclasses.asdict", isTuple = path == "dataclasses.astuple";
  if ((!isReplace && !isDict && !isTuple) || !first || !first->type || methodNamed(*first->type, "__init__"))
    return error(DiagId::Unsupported, args.where,
                 fmt::format("`{}` is not translated here; `dataclasses.replace(p, x=1)`, `asdict(p)` and "
                             "`astuple(p)` of an instance are",
                             path));
  if (isReplace) return replaced(args.positional[0], {{}, args.keywords, args.where});
  const std::vector<Value> values = fieldsOf(*first, args.where);
  std::vector<std::pair<std::string, Value>> fields;
  for (size_t k = 0; k < values.size(); ++k) {
    if (!values[k].as<Scalar>())
      return error(DiagId::Unsupported, args.where,
                   fmt::format("`{}` copies what the fields hold, here {}; write the fields out", path,
                               describe(values[k])));
    fields.emplace_back(keyOfText(first->type->fields[k].name), values[k]);
  }
  return isDict ? dictOf(fields, args.where) : Value{TupleValue{values}};
}

std::optional<Value> Lowering::callRecordMethod(const Value& self, const std::string& name,
                                                const Arguments& args) {
  if (const RecordValue* table = tableIn(self)) return callTableMethod(*table, name, args);
  if (const auto* r = self.as<RecordValue>(); r && !r->type) return callDictMethod(*r, name, args);
  const auto* itself = self.as<ClassValue>();
  const ast::ClassRef* type = itself ? &itself->type : classOf(self);
  if (!type) return std::nullopt;
  if (const ast::Class::Method* m = methodNamed(**type, name)) return callOwnMethod(*type, *m, self, args);
  if (const LibraryFunction* f = methodOfLibrary(**type, name)) {
    Arguments all = args;
    all.positional.insert(all.positional.begin(), self);
    return callLibrary(*f, all);
  }
  if (name == "_replace") return replaced(self, args);
  std::vector<std::pair<std::string, Value>> fields; // _asdict
  for (size_t k = 0; k < (*type)->fields.size(); ++k)
    fields.emplace_back(keyOfText((*type)->fields[k].name), self.as<TupleValue>()->items[k]);
  return dictOf(fields, args.where);
}

} // namespace appyc::sema
