//===- ParseExpr.h - expressions of the syntax tree to AST ----------------------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace appyc::frontend {

/// Turns expression nodes of one text into AST. The caller has checked the depth (nestingProblem) before.
class ExprParser {
public:
  /// With `fixed`, every AST node gets that span: the text is not part of the source file.
  ExprParser(std::string_view text, Diagnostics& diag, std::optional<Span> fixed = {})
      : text_(text), diag_(diag), fixed_(fixed) {}

  ast::Expr parse(Node node);
  /// Left side of an assignment or of a `for`.
  ast::Expr parseTarget(Node node);
  /// Items with commas between: `a, b`; one item without a comma is the item itself.
  ast::Expr parseItems(Node parent);
  /// The items of a set, of which only what is in it is asked, as a tuple.
  ast::Expr itemsOf(Node set) {
    return ast::make(spanOf(set), ast::Tuple{parseItemList(set.namedChildren())});
  }
  /// Parameters of a `def` or a `lambda`, with their defaults.
  std::vector<ast::Parameter> parameters(Node function);

  /// Names that stand for items of a dict, and the dict's name (ParseCells.cpp).
  std::map<std::string, std::string, std::less<>>& cells() { return cells_; }

  /// Keyword arguments, by where they begin, that are no part of the program.
  void leaveOut(const std::set<uint32_t>& keywords) { leftOut_ = &keywords; }

  Diagnostics& diag() { return diag_; }
  std::string_view textOf(Node node) const { return text_.substr(node.begin(), node.end() - node.begin()); }
  Span spanOf(Node node) const { return fixed_ ? *fixed_ : node.span(); }
  bool isFixed() const { return fixed_.has_value(); }
  /// Reports that `node` is outside the subset.
  ast::Expr unsupported(Node node, std::string message);
  ast::Expr syntaxError(Node node, std::string message);

  /// Contents of a string literal, or nothing when it is an f-string or bytes (reported).
  std::optional<std::string> stringValue(Node node);
  /// Appends what a literal, or several side by side, stand for; false where that is reported.
  bool addText(Node node, ast::FormattedText& to);

private:
  ast::Expr name(Node node);
  ast::Expr integer(Node node);
  ast::Expr floating(Node node);
  ast::Expr string(Node node);
  ast::Expr parenthesized(Node node);
  ast::Expr operation(Node node);
  /// What a call, a subscript or an attribute stands behind.
  ast::Expr primary(Node node);
  ast::Expr call(Node node);
  ast::Expr subscript(Node node);
  ast::Expr dictionary(Node node);
  ast::Expr set(Node node);
  ast::Expr slice(Node node);
  ast::Expr lambda(Node node);
  ast::Expr comprehension(Node node);
  ast::Expr walrus(Node node);
  std::vector<ast::Expr> parseAll(const std::vector<Node>& nodes);
  /// Items of a tuple, list or call, which may be `*values`.
  std::vector<ast::Expr> parseItemList(const std::vector<Node>& nodes);
  ast::Expr parseItem(Node node, bool isArgument = false);

  std::string_view text_;
  Diagnostics& diag_;
  const std::set<uint32_t>* leftOut_ = nullptr;
  std::optional<Span> fixed_;
  std::map<std::string, std::string, std::less<>> cells_;
  uint32_t star_ = UINT32_MAX; ///< where the `*` of the item stands that is being read
};

/// Whether the node is operators with operands: unary, binary, comparison, `and`, `or`, `not`, conditional.
bool isOperation(Node node);

/// The operator spelt `text` (without the `=` of an augmented assignment).
std::optional<ast::BinaryOp> binaryOperator(std::string_view text);

/// The first node that nests deeper than appyc follows; empty if none does. Does not recurse.
Node tooDeepNode(Node top);
void reportTooDeep(Span where, Diagnostics& diag);

} // namespace appyc::frontend
