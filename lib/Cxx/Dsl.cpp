//===- Dsl.cpp - short spellings for making C++ trees --------------------------------------------------===//
#include "appyc/Cxx/Dsl.h"
#include <fmt/format.h>

namespace appyc::cxx {

Type type(std::string_view name) { return {std::string(name)}; }
Type constType(std::string_view name) { return {std::string(name), true}; }
Type pointerTo(std::string_view name, bool isConst, bool isRestrict) {
  return {std::string(name), isConst, true, isRestrict};
}

Expr name(std::string_view text) { return expr(Atom{std::string(text)}); }
Expr number(int64_t value) { return name(fmt::format("{}", value)); }

Expr text(std::string_view value) {
  std::string quoted = "\"";
  for (char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (c == '\n')
      quoted += "\\n";
    else if (byte < 0x20)
      quoted += fmt::format("\\{:03o}", byte);
    else
      quoted += c;
  }
  return name(quoted + '"');
}

Expr unary(std::string_view op, Expr arg) { return expr(Unary{std::string(op), std::move(arg)}); }
Expr binary(std::string_view op, Expr lhs, Expr rhs) {
  return expr(Binary{std::string(op), std::move(lhs), std::move(rhs)});
}
Expr ternary(Expr cond, Expr then, Expr otherwise) {
  return expr(Ternary{std::move(cond), std::move(then), std::move(otherwise)});
}
Expr call(std::string_view callee, std::vector<Expr> args) {
  return expr(Call{name(callee), std::move(args)});
}
Expr callTemplate(std::string_view callee, std::string_view arguments, std::vector<Expr> args) {
  return call(fmt::format("{}<{}>", callee, arguments), std::move(args));
}
Expr index(Expr base, Expr at) { return expr(Index{std::move(base), std::move(at)}); }
Expr member(Expr base, std::string_view name) { return expr(Member{std::move(base), std::string(name)}); }
Expr cast(std::string_view type, Expr arg) { return expr(Cast{std::string(type), std::move(arg)}); }
Expr construct(std::string_view type, Expr arg) { return call(type, {std::move(arg)}); }
Expr braces(std::string_view type, std::vector<Expr> items) {
  return expr(Braces{std::string(type), std::move(items)});
}
Expr addressOf(Expr e) { return unary("&", std::move(e)); }

Stmt declare(Type type, std::string_view name, Expr init) {
  return stmt(Declare{std::move(type), std::string(name), std::move(init), {}, false, 0});
}
Stmt declareWith(Type type, std::string_view name, std::vector<Expr> construct) {
  return stmt(Declare{std::move(type), std::string(name), {}, std::move(construct), false, 0});
}
Stmt declareArray(Type type, std::string_view name, int64_t count) {
  return stmt(Declare{std::move(type), std::string(name), {}, {}, true, count});
}
Stmt assign(Expr target, Expr value, std::string_view op) {
  return stmt(Assign{std::move(target), std::string(op), std::move(value)});
}
Stmt evaluate(Expr value) { return stmt(Evaluate{std::move(value)}); }
Stmt ifThen(Expr cond, Stmt then, Stmt otherwise) {
  return stmt(If{{}, std::move(cond), std::move(then), std::move(otherwise)});
}
Stmt giveBack(Expr value) { return stmt(Return{std::move(value)}); }
Stmt returnOnFailure(Expr value) {
  return stmt(If{declare(constType("int"), "status", std::move(value)),
                 binary("!=", name("status"), number(0)),
                 giveBack(name("status")),
                 {}});
}

Stmt block(std::vector<Stmt> body) {
  std::vector<Stmt> flat;
  for (Stmt& s : body) {
    if (!s) continue;
    if (const auto* inner = s.as<Block>())
      flat.insert(flat.end(), inner->body.begin(), inner->body.end());
    else
      flat.push_back(std::move(s));
  }
  return flat.size() == 1 ? flat.front() : stmt(Block{std::move(flat)});
}
Stmt comment(std::string_view text) { return stmt(Comment{std::string(text)}); }
Stmt pragma(std::string_view text) { return stmt(Pragma{std::string(text)}); }
Stmt from(uint32_t sourceLine, Stmt s) {
  if (sourceLine == 0 || s->sourceLine != 0) return s;
  return Stmt(std::make_shared<const StmtNode>(StmtNode{s->node, sourceLine}));
}

} // namespace appyc::cxx
