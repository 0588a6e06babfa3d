//===- UnifySizes.cpp - sizes that a check has found equal are one --------------------------------------===//
//   require x_0 == A_1                 require x_0 == A_1
//   for i in [0, x_0): x[i] = ..   =>  for i in [0, A_1): x[i] = ..
// Loops over sizes that the types leave open have one range then, and may run together. Checks that follow from those
// before them fall away. What a check in a loop or a branch says holds to the end of its list of statements.
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include "appyc/Transform/Passes.h"
#include <algorithm>

namespace appyc::transform {

namespace {

using ir::Expr;
using ir::Stmt;

class Unify {
public:
  explicit Unify(const ir::Function& f) : function_(f), facts_(f) {}

  Stmt run(const Stmt& s) {
    const auto* block = s.as<ir::Block>();
    if (!block) return inside(s);
    std::vector<Stmt> out;
    for (const Stmt& child : block->body) {
      Stmt next = inside(renamed(child));
      const auto* check = next.as<ir::Require>();
      if (!check || (learn(check->cond) && !isKnown(check->cond))) out.push_back(next);
    }
    return ir::block(std::move(out));
  }

private:
  const ir::Function& function_;
  std::map<Symbol, Expr> names_; ///< of sizes, the first that each is equal to
  analysis::Facts facts_;        ///< what has been checked

  /// The lists in a branch or a loop that has checks.
  Stmt inside(const Stmt& s) {
    if (s.is<ir::Require>() || !ir::has<ir::Require>(s)) return s;
    return ir::mapChildren(s, [&](const Stmt& child) -> Stmt {
      if (!child) return child;
      const std::map<Symbol, Expr> names = names_;
      const size_t known = facts_.count();
      Stmt list = run(child);
      names_ = names;
      facts_.forget(known);
      return list;
    });
  }

  size_t placeOf(const Expr& e) const {
    const auto* v = e.as<ir::Var>();
    const auto found = std::find_if(function_.sizes.begin(), function_.sizes.end(),
                                    [&](const ir::Size& s) { return v && s.name == v->name; });
    return static_cast<size_t>(found - function_.sizes.begin());
  }

  /// False if the condition says nothing new.
  bool learn(const Expr& condition) {
    const auto* equal = condition.as<ir::Binary>();
    if (!equal || equal->op != ir::BinaryOp::Eq) return true;
    const size_t a = placeOf(equal->lhs), b = placeOf(equal->rhs), none = function_.sizes.size();
    if (a == none || b == none) return true;
    if (a == b) return false;
    const Symbol from = function_.sizes[std::max(a, b)].name;
    const Expr to = ir::var(function_.sizes[std::min(a, b)].name);
    for (auto& [name, value] : names_) value = ir::substitute(value, {{from, to}});
    names_[from] = to;
    return true;
  }

  /// Does it follow from what has been checked before?
  bool isKnown(const Expr& condition) {
    if (!facts_.isFixed(condition)) return false;
    if (!facts_.mayHold(ir::unary(ir::UnaryOp::LogicalNot, condition))) return true;
    facts_.learn(condition);
    return false;
  }

  /// Arrays keep the extents that their declarations give them.
  Stmt renamed(const Stmt& s) const {
    if (names_.empty()) return s;
    return ir::rewrite(
        s,
        [&](const Stmt& x) -> Stmt {
          const auto* alloc = x.as<ir::Alloc>();
          if (!alloc) return {};
          for (const ir::Buffer& b : function_.buffers)
            if (b.name == alloc->buffer.name) {
              ir::Alloc same = *alloc;
              same.buffer = b;
              return ir::makeStmt(x->span, std::move(same));
            }
          return {};
        },
        [&](const Expr& e) -> Expr {
          const auto* v = e.as<ir::Var>();
          const auto found = v ? names_.find(v->name) : names_.end();
          return found == names_.end() ? Expr() : found->second;
        });
  }
};

} // namespace

void unifySizes(ir::Function& f, ir::PassContext&) { f.body = Unify(f).run(f.body); }

} // namespace appyc::transform
