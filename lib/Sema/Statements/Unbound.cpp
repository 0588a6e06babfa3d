//===- Unbound.cpp - names that have no value on some path -------------------------------------------===//
// A name that a branch binds, or a loop that may run not once, has no value where these did not: reading it raises
// UnboundLocalError. Where such a name is read, the condition under which it is bound is tested on the host, as it was
// when the branch or the loop began; in a loop, where nothing can be raised, the reading is refused unless the
// branch that it stands in has asked for the same condition.
#include "Lowering.h"
#include "appyc/IR/Simplify.h"

namespace appyc::sema {

static constexpr std::string_view kUnbound = "may have no value here, where Python raises UnboundLocalError; "
                                             "give it one before the branch or the loop that "
                                             "binds it";

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
  if (!loops_.empty()) {
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

/// The name has a value only if `bound`, which is as it was before `made`, or not empty.
void Lowering::setBoundIf(const std::string& name, const Expr& bound, const std::vector<ir::Stmt>& made) {
  bool isLost = !bound || !isStable(bound);
  for (const ir::Stmt& s : made) isLost = isLost || ir::intersect(ir::assignedVars(s), ir::freeVars(bound));
  if (!isLost) {
    env().boundIf[name] = bound;
    return;
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

} // namespace appyc::sema
