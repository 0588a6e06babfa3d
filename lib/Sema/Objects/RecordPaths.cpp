//===- RecordPaths.cpp - stores into fields; records where paths meet and from one iteration to the next ---===//
#include "Lowering.h"
#include "Waiting.h"
#include <algorithm>

namespace appyc::sema {

//===--- stores ---------------------------------------------------------------------------------------------===//

/// Does nothing but names, numbers and arithmetic make the index, so that it may be asked for twice?
static bool isQuiet(const ast::Expr& e) {
  if (const auto* b = e.as<ast::Binary>()) return isQuiet(b->lhs) && isQuiet(b->rhs);
  if (const auto* u = e.as<ast::Unary>()) return isQuiet(u->arg);
  if (const auto* a = e.as<ast::Attribute>()) return isQuiet(a->base);
  if (const auto* t = e.as<ast::FormattedText>())
    return std::ranges::all_of(t->fields, [](const auto& field) { return isQuiet(field.value); });
  if (const auto* c = e.as<ast::Call>()) // the text of a number
    return c->callee.is<ast::Name>() && c->callee.as<ast::Name>()->id == "str" && c->keywords.empty() &&
           std::ranges::all_of(c->args, isQuiet);
  return e.is<ast::Name>() || e.is<ast::IntLit>() || e.is<ast::StringLit>();
}

/// The record or tuple that a chain of names, fields and constant subscripts stands for, which nothing happens in.
std::optional<Value> Lowering::recordAt(const ast::Expr& e) {
  if (const auto* n = e.as<ast::Name>()) {
    if (env().count(n->id)) return evalName(*n, e->span);
    const auto facts = frame().names.find(n->id);
    if (facts != frame().names.end() && facts->second.assignments > 0) return std::nullopt;
    return enclosingName(n->id, e->span);
  }
  const auto* a = e.as<ast::Attribute>();
  const auto* s = e.as<ast::Subscript>();
  const std::optional<Value> base = a ? objectAt(a->base) : s ? objectAt(s->base) : std::nullopt;
  if (!base) return std::nullopt;
  if (const auto* list = base->as<ListValue>(); s && list && list->like && isPooled(*list->like)) {
    const bool isPlace = s->index.size() == 1 && !s->index[0].is<ast::Slice>() && isQuiet(s->index[0]);
    return isPlace ? std::optional(keptPart(listItem(*list, s->index, e->span), "at")) : std::nullopt;
  }
  const auto* r = base->as<RecordValue>();
  const auto* t = base->as<TupleValue>();
  if (a) {
    const ast::ClassRef type = r ? r->type : t ? t->type : nullptr;
    const bool isField = type && std::any_of(type->fields.begin(), type->fields.end(),
                                             [&](const auto& f) { return f.name == a->name; });
    return isField ? recordAttribute(*base, a->name, e->span) : std::nullopt;
  }
  const bool isConstant =
      s->index.size() == 1 && (s->index[0].is<ast::StringLit>() || s->index[0].is<ast::IntLit>());
  if (r && !r->type && !isConstant && s->index.size() == 1 && isQuiet(s->index[0])) { // a text made of others
    const std::optional<std::string> key = keyOf(keyAt(s->index));
    const std::vector<std::string>& keys = objects_.at(r->object).fields;
    const bool isThere = key && std::ranges::find(keys, *key) != keys.end();
    return isThere ? std::optional(fieldOf(*r, *key, e->span)) : std::nullopt;
  }
  return isConstant && ((r && !r->type) || t) ? std::optional(subscript(*base, s->index, e->span))
                                              : std::nullopt;
}

/// The same of what is no None by then.
std::optional<Value> Lowering::objectAt(const ast::Expr& e) {
  const std::optional<Value> v = recordAt(e);
  const auto* o = v ? v->as<OptionalValue>() : nullptr;
  return o && isPooled(*o->value) ? present(*v, e->span) : v;
}

std::optional<Lowering::Field> Lowering::fieldAt(const ast::Expr& target) {
  const auto* a = target.as<ast::Attribute>();
  const auto* s = target.as<ast::Subscript>();
  if (!a && (!s || s->index.size() != 1)) return std::nullopt;
  const std::optional<Value> base = objectAt(a ? a->base : s->base);
  if (!base) return std::nullopt;
  const auto* r = base->as<RecordValue>();
  const auto* t = base->as<TupleValue>();
  if (a) return (r && r->type) || (t && t->type) ? std::optional(Field{*base, a->name}) : std::nullopt;
  if (!r || r->type) return std::nullopt;
  const std::optional<std::string> key = keyOf(keyAt(s->index));
  return key ? std::optional(Field{*base, *key}) : std::nullopt;
}

void Lowering::assignField(const Field& field, const Value& value, Span where) {
  if (value.isError()) return;
  if (const auto* r = field.of.as<RecordValue>()) return setField(*r, field.name, value, where);
  error(DiagId::TypeMismatch, where,
        fmt::format("a named tuple does not change; write `p = p._replace({}=...)`", field.name));
}

/// `m[k] = x` of an instance whose class has `__setitem__`; `updated`: of what `__getitem__` gives. False of others.
bool Lowering::storeByClass(const ast::Expr& target, const Value& given, const Updating& updated) {
  const auto* s = target.as<ast::Subscript>();
  const std::optional<Value> of =
      s && (s->base.is<ast::Name>() || s->base.is<ast::Attribute>()) ? recordAt(s->base) : std::nullopt;
  const auto* r = of ? of->as<RecordValue>() : nullptr;
  const auto isStore = [](const ast::Class::Method& m) { return m.function->name == "__setitem__"; };
  if (!r || !r->type || std::ranges::none_of(r->type->methods, isStore)) return false;
  if (std::ranges::any_of(s->index, [](const ast::Expr& i) { return i.is<ast::Slice>(); })) {
    error(DiagId::Unsupported, target->span,
          "`__setitem__` gets no slices here; pass their ends to a method");
    return true;
  }
  Waiting parts(*this);
  parts.add(given);
  Value key = keyAt(s->index);
  if (key.isError()) return true;
  if (updated) key = evaluatedOnce(key, "key");
  const std::optional<Value> current =
      updated ? callSpecial("__getitem__", {*of, key}, target->span) : std::optional(parts.take(0));
  if (!current) {
    error(DiagId::Unsupported, target->span, "its class has no `__getitem__`");
    return true;
  }
  const Value v = updated && !current->isError() ? updated(*current) : *current;
  if (!v.isError()) (void)callSpecial("__setitem__", {*of, key, v}, target->span);
  return true;
}

//===--- where paths meet -------------------------------------------------------------------------------------===//

static bool isSameField(const Value& a, const Value& b) {
  const auto *x = a.as<Array>(), *y = b.as<Array>();
  return x && y ? showSame(*x, *y) : isSame(a, b);
}

/// Has a side of an expression, which runs on some paths only, or a comprehension changed a field? Reports it.
bool Lowering::isFieldChanged(const Env& before, Span where) {
  for (const auto& [name, value] : fieldsIn(before)) {
    const auto now = env().find(name);
    if (now != env().end() && isSameField(value, now->second)) continue;
    error(DiagId::Unsupported, where,
          fmt::format(
              "the field `{}` changes inside an expression that is evaluated on some paths only, or for "
              "each item of a comprehension; write statements, `if` or `for`",
              hintOf(name)));
    return true;
  }
  return false;
}

/// The fields that the iteration has changed, which live from one to the next, but for those among `names`.
Lowering::Names Lowering::changedFields(const Env& entry, const Names& names) {
  Names changed;
  for (const auto& [name, value] : fieldsIn(entry)) {
    const auto now = env().find(name);
    if (now == env().end())
      error(DiagId::Unsupported, statement_,
            fmt::format("the field `{}`, which lives from one iteration to the next, {}", hintOf(name),
                        env().lost.count(name) ? env().lost.at(name) : "has no value at its end"));
    else if (!names.count(name) && !isSameField(value, now->second))
      changed.insert(name);
  }
  return changed;
}

/// Does anything but the name `name` refer to one of the two?
bool Lowering::isSharedBeside(const RecordValue& a, const RecordValue& b, const std::string& name) const {
  const std::function<bool(const Value&)> refers = [&](const Value& v) {
    if (const auto* r = v.as<RecordValue>()) return r->object == a.object || r->object == b.object;
    if (const auto* m = v.as<Method>()) return refers(*m->self);
    const auto* t = v.as<TupleValue>();
    return t && std::any_of(t->items.begin(), t->items.end(), refers);
  };
  const auto isReturned = [](const Frame& f,
                             const std::string& other) { // what a loop returns, with which it ends
    return std::ranges::find(f.function->added, other) != f.function->added.end();
  };
  for (const Frame& f : frames_)
    for (const auto& [other, value] : f.env)
      if (!isReturned(f, other) && (&f != &frames_.back() || other != name) && refers(value)) return true;
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](const Waiting::Part& part) { return refers(part.value); });
}

/// Which names, but for those that `f` returns, have the object; nothing where something else has it, too.
std::optional<Lowering::Names> Lowering::namesOfObject(const RecordValue& object) const {
  Names names;
  const std::function<bool(const Value&)> refers = [&](const Value& v) {
    if (const auto* r = v.as<RecordValue>()) return !r->isPooled && r->object == object.object;
    if (const auto* m = v.as<Method>()) return refers(*m->self);
    return std::ranges::any_of(heldParts(v), refers);
  };
  for (const Frame& f : frames_)
    for (const auto& [name, value] : f.env) {
      if (std::ranges::find(f.function->added, name) != f.function->added.end() || !refers(value)) continue;
      if (&f != &frames_.back() || !value.as<RecordValue>() || name[0] == '.') return std::nullopt;
      names.insert(name);
    }
  const bool isWaiting =
      std::ranges::any_of(waiting_, [&](const Waiting::Part& part) { return refers(part.value); });
  return isWaiting ? std::nullopt : std::optional(names);
}

/// Names that are other objects at the end of a step, while nothing but names has these: the objects that the names were get
/// the others' fields, and nobody can tell. Other names of one of them are out of reach from then on.
void Lowering::passOnRecords(const Names& names, const Env& entry) {
  struct Passed {
    RecordValue was, is;
  };
  std::map<std::string, Passed> passed;
  std::map<std::string, int> given; // how many names get the object
  for (const std::string& name : names) {
    const auto before = entry.find(name);
    const auto now = env().find(name);
    const auto* was = before == entry.end() ? nullptr : before->second.as<RecordValue>();
    const auto* is = now == env().end() ? nullptr : now->second.as<RecordValue>();
    if (!was || !is || was->isPooled || is->isPooled || was->object == is->object) continue;
    if (was->type != is->type) { // a dict of which the text knows the keys, and another one
      if (tableIn(Value{*was}) && !is->type) becomesTable(*is);
      if (tableIn(Value{*is}) && !was->type) becomesTable(*was);
      continue;
    }
    if (objects_.at(was->object).fields != objects_.at(is->object).fields) continue;
    passed.emplace(name, Passed{*was, *is});
    ++given[is->object];
  }
  Names lost;
  for (bool isSettled = false; !isSettled;) {
    isSettled = true;
    lost.clear();
    for (const auto& [name, p] : passed) {
      const bool isFrozen = p.is.type && p.is.type->isFrozen;
      const std::optional<Names> old = namesOfObject(p.was), other = namesOfObject(p.is);
      const bool isOnly =
          old && (isFrozen || (other && given[p.is.object] == 1 && !objects_.at(p.is.object).isCallers));
      if (!isOnly || objects_.at(p.was.object).isCallers) {
        --given[p.is.object];
        passed.erase(name);
        isSettled = false;
        break;
      }
      lost.insert(old->begin(), old->end());
      if (!isFrozen) lost.insert(other->begin(), other->end());
    }
  }
  std::map<std::string, Value> fields;
  for (const auto& [name, p] : passed)
    for (const std::string& field : objects_.at(p.was.object).fields)
      fields[fieldName(p.was.object, field)] = fieldOf(p.is, field, statement_);
  for (const auto& [field, value] : fields) env()[field] = value;
  for (const auto& [name, p] : passed) {
    lost.erase(name);
    env()[name] = Value{p.was};
  }
  for (const std::string& name : lost)
    lose(name, "is an object that has another name from the loop's next iteration on; use that");
}

/// One object for two that nobody else knows: nobody can tell.
Value Lowering::joinRecords(const Returned& then, const Returned& otherwise, const Sides& sides, Span where,
                            const std::string& name) {
  const RecordValue &a = *then.value.as<RecordValue>(), &b = *otherwise.value.as<RecordValue>();
  const std::vector<std::string> fields = objects_.at(a.object).fields;
  if (a.type != b.type && ((tableIn(then.value) && !b.type && becomesTable(b)) ||
                           (tableIn(otherwise.value) && !a.type && becomesTable(a))))
    return Value{};
  if (a.isPooled || b.isPooled || a.type != b.type || fields != objects_.at(b.object).fields)
    return error(DiagId::TypeMismatch, where,
                 fmt::format("the two paths give {} and {} with other fields, or in another order; make them "
                             "alike",
                             describe(then.value), describe(otherwise.value)));
  const bool isFrozen = a.type && a.type->isFrozen;
  if (!isFrozen && isSharedBeside(a, b, name) &&
      (becomesPooled(then.value) || becomesPooled(otherwise.value)))
    return Value{};
  if (!isFrozen && isSharedBeside(a, b, name))
    return error(
        DiagId::Unsupported, where,
        fmt::format("this is another object on each path, one of which has another name, too: {}; make "
                    "a new one on both paths",
                    describe(then.value)));
  std::vector<std::pair<std::string, Value>> joined;
  for (const std::string& field : fields) {
    const Value x = fieldOf(a, field, where), y = fieldOf(b, field, where);
    if (x.as<RecordValue>() && !isSame(x, y) && !(isMember(x) && isMember(y))) // which of them may be one
      return error(
          DiagId::Unsupported, where,
          "the two paths give objects of other objects; make them before, and assign to their fields");
    const std::string whole = std::exchange(joining_, fmt::format("{}.{}", joining_, field));
    joined.emplace_back(field, joinReturned({x, then.where}, {y, otherwise.where}, sides, where, field));
    joining_ = whole;
  }
  const int errors = diag_.errorCount();
  const RecordValue made = makeRecord(a.type, joined);
  return diag_.errorCount() > errors ? Value{} : Value{made};
}

} // namespace appyc::sema
