//===- FirstStep.cpp - loops whose first step stands by itself ------------------------------------------===//
//   for i in range(n):                  if 0 < n:
//     if i > 0:                            i = 0
//       s += a[i] - last        =>         last = a[i]
//     last = a[i]                          for i in range(1, n):
//                                            s += a[i] - last
//                                            last = a[i]
// A name that a step hands on to the next and that has no value before the loop has one from the second step on: there
// its type and size are known. Likewise one that is a number before the loop, and an array later, or an array of another kind.
#include "FirstStep.h"
#include "State.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::sema {

bool ListStates::noteLater(uint32_t place, const std::string& name, const Value& before, const Value& after) {
  const auto *a = before.as<Array>(), *b = after.as<Array>();
  if (!b || name[0] == '#') return false;
  const bool isNumber = before.as<Scalar>() || isAnyList(before);
  const bool isOther = a && (a->type != b->type || a->shape.size() != b->shape.size());
  const bool isNew = isNumber  ? arraysLater.emplace(place, name).second
                     : isOther ? othersLater.emplace(place, name, a->type, a->shape.size()).second
                               : false;
  haveChanged |= isNew;
  return isNew;
}

StepNames::StepNames(const ast::Body& body, bool isInside) : isInLoop(isInside) { number(body, 0); }

/// Names of the loop's step of that number, none of which is one of Python's.
void StepNames::number(const ast::Body& body, int steps) {
  const auto at = [&](const char* what) {
    const uint32_t place = body.empty() ? 0 : body.back()->span.begin;
    return steps == 0 ? fmt::format("{} at {}", what, place) : fmt::format("{} {} at {}", what, steps, place);
  };
  runs = at("runs"), first = at("first"), rest = at("rest"), step = at("i"), next = at("next");
}

bool StepNames::find(const Env& before, const ast::Body& body, const ast::Expr& target,
                     const ListStates& states, const std::map<std::string, NameFacts>& facts, uint32_t end) {
  constexpr int kMostSteps =
      2; // x is an array from the first step on, and what x is added to from the second
  int steps = 0;
  for (; before.count(rest); number(body, steps))
    if (++steps == kMostSteps) return false; // this is the rest
  for (const auto& [place, name] : states.arraysLater)
    if (const auto is = before.find(name); place == body.back()->span.begin && is != before.end() &&
                                           (is->second.as<Scalar>() || isAnyList(is->second)))
      numbers.insert(name);
  for (const auto& [place, name, type, rank] : states.othersLater)
    if (const auto is = before.find(name); place == body.back()->span.begin && is != before.end())
      if (const auto* a = is->second.as<Array>(); a && a->type == type && a->shape.size() == rank)
        numbers.insert(name);
  for (const std::string& name : numbers)
    if (const auto is = facts.find(name); isInLoop || (is != facts.end() && isReadAfter(is->second, end)))
      asked.insert(name);
  if (steps > 0) return !numbers.empty();
  unbound = handedOnNames(body);
  if (target)
    for (const std::string& name :
         assignedNames({ast::makeStmt(target->span, ast::Assign{{target}, target, {}})}))
      unbound.erase(name);
  std::erase_if(unbound,
                [&](const std::string& name) { return before.count(name) || before.lost.count(name); });
  return !unbound.empty() || !numbers.empty();
}

ast::Body copyOf(const ast::Body& body) {
  ast::Body out;
  for (const ast::Stmt& s : body) {
    if (const auto* f = s.as<ast::For>()) {
      ast::For copy = *f;
      copy.body = copyOf(f->body);
      out.push_back(ast::makeStmt(s->span, std::move(copy)));
    } else if (const auto* w = s.as<ast::While>()) {
      ast::While copy = *w;
      copy.body = copyOf(w->body);
      out.push_back(ast::makeStmt(s->span, std::move(copy)));
    } else if (const auto* i = s.as<ast::If>()) {
      out.push_back(ast::makeStmt(s->span, ast::If{i->cond, copyOf(i->then), copyOf(i->otherwise)}));
    } else {
      out.push_back(s);
    }
  }
  return out;
}

namespace {
/// Does evaluating the expression surely read one of the names?
bool readsAny(const ast::Expr& e, const std::set<std::string>& names) {
  const auto any = [&](const std::vector<ast::Expr>& parts) {
    return std::ranges::any_of(parts, [&](const ast::Expr& part) { return readsAny(part, names); });
  };
  if (!e) return false;
  return match(
      e, [&](const ast::Name& n) { return names.count(n.id) > 0; },
      [&](const ast::Unary& u) { return readsAny(u.arg, names); },
      [&](const ast::Binary& b) {
        return any({b.lhs, b.rhs});
      },
      [&](const ast::Compare& c) {
        return any({c.operands[0], c.operands[1]});
      },
      [&](const ast::BoolExpr& b) { return readsAny(b.lhs, names); },
      [&](const ast::Conditional& c) { return readsAny(c.cond, names); },
      [&](const ast::Call& c) { return readsAny(c.callee, names) || any(c.args); },
      [&](const ast::Attribute& a) { return readsAny(a.base, names); },
      [&](const ast::Subscript& s) { return readsAny(s.base, names) || any(s.index); },
      [&](const ast::Tuple& t) { return any(t.items); }, [&](const ast::List& l) { return any(l.items); },
      [](const auto&) { return false; });
}

bool readsAny(const ast::Stmt& s, const std::set<std::string>& names) {
  return match(
      s, [&](const ast::Assign& a) { return readsAny(a.value, names); },
      [&](const ast::AugAssign& a) { return readsAny(a.target, names) || readsAny(a.value, names); },
      [&](const ast::ExprStmt& e) { return readsAny(e.value, names); },
      [&](const ast::If& i) { return readsAny(i.cond, names); },
      [&](const ast::For& f) { return readsAny(f.iter, names); }, [](const auto&) { return false; });
}

/// What reads one of the names, which have no value yet, raises as Python does; a step that does so on every path stays.
ast::Body raising(const ast::Body& body, std::set<std::string> names, bool isBranch) {
  ast::Body out;
  for (const ast::Stmt& s : body) {
    const auto read =
        std::ranges::find_if(names, [&](const std::string& name) { return isBranch && readsAny(s, {name}); });
    if (read != names.end()) {
      const ast::Expr error = ast::make(s->span, ast::Name{"UnboundLocalError"});
      const ast::Expr text = ast::make(
          s->span, ast::StringLit{fmt::format(
                       "cannot access local variable '{}' where it is not associated with a value", *read)});
      out.push_back(ast::makeStmt(s->span, ast::Raise{ast::make(s->span, ast::Call{error, {text}, {}})}));
      return out;
    }
    if (const auto* i = s.as<ast::If>())
      out.push_back(ast::makeStmt(
          s->span, ast::If{i->cond, raising(i->then, names, true), raising(i->otherwise, names, true)}));
    else
      out.push_back(s);
    for (const std::string& name : assignedNames({s})) names.erase(name);
  }
  return out;
}

ast::Body firstBody(const ast::Body& body, const StepNames& names) {
  ast::Body copy = copyOf(body);
  return names.isInLoop ? copy : raising(copy, names.unbound, false);
}
} // namespace

static ast::Body withItem(const ast::Expr& target, const std::string& item, const ast::Body& body) {
  ast::Body out = body;
  const Span where = target->span;
  out.insert(out.begin(), ast::makeStmt(where, ast::Assign{{target}, ast::make(where, ast::Name{item}), {}}));
  return out;
}

/// `loop` behind the first step, unless that has left it.
static void addRest(ast::Body& first, ast::Stmt loop, const ast::Expr& unless) {
  if (!unless) return first.push_back(std::move(loop));
  const ast::Expr goesOn = ast::make(unless->span, ast::Unary{ast::UnaryOp::Not, unless});
  const Span span = loop->span;
  first.push_back(ast::makeStmt(span, ast::If{goesOn, {std::move(loop)}, {}}));
}

/// Where no step runs: what is a number still, and is read as an array.
static ast::Body noStep(const StepNames& names, Span where) {
  ast::Body out;
  for (const std::string& name : names.numbers) {
    const ast::Expr target = ast::make(where, ast::Name{name});
    const ast::Expr error = ast::make(where, ast::Name{"NotImplementedError"});
    const ast::Expr text = ast::make(
        where, ast::StringLit{fmt::format("`{}` is of another kind where the loop runs no step than "
                                          "behind one; begin with an array of that kind",
                                          name)});
    out.push_back(names.asked.count(name)
                      ? ast::makeStmt(where, ast::Raise{ast::make(where, ast::Call{error, {text}, {}})})
                      : ast::makeStmt(where, ast::Delete{{target}}));
  }
  return out;
}

ast::Body firstByItself(const ast::For& s, const StepNames& names) {
  const Span where = s.target->span;
  const auto named = [&](const std::string& name) { return ast::make(where, ast::Name{name}); };
  ast::For rest = s;
  rest.iter = named(names.rest);
  if (!names.step.empty())
    rest.target = named(names.step), rest.body = withItem(s.target, names.next, copyOf(s.body));
  const Span span{s.target->span.begin, s.body.back()->span.end};
  ast::Body first = withItem(s.target, names.first, firstBody(s.body, names));
  addRest(first, ast::makeStmt(span, std::move(rest)), s.unless);
  return {ast::makeStmt(span, ast::If{named(names.runs), std::move(first), noStep(names, where)})};
}

ast::Body firstByItself(const ast::While& s, Span span, const StepNames& names) {
  ast::Body first = firstBody(s.body, names);
  addRest(first, ast::makeStmt(span, s), s.unless);
  return {ast::makeStmt(span, ast::If{s.cond, std::move(first), noStep(names, s.cond->span)})};
}

} // namespace appyc::sema
