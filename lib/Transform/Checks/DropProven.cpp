//===- DropProven.cpp - checks that pass in any case, and ends that nothing goes past -----------------------===//
//   if n > 0: require n - 1 >= 0                       if n > 0: ..
//   require n == m; ..; require n == m                 require n == m; ..
//   require w >= 1                                     require w >= 1
//   for i in [0, n - w + 1): x[min(i, n)]        =>    for i in [0, n - w + 1): x[i]
// Sema leaves a slice's ends as NumPy cuts them where loops alone do not tell; checks before them may.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Simplify.h"
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
    if (s.is<Block>()) return mapChildren(s, [&](const Stmt& child) { return run(child); });
    if (s.is<Alloc>()) return s; // which may move to where less is known
    const Stmt own = mapExprs(s, [&](const Expr& e) { return withoutEnds(e); });
    if (const auto* check = own.as<Require>()) return checked(own, *check);
    if (const auto* branch = own.as<If>()) {
      If proven = *branch;
      proven.then = inside(branch->then, branch->cond);
      proven.otherwise = inside(branch->otherwise, isNot(branch->cond));
      return makeStmt(s->span, std::move(proven));
    }
    const auto* loop = own.as<For>();
    const bool isUp = loop && constantInt(loop->step).value_or(0) > 0;
    const Expr runs = isUp ? both(loop->lo <= var(loop->index), var(loop->index) < loop->hi) : Expr();
    return mapChildren(own, [&](const Stmt& child) { return inside(child, runs); });
  }

private:
  Stmt checked(const Stmt& s, const Require& check) {
    if (!facts_.isFixed(check.cond)) return s;
    if (!facts_.mayHold(isNot(check.cond))) return block({});
    facts_.learn(check.cond); // behind it
    return s;
  }

  /// A part that runs under a condition, and may not run.
  Stmt inside(const Stmt& s, const Expr& condition) {
    if (!s) return s;
    const size_t known = facts_.count();
    if (condition && facts_.isFixed(condition)) facts_.learn(condition);
    const Stmt result = run(s);
    facts_.forget(known);
    return result;
  }

  /// Is it certain that the condition does not hold? Where much is known, and after many questions, nobody looks: they take a
  /// millisecond and more each then.
  bool isNever(const Expr& condition) {
    constexpr size_t kMostFacts = 8;
    return facts_.count() <= kMostFacts && questions_-- > 0 && !facts_.mayHold(condition);
  }

  /// min(), max() and choices by comparison of which one part is meant in any case.
  Expr withoutEnds(const Expr& e) {
    const Expr plain = rewrite(e, [&](const Expr& part) -> Expr {
      if (const auto* choice = part.as<Select>()) {
        const auto* asks = choice->cond.as<Binary>();
        if (!asks || typeOf(asks->lhs) != DType::I64 || !facts_.isFixed(choice->cond)) return {};
        return isNever(choice->cond)          ? choice->otherwise
               : isNever(isNot(choice->cond)) ? choice->then
                                              : Expr();
      }
      const auto* b = part.as<Binary>();
      if (!b || (b->op != BinaryOp::Min && b->op != BinaryOp::Max) || b->type != DType::I64 ||
          !facts_.isFixed(part))
        return {};
      const bool isMin = b->op == BinaryOp::Min;
      if (isNever(b->lhs > b->rhs)) return isMin ? b->lhs : b->rhs;
      if (isNever(b->lhs < b->rhs)) return isMin ? b->rhs : b->lhs;
      return {};
    });
    return plain == e ? e : rewrite(plain, [](const Expr& part) -> Expr {
      const auto* b = part.as<Binary>();
      const bool isSum = b && (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) && b->type == DType::I64;
      return isSum ? simplifiedIndex(part) : simplifiedNode(part);
    });
  }

  analysis::Facts facts_;
  int questions_ = 30;
};

} // namespace

Module dropProven(const Module& module, PassContext&) {
  return eachFunction(module, [](Function& f) { f.body = Proving(f).run(f.body); });
}

} // namespace appyc::transform
