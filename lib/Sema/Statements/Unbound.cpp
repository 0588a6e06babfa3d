//===- Unbound.cpp - names that have no value on some path -------------------------------------------===//
// A name that a branch binds, or a loop that may run not once, has no value where these did not: reading it raises
// UnboundLocalError. Where such a name is read, the condition under which it is bound is tested, as it was when the branch
// or the loop began. Where that is not known any more, a variable says whether a number has been bound: that it is
// needed is known where the name is read, and the function is lowered once more.
#include "Lowering.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

static constexpr std::string_view kUnbound = "may have no value here, where Python raises UnboundLocalError; "
                                             "give it one before the branch or the loop that "
                                             "binds it";

namespace {
/// What stands in a loop or a branch.
std::vector<const ast::Body*> bodiesOf(const ast::Stmt& s) {
  if (const auto* f = s.as<ast::For>()) return {&f->body, &f->otherwise};
  if (const auto* w = s.as<ast::While>()) return {&w->body, &w->otherwise};
  if (const auto* i = s.as<ast::If>()) {
    if (const auto* c = i->cond.as<ast::Completes>()) return {&c->tried, &i->then, &i->otherwise};
    return {&i->then, &i->otherwise};
  }
  return {};
}

/// Does a `for` bind the name?
bool isTarget(const std::string& name, const ast::Body& body) {
  return std::ranges::any_of(body, [&](const ast::Stmt& s) {
    const auto* f = s.as<ast::For>();
    if (f && assignedNames({ast::makeStmt(s->span, ast::Assign{{f->target}, f->iter, {}})}).count(name))
      return true;
    for (const ast::Body* inner : bodiesOf(s))
      if (isTarget(name, *inner)) return true;
    return false;
  });
}

using BoundKey = std::pair<const ast::Function*, std::string>;
BoundKey boundKey(const ast::Function& fn, const std::string& name, bool isAsked) {
  return {nullptr, fmt::format("{}{} of {}", isAsked ? "asked " : "", name, fn.nameSpan.begin)};
}

/// Does a loop around the place bind it: may an earlier step have done so?
bool isBoundAround(const std::string& name, const ast::Body& body, Span where) {
  return std::ranges::any_of(body, [&](const ast::Stmt& s) {
    if (where.begin < s->span.begin || where.begin >= s->span.end) return false;
    const auto* f = s.as<ast::For>();
    const auto* w = s.as<ast::While>();
    if ((f || w) && assignedNames({s}).count(name)) return true;
    for (const ast::Body* inner : bodiesOf(s))
      if (isBoundAround(name, *inner, where)) return true;
    return false;
  });
}
} // namespace

/// Do the branches that are open ask for it?
bool Lowering::isKnown(const Expr& bound) const {
  if (std::any_of(known_.begin(), known_.end(), [&](const Expr& e) { return ir::equal(e, bound); }))
    return true;
  const auto* b = bound.as<ir::Binary>();
  if (b && b->op == ir::BinaryOp::LogicalAnd) return isKnown(b->lhs) && isKnown(b->rhs);
  return b && b->op == ir::BinaryOp::LogicalOr && (isKnown(b->lhs) || isKnown(b->rhs));
}

/// Before the name is read.
bool Lowering::requireBound(const std::string& name, Span where) {
  auto it = env().boundIf.find(name);
  if (it == env().boundIf.end() || isKnown(it->second)) return true;
  const bool isShown =
      kernel_ || std::ranges::any_of(loops_, [](const ir::For& loop) { return isShared(loop); });
  const bool isOlder =
      !loops_.empty() && !frame().bound.count(name) && isBoundAround(name, frame().function->body, where);
  if (isOlder && !isShown && saysWhenBound(name)) return false;
  if (isShown || isOlder) {
    error(DiagId::Unsupported, where, fmt::format("`{}` {}", name, kUnbound));
    return false;
  }
  require(it->second, "UnboundLocalError",
          fmt::format("cannot access local variable '{}' where it is not associated with a value", name));
  env().boundIf.erase(name);
  return true;
}

/// Names that Sema has added to the function are read only where they have a value.
bool Lowering::isAdded(const std::string& name) const {
  const std::vector<std::string>& added = frames_.back().function->added;
  return std::find(added.begin(), added.end(), name) != added.end();
}

/// Is the name read somewhere that no assignment on every path precedes?
bool Lowering::isExposed(const std::string& name) {
  if (isAdded(name)) return false;
  Frame& f = frame();
  if (!f.exposed) {
    f.exposed = exposedNames(f.function->body);
    addCaptured(*f.exposed);
  }
  return f.exposed->count(name) > 0;
}

/// The name may have a value, but not one that can be read.
void Lowering::lose(const std::string& name, std::string why) {
  env().erase(name);
  env().boundIf.erase(name);
  env().lost[name] = std::move(why);
}

/// A name that may have no value is read: a variable says so when the function is lowered once more. False where none can.
bool Lowering::saysWhenBound(const std::string& name) {
  const ast::Function& fn = *frame().function;
  if (site_ || kernel_ || frame().isLibrary || isAdded(name) || isTarget(name, fn.body)) return false;
  const auto found = env().find(name);
  const auto* now = found == env().end() ? nullptr : found->second.as<Scalar>();
  const auto known = listStates_.unbound.find(boundKey(fn, name, false));
  if (!now && known == listStates_.unbound.end()) return false;
  const Scalar state = now ? keptIn(*now, ir::var(Symbol("item"), now->type())) : known->second;
  if (!listStates_.unbound.emplace(boundKey(fn, name, true), state).second) return false;
  listStates_.haveChanged = true;
  return true;
}

/// As a call begins: the names that are asked for have the variables that say whether they are bound.
void Lowering::beginBound() {
  Frame& f = frame();
  if (std::exchange(f.isBegun, true) || f.isLibrary || kernel_ || !f.function || listStates_.unbound.empty())
    return;
  for (const auto& [name, facts] : f.names) {
    const auto asked = listStates_.unbound.find(boundKey(*f.function, name, true));
    if (asked == listStates_.unbound.end() || env().count(name)) continue;
    const Scalar& state = asked->second;
    const Symbol value = newVariable(name, state.type(), ir::constOf(state.type(), 0));
    const Symbol flag = newVariable("has_" + name, DType::Bool, ir::boolConst(false));
    mutable_.insert(value), mutable_.insert(flag);
    env()[name] = Value{keptIn(state, ir::var(value, state.type()))};
    f.bound[name] = env().boundIf[name] = ir::var(flag, DType::Bool);
  }
}

/// The name has a value only if `bound`, which is as it was before `made`, or not empty.
void Lowering::setBoundIf(const std::string& name, const Expr& bound, const std::vector<ir::Stmt>& made) {
  if (const auto flag = frame().bound.find(name); flag != frame().bound.end()) {
    env().boundIf[name] = flag->second;
    return;
  }
  bool isLost = !bound || !isStable(bound);
  for (const ir::Stmt& s : made) isLost = isLost || ir::intersect(ir::assignedVars(s), ir::freeVars(bound));
  if (!isLost) {
    env().boundIf[name] = bound;
    return;
  }
  if (const auto found = env().find(name); found != env().end() && found->second.as<Scalar>()) {
    const Scalar& s = *found->second.as<Scalar>();
    listStates_.unbound[boundKey(*frame().function, name, false)] =
        keptIn(s, ir::var(Symbol("item"), s.type()));
  }
  lose(name, std::string(kUnbound));
}

/// Under which conditions names are bound after a branch, from those at the ends of its sides.
void Lowering::joinBound(const Expr& cond, const Env& thenEnv, const std::vector<ir::Stmt>& thenList,
                         const Env& elseEnv, const std::vector<ir::Stmt>& elseList) {
  std::set<std::string> names;
  for (const Env* side : {&thenEnv, &elseEnv}) {
    for (const auto& entry : side->boundIf) names.insert(entry.first);
    const Env& other = side == &thenEnv ? elseEnv : thenEnv;
    for (const auto& entry : *side)
      if (!other.count(entry.first)) names.insert(entry.first);
  }
  auto boundIn = [](const Env& side, const std::string& name) {
    if (!side.count(name)) return ir::boolConst(false);
    auto it = side.boundIf.find(name);
    return it == side.boundIf.end() ? ir::boolConst(true) : it->second;
  };
  std::vector<ir::Stmt> made = thenList;
  made.insert(made.end(), elseList.begin(), elseList.end());
  env().boundIf.clear();
  for (const std::string& name : names) {
    if (!env().count(name) || env()[name].isError() || !isExposed(name)) continue;
    const Expr bound = ir::select(cond, boundIn(thenEnv, name), boundIn(elseEnv, name));
    if (ir::constantBool(bound) != true) setBoundIf(name, bound, made);
  }
}

/// Is any name bound on one side only, so that the condition is to be kept?
bool Lowering::bindsOnOneSide(const Env& thenEnv, const Env& elseEnv) {
  for (const Env* side : {&thenEnv, &elseEnv})
    for (const auto& [name, value] : *side)
      if (!(side == &thenEnv ? elseEnv : thenEnv).count(name) && !value.isError() && isExposed(name))
        return true;
  return false;
}

/// Names that a loop was the first to bind have a value if it ran.
void Lowering::boundIfRan(const Env& before, const std::function<Expr()>& ran,
                          const std::vector<ir::Stmt>& body, const Symbol& index) {
  std::vector<std::string> names;
  for (const auto& entry : env())
    if (!before.count(entry.first) && !entry.second.isError()) names.push_back(entry.first);
  for (const auto& [name, was] : before.boundIf) {
    const auto now = env().boundIf.find(name);
    if (env().count(name) && (now == env().boundIf.end() || !ir::equal(now->second, was)))
      names.push_back(name);
  }
  Expr hasRun;
  for (const std::string& name : names) {
    if (auto it = before.lost.find(name); it != before.lost.end() && !before.count(name)) {
      lose(name, it->second);
      continue;
    }
    if (!isExposed(name)) continue;
    if (!hasRun) hasRun = ran();
    Expr bound = hasRun;
    if (auto it = env().boundIf.find(name); it != env().boundIf.end())
      bound = index && ir::mentions(it->second, index)
                  ? Expr()
                  : ir::binary(ir::BinaryOp::LogicalAnd, bound, it->second);
    if (auto it = before.boundIf.find(name); it != before.boundIf.end() && bound)
      bound = ir::binary(ir::BinaryOp::LogicalOr, it->second, bound);
    if (bound && ir::constantBool(bound) == true)
      env().boundIf.erase(name);
    else
      setBoundIf(name, bound, body);
  }
}

/// Keeps later uses of the names quiet whose value has been reported. Numbers that follow from lists of which nothing is known
/// yet stay what they were: what is put into lists may follow from them in turn.
void Lowering::forget(const ast::Expr& target) {
  if (const auto* n = target.as<ast::Name>()) {
    Value& now = env()[n->id];
    if (!asksForUnknown_ || !now.as<Scalar>()) now = Value{};
  }
  if (const auto* t = target.as<ast::Tuple>())
    for (const ast::Expr& item : t->items) forget(item);
}

} // namespace appyc::sema
