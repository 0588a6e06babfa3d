//===- ParseOperators.cpp - operators by Python's precedence ----------------------------------------===//
// How operators group is decided here, by the table of the language reference, and not by the grammar's tree,
// whose `^` binds tighter than `&`: a tree of operators is read as the flat row of tokens that the text is.
#include "ParseExpr.h"
#include "Unsupported.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace appyc::frontend {

using ast::Expr;
using ast::make;

namespace {

template <class Op> struct Spelling {
  std::string_view text;
  Op op;
};

template <class Op, size_t n>
std::optional<Op> lookUp(const std::array<Spelling<Op>, n>& table, std::string_view text) {
  for (const Spelling<Op>& row : table)
    if (row.text == text) return row.op;
  return {};
}

using ast::BinaryOp;

/// Binary operators from the loosest to the tightest level; each level groups from the left. `**` is apart.
constexpr std::array<std::array<Spelling<BinaryOp>, 5>, 6> levels{{
    {{{"|", BinaryOp::Or}}},
    {{{"^", BinaryOp::Xor}}},
    {{{"&", BinaryOp::And}}},
    {{{"<<", BinaryOp::Shl}, {">>", BinaryOp::Shr}}},
    {{{"+", BinaryOp::Add}, {"-", BinaryOp::Sub}}},
    {{{"*", BinaryOp::Mul},
      {"/", BinaryOp::Div},
      {"//", BinaryOp::FloorDiv},
      {"%", BinaryOp::Mod},
      {"@", BinaryOp::MatMul}}},
}};

constexpr std::array<Spelling<ast::CompareOp>, 10> compareOperators{{{"==", ast::CompareOp::Eq},
                                                                     {"!=", ast::CompareOp::Ne},
                                                                     {"<", ast::CompareOp::Lt},
                                                                     {"<=", ast::CompareOp::Le},
                                                                     {">", ast::CompareOp::Gt},
                                                                     {">=", ast::CompareOp::Ge},
                                                                     {"is", ast::CompareOp::Is},
                                                                     {"is not", ast::CompareOp::IsNot},
                                                                     {"in", ast::CompareOp::In},
                                                                     {"not in", ast::CompareOp::NotIn}}};

constexpr std::array<Spelling<ast::UnaryOp>, 3> signs{
    {{"-", ast::UnaryOp::Neg}, {"+", ast::UnaryOp::Pos}, {"~", ast::UnaryOp::Invert}}};

} // namespace

std::optional<BinaryOp> binaryOperator(std::string_view text) {
  if (text == "**") return BinaryOp::Pow;
  for (const auto& level : levels)
    if (const std::optional<BinaryOp> op = text.empty() ? std::nullopt : lookUp(level, text)) return op;
  return {};
}

bool isOperation(Node node) {
  constexpr std::array kinds{"unary_operator",      "not_operator",     "binary_operator",
                             "comparison_operator", "boolean_operator", "conditional_expression"};
  const std::string_view kind = node.kind();
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Reads the row of operands and operator tokens of one expression: a method for each level of the grammar.
class OperatorReader {
public:
  OperatorReader(ExprParser& exprs, Node top) : exprs_(exprs), top_(top) { flatten(top); }

  Expr read() {
    Expr result = conditional().expr;
    if (at_ < items_.size()) result = misplaced();
    return result;
  }

private:
  /// An expression with the text that it takes, parentheses included.
  struct Operand {
    Expr expr;
    Span span;
  };

  void flatten(Node node) {
    for (const Node child : node.children())
      if (isOperation(child))
        flatten(child);
      else
        items_.push_back(child);
  }

  bool atToken(std::string_view token) const {
    return at_ < items_.size() && !items_[at_].isNamed() && items_[at_].kind() == token;
  }
  bool take(std::string_view token) {
    const bool found = atToken(token);
    at_ += found;
    return found;
  }
  template <class Op, size_t n> std::optional<Op> takeOne(const std::array<Spelling<Op>, n>& table) {
    if (at_ == items_.size() || items_[at_].isNamed()) return {};
    const std::optional<Op> op = lookUp(table, items_[at_].kind());
    at_ += op.has_value();
    return op;
  }

  Expr misplaced() {
    const Node node = at_ < items_.size() ? items_[at_] : top_;
    at_ = items_.size();
    return exprs_.syntaxError(node, fmt::format("`{}` cannot stand here", exprs_.textOf(node)));
  }

  template <class T> Operand joined(Span from, Span to, T node) {
    const Span span{from.begin, to.end};
    return {make(exprs_.isFixed() ? exprs_.spanOf(top_) : span, std::move(node)), span};
  }

  Operand conditional() {
    Operand then = disjunction();
    if (!take("if")) return then;
    Operand cond = disjunction();
    if (!take("else")) return {misplaced(), then.span};
    const Operand otherwise = conditional();
    return joined(then.span, otherwise.span, ast::Conditional{cond.expr, then.expr, otherwise.expr});
  }

  Operand disjunction() {
    Operand left = conjunction();
    while (take("or")) {
      const Operand right = conjunction();
      left = joined(left.span, right.span, ast::BoolExpr{ast::BoolOp::Or, left.expr, right.expr});
    }
    return left;
  }

  Operand conjunction() {
    Operand left = inversion();
    while (take("and")) {
      const Operand right = inversion();
      left = joined(left.span, right.span, ast::BoolExpr{ast::BoolOp::And, left.expr, right.expr});
    }
    return left;
  }

  Operand inversion() {
    if (!atToken("not")) return comparison();
    const Span from = items_[at_++].span();
    const Operand arg = inversion();
    return joined(from, arg.span, ast::Unary{ast::UnaryOp::Not, arg.expr});
  }

  Operand comparison() {
    const Operand first = binary(0);
    ast::Compare result{{first.expr}, {}};
    Span last = first.span;
    while (const std::optional<ast::CompareOp> op = takeOne(compareOperators)) {
      const bool isIn = *op == ast::CompareOp::In || *op == ast::CompareOp::NotIn;
      const bool isSet = isIn && at_ < items_.size() && items_[at_].is("set");
      const Operand right = isSet ? Operand{exprs_.itemsOf(items_[at_]), items_[at_].span()} : binary(0);
      at_ += isSet;
      last = right.span;
      result.ops.push_back(*op);
      result.operands.push_back(right.expr);
    }
    if (result.ops.empty()) return first;
    return joined(first.span, last, std::move(result));
  }

  Operand binary(size_t level) {
    if (level == levels.size()) return unary();
    Operand left = binary(level + 1);
    while (const std::optional<BinaryOp> op = takeOne(levels[level])) {
      const Operand right = binary(level + 1);
      left = joined(left.span, right.span, ast::Binary{*op, left.expr, right.expr});
    }
    return left;
  }

  Operand unary() {
    if (at_ == items_.size()) return {misplaced(), top_.span()};
    const Span from = items_[at_].span();
    const std::optional<ast::UnaryOp> op = takeOne(signs);
    if (!op) return power();
    const Operand arg = unary();
    return joined(from, arg.span, ast::Unary{*op, arg.expr});
  }

  Operand power() {
    const Node node = items_[at_];
    if (!node.isNamed()) return {misplaced(), node.span()};
    ++at_;
    const Operand base{exprs_.parse(node), node.span()};
    if (!take("**")) return base;
    const Operand exponent = unary();
    return joined(base.span, exponent.span, ast::Binary{BinaryOp::Pow, base.expr, exponent.expr});
  }

  ExprParser& exprs_;
  Node top_;
  std::vector<Node> items_;
  size_t at_ = 0;
};

Expr ExprParser::operation(Node node) { return OperatorReader(*this, node).read(); }

Expr ExprParser::primary(Node node) {
  // Only an operand of the tightest level can be called, subscripted or asked for an attribute.
  if (isOperation(node)) return syntaxError(node, fmt::format("write parentheses around `{}`", textOf(node)));
  return parse(node);
}

} // namespace appyc::frontend
