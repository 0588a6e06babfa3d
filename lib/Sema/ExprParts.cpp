//===- ExprParts.cpp - what an expression is made of, in the order of evaluation ----------------------------===//
#include "ExprParts.h"

namespace appyc::sema {

std::vector<ast::Expr> partsOf(const ast::Expr& e) {
  if (const auto* u = e.as<ast::Unary>()) return {u->arg};
  if (const auto* b = e.as<ast::Binary>()) return {b->lhs, b->rhs};
  if (const auto* b = e.as<ast::BoolExpr>()) return {b->lhs, b->rhs};
  if (const auto* c = e.as<ast::Compare>()) return c->operands;
  if (const auto* c = e.as<ast::Conditional>()) return {c->cond, c->then, c->otherwise};
  if (const auto* t = e.as<ast::Tuple>()) return t->items;
  if (const auto* l = e.as<ast::List>()) return l->items;
  if (const auto* a = e.as<ast::Attribute>()) return {a->base};
  if (const auto* s = e.as<ast::Subscript>()) {
    std::vector<ast::Expr> parts{s->base};
    parts.insert(parts.end(), s->index.begin(), s->index.end());
    return parts;
  }
  const auto* c = e.as<ast::Call>();
  if (!c) return {};
  std::vector<ast::Expr> parts{c->callee};
  parts.insert(parts.end(), c->args.begin(), c->args.end());
  for (const ast::Keyword& keyword : c->keywords) parts.push_back(keyword.value);
  return parts;
}

ast::Expr withParts(const ast::Expr& e, std::vector<ast::Expr> p) {
  const Span where = e->span;
  if (const auto* u = e.as<ast::Unary>()) return ast::make(where, ast::Unary{u->op, p[0]});
  if (const auto* b = e.as<ast::Binary>()) return ast::make(where, ast::Binary{b->op, p[0], p[1]});
  if (const auto* b = e.as<ast::BoolExpr>()) return ast::make(where, ast::BoolExpr{b->op, p[0], p[1]});
  if (const auto* c = e.as<ast::Compare>()) return ast::make(where, ast::Compare{std::move(p), c->ops});
  if (e.is<ast::Conditional>()) return ast::make(where, ast::Conditional{p[0], p[1], p[2]});
  if (e.is<ast::Tuple>()) return ast::make(where, ast::Tuple{std::move(p)});
  if (e.is<ast::List>()) return ast::make(where, ast::List{std::move(p)});
  if (const auto* a = e.as<ast::Attribute>()) return ast::make(where, ast::Attribute{p[0], a->name});
  if (e.is<ast::Subscript>()) return ast::make(where, ast::Subscript{p[0], {p.begin() + 1, p.end()}});
  ast::Call c = *e.as<ast::Call>();
  c.callee = p[0];
  for (size_t k = 0; k < c.args.size(); ++k) c.args[k] = p[k + 1];
  for (size_t k = 0; k < c.keywords.size(); ++k) c.keywords[k].value = p[k + 1 + c.args.size()];
  return ast::make(where, std::move(c));
}

} // namespace appyc::sema
