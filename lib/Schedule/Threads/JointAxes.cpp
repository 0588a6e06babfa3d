//===- JointAxes.cpp - the product of two loops counts elements that follow each other -------------------------------------===//
//   for p in [0, n * m) (z): i = p / m; j = p % m              =>   for p in [0, n * m) (z):
//     for k (y): for l (x): x[i, j, k, l] = y[i, j, k, l] + b[l]        for k: for l: x[0, p, k, l] = y[0, p, k, l] + b[l]
// where the second axis of x and y has m elements: of more than three loops the outer ones are one (MapKernels.cpp), and nobody
// asks for their indices. Behind all that ask which elements a statement touches: subscripts leave their axes here.
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// A kernel's loop over the product of two loops, whose indices it finds first.
class JointAxes {
public:
  JointAxes(const Function& f, const For& loop, const ExprRule& plain)
      : function_(f), loop_(loop), list_(statementsOf(loop.body)), plain_(plain) {}

  /// Without the indices, where nothing tells them apart; null if there are none.
  Stmt joined(Span span) {
    if (list_.size() < 3 || !isConst(loop_.lo, 0) || !isConst(loop_.step, 1)) return {};
    const auto *outer = list_[0].as<Assign>(), *inner = list_[1].as<Assign>();
    const auto *row = outer ? outer->value.as<Binary>() : nullptr,
               *column = inner ? inner->value.as<Binary>() : nullptr;
    if (!row || !column || row->op != BinaryOp::FloorDiv || column->op != BinaryOp::Mod ||
        !equal(row->lhs, var(loop_.index)) || !equal(column->lhs, var(loop_.index)) ||
        !equal(row->rhs, column->rhs))
      return {};
    row_ = outer->var, column_ = inner->var, length_ = rewrite(column->rhs, plain_);
    For all = loop_;
    all.hi = rewrite(loop_.hi, plain_);
    const Stmt rest = block({list_.begin() + 2, list_.end()});
    all.body = rewrite(
        rest,
        [&](const Stmt& s) -> Stmt {
          const auto* store = s.as<Store>();
          if (!store) return {};
          Store whole = *store;
          whole.index = joint(store->buffer, store->index);
          return makeStmt(s->span, std::move(whole));
        },
        [&](const Expr& e) -> Expr {
          const auto* l = e.as<Load>();
          return l ? make(Load{l->type, l->buffer, joint(l->buffer, l->index)}) : Expr();
        });
    if (mentionsAny(all.body, {row_, column_})) {
      const auto found = [&](int i) {
        return mapExprs(list_[i], [&](const Expr& e) { return rewrite(e, plain_); });
      };
      all.body = block({found(0), found(1), rest});
    }
    return makeStmt(span, std::move(all));
  }

private:
  std::vector<Expr> joint(const Symbol& name, std::vector<Expr> index) const {
    const Buffer* buffer = function_.findBuffer(name);
    const Expr all = var(loop_.index), none = intConst(0);
    for (size_t d = 0; d < index.size(); ++d) {
      const auto *row = index[d].as<Var>(), *column = d + 1 < index.size() ? index[d + 1].as<Var>() : nullptr;
      if (row && column && row->name == row_ && column->name == column_ && buffer &&
          equalIndex(buffer->extents[d + 1], length_)) {
        index[d] = none, index[d + 1] = all;
      } else if (const Expr next =
                     substitute(index[d], {{row_, var(row_) + 1}, {column_, var(column_) - length_}});
                 mentions(index[d], row_) && equalIndex(next, index[d])) {
        index[d] = substitute(index[d], {{row_, none}, {column_, all}});
      }
    }
    return index;
  }

  const Function& function_;
  const For& loop_;
  std::vector<Stmt> list_;
  const ExprRule& plain_; ///< for numbers that are never negative
  Symbol row_, column_;
  Expr length_{};
};

} // namespace

void jointAxes(Function& f, PassContext&) {
  const std::set<Symbol> sizes = analysis::contextOf(f).sizes; // which are never negative
  const auto plain = [&](const Expr& e) -> Expr {
    const auto* b = e.as<Binary>();
    return b && b->op == BinaryOp::Max && isConst(b->rhs, 0) ? analysis::atLeastZero(b->lhs, sizes) : Expr();
  };
  f.body = rewrite(f.body, [&](const Stmt& s) -> Stmt {
    const auto* loop = s.as<For>();
    return loop && isBound(*loop) ? JointAxes(f, *loop, plain).joined(s->span) : Stmt();
  });
}

} // namespace appyc::schedule
