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

} // namespace

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
      {"call", &ExprParser::call},
      {"subscript", &ExprParser::subscript},
      {"slice", &ExprParser::slice},
  };
  const std::string_view kind = node.kind();
  const Span span = spanOf(node);
  if (isOperation(node)) return operation(node);
  if (kind == "list_splat" && node.begin() == star_ && node.namedChildren().size() == 1)
    return parse(node.namedChildren()[0]);
  if (const auto method = methods.find(kind); method != methods.end()) return (this->*method->second)(node);
  if (kind == "true" || kind == "false") return make(span, ast::BoolLit{kind == "true"});
  if (kind == "none") return make(span, ast::NoneLit{});
  if (kind == "ellipsis") return make(span, ast::EllipsisLit{});
  if (kind == "attribute")
    return make(span,
                ast::Attribute{primary(node.field("object")), std::string(textOf(node.field("attribute")))});
  if (kind == "tuple" && node.namedChildren().size() == 1 && !node.hasToken(","))
    return syntaxError(node, "a `*` in parentheses needs a comma behind its value");
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
  const bool isInParentheses = kind == "parenthesized_expression" ||
                               ((kind == "tuple_pattern" || kind == "tuple") && !node.hasToken(","));
  if (isInParentheses && node.namedChildren().size() == 1) return parseTarget(node.namedChildren()[0]);
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

Expr ExprParser::parseItem(Node node, bool isArgument) {
  if (!textOf(node).starts_with('*') || node.is("dictionary_splat")) return parse(node);
  // The star is the whole item's; the grammar may bind it to the item's first name only.
  const uint32_t outer = std::exchange(star_, node.begin());
  Expr value = parse(node);
  star_ = outer;
  const Node starred = node.is("list_splat") ? node.namedChildren()[0] : node;
  if (!isArgument && isOperation(starred) && !starred.is("unary_operator") && !starred.is("binary_operator"))
    return syntaxError(node, "write parentheses around what stands behind the `*`");
  return make(spanOf(node), ast::Starred{std::move(value)});
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

Expr ExprParser::call(Node node) {
  const Node arguments = node.field("arguments");
  if (!arguments.is("argument_list")) return parse(arguments); // f(x for x in y): reports the generator
  if (arguments.namedChildren().empty() && arguments.hasToken(","))
    return syntaxError(arguments, "there is no argument before this `,`");
  ast::Call result{primary(node.field("function")), {}, {}};
  for (const Node argument : arguments.namedChildren()) {
    if (argument.is("keyword_argument")) {
      const Node name = argument.field("name");
      result.keywords.push_back(
          {std::string(textOf(name)), parse(argument.field("value")), spanOf(argument)});
    } else if (!result.keywords.empty() && !argument.is("dictionary_splat") && !argument.is("list_splat")) {
      return syntaxError(argument, "a positional argument cannot follow a keyword argument");
    } else {
      result.args.push_back(parseItem(argument, true));
    }
  }
  return make(spanOf(node), std::move(result));
}

Expr ExprParser::subscript(Node node) {
  std::vector<Node> indices = node.fields("subscript");
  if (indices.size() == 1 && indices[0].is("tuple")) // A[(i, j)] is A[i, j]
    indices = indices[0].namedChildren();
  Expr base = primary(node.field("value"));
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
