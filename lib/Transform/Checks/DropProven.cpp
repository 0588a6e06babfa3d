//===- DropProven.cpp - checks that pass in any case --------------------------------------------------------===//
//   if n > 0: require n - 1 >= 0          if n > 0: ..
//   require n == m; ..; require n == m    require n == m; ..
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"

namespace appyc::transform {
using namespace ir;

namespace {

class Proving {
public:
  explicit Proving(const Function& f) : facts_(f) {}

  Stmt run(const Stmt& s) {
    if (!s) return s;
    if (const auto* check = s.as<Require>()) return checked(s, *check);
    if (const auto* branch = s.as<If>()) {
      If proven = *branch;
      proven.then = inside(branch->then, branch->cond);
      proven.otherwise = inside(branch->otherwise, unary(UnaryOp::LogicalNot, branch->cond));
      return makeStmt(s->span, std::move(proven));
    }
    if (s.is<For>() || s.is<While>())
      return mapChildren(s, [&](const Stmt& child) { return inside(child, {}); });
    return s.is<Block>() ? mapChildren(s, [&](const Stmt& child) { return run(child); }) : s;
  }

private:
  Stmt checked(const Stmt& s, const Require& check) {
    if (!facts_.isFixed(check.cond)) return s;
    if (!facts_.mayHold(unary(UnaryOp::LogicalNot, check.cond))) return block({});
    facts_.learn(check.cond); // behind it
    return s;
  }

  /// A part that runs under a condition, and may not run.
  Stmt inside(const Stmt& s, const Expr& condition) {
    if (!s || !has<Require>(s)) return s;
    const size_t known = facts_.count();
    if (condition && facts_.isFixed(condition)) facts_.learn(condition);
    const Stmt result = run(s);
    facts_.forget(known);
    return result;
  }

  analysis::Facts facts_;
};

} // namespace

Module dropProven(const Module& module, PassContext&) {
  return eachFunction(module, [](Function& f) {
    if (has<Require>(f.body)) f.body = Proving(f).run(f.body);
  });
}

} // namespace appyc::transform
