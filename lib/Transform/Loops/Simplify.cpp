//===- Simplify.cpp - expressions in canonical form, and statements that do nothing gone --------------------===//
//   if True: a[i] = x + 0              a[i] = x
//   for i in range(3, 3): ..
// What passes make anew is canonical already (ir::simplifiedNode); this is for what they put together from parts.
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {
using namespace ir;

namespace {

bool isEmpty(const Stmt& s) { return !s || (s.is<Block>() && s.as<Block>()->body.empty()); }

/// What a statement is where conditions are known, or an empty handle.
Stmt simpler(const Stmt& s) {
  if (const auto* branch = s.as<If>()) {
    if (const auto holds = constantBool(branch->cond)) {
      const Stmt& chosen = *holds ? branch->then : branch->otherwise;
      return chosen ? chosen : block({});
    }
    if (!isEmpty(branch->then)) return {};
    if (isEmpty(branch->otherwise)) return block({});
    return makeStmt(s->span, If{unary(UnaryOp::LogicalNot, branch->cond), branch->otherwise, {}});
  }
  if (const auto* check = s.as<Require>()) return constantBool(check->cond) == true ? block({}) : Stmt();
  if (const auto* loop = s.as<While>()) return constantBool(loop->cond) == false ? block({}) : Stmt();
  const auto* loop = s.as<For>();
  if (!loop) return {};
  const auto lo = constantInt(loop->lo), hi = constantInt(loop->hi), step = constantInt(loop->step);
  const bool runs = !lo || !hi || !step || (*step > 0 ? *lo < *hi : *lo > *hi);
  return runs ? Stmt() : block({});
}

} // namespace

Module simplify(const Module& module, PassContext&) {
  return eachFunction(module, [](Function& f) { f.body = rewrite(f.body, simpler, simplifiedNode); });
}

} // namespace appyc::transform
