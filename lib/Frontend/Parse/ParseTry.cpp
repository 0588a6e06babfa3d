//===- ParseTry.cpp - `try` as branches -----------------------------------------------------------------===//
//   try:                                  if completes(L = cholesky(A)):
//     L = cholesky(A)                       if completes(y = f(L)): z = 1
//     y = f(L)                    =>        else: return None
//   except LinAlgError: return None       else: return None
//   else: z = 1
// Each statement is tried by itself, so that names have in the handlers what they have where it raises. Branches and loops
// that nothing leaves are one. What `finally` says is done at each end: behind the rest, before what leaves, and in a last handler,
// which raises again.
#include "ParseStmt.h"
#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace appyc::frontend {

using ast::Body;
using ast::Expr;
using ast::make;
using ast::makeStmt;
using ast::Stmt;

namespace {
/// Does it leave the function, or a loop around it?
bool leaves(const Body& body, bool inLoop);
bool leaves(const Stmt& s, bool inLoop) {
  if (const auto* i = s.as<ast::If>()) return leaves(i->then, inLoop) || leaves(i->otherwise, inLoop);
  if (const auto* f = s.as<ast::For>()) return leaves(f->body, true) || leaves(f->otherwise, inLoop);
  if (const auto* w = s.as<ast::While>()) return leaves(w->body, true) || leaves(w->otherwise, inLoop);
  return s.is<ast::Return>() || (!inLoop && (s.is<ast::Break>() || s.is<ast::Continue>()));
}
bool leaves(const Body& body, bool inLoop) {
  return std::ranges::any_of(body, [&](const Stmt& s) { return leaves(s, inLoop); });
}

/// Does evaluating it raise nothing, wherever it stands?
bool isPlain(const Expr& e) {
  if (!e) return true;
  if (const auto* t = e.as<ast::Tuple>()) return std::ranges::all_of(t->items, isPlain);
  return e.is<ast::IntLit>() || e.is<ast::FloatLit>() || e.is<ast::BoolLit>() || e.is<ast::NoneLit>() ||
         e.is<ast::StringLit>();
}
bool isPlain(const Stmt& s) {
  const auto* a = s.as<ast::Assign>();
  if (a && isPlain(a->value))
    return std::ranges::all_of(a->targets, [](const Expr& t) { return t.is<ast::Name>(); });
  const auto* r = s.as<ast::Return>();
  return s.is<ast::Pass>() || s.is<ast::Break>() || s.is<ast::Continue>() || (r && isPlain(r->value));
}

/// The statements as branches.
struct Trying {
  ast::Completes like;
  Body handler, otherwise, last; ///< last: what is done before anything leaves
  Span whole;
  size_t tried = 0;
  bool isTooLong = false, returnsInLoop = false;

  Body lastly(const Stmt& leaves) const {
    Body out = last;
    out.push_back(leaves);
    return out;
  }
  Stmt branch(const Stmt& s, Body then) {
    isTooLong |= ++tried > 64;
    ast::Completes one = like;
    one.tried = {s};
    return makeStmt(whole, ast::If{make(s->span, std::move(one)), std::move(then), handler});
  }
  Body from(const Body& body, size_t k) {
    if (k == body.size() || isTooLong) return otherwise;
    const Stmt& s = body[k];
    const auto behind = [&](const Body& first) {
      Body all = first;
      all.insert(all.end(), body.begin() + static_cast<std::ptrdiff_t>(k) + 1, body.end());
      return from(all, 0);
    };
    if (isPlain(s)) {
      const bool isLeft = s.is<ast::Return>() || s.is<ast::Break>() || s.is<ast::Continue>();
      if (isLeft) return lastly(s);
      Body out{s};
      for (Stmt& t : from(body, k + 1)) out.push_back(std::move(t));
      return out;
    }
    const auto keeps = [&](const Expr& value, const char* what, const auto& then) {
      const Expr name = make(s->span, ast::Name{fmt::format("{}_{}", what, s->span.begin)});
      return Body{branch(makeStmt(s->span, ast::Assign{{name}, value, {}}), then(name))};
    };
    if (const auto* r = s.as<ast::Return>())
      return keeps(r->value, "returning",
                   [&](const Expr& name) { return lastly(makeStmt(s->span, ast::Return{name})); });
    if (s.is<ast::Raise>()) { // nothing goes on behind it
      const Expr callee = make(s->span, ast::Name{"RuntimeError"});
      const Expr error = make(s->span, ast::Call{callee, {make(s->span, ast::StringLit{"not raised"})}, {}});
      return {branch(s, {makeStmt(s->span, ast::Raise{error})})};
    }
    const auto* i = s.as<ast::If>();
    if (i && i->cond.is<ast::Completes>()) // another `try`, whose statements are tried here, too
      returnsInLoop |= leaves(s, false);
    else if (i && leaves(s, false))
      return keeps(i->cond, "asked", [&](const Expr& name) {
        return Body{makeStmt(s->span, ast::If{name, behind(i->then), behind(i->otherwise)})};
      });
    returnsInLoop |= (s.is<ast::For>() || s.is<ast::While>()) && leaves(s, false);
    return {branch(s, from(body, k + 1))};
  }
};
} // namespace

void StmtParser::tryStatement(Node node, Body& into) {
  Trying trying;
  trying.whole = node.span();
  const auto stop = [&](Node at, std::string_view message) {
    into.push_back(refuse(at, message));
    pragmas_.skipBefore(node.end());
  };
  const Body body = block(node.field("body"), node);
  std::vector<Body> handlers;
  for (const Node clause : node.namedChildren()) {
    if (clause.is("block") || clause.is("comment")) continue;
    pragmas_.dropBefore(clause.begin(), endOfBlock);
    if (clause.is("else_clause")) {
      trying.otherwise = block(clause.field("body"), clause);
      continue;
    }
    if (clause.is("finally_clause")) {
      trying.last = block(clause.namedChildren().back(), clause);
      if (leaves(trying.last, false))
        return stop(node,
                    "`return`, `break` and `continue` in `finally` are not translated; write them behind the "
                    "`try`");
      continue;
    }
    if (!clause.is("except_clause")) return stop(node, "`except*` is not translated; write `except`");
    std::vector<Expr> classes;
    Body handler;
    for (Node part : clause.namedChildren()) {
      if (part.is("block")) {
        handler = block(part, clause);
        continue;
      }
      if (part.is("comment")) continue;
      if (part.is("as_pattern")) {
        const std::vector<Node> parts = part.namedChildren();
        trying.like.names.emplace_back(exprs_.textOf(parts.back()));
        part = parts.front();
      } else if (!classes.empty()) { // behind `as`
        trying.like.names.emplace_back(exprs_.textOf(part));
        continue;
      }
      const Expr taken = exprs_.parse(part);
      const auto* several = taken.as<ast::Tuple>();
      classes = several ? several->items : std::vector<Expr>{taken};
    }
    trying.like.handlers.push_back(std::move(classes));
    handlers.push_back(std::move(handler));
  }
  if (!trying.last.empty()) {
    Trying around; // what handlers and `else` do
    around.whole = node.span(), around.last = around.otherwise = trying.last;
    around.like.handlers = {{}};
    around.handler = trying.last;
    around.handler.push_back(makeStmt(node.span(), ast::Raise{}));
    for (Body& handler : handlers) handler = around.from(handler, 0);
    trying.otherwise = around.from(trying.otherwise, 0);
    trying.isTooLong |= around.isTooLong, trying.returnsInLoop |= around.returnsInLoop;
    trying.like.handlers.emplace_back();
    handlers.push_back(around.handler);
  }
  const Expr raised = make(node.span(), ast::Name{ast::kRaised});
  for (size_t k = handlers.size(); k-- > 0;) {
    if (k + 1 == handlers.size()) {
      trying.handler = std::move(handlers[k]);
      continue;
    }
    const Expr number = make(node.span(), ast::IntLit{k + 1});
    const Expr isIt = make(node.span(), ast::Compare{{raised, number}, {ast::CompareOp::Eq}});
    trying.handler = {makeStmt(node.span(), ast::If{isIt, std::move(handlers[k]), trying.handler})};
  }
  Body made = trying.from(body, 0);
  if (trying.isTooLong)
    return stop(node, "a `try` of so many statements is not translated; move what cannot raise out of it");
  if (trying.returnsInLoop)
    return stop(node, "a loop or a `try` inside of `try` that `return`, `break` or `continue` leaves is not "
                      "translated; write `try` inside of the loop, or a function of it");
  for (Stmt& s : made) into.push_back(std::move(s));
}

} // namespace appyc::frontend
