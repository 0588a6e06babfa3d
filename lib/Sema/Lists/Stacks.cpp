//===- Stacks.cpp - where functions that go on when they have called themselves keep lists ---------------------===//
// What is put there is taken in the opposite order, and nobody can tell it from a copy (Calls/Resumed.cpp). So lists stand one
// behind the other in one memory, and one that is taken leaves its room to the next. Arrays of one axis are such lists, too.
#include "Arguments.h"
#include "Lowering.h"
#include "Names.h"
#include "SelfCalls.h"

namespace appyc::sema {

namespace {

/// Which names of a function are changed in place, or are lists that something else may have, too.
class Sharing {
public:
  explicit Sharing(const ast::Function& fn) : own_(fn.name) { visit(fn.body); }
  std::set<std::string> changed, shared;

private:
  const std::string& own_;

  static bool isFresh(const ast::Expr& e) {
    static const std::set<std::string> kMakers = {"list",  "sorted", "len",        "copy",       "zeros",
                                                  "ones",  "empty",  "full",       "zeros_like", "empty_like",
                                                  "array", "arange", "concatenate"};
    const auto* c = e.as<ast::Call>();
    const auto* name = c ? c->callee.as<ast::Name>() : nullptr;
    const auto* method = c ? c->callee.as<ast::Attribute>() : nullptr;
    return c ? kMakers.count(name     ? name->id
                             : method ? method->name
                                      : "") > 0
             : e.is<ast::List>() || e.is<ast::Comprehension>() || e.is<ast::Binary>() || isNumber(e);
  }
  static bool isNumber(const ast::Expr& e) {
    return e.is<ast::IntLit>() || e.is<ast::FloatLit>() || e.is<ast::BoolLit>();
  }
  static const ast::Name* rootOf(const ast::Expr& e) {
    const auto* s = e.as<ast::Subscript>();
    const auto* a = e.as<ast::Attribute>();
    return s ? rootOf(s->base) : a ? rootOf(a->base) : e.as<ast::Name>();
  }
  void change(const ast::Expr& e) {
    if (const auto* n = rootOf(e)) changed.insert(n->id);
  }
  void readAll(const std::vector<ast::Expr>& es, bool isKept) {
    for (const ast::Expr& e : es) read(e, isKept);
  }
  /// `isKept`: the value itself is put somewhere.
  void read(const ast::Expr& e, bool isKept) {
    if (!e) return;
    match(
        e,
        [&](const ast::Name& n) {
          if (isKept) shared.insert(n.id);
        },
        [&](const ast::Unary& u) { read(u.arg, false); },
        [&](const ast::Binary& b) {
          readAll({b.lhs, b.rhs}, false);
        },
        [&](const ast::Compare& c) { readAll(c.operands, false); },
        [&](const ast::BoolExpr& b) {
          readAll({b.lhs, b.rhs}, isKept);
        },
        [&](const ast::Conditional& c) {
          read(c.cond, false), readAll({c.then, c.otherwise}, isKept);
        },
        [&](const ast::Call& c) { call(c); }, [&](const ast::Attribute& a) { read(a.base, false); },
        [&](const ast::Subscript& s) { read(s.base, false), readAll(s.index, false); },
        [&](const ast::Slice& s) {
          readAll({s.lower, s.upper, s.step}, false);
        },
        [&](const ast::Tuple& t) { readAll(t.items, true); },
        [&](const ast::List& t) { readAll(t.items, true); },
        [&](const ast::Dict& d) { readAll(d.keys, true), readAll(d.values, true); },
        [&](const ast::Starred& s) { read(s.value, true); },
        [&](const ast::FormattedText& t) {
          for (const auto& field : t.fields) read(field.value, false);
        },
        [&](const ast::Lambda& l) {
          for (const auto& [name, facts] : scanNames(*l.function)) shared.insert(name);
        },
        [&](const ast::Comprehension& c) {
          read(c.element, true);
          for (const ast::Clause& clause : c.clauses)
            read(clause.iter, false), readAll(clause.conditions, false);
        },
        [&](const ast::Walrus& w) { read(w.value, true), shared.insert(w.target.as<ast::Name>()->id); },
        [&](const ast::Completes& c) { visit(c.tried); }, //
        [](const auto&) {});
  }
  void call(const ast::Call& c) {
    static const std::set<std::string> kReaders = {
        "len",   "sum", "min",       "max",   "sorted",     "range", "abs", "list",     "int",     "any",
        "all",   "zip", "enumerate", "tuple", "float",      "print", "set", "reversed", "complex", "bool",
        "round", "pow", "divmod",    "str",   "isinstance", "sqrt",  "exp", "log",      "sin",     "cos"};
    static const std::set<std::string> kChangers = {"heapq", "bisect", "random"};
    const auto* name = c.callee.as<ast::Name>();
    const auto* method = c.callee.as<ast::Attribute>();
    const auto* module = method ? method->base.as<ast::Name>() : nullptr;
    if (method && (changesLength(method->name) || changesOrder(method->name))) change(method->base);
    const bool isPut = method && changesLength(method->name) && method->name != "extend";
    const bool mayChange =
        (name && !kReaders.count(name->id) && name->id != own_) || (module && kChangers.count(module->id));
    std::vector<ast::Expr> given = c.args;
    for (const ast::Keyword& k : c.keywords) given.push_back(k.value);
    for (const ast::Expr& e : given)
      if (mayChange) change(e);
    read(c.callee, false), readAll(given, isPut || mayChange || (name && name->id == own_));
  }
  void bind(const ast::Expr& target, const ast::Expr& value) {
    const auto *t = target.as<ast::Tuple>(), *v = value ? value.as<ast::Tuple>() : nullptr;
    if (target.is<ast::Subscript>() || target.is<ast::Attribute>())
      return change(target), read(target, false);
    if (const auto* n = target.as<ast::Name>(); n && (!value || !isFresh(value))) shared.insert(n->id);
    for (size_t k = 0; t && k < t->items.size(); ++k)
      bind(t->items[k], v && v->items.size() == t->items.size() ? v->items[k] : ast::Expr());
  }
  void visit(const ast::Body& body) {
    for (const ast::Stmt& s : body)
      match(
          s,
          [&](const ast::Assign& a) {
            read(a.value, !a.targets[0].is<ast::Tuple>());
            for (const ast::Expr& target : a.targets)
              bind(target, a.targets.size() == 1 || isNumber(a.value) ? a.value : ast::Expr());
          },
          [&](const ast::AugAssign& a) {
            read(a.value, false);
            if (!a.target.is<ast::Name>() || !isNumber(a.value)) change(a.target);
          },
          [&](const ast::For& f) {
            read(f.iter, false), bind(f.target, {}), visit(f.body), visit(f.otherwise), read(f.unless, false);
          },
          [&](const ast::While& w) {
            read(w.cond, false), visit(w.body), visit(w.otherwise), read(w.unless, false);
          },
          [&](const ast::If& i) { read(i.cond, false), visit(i.then), visit(i.otherwise); },
          [&](const ast::Return& r) {
            const auto* t = r.value ? r.value.as<ast::Tuple>() : nullptr;
            t ? readAll(t->items, false) : read(r.value, false);
          },
          [&](const ast::ExprStmt& e) { read(e.value, false); },
          [&](const ast::LocalFunction& f) {
            for (const auto& [name, facts] : scanNames(*f.function)) shared.insert(name);
          },
          [&](const ast::Delete& d) {
            for (const ast::Expr& target : d.targets) change(target);
          },
          [](const auto&) {});
  }
};

} // namespace

bool mayKeepCopies(const ast::Function& fn, const std::set<std::string>& own) {
  const Sharing names(fn);
  return std::ranges::none_of(names.changed, [&](const std::string& name) {
    const bool isParameter = std::ranges::find(fn.params, name, &ast::Parameter::name) != fn.params.end();
    return own.count(name) > 0 && (isParameter || names.shared.count(name) > 0);
  });
}

/// Is it a list into which nothing has been put so far?
bool Lowering::isStillEmpty(const Value& v) const {
  const auto* l = v.as<ListValue>();
  return l && l->made && !l->like && !l->hasViews && !stateOf(*l);
}

Value Lowering::onStack(const Value& self, const std::string& name, const Arguments& args) {
  const auto* nested = self.as<NestedValue>();
  const auto* list = self.as<ListValue>();
  const uint64_t made = nested ? nested->numbers.made : list ? list->made : 0;
  if (name == kTake) {
    if (!nested) return callMethod(self, "pop", {{}, {}, args.where});
    const ListRows& rows = *nested->rows;
    if (!rows.items.like && !stateOf(rows.items)) { // all are empty
      for (const ListValue* part : {&nested->numbers, &rows.starts, &rows.lengths, &rows.rooms})
        popped(*part, args.where);
      return Value{TupleValue{{}, true}};
    }
    const Value taken = callLibrary(*libraryFunctionAt("_rows_take"),
                                    Arguments{{Value{nested->numbers}, Value{rows.starts},
                                               Value{rows.lengths}, Value{rows.rooms}, Value{rows.items}},
                                              {},
                                              args.where});
    const auto* numbers = taken.as<ListValue>();
    return numbers && listStates_.stackedArrays.count(made) ? arrayOf(ListValue(*numbers), {}, args.where)
                                                            : taken;
  }
  const auto* selected = args.positional[0].as<Selection>();
  Value item = selected ? Value{asArray(*selected)} : args.positional[0];
  const auto* l = item.as<ListValue>();
  const auto* t = item.as<TupleValue>();
  const auto* a = item.as<Array>();
  const bool isRow = a && a->shape.size() == 1;
  const uint64_t apart = madeAs(frame().function->nameSpan.begin, kWhereApart);
  if (a && a->shape.size() > 1 && listStates_.stackedArrays.count(apart))
    return error(DiagId::Recursion, args.where, "an array of several axes"); // callUser says what to do
  if (isRow && listStates_.stackedArrays.insert(made).second) listStates_.haveChanged = true;
  if (isRow || (isList(item) && !isDeque(item) && !isSet(item) && !(l && l->hasViews))) {
    if (list && becomesNested(made)) return Value{NoneValue{}};
    if (isRow || (l && l->isKept) || (t && t->isKept)) item = callNamed("list", {{item}, {}, args.where});
  }
  return item.isError() ? item : callMethod(self, "append", {{item}, {}, args.where});
}

} // namespace appyc::sema
