//===- ParseStmt.h - statements of the syntax tree to AST -----------------------------------------===//
#pragma once
#include "ParseExpr.h"
#include "Pragmas.h"
#include "appyc/AST/Nodes.h"
#include <set>

namespace appyc::frontend {

/// Parses the body of one function. `changing`: changingNames of its file.
class StmtParser {
public:
  StmtParser(const Source& source, PragmaQueue& pragmas, const std::vector<ast::Import>& imports,
             const std::set<std::string>& changing, Diagnostics& diag)
      : source_(source), pragmas_(pragmas), imports_(imports), changing_(changing), diag_(diag),
        exprs_(source.text(), diag) {
    exprs_.leaveOut(pragmas.notes().keywords);
  }

  /// The statements of `function` and its docstring.
  ast::Body parseBody(Node function, std::string& docstring);

private:
  static constexpr std::string_view endOfBlock =
      "this pragma stands above nothing: no statement follows in its block";
  ast::Body block(Node block, Node header);
  ast::Body statements(const std::vector<Node>& nodes, Node header);
  static void raiseTexts(ast::Body& body);
  void checkIndentation(const std::vector<Node>& nodes, Node header);
  ast::Stmt statement(Node node);
  ast::Stmt expressionStatement(Node node, Attached directives);
  ast::Stmt assignment(Node node, Attached directives);
  void checkLabels(Node assignment, Attached& directives);
  ast::Stmt augmentedAssignment(Node node, Attached directives);
  ast::Stmt forLoop(Node node, Attached directives);
  ast::Stmt whileLoop(Node node);
  ast::Body loopBody(Node loop);
  ast::Stmt ifStatement(Node node);
  ast::Stmt returnStatement(Node node);
  ast::Stmt jump(Node node);
  bool isOfItems(Node global) const;
  ast::Stmt unsupported(Node node);
  ast::Stmt raiseStatement(Node node);
  ast::Stmt assertStatement(Node node);
  ast::Stmt importStatement(Node node);
  ast::Stmt localFunction(Node node, ast::FunctionDirective directive = {});
  ast::Stmt decoratedFunction(Node node);
  ast::Stmt deleteStatement(Node node);
  void withStatement(Node node, ast::Body& into);
  // ParseMatch.cpp
  void matchStatement(Node node, ast::Body& into);
  ast::Expr subjectOf(Node node, ast::Body& into);
  std::optional<ast::Expr> fits(Node pattern, const ast::Expr& subject, ast::Body& binds);
  std::optional<ast::Expr> fitsClass(const std::vector<Node>& items, Node whole, const ast::Expr& subject,
                                     ast::Body& binds);
  std::optional<ast::Expr> fitsKeys(Node whole, const ast::Expr& subject, ast::Body& binds);
  std::optional<ast::Expr> fitsAll(const std::vector<Node>& patterns, Node whole, const ast::Expr& subject,
                                   ast::Body& binds);
  // ParseTry.cpp
  void tryStatement(Node node, ast::Body& into);
  // ParseYield.cpp
  std::string openYields(Node function, ast::Body& body);
  void closeYields(const std::string& outer, Node function, ast::Body& body);
  ast::Stmt yieldStatement(Node node);
  // ParseCells.cpp
  void openCells(Node function, ast::Body& body);
  ast::Stmt refuse(Node node, std::string_view message);
  ast::Body loopElse(Node loop);

  const Source& source_;
  PragmaQueue& pragmas_;
  const std::vector<ast::Import>& imports_;
  const std::set<std::string>& changing_;
  Diagnostics& diag_;
  ExprParser exprs_;
  int loopDepth_ = 0;
  std::string yielded_;            ///< of a generator: the list of what it yields
  std::set<std::string> subjects_; ///< names of what `match` asks
};

/// The first `yield` of the function itself, if it is a generator.
Span yieldIn(Node function);

/// A docstring without the indentation of the source, as inspect.cleandoc does.
std::string cleanDocstring(std::string_view text);

} // namespace appyc::frontend
