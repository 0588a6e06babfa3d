//===- Closures.cpp - lambdas, functions inside functions, `:=`, `del` -------------------------------------===//
// A function made inside another one is a value that is known at translation: its text, what its defaults were where it
// was made, and the call of the function around it. Its other names are looked up there when it is called, as
// Python's closures see variables, not values; so a name that a closure reads counts as read by whatever may call it.
#include "Leaving.h"
#include "Library.h"
#include "Lowering.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <iterator>

namespace appyc::sema {

/// What `lambda` and a `def` inside a function give.
Value Lowering::closureOf(const ast::FunctionRef& made, Span where) {
  std::shared_ptr<const ast::Function>& fn = nested_[made.get()];
  if (!fn) fn = std::make_shared<const ast::Function>(withoutLeaving(*made));
  UserFunction closure{fn.get(), file(), frame().id, {}};
  Waiting defaults(*this);
  for (const ast::Parameter& p : fn->params) {
    Value v = p.defaultValue ? eval(p.defaultValue) : Value{};
    if (p.defaultValue && v.isError()) return v;
    if (const auto* s = v.as<Scalar>(); s && !s->e.is<ir::Const>())
      v = Value{keptIn(*s, materialize(s->e, p.name))};
    if (v.as<Array>() || v.as<TupleValue>() || v.as<Selection>() || v.as<RecordValue>())
      return error(
          DiagId::Unsupported, where,
          fmt::format("the default of `{}` is made once in Python and shared by all calls; pass it, or "
                      "name it in the function",
                      p.name));
    defaults.add(v);
  }
  closure.defaults = defaults.values(0, defaults.size());
  return Value{closure};
}

/// The call in which a closure was made: open, or ended by returning it; null for others.
Frame* Lowering::frameOf(int id) {
  for (Frame& f : frames_)
    if (f.id == id && id > 0) return &f;
  const auto ended = ended_.find(id);
  return ended == ended_.end() ? nullptr : &ended->second;
}

/// The call at hand returns a closure that sees its names: they stay as they are now.
bool Lowering::keepForClosure(Span where) {
  const bool isConstant = std::ranges::any_of(frames_, [](const Frame& f) { return f.isConstant; });
  if (!isConstant && (!loops_.empty() || !branches_.empty())) {
    error(DiagId::Unsupported, where,
          fmt::format("`{}` returns a function that sees its names; call it outside of loops and branches",
                      frame().function->name));
    return false;
  }
  for (auto& [name, value] : env())
    if (const auto facts = frame().names.find(name); facts != frame().names.end() && facts->second.isCaptured)
      value = evaluatedOnce(value, name);
  ended_[frame().id] = frame();
  return true;
}

/// Does a field of an object have a function that sees the names of the call at hand, `self.f = lambda x: g(x)`?
bool Lowering::givesFieldsFunctions() {
  if (frame().id <= 0 || !loops_.empty() || !branches_.empty()) return false;
  return std::ranges::any_of(env(), [&](const auto& named) {
    const auto* f = named.first.starts_with('.') ? named.second.template as<UserFunction>() : nullptr;
    return f && f->around == frame().id;
  });
}

/// What a name is in the functions around the one at hand, which does not bind it.
std::optional<Value> Lowering::enclosingName(const std::string& name, Span where) {
  for (int id = frame().around; id > 0;) {
    Frame* f = frameOf(id);
    if (!f)
      return error(
          DiagId::Unsupported, where,
          fmt::format(
              "`{}` is called where the function around it has returned; define it where it is called",
              frame().function->name));
    const auto facts = f->names.find(name);
    const bool isBound = facts != f->names.end() && facts->second.assignments > 0;
    if (f->hidden.count(name))
      return error(
          DiagId::Unsupported, where,
          fmt::format(
              "a function that is called in a comprehension sees `{}`, a name of the comprehension's; "
              "give it as a default, `{}={}`, or use two names",
              name, name, name));
    if (auto it = f->env.find(name); it != f->env.end()) {
      const auto bound = f->env.boundIf.find(name);
      if (bound == f->env.boundIf.end() || isKnown(bound->second)) return it->second;
      return error(
          DiagId::Unsupported, where,
          fmt::format("`{}` may have no value here, where Python raises NameError; give it one before the "
                      "branch or the loop that binds it",
                      name));
    }
    if (auto it = f->env.lost.find(name); it != f->env.lost.end())
      return error(DiagId::Unsupported, where, fmt::format("`{}` {}", name, it->second));
    if (isBound)
      return error(
          DiagId::UndefinedName, where,
          fmt::format("`{}` has no value here: the function around assigns it later, or on another path",
                      name));
    id = f->around;
  }
  return std::nullopt;
}

/// Names that functions inside the one at hand read: whatever is called may read them.
void Lowering::addCaptured(std::set<std::string>& names) {
  for (const auto& [name, facts] : frame().names)
    if (facts.isCaptured) names.insert(name);
}

/// `(name := value)`
Value Lowering::evalWalrus(const ast::Walrus& w, Span where) {
  if (unsure_ > 0)
    return error(
        DiagId::Unsupported, where,
        "an assignment inside an expression that is evaluated on some paths only is not translated; assign "
        "in a statement of its own before");
  const Value v = eval(w.value);
  if (v.isError()) return v;
  const std::string& name = w.target.as<ast::Name>()->id;
  assignName(name, v, where);
  const auto bound = env().find(name);
  return bound == env().end() ? Value{} : bound->second;
}

/// `del name`: it has no value any more.
void Lowering::lowerDelete(const ast::Delete& s) {
  for (const ast::Expr& target : s.targets) {
    const auto* n = target.as<ast::Name>();
    if (const auto* item = target.as<ast::Subscript>()) {
      deleteItem(*item, target->span);
      continue;
    }
    if (!n) {
      error(DiagId::Unsupported, target->span, "`del` takes names and items of lists and dicts here");
      continue;
    }
    if (evalName(*n, target->span).isError()) continue;
    if (std::any_of(carried_.begin(), carried_.end(),
                    [&](const auto& names) { return names.count(n->id) > 0; })) {
      error(DiagId::Unsupported, target->span,
            fmt::format("`{}` lives from one iteration to the next; leave `del` out", n->id));
      continue;
    }
    env().erase(n->id);
    env().boundIf.erase(n->id);
  }
}

/// `first, *rest = t`: as many items as there are names, the starred one with what is left as a list.
std::optional<TupleValue> Lowering::withStarred(const std::vector<ast::Expr>& targets,
                                                const TupleValue& given, Span where) {
  size_t starred = targets.size();
  for (size_t k = 0; k < targets.size(); ++k) {
    if (!targets[k].is<ast::Starred>()) continue;
    if (starred < targets.size()) {
      error(DiagId::Syntax, where, "two names with a `*` in one assignment");
      return std::nullopt;
    }
    starred = k;
  }
  if (starred == targets.size() || given.items.size() + 1 < targets.size()) return given;
  const auto at = [&](size_t k) { return given.items.begin() + static_cast<std::ptrdiff_t>(k); };
  const size_t behind = targets.size() - starred - 1;
  TupleValue items{{given.items.begin(), at(starred)}, given.isList};
  items.items.push_back(Value{TupleValue{{at(starred), at(given.items.size() - behind)}, true}});
  items.items.insert(items.items.end(), at(given.items.size() - behind), given.items.end());
  return items;
}

/// functools.partial(f, x, key=y): the method `.partial` of the tuple of f, (x,) and ("key", y).
Value Lowering::partialOf(const Arguments& args) {
  TupleValue made{
      {args.positional[0], Value{TupleValue{{args.positional.begin() + 1, args.positional.end()}}}}};
  for (const auto& [key, v] : args.keywords)
    made.items.push_back(Value{TupleValue{{Value{StringValue{key}}, v}}});
  return Value{Method{std::make_shared<Value>(Value{made}), "partial"}};
}

/// `made.name`, of what a function of the library has made by functools.partial(f, ...): the same of `f_name`.
std::optional<Value> methodOfMade(const Value& made, const std::string& name) {
  const auto* m = made.as<Method>();
  if (!m || m->name != "partial") return {};
  TupleValue parts = *m->self->as<TupleValue>();
  const auto* of = parts.items[0].as<UserFunction>();
  const LibraryFunction* method =
      of && isOfLibrary(*of->function) ? libraryFunctionAt(of->function->name + "_" + name) : nullptr;
  if (!method) return {};
  parts.items[0] = Value{UserFunction{&definitionOf(*method)}};
  return Value{Method{std::make_shared<Value>(Value{parts}), "partial"}};
}

Value Lowering::callPartial(const Value& made, const Arguments& more) {
  const std::vector<Value>& parts = made.as<TupleValue>()->items;
  Arguments all = more;
  const std::vector<Value>& first = parts[1].as<TupleValue>()->items;
  all.positional.insert(all.positional.begin(), first.begin(), first.end());
  for (size_t k = 2; k < parts.size(); ++k) { // what the call gives takes the place of what was given
    const std::vector<Value>& pair = parts[k].as<TupleValue>()->items;
    const std::string& key = pair[0].as<StringValue>()->text;
    if (std::ranges::none_of(more.keywords, [&](const auto& given) { return given.first == key; }))
      all.keywords.emplace_back(key, pair[1]);
  }
  return callValue(parts[0], all, true);
}

//===--- generators -----------------------------------------------------------------------------------===//

static void addBuffersOf(const ListValue& list, std::set<Symbol>& out) {
  if (list.values.view) out.insert(list.values.view->buffer.name);
  for (const ListValue& field : list.fields) addBuffersOf(field, out);
}

/// What a generator gives, as an iterator. Its statements, from `before` on, have run ahead of what is done with each value.
Value Lowering::generated(const Value& items, const Arguments& args, size_t before, const Env& fields) {
  const auto* list = items.as<ListValue>();
  Env seen; // the fields of objects that it is given
  for (const Value& v : args.positional) addFieldsOf(v, seen);
  const bool isTracked = list && list->length;
  std::set<Symbol> stored, assigned, own;
  for (size_t k = before; k < lists_.back().size(); ++k) {
    stored.merge(ir::storedBuffers(lists_.back()[k]));
    assigned.merge(ir::assignedVars(lists_.back()[k]));
  }
  for (const auto& [name, value] : seen) {
    const auto was = fields.find(name);
    const auto* number = value.as<Scalar>();
    if (isTracked && was != fields.end() && isSame(was->second, value) &&
        !(number && ir::intersect(ir::freeVars(number->e), assigned)))
      continue;
    return error(
        DiagId::Unsupported, args.where,
        isTracked
            ? "a generator that changes fields of objects has done all of its work before the loop here; "
              "write the loop itself"
            : "a generator takes numbers and arrays here, no objects that may change while it runs");
  }
  if (isTracked) {
    Generated& known = generated_[list->length];
    std::set<Symbol>& reads = known.reads;
    known.fields = seen;
    for (const auto& [name, value] : seen) {
      if (const auto* s = value.as<Scalar>()) reads.merge(ir::freeVars(s->e));
      if (const auto* l = value.as<ListValue>(); l && l->length) reads.insert(l->length);
    }
    for (size_t k = before; k < lists_.back().size(); ++k) reads.merge(ir::loadedBuffers(lists_.back()[k]));
    addBuffersOf(*list, own);
    for (size_t k = before; k < lists_.back().size(); ++k)
      ir::each<ir::Alloc>(lists_.back()[k], [&](const ir::Alloc& made) { own.insert(made.buffer.name); });
    std::ranges::set_difference(stored, own, std::inserter(known.writes, known.writes.end()));
    for (const Value& v : args.positional)
      if (const auto* l = v.as<ListValue>(); l && assigned.count(l->length)) known.writes.insert(l->length);
  }
  return items.isError() ? items : Value{IteratorValue{IteratorValue::Each, {items}}};
}

/// A loop, from statement `before` on, runs over what generators give: has it changed what they have read? Reports it.
void Lowering::checkGenerated(const Value& over, size_t before, Span where) {
  if (const auto* i = over.as<IteratorValue>())
    for (const Value& part : i->parts) checkGenerated(part, before, where);
  const auto* list = over.as<ListValue>();
  const auto found = list ? generated_.find(list->length) : generated_.end();
  if (found == generated_.end()) return;
  const auto isOther = [&](const auto& field) {
    const auto now = env().find(field.first);
    return now == env().end() || !isSame(now->second, field.second);
  };
  bool isChanged = std::ranges::any_of(found->second.fields, isOther);
  for (size_t k = before; k < lists_.back().size(); ++k)
    isChanged |= ir::intersect(ir::storedBuffers(lists_.back()[k]), found->second.reads) ||
                 ir::intersect(ir::assignedVars(lists_.back()[k]), found->second.reads);
  bool isRead = false; // what the generator changes
  const std::set<Symbol>& writes = found->second.writes;
  for (size_t k = before; k < lists_.back().size(); ++k) {
    const ir::Stmt& s = lists_.back()[k];
    isRead |= ir::intersect(ir::loadedBuffers(s), writes) || ir::intersect(ir::storedBuffers(s), writes);
    ir::each<ir::Var>(s, [&](const ir::Var& v) { isRead |= writes.count(v.name) > 0; });
  }
  if (isRead && !isChanged)
    error(DiagId::Unsupported, where,
          "the loop reads what the generator changes, which has done all of its work by then here; write the "
          "loop itself");
  if (isChanged)
    error(DiagId::Unsupported, where,
          "the loop changes what the generator reads, which has done all of its work by then here; write the "
          "loop itself");
}

/// What a comprehension runs over: no generators that change what others see, too, which its items might read.
Value Lowering::notAhead(const Value& over, Span where) {
  const auto* i = over.as<IteratorValue>();
  for (const Value& part : i ? i->parts : std::vector<Value>())
    if (notAhead(part, where).isError()) return Value{};
  const auto* list = over.as<ListValue>();
  const auto found = list ? generated_.find(list->length) : generated_.end();
  if (found == generated_.end() || found->second.writes.empty()) return over;
  return error(DiagId::Unsupported, where,
               "the generator changes memory that others see, and has done all of its work before the items "
               "here; write a loop");
}

/// The fields of the objects in it that may change.
void Lowering::addFieldsOf(const Value& v, Env& out) {
  for (const Value& part : heldParts(v)) addFieldsOf(part, out);
  const auto* r = v.as<RecordValue>();
  const auto object = r && !r->isPooled ? objects_.find(r->object) : objects_.end();
  if (object == objects_.end() || !object->second.readOnly.empty()) return;
  for (const std::string& field : object->second.fields) {
    const std::string name = fieldName(r->object, field);
    const auto found = env().find(name);
    if (found != env().end() && out.try_emplace(name, found->second).second) addFieldsOf(found->second, out);
  }
}

} // namespace appyc::sema
