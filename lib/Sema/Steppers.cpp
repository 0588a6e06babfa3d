//===- Steppers.cpp - generators that never end, a value at a time ------------------------------------------===//
//   def odd(n):                        def steps_of_odd(n):
//     n = 2 * n + 1                      state = {"n": n, "is begun": False};  state["n"] = 2 * state["n"] + 1
//     while True:                        def step():
//       yield n                 =>         if state["is begun"]: state["n"] += 2
//       n += 2                             else: state["is begun"] = True
//   g = odd(3)                             return state["n"]
//   next(g)                              return step
//                                      g = steps_of_odd(3)
//                                      g()
// What is done before the first value and binds names alone is done at once, which nobody can tell; what stands between a
// value and the next one when that is asked for. `list(islice(odd(3), k))` and `takewhile(test, odd(3))` call functions that
// make lists of as many.
#include "ExprParts.h"
#include "Generators.h"
#include "Names.h"
#include "RenamedNames.h"
#include "SelfCalls.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace appyc::sema {

namespace {
using ast::Body;
using ast::Stmt;

/// `prologue; while True: ..`, whose loop yields one value in each step at most, outside of loops in it.
struct Endless {
  Generator generator;
  Body prologue;
  const ast::While* loop = nullptr;
  Span where{};
};

bool leaves(const Body& body, bool isInLoop) {
  return std::ranges::any_of(body, [&](const Stmt& s) {
    const auto* i = s.as<ast::If>();
    const auto* f = s.as<ast::For>();
    const auto* w = s.as<ast::While>();
    return (s.is<ast::Break>() && !isInLoop) || s.is<ast::Return>() ||
           (i && (leaves(i->then, isInLoop) || leaves(i->otherwise, isInLoop))) ||
           (f && (leaves(f->body, true) || leaves(f->otherwise, isInLoop))) ||
           (w && (leaves(w->body, true) || leaves(w->otherwise, isInLoop)));
  });
}

/// How many statements yield; many where one is in a loop.
size_t countYields(const Generator& g, const Body& body) {
  constexpr size_t kMany = 100;
  size_t count = 0;
  for (const Stmt& s : body) {
    const auto* i = s.as<ast::If>();
    if (g.valueOf(s)) ++count;
    if (i) count += countYields(g, i->then) + countYields(g, i->otherwise);
    if (!i && !g.valueOf(s) && g.yields({s})) count += kMany;
  }
  return count;
}

std::optional<Endless> endlessOf(const ast::Function& fn) {
  const std::optional<Generator> g = generatorOf(fn);
  if (!g || g->body.empty()) return std::nullopt;
  Endless out{*g, Body(g->body.begin(), g->body.end() - 1), nullptr, g->body.back()->span};
  out.loop = g->body.back().as<ast::While>(); // the tree is shared: it lives as long as the function
  if (!out.loop || leaves(out.loop->body, false)) return std::nullopt;
  const auto* always = out.loop->cond.as<ast::BoolLit>();
  const auto* one = out.loop->cond.as<ast::IntLit>();
  const bool isSimple = std::ranges::all_of(out.prologue, [](const Stmt& s) {
    const auto* a = s.as<ast::Assign>();
    return a && std::ranges::all_of(a->targets, [](const ast::Expr& t) {
             const auto* all = t.as<ast::Tuple>();
             return t.is<ast::Name>() || (all && std::ranges::all_of(all->items, [](const ast::Expr& item) {
                                            return item.is<ast::Name>();
                                          }));
           });
  });
  const bool isPlain = std::ranges::all_of(
      fn.params, [](const ast::Parameter& p) { return p.kind <= ast::Parameter::Ordinary; });
  return ((always && always->value) || (one && one->value)) && isSimple && isPlain ? std::optional(out)
                                                                                   : std::nullopt;
}

/// What is done between the loop's value and the end of its step.
Body behindValue(const Generator& g, const Body& body) {
  for (size_t k = 0; k < body.size(); ++k) {
    if (!g.yields({body[k]})) continue;
    Body out;
    if (const auto* i = body[k].as<ast::If>())
      out = behindValue(g, g.yields(i->then) ? i->then : i->otherwise);
    out.insert(out.end(), body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end());
    return out;
  }
  return {};
}

/// The loop's statements, where `give` stands for what yields.
template <class Give> Body withValues(const Generator& g, const Body& body, const Give& give) {
  Body out;
  for (const Stmt& s : body) {
    const auto* i = s.as<ast::If>();
    if (const ast::Expr* value = g.valueOf(s)) {
      for (const Stmt& given : give(*value, s->span)) out.push_back(given);
      continue;
    }
    out.push_back(i && g.yields({s}) ? ast::makeStmt(s->span, ast::If{i->cond, withValues(g, i->then, give),
                                                                      withValues(g, i->otherwise, give)})
                                     : s);
  }
  return out;
}

bool jumps(const Body& body) {
  return std::ranges::any_of(body, [](const Stmt& s) {
    const auto* i = s.as<ast::If>();
    return s.is<ast::Break>() || s.is<ast::Continue>() || (i && (jumps(i->then) || jumps(i->otherwise)));
  });
}

std::string steppersName(const ast::Function& fn) { return "steps of " + fn.name; } // no names of Python's
std::string firstName(const ast::Function& fn) { return "first of " + fn.name; }
std::string whileName(const ast::Function& fn) { return "first of " + fn.name + " that fit"; }

/// The function that makes one which gives the next value; none where the generator is of another form.
std::optional<ast::Function> stepperOf(const ast::Function& fn) {
  const std::optional<Endless> e = endlessOf(fn);
  if (!e || countYields(e->generator, e->loop->body) != 1) return std::nullopt;
  const Body rest = behindValue(e->generator, e->loop->body);
  if (jumps(rest)) return std::nullopt;
  const Span where = fn.nameSpan, end{fn.span.end, fn.span.end};
  const std::string dict = "state of " + fn.name, begun = "is begun";
  const auto item = [&](const std::string& name, Span at) {
    return ast::make(at, ast::Subscript{nameAt(dict, at), {ast::make(at, ast::StringLit{name})}});
  };
  Body step = e->prologue;
  step.insert(step.end(), rest.begin(), rest.end());
  const std::set<std::string> early = assignedNames(e->prologue);
  Body turn = rest;
  turn.insert(turn.end(), e->loop->body.begin(), e->loop->body.end());
  std::set<std::string> kept = early;
  for (const ast::Parameter& p : fn.params) kept.insert(p.name);
  const std::set<std::string> exposed = exposedNames(turn);
  for (const std::string& name : assignedNames(turn))
    if (exposed.count(name) && !kept.count(name))
      return std::nullopt; // a later step reads what the first one binds
  std::map<std::string, ast::Expr> values;
  for (const std::string& name : kept) values[name] = item(name, where);
  std::map<std::string, std::string> none;
  NamePlaces places{where, 0, 0, where};
  places.areKept = true;

  ast::Function made;
  made.name = "step of " + fn.name;
  made.nameSpan = where;
  made.span = fn.span;
  const ast::Expr isBegun = item(begun, e->where);
  const Stmt begin = binding(isBegun, ast::make(e->where, ast::BoolLit{true}));
  if (!rest.empty())
    made.body.push_back(
        ast::makeStmt(e->where, ast::If{isBegun, withNames(rest, values, none, places), {begin}}));
  const bool isDirect =
      std::ranges::any_of(e->loop->body, [&](const Stmt& s) { return e->generator.valueOf(s) != nullptr; });
  Body once = withValues(e->generator, e->loop->body, [](const ast::Expr& value, Span at) {
    return Body{ast::makeStmt(at, ast::Return{value})};
  });
  if (isDirect && !jumps(e->loop->body)) { // what stands behind it is for the next step
    const auto given = std::ranges::find_if(once, [](const Stmt& s) { return s.is<ast::Return>(); });
    once.erase(given + 1, once.end());
    for (const Stmt& s : withNames(once, values, none, places)) made.body.push_back(s);
  } else {
    ast::While loop = *e->loop;
    loop.body = withNames(once, values, none, places);
    made.body.push_back(ast::makeStmt(e->where, std::move(loop)));
  }

  ast::Function out = fn;
  out.name = steppersName(fn);
  out.yields = {};
  out.problems.clear();
  ast::Dict state;
  for (const ast::Parameter& p : fn.params) {
    state.keys.push_back(ast::make(where, ast::StringLit{p.name}));
    state.values.push_back(nameAt(p.name, where));
  }
  state.keys.push_back(ast::make(where, ast::StringLit{begun}));
  state.values.push_back(ast::make(where, ast::BoolLit{false}));
  out.body = {binding(nameAt(dict, where), ast::make(where, std::move(state)))};
  for (const Stmt& s : withNames(e->prologue, values, none, places)) out.body.push_back(s);
  const std::string stepName = made.name;
  out.body.push_back(
      ast::makeStmt(end, ast::LocalFunction{std::make_shared<const ast::Function>(std::move(made))}));
  out.body.push_back(ast::makeStmt(end, ast::Return{nameAt(stepName, end)}));
  return out;
}

/// The function that makes a list of the first values: of as many as are asked for, or of those until one does not fit.
std::optional<ast::Function> firstOf(const ast::Function& fn, bool isWhile) {
  const std::optional<Endless> e = endlessOf(fn);
  if (!e || fn.params.end() !=
                std::ranges::find_if(fn.params, [](const ast::Parameter& p) { return bool(p.defaultValue); }))
    return std::nullopt;
  if (countYields(e->generator, e->loop->body) != 1) return std::nullopt;
  const std::string& list = e->generator.yielded;
  const std::string asked = isWhile ? "test" : "most", item = "value of " + fn.name;
  const Span end{fn.span.end, fn.span.end};
  const Stmt done = ast::makeStmt(end, ast::Return{nameAt(list, end)});
  ast::Function out = fn;
  out.name = isWhile ? whileName(fn) : firstName(fn);
  out.yields = {};
  out.problems.clear();
  const std::string parameter = asked + " of " + fn.name;
  out.params.insert(out.params.begin(), {parameter, {}, fn.nameSpan});
  const ast::Expr none = ast::make(end, ast::IntLit{0});
  out.body = {fn.body.front()};
  if (!isWhile)
    out.body.push_back(ast::makeStmt(
        fn.nameSpan, ast::If{ast::make(fn.nameSpan, ast::Compare{{nameAt(parameter, fn.nameSpan), none},
                                                                 {ast::CompareOp::Le}}),
                             {done},
                             {}}));
  out.body.insert(out.body.end(), e->prologue.begin(), e->prologue.end());
  ast::While loop = *e->loop;
  loop.body = withValues(e->generator, e->loop->body, [&](const ast::Expr& value, Span at) {
    const Span behind{at.end, at.end};
    const ast::Expr now = nameAt(item, at);
    const ast::Expr add = ast::make(
        at, ast::Call{ast::make(at, ast::Attribute{nameAt(list, at), "append"}), {nameAt(item, behind)}, {}});
    const Stmt added = ast::makeStmt(behind, ast::ExprStmt{add});
    const ast::Expr length = ast::make(behind, ast::Call{nameAt("len", behind), {nameAt(list, behind)}, {}});
    const ast::Expr stops =
        isWhile ? ast::make(behind, ast::Unary{ast::UnaryOp::Not,
                                               ast::make(behind, ast::Call{nameAt(parameter, behind),
                                                                           {nameAt(item, behind)},
                                                                           {}})})
                : ast::make(behind, ast::Compare{{length, nameAt(parameter, behind)}, {ast::CompareOp::Ge}});
    const Stmt stop = ast::makeStmt(behind, ast::If{stops, {done}, {}});
    return isWhile ? Body{binding(now, value), stop, added} : Body{binding(now, value), added, stop};
  });
  out.body.push_back(ast::makeStmt(e->where, std::move(loop)));
  return out;
}

/// The functions of a file that use generators that never end.
class Users {
public:
  explicit Users(const ast::Module& module) {
    for (const ast::Function& fn : module.functions) {
      if (fn.yields.end == 0) continue;
      if (std::optional<ast::Function> made = stepperOf(fn)) steppers_.emplace(fn.name, std::move(*made));
      for (const bool isWhile : {false, true})
        if (std::optional<ast::Function> made = firstOf(fn, isWhile))
          firsts_.emplace(std::pair(fn.name, isWhile), std::move(*made));
    }
  }

  Body run(const Body& body) {
    Body out;
    for (const Stmt& s : body) {
      const auto made = [&](auto node) { return ast::makeStmt(s->span, std::move(node)); };
      if (const auto* i = s.as<ast::If>()) {
        out.push_back(made(ast::If{with(i->cond), run(i->then), run(i->otherwise)}));
      } else if (const auto* w = s.as<ast::While>()) {
        ast::While loop = *w;
        loop.cond = with(w->cond), loop.body = run(w->body), loop.otherwise = run(w->otherwise);
        out.push_back(made(std::move(loop)));
      } else if (const auto* f = s.as<ast::For>()) {
        ast::For loop = *f;
        loop.body = run(f->body), loop.otherwise = run(f->otherwise);
        out.push_back(made(std::move(loop)));
      } else if (const auto* a = s.as<ast::Assign>()) {
        ast::Expr value = with(a->value);
        const auto* names = a->targets.size() == 1 ? a->targets[0].as<ast::Tuple>() : nullptr;
        const auto* items = value.as<ast::Tuple>();
        if (a->targets.size() == 1 && a->targets[0].is<ast::Name>()) value = stepped(value);
        if (names && items && names->items.size() == items->items.size()) {
          ast::Tuple all = *items;
          for (ast::Expr& item : all.items) item = stepped(item);
          value = ast::make(value->span, std::move(all));
        }
        out.push_back(made(ast::Assign{a->targets, value, a->directive}));
      } else if (const auto* g = s.as<ast::AugAssign>()) {
        out.push_back(made(ast::AugAssign{g->op, g->target, with(g->value), g->directive}));
      } else if (const auto* r = s.as<ast::Return>()) {
        out.push_back(r->value ? made(ast::Return{with(r->value)}) : s);
      } else if (const auto* e = s.as<ast::ExprStmt>()) {
        out.push_back(made(ast::ExprStmt{with(e->value), e->isContext}));
      } else if (const auto* l = s.as<ast::LocalFunction>()) {
        ast::Function inner = *l->function;
        inner.body = run(inner.body);
        out.push_back(made(ast::LocalFunction{std::make_shared<const ast::Function>(std::move(inner))}));
      } else {
        out.push_back(s);
      }
    }
    return out;
  }
  std::vector<ast::Function> added() const {
    std::vector<ast::Function> out;
    for (const auto& [name, fn] : used_) out.push_back(*fn);
    return out;
  }
  bool hasAny() const { return !steppers_.empty() || !firsts_.empty(); }

private:
  ast::Expr calling(const ast::Function& fn, const ast::Call& call, Span where) {
    used_[fn.name] = &fn;
    ast::Call other = call;
    other.callee = nameAt(fn.name, call.callee->span);
    return ast::make(where, std::move(other));
  }
  ast::Expr stepped(const ast::Expr& value) {
    const auto* call = value.as<ast::Call>();
    const auto* name = call ? call->callee.as<ast::Name>() : nullptr;
    const auto found = name ? steppers_.find(name->id) : steppers_.end();
    return found == steppers_.end() ? value : calling(found->second, *call, value->span);
  }
  /// With lists of first values.
  ast::Expr with(const ast::Expr& e) {
    if (!e) return e;
    if (const auto* c = e.as<ast::Comprehension>()) {
      ast::Comprehension other = *c;
      for (ast::Clause& clause : other.clauses) clause.iter = with(clause.iter);
      return ast::make(e->span, std::move(other));
    }
    std::vector<ast::Expr> parts = partsOf(e);
    if (parts.empty()) return e;
    for (ast::Expr& part : parts) part = with(part);
    const ast::Expr made = withParts(e, std::move(parts));
    const auto* call = made.as<ast::Call>();
    const auto* path = call ? call->callee.as<ast::Attribute>() : nullptr;
    const auto* of = path ? path->base.as<ast::Name>() : nullptr;
    const auto* name = call ? call->callee.as<ast::Name>() : nullptr;
    const std::string function = name ? name->id : of && of->id == "itertools" ? path->name : "";
    const bool isWhile = function == "takewhile";
    if ((!isWhile && function != "islice") || call->args.size() != 2 || !call->keywords.empty()) return made;
    const auto* over = call->args[isWhile ? 1 : 0].as<ast::Call>();
    const auto* generator = over ? over->callee.as<ast::Name>() : nullptr;
    const auto found = generator ? firsts_.find({generator->id, isWhile}) : firsts_.end();
    if (found == firsts_.end()) return made;
    ast::Call first = *over;
    first.args.insert(first.args.begin(), call->args[isWhile ? 0 : 1]);
    return calling(found->second, first, made->span);
  }

  std::map<std::string, ast::Function> steppers_;
  std::map<std::pair<std::string, bool>, ast::Function> firsts_;
  std::map<std::string, const ast::Function*> used_;
};

} // namespace

ast::Module withSteppers(const ast::Module& module) {
  Users users(module);
  if (!users.hasAny()) return module;
  ast::Module out = module;
  for (ast::Function& fn : out.functions)
    if (fn.yields.end == 0) fn.body = users.run(fn.body);
  for (ast::Function& fn : users.added()) out.functions.push_back(std::move(fn));
  return out;
}

} // namespace appyc::sema
