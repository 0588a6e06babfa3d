//===- Dsl.h - short spellings for making C++ trees ---------------------------------------------------===//
#pragma once
#include "appyc/Cxx/Nodes.h"
#include <cstdint>
#include <string_view>

namespace appyc::cxx {

template <class T> Expr expr(T node) {
  return Expr(std::make_shared<const ExprNode>(ExprNode{std::move(node)}));
}
template <class T> Stmt stmt(T node) {
  return Stmt(std::make_shared<const StmtNode>(StmtNode{std::move(node), 0}));
}
template <class T> Decl decl(T node) {
  return Decl(std::make_shared<const DeclNode>(DeclNode{std::move(node)}));
}

Type type(std::string_view name);
Type constType(std::string_view name);
/// `T*`, with const and __restrict__ as asked.
Type pointerTo(std::string_view name, bool isConst, bool isRestrict);

Expr name(std::string_view text);
Expr number(int64_t value);
Expr text(std::string_view value); ///< a string literal, quoted and escaped
Expr unary(std::string_view op, Expr arg);
Expr binary(std::string_view op, Expr lhs, Expr rhs);
Expr ternary(Expr cond, Expr then, Expr otherwise);
Expr call(std::string_view callee, std::vector<Expr> args);
/// `callee<arguments>(args)`.
Expr callTemplate(std::string_view callee, std::string_view arguments, std::vector<Expr> args);
Expr index(Expr base, Expr at);
Expr member(Expr base, std::string_view name);
Expr cast(std::string_view type, Expr arg);
Expr construct(std::string_view type, Expr arg); ///< `type(arg)`
Expr braces(std::string_view type, std::vector<Expr> items);
Expr addressOf(Expr e);

Stmt declare(Type type, std::string_view name, Expr init = {});
Stmt declareWith(Type type, std::string_view name, std::vector<Expr> construct);
Stmt declareArray(Type type, std::string_view name, int64_t count);
Stmt assign(Expr target, Expr value, std::string_view op = "=");
Stmt evaluate(Expr value);
Stmt ifThen(Expr cond, Stmt then, Stmt otherwise = {});
Stmt giveBack(Expr value);
/// `if (const int status = value; status != 0) return status;`: hands a failure on.
Stmt returnOnFailure(Expr value);
Stmt block(std::vector<Stmt> body); ///< nested Blocks are flattened; one statement stays itself
Stmt comment(std::string_view text);
Stmt pragma(std::string_view text);
/// The statement as one that comes from that line of the Python file, unless it has a line already.
Stmt from(uint32_t sourceLine, Stmt s);

} // namespace appyc::cxx
