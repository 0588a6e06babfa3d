//===- ParseExpr.cpp - expressions of the syntax tree to AST --------------------------------------===//
#include "ParseExpr.h"
#include "Unsupported.h"
#include "appyc/Frontend/Frontend.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>

namespace appyc::frontend {

using ast::Expr;
using ast::make;

namespace {

constexpr size_t deepest = 200;

constexpr std::array pythonKeywords{"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                    "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                    "else",   "except", "finally", "for",      "from",     "global", "if",
                                    "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                    "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};

template <class Op> struct Spelling {
  std::string_view text;
  Op op;
};

constexpr Spelling<ast::BinaryOp> binaryOperators[] = {
    {"+", ast::BinaryOp::Add},  {"-", ast::BinaryOp::Sub},       {"*", ast::BinaryOp::Mul},
    {"/", ast::BinaryOp::Div},  {"//", ast::BinaryOp::FloorDiv}, {"%", ast::BinaryOp::Mod},
    {"**", ast::BinaryOp::Pow}, {"@", ast::BinaryOp::MatMul},    {"&", ast::BinaryOp::And},
    {"|", ast::BinaryOp::Or},   {"^", ast::BinaryOp::Xor},       {"<<", ast::BinaryOp::Shl},
    {">>", ast::BinaryOp::Shr}};

constexpr Spelling<ast::CompareOp> compareOperators[] = {
    {"==", ast::CompareOp::Eq}, {"!=", ast::CompareOp::Ne}, {"<", ast::CompareOp::Lt},
    {"<=", ast::CompareOp::Le}, {">", ast::CompareOp::Gt},  {">=", ast::CompareOp::Ge}};

template <class Op, size_t n>
std::optional<Op> lookUp(const Spelling<Op> (&table)[n], std::string_view text) {
  for (const Spelling<Op>& row : table)
    if (row.text == text) return row.op;
  return {};
}

/// Why an operator of a comparison is outside the subset.
std::string comparisonAdvice(std::string_view op) {
  const bool negated = op.find("not") != std::string_view::npos;
  if (op.starts_with("is"))
    return fmt::format("`{}` is not translated; write `{}`", op, negated ? "!=" : "==");
  return fmt::format("`{}` is not translated; compare with each value, or use a loop", op);
}

} // namespace

std::optional<ast::BinaryOp> binaryOperator(std::string_view text) { return lookUp(binaryOperators, text); }

Node tooDeepNode(Node top) {
  // Levels as a reader counts them: a wrapper that the grammar puts around each statement or call is none.
  const auto counts = [](Node node) {
    return node.isNamed() && !node.is("block") && !node.is("expression_statement") &&
           !node.is("argument_list") && !node.is("type");
  };
  Node found;
  std::vector<size_t> levelAt; // level of the current path's node at each depth
  walk(top, [&](Node node, size_t depth) {
    levelAt.resize(depth);
    const size_t level = (depth == 0 ? 0 : levelAt[depth - 1]) + (depth > 0 && counts(node));
    levelAt.push_back(level);
    if (level > deepest && !found) found = node;
    // A long `elif` chain is flat in the text but nests in the AST.
    if (node.is("if_statement") && node.fields("alternative").size() > deepest && !found) found = node;
    return !found;
  });
  return found;
}

void reportTooDeep(Span where, Diagnostics& diag) {
  diag.report(DiagId::TooDeep, where,
              fmt::format("nested more than {} levels deep; give parts of it names of their own", deepest));
}

Expr ExprParser::unsupported(Node node, std::string message) {
  diag_.report(DiagId::Unsupported, spanOf(node), std::move(message));
  return make(spanOf(node), ast::ErrorExpr{});
}

Expr ExprParser::syntaxError(Node node, std::string message) {
  diag_.report(DiagId::Syntax, spanOf(node), std::move(message));
  return make(spanOf(node), ast::ErrorExpr{});
}

Expr ExprParser::parse(Node node) {
  using Method = Expr (ExprParser::*)(Node);
  static const std::unordered_map<std::string_view, Method> methods{
      {"identifier", &ExprParser::name},
      {"integer", &ExprParser::integer},
      {"float", &ExprParser::floating},
      {"string", &ExprParser::string},
      {"concatenated_string", &ExprParser::string},
      {"parenthesized_expression", &ExprParser::parenthesized},
      {"unary_operator", &ExprParser::unary},
      {"not_operator", &ExprParser::unary},
      {"binary_operator", &ExprParser::binary},
      {"comparison_operator", &ExprParser::comparison},
      {"boolean_operator", &ExprParser::boolean},
      {"conditional_expression", &ExprParser::conditional},
      {"call", &ExprParser::call},
      {"subscript", &ExprParser::subscript},
      {"slice", &ExprParser::slice},
  };
  const std::string_view kind = node.kind();
  const Span span = spanOf(node);
  if (const auto method = methods.find(kind); method != methods.end()) return (this->*method->second)(node);
  if (kind == "true" || kind == "false") return make(span, ast::BoolLit{kind == "true"});
  if (kind == "none") return make(span, ast::NoneLit{});
  if (kind == "ellipsis") return make(span, ast::EllipsisLit{});
  if (kind == "attribute")
    return make(span,
                ast::Attribute{parse(node.field("object")), std::string(textOf(node.field("attribute")))});
  if (kind == "tuple" || kind == "expression_list" || kind == "pattern_list" || kind == "tuple_pattern")
    return make(span, ast::Tuple{parseItemList(node.namedChildren())});
  if (kind == "list" || kind == "list_pattern")
    return make(span, ast::List{parseItemList(node.namedChildren())});
  if (std::optional<std::string> message = unsupportedMessage(kind))
    return unsupported(node, std::move(*message));
  if (node.hasError()) return syntaxError(node, "this is not a Python expression");
  return unsupported(node, fmt::format("`{}` is not translated", textOf(node)));
}

Expr ExprParser::parseTarget(Node node) {
  const std::string_view kind = node.kind();
  if (kind == "identifier" || kind == "subscript") return parse(node);
  if (kind == "parenthesized_expression" && node.namedChildren().size() == 1)
    return parseTarget(node.namedChildren()[0]);
  if (kind == "attribute")
    return unsupported(
        node, "an assignment to an attribute is not translated; assign to a name or to array elements");
  if (kind == "pattern_list" || kind == "tuple_pattern" || kind == "list_pattern" || kind == "tuple" ||
      kind == "list" || kind == "expression_list") {
    std::vector<Expr> items;
    for (const Node item : node.namedChildren()) items.push_back(parseTarget(item));
    return make(spanOf(node), ast::Tuple{std::move(items)});
  }
  if (std::optional<std::string> message = unsupportedMessage(kind))
    return unsupported(node, std::move(*message));
  return syntaxError(node, fmt::format("cannot assign to `{}`", textOf(node)));
}

Expr ExprParser::parseItems(Node parent) {
  const std::vector<Node> items = parent.namedChildren();
  if (items.size() == 1 && !parent.hasToken(",")) return parse(items[0]);
  return make(spanOf(parent), ast::Tuple{parseItemList(items)});
}

std::vector<Expr> ExprParser::parseAll(const std::vector<Node>& nodes) {
  std::vector<Expr> all;
  for (const Node node : nodes) all.push_back(parse(node));
  return all;
}

std::vector<Expr> ExprParser::parseItemList(const std::vector<Node>& nodes) {
  std::vector<Expr> all;
  for (const Node node : nodes) all.push_back(parseItem(node));
  return all;
}

Expr ExprParser::parseItem(Node node) {
  const std::vector<Node> inner = node.namedChildren();
  if (!node.is("list_splat") || inner.size() != 1) return parse(node);
  return make(spanOf(node), ast::Starred{parse(inner[0])});
}

Expr ExprParser::name(Node node) {
  const std::string_view text = textOf(node);
  // The grammar takes a misplaced keyword for a name.
  if (std::find(pythonKeywords.begin(), pythonKeywords.end(), text) != pythonKeywords.end())
    return syntaxError(node, fmt::format("the keyword `{}` cannot stand here", text));
  return make(spanOf(node), ast::Name{std::string(text)});
}

Expr ExprParser::parenthesized(Node node) {
  // Many pairs around one expression need no recursion.
  Node inner = node;
  while (inner.is("parenthesized_expression") && inner.namedChildren().size() == 1)
    inner = inner.namedChildren()[0];
  if (inner.is("parenthesized_expression"))
    return syntaxError(inner, "expected an expression inside the parentheses");
  return parse(inner);
}

Expr ExprParser::unary(Node node) {
  const std::string_view op = node.is("not_operator") ? "not" : textOf(node.field("operator"));
  const ast::UnaryOp kind = op == "not" ? ast::UnaryOp::Not
                            : op == "-" ? ast::UnaryOp::Neg
                            : op == "~" ? ast::UnaryOp::Invert
                                        : ast::UnaryOp::Pos;
  return make(spanOf(node), ast::Unary{kind, parse(node.field("argument"))});
}

Expr ExprParser::binary(Node node) {
  const Node op = node.field("operator");
  Expr left = parse(node.field("left"));
  Expr right = parse(node.field("right"));
  const std::optional<ast::BinaryOp> kind = binaryOperator(textOf(op));
  if (!kind) return syntaxError(op, fmt::format("`{}` is not a Python operator", textOf(op)));
  return make(spanOf(node), ast::Binary{*kind, std::move(left), std::move(right)});
}

Expr ExprParser::comparison(Node node) {
  ast::Compare result;
  bool understood = true;
  for (const Node child : node.children()) {
    const std::string_view kind = child.kind();
    const std::optional<ast::CompareOp> op = lookUp(compareOperators, kind);
    const bool isWord = kind == "in" || kind == "not in" || kind == "is" || kind == "is not";
    if (op) {
      result.ops.push_back(*op);
    } else if (isWord || !child.isNamed()) {
      unsupported(child, comparisonAdvice(kind));
      understood = false;
    } else {
      result.operands.push_back(parse(child));
    }
  }
  if (!understood || result.operands.size() != result.ops.size() + 1)
    return make(spanOf(node), ast::ErrorExpr{});
  return make(spanOf(node), std::move(result));
}

Expr ExprParser::boolean(Node node) {
  const ast::BoolOp op = textOf(node.field("operator")) == "and" ? ast::BoolOp::And : ast::BoolOp::Or;
  Expr left = parse(node.field("left"));
  return make(spanOf(node), ast::BoolExpr{op, std::move(left), parse(node.field("right"))});
}

Expr ExprParser::conditional(Node node) {
  const std::vector<Node> parts = node.namedChildren(); // then `if` cond `else` otherwise
  if (parts.size() != 3) return syntaxError(node, "expected `value if condition else value`");
  Expr then = parse(parts[0]);
  Expr cond = parse(parts[1]);
  return make(spanOf(node), ast::Conditional{std::move(cond), std::move(then), parse(parts[2])});
}

Expr ExprParser::call(Node node) {
  const Node arguments = node.field("arguments");
  if (!arguments.is("argument_list")) return parse(arguments); // f(x for x in y): reports the generator
  ast::Call result{parse(node.field("function")), {}, {}};
  for (const Node argument : arguments.namedChildren()) {
    if (argument.is("keyword_argument")) {
      const Node name = argument.field("name");
      result.keywords.push_back(
          {std::string(textOf(name)), parse(argument.field("value")), spanOf(argument)});
    } else if (!result.keywords.empty() && !argument.is("dictionary_splat") && !argument.is("list_splat")) {
      return syntaxError(argument, "a positional argument cannot follow a keyword argument");
    } else {
      result.args.push_back(parseItem(argument));
    }
  }
  return make(spanOf(node), std::move(result));
}

Expr ExprParser::subscript(Node node) {
  std::vector<Node> indices = node.fields("subscript");
  if (indices.size() == 1 && indices[0].is("tuple")) // A[(i, j)] is A[i, j]
    indices = indices[0].namedChildren();
  Expr base = parse(node.field("value"));
  return make(spanOf(node), ast::Subscript{std::move(base), parseAll(indices)});
}

Expr ExprParser::slice(Node node) {
  std::array<Expr, 3> parts;
  size_t colons = 0;
  for (const Node child : node.children()) {
    if (!child.isNamed() && child.is(":"))
      ++colons;
    else if (colons < parts.size())
      parts[colons] = parse(child);
  }
  return make(spanOf(node), ast::Slice{parts[0], parts[1], parts[2]});
}

Expr parseExpression(std::string_view text, Span where, Diagnostics& diag) {
  // Parentheses let the text hold what may stand in brackets only, and keep it from being a statement.
  const std::string wrapped = fmt::format("({}\n)", text);
  const SyntaxTree tree(wrapped);
  const std::vector<Node> statements = tree.root().namedChildren();
  const std::vector<Node> parts =
      statements.size() == 1 ? statements[0].namedChildren() : std::vector<Node>{};
  bool hasComment = false;
  walk(tree.root(), [&](Node node, size_t) {
    hasComment = hasComment || node.isComment();
    return !hasComment;
  });
  const bool isExpression = !tree.root().hasError() && !hasComment && parts.size() == 1 &&
                            text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
                            (parts[0].is("parenthesized_expression") || parts[0].is("tuple") ||
                             parts[0].is("generator_expression")) &&
                            parts[0].end() == wrapped.size();
  if (!isExpression) {
    diag.report(DiagId::Syntax, where, fmt::format("`{}` is not a Python expression", text));
    return {};
  }
  if (tooDeepNode(parts[0])) {
    reportTooDeep(where, diag);
    return {};
  }
  const int errorsBefore = diag.errorCount();
  Expr result = ExprParser(wrapped, diag, where).parse(parts[0]);
  return diag.errorCount() == errorsBefore ? result : Expr();
}

} // namespace appyc::frontend
