//===- ParseYield.cpp - generators return a list of all that they yield -----------------------------===//
//   def odd(n):                          def odd(n):
//     for i in range(n):                   yielded = []
//       if i % 2:                =>        for i in range(n):
//         yield i                            if i % 2: yielded.append(i)
//                                          return yielded
// All of it is done when the generator is called, so that nothing may tell: Sema refuses a loop that changes what the
// generator reads (Calls.cpp), and what follows here is refused where it stands.
#include "ParseStmt.h"
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

/// Visits what the function itself does.
void walkOwn(Node function, const std::function<void(Node)>& visit) {
  walk(function.field("body"), [&](Node node, size_t) {
    visit(node);
    return !node.is("function_definition") && !node.is("lambda");
  });
}

bool isIn(Node node, std::string_view kind, Node function) {
  for (Node up = node.parent(); up && up.begin() != function.begin(); up = up.parent())
    if (up.is(kind)) return true;
  return false;
}

} // namespace

Span yieldIn(Node function) {
  Span found;
  walkOwn(function, [&](Node node) {
    if (node.is("yield") && node.isNamed() && found.end == 0) found = node.span();
  });
  return found;
}

/// The name of the list, which the function does not use; empty where it is no generator.
std::string StmtParser::openYields(Node function, ast::Body& body) {
  std::string name;
  if (yieldIn(function).end > 0) {
    name = "yielded";
    for (bool isTaken = true; isTaken; name += isTaken ? "_" : "") {
      isTaken = false;
      walk(function, [&](Node node, size_t) {
        isTaken |= node.is("identifier") && exprs_.textOf(node) == name;
        return true;
      });
    }
    const Span where = function.field("name").span();
    body.push_back(ast::makeStmt(
        where, ast::Assign{{ast::make(where, ast::Name{name})}, ast::make(where, ast::List{}), {}}));
    walkOwn(function, [&](Node node) {
      const bool inLoop = isIn(node, "for_statement", function) || isIn(node, "while_statement", function);
      const bool isPrint = node.is("call") && exprs_.textOf(node.field("function")) == "print";
      if ((node.is("raise_statement") && inLoop) || isPrint)
        refuse(
            node,
            "a generator does all of its work when it is called here, so that this would be too early; write "
            "the loop where its values are used");
      const std::string_view cond = node.is("while_statement") ? exprs_.textOf(node.field("condition")) : "";
      bool isLeft = false;
      walk(node, [&](Node inner, size_t) {
        isLeft |= inner.is("break_statement") || inner.is("return_statement") || inner.is("raise_statement");
        return true;
      });
      if ((cond == "True" || cond == "1") && !isLeft)
        refuse(node.field("condition"),
               "this generator never ends by itself; write the loop where its values are used");
    });
  }
  return std::exchange(yielded_, name);
}

void StmtParser::closeYields(const std::string& outer, Node function, ast::Body& body) {
  const uint32_t end = function.end();
  if (!yielded_.empty())
    body.push_back(ast::makeStmt({end, end}, ast::Return{ast::make({end, end}, ast::Name{yielded_})}));
  yielded_ = outer;
}

/// `yield x`, `yield from items`
ast::Stmt StmtParser::yieldStatement(Node node) {
  const Span where = node.span();
  const std::vector<Node> parts = node.namedChildren();
  const ast::Expr list = ast::make(where, ast::Name{yielded_});
  if (parts.empty()) return refuse(node, "a `yield` without a value is not translated; write `yield 0`");
  const bool isFrom = node.hasToken("from");
  const char* method = isFrom ? "extend" : "append";
  return ast::makeStmt(
      where,
      ast::ExprStmt{ast::make(
          where, ast::Call{ast::make(where, ast::Attribute{list, method}), {exprs_.parseItems(node)}, {}})});
}

} // namespace appyc::frontend
