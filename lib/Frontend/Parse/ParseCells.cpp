//===- ParseCells.cpp - `nonlocal`: names that functions inside bind, too ---------------------------===//
//   def f(a):                        def f(a):
//     count = 0                        cells = {};  cells["count"] = 0
//     def visit(x):            =>      def visit(x):
//       nonlocal count
//       count += x                       cells["count"] += x
// A dict goes with every call and comes back (Sema/Objects/Records.cpp), and so do the names. Those of `global` are items of
// a dict that each entry is given (Sema/FileState.cpp).
#include "ParseStmt.h"
#include "Signatures.h"
#include "appyc/Frontend/FileState.h"
#include <set>

namespace appyc::frontend {

namespace {

Node functionAround(Node node) {
  do node = node.parent();
  while (node && !node.is("function_definition"));
  return node;
}

/// Names that its `nonlocal` and `global` statements have.
std::set<std::string> declaredOf(Node function, const ExprParser& exprs, bool isOfFile = false) {
  std::set<std::string> names;
  walk(function.field("body"), [&](Node node, size_t) {
    if ((node.is("nonlocal_statement") && !isOfFile) || node.is("global_statement"))
      for (const Node name : node.namedChildren()) names.emplace(exprs.textOf(name));
    return !node.is("function_definition");
  });
  return names;
}

/// Names that it binds as its own.
std::set<std::string> boundOf(Node function, const ExprParser& exprs) {
  std::set<std::string> names;
  const auto add = [&](Node target) {
    walk(target, [&](Node node, size_t) {
      if (node.is("identifier")) names.emplace(exprs.textOf(node));
      return !node.is("subscript") && !node.is("attribute");
    });
  };
  for (const Node parameter : function.field("parameters").namedChildren())
    walk(parameter, [&](Node node, size_t depth) {
      if (node.is("identifier") && (depth < 2 || node.parent().is("typed_parameter")))
        names.emplace(exprs.textOf(node));
      return !node.is("type");
    });
  walk(function.field("body"), [&](Node node, size_t) {
    const bool isTarget =
        node.is("assignment") || node.is("augmented_assignment") || node.is("for_statement");
    if (isTarget) add(node.field("left"));
    if (node.is("named_expression") || node.is("function_definition")) add(node.field("name"));
    return !node.is("function_definition") && !node.is("lambda");
  });
  for (const std::string& name : declaredOf(function, exprs)) names.erase(name);
  return names;
}

} // namespace

/// The names of the function that functions inside declare `nonlocal` stand for items of a dict from here on, which the
/// body begins with; those that it binds itself are no longer others'.
void StmtParser::openCells(Node function, ast::Body& body) {
  if (!functionAround(function))
    for (const std::string& name : changing_) exprs_.cells()[name] = kNamesOfFile;
  for (const std::string& name :
       declaredOf(function, exprs_, true)) // some function around may have that name, too
    if (changing_.count(name)) exprs_.cells()[name] = kNamesOfFile;
  const std::set<std::string> own = boundOf(function, exprs_);
  for (const std::string& name : own) exprs_.cells().erase(name);
  std::set<std::string> names;
  walk(function.field("body"), [&](Node node, size_t) {
    if (!node.is("nonlocal_statement")) return true;
    for (const Node part : node.namedChildren()) {
      const std::string name(exprs_.textOf(part));
      Node owner = functionAround(functionAround(node));
      while (owner && !boundOf(owner, exprs_).count(name)) owner = functionAround(owner);
      if (owner && owner.begin() == function.begin()) names.insert(name);
    }
    return true;
  });
  if (names.empty()) return;
  const Span where = function.field("name").span();
  const std::string dict =
      "cells of " + std::string(exprs_.textOf(function.field("name"))); // no name of Python's
  ast::Dict made;
  for (const ParameterNode& p : parameterNodes(source_.text(), function))
    if (names.count(p.name)) {
      made.keys.push_back(ast::make(where, ast::StringLit{p.name}));
      made.values.push_back(ast::make(where, ast::Name{p.name}));
    }
  body.push_back(ast::makeStmt(
      where, ast::Assign{{ast::make(where, ast::Name{dict})}, ast::make(where, std::move(made)), {}}));
  for (const std::string& name : names) exprs_.cells()[name] = dict;
}

} // namespace appyc::frontend
