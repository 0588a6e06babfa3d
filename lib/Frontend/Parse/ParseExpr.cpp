//===- ParseExpr.cpp - expressions of the syntax tree to AST --------------------------------------===//
#include "ParseExpr.h"
#include "Signatures.h"
#include "Unsupported.h"
#include "appyc/Frontend/Frontend.h"
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
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
      {"lambda", &ExprParser::lambda},
      {"list_comprehension", &ExprParser::comprehension},
      {"generator_expression", &ExprParser::comprehension},
      {"dictionary_comprehension", &ExprParser::comprehension},
      {"set_comprehension", &ExprParser::comprehension},
      {"set", &ExprParser::set},
      {"named_expression", &ExprParser::walrus},
      {"dictionary", &ExprParser::dictionary},
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
  if (kind == "attribute" && textOf(node.field("attribute")) == "__getitem__") { // `lambda k: x[k]`
    ast::Function function{.name = "lambda"};
    function.params.push_back({"place", Expr(), span, ast::Parameter::Ordinary});
    const Expr item =
        make(span, ast::Subscript{primary(node.field("object")), {make(span, ast::Name{"place"})}});
    function.nameSpan = function.span = span;
    function.body = {ast::makeStmt(span, ast::Return{item})};
    return make(span, ast::Lambda{std::make_shared<const ast::Function>(std::move(function))});
  }
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
  if (kind == "identifier" || kind == "subscript" || kind == "attribute") return parse(node);
  const bool isInParentheses = kind == "parenthesized_expression" ||
                               ((kind == "tuple_pattern" || kind == "tuple") && !node.hasToken(","));
  if (isInParentheses && node.namedChildren().size() == 1) return parseTarget(node.namedChildren()[0]);
  if (kind == "pattern_list" || kind == "tuple_pattern" || kind == "list_pattern" || kind == "tuple" ||
      kind == "list" || kind == "expression_list") {
    std::vector<Expr> items;
    for (const Node item : node.namedChildren()) {
      const bool isStarred = item.is("list_splat_pattern") || item.is("list_splat");
      const Expr target =
          parseTarget(isStarred && !item.namedChildren().empty() ? item.namedChildren()[0] : item);
      items.push_back(isStarred ? make(spanOf(item), ast::Starred{target}) : target);
    }
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

/// Behind a star that is no argument's, where Python takes what binds as `|` does, or closer.
static bool needsParentheses(Node starred) {
  return starred.is("lambda") ||
         (isOperation(starred) && !starred.is("unary_operator") && !starred.is("binary_operator"));
}

Expr ExprParser::parseItem(Node node, bool isArgument) {
  if (!textOf(node).starts_with('*') || node.is("dictionary_splat")) return parse(node);
  // The star is the whole item's; the grammar may bind it to the item's first name only.
  const uint32_t outer = std::exchange(star_, node.begin());
  Expr value = parse(node);
  star_ = outer;
  const Node starred = node.is("list_splat") ? node.namedChildren()[0] : node;
  if (!isArgument && needsParentheses(starred))
    return syntaxError(node, "write parentheses around what stands behind the `*`");
  return make(spanOf(node), ast::Starred{std::move(value)});
}

Expr ExprParser::name(Node node) {
  const std::string_view text = textOf(node);
  // The grammar takes a misplaced keyword for a name.
  if (std::find(pythonKeywords.begin(), pythonKeywords.end(), text) != pythonKeywords.end())
    return syntaxError(node, fmt::format("the keyword `{}` cannot stand here", text));
  const Expr own = make(spanOf(node), ast::Name{std::string(text)});
  const auto cell = cells_.find(text);
  if (cell == cells_.end()) return own;
  return make(spanOf(node), ast::Subscript{make(spanOf(node), ast::Name{cell->second}),
                                           {make(spanOf(node), ast::StringLit{cell->first})}});
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

/// The function, or the class, in which a node stands.
static Node enclosing(Node node, std::string_view kind) {
  do node = node.parent();
  while (node && !node.is(kind));
  return node;
}

/// The name of the base where a call is `super().method(...)` in a method of a class with one.
static Node baseMethod(Node call, std::string_view text) {
  const Node object =
      call.field("function").is("attribute") ? call.field("function").field("object") : Node();
  if (!object || text.substr(object.begin(), object.end() - object.begin()) != "super()") return {};
  const Node type = enclosing(call, "class_definition");
  const std::vector<Node> bases =
      type && type.field("superclasses") ? type.field("superclasses").namedChildren() : std::vector<Node>();
  return bases.size() == 1 && bases[0].is("identifier") ? bases[0] : Node();
}

/// What the method calls the instance.
static std::string selfOf(Node call, std::string_view text) {
  const std::vector<ParameterNode> all = parameterNodes(text, enclosing(call, "function_definition"));
  return all.empty() ? "self" : all[0].name;
}

Expr ExprParser::call(Node node) {
  const Node arguments = node.field("arguments");
  if (!arguments.is("argument_list")) // f(x for x in y)
    return make(spanOf(node), ast::Call{primary(node.field("function")), {parse(arguments)}, {}});
  if (arguments.namedChildren().empty() && arguments.hasToken(","))
    return syntaxError(arguments, "there is no argument before this `,`");
  ast::Call result{primary(node.field("function")), {}, {}};
  if (const Node base = baseMethod(node, text_)) // `super().m(x)` is `Base.m(self, x)`
    result = {
        make(spanOf(node), ast::Attribute{make(spanOf(node), ast::Name{std::string(textOf(base))}),
                                          std::string(textOf(node.field("function").field("attribute")))}),
        {make(spanOf(node), ast::Name{selfOf(node, text_)})},
        {}};
  for (const Node argument : arguments.namedChildren()) {
    if (leftOut_ && leftOut_->count(argument.begin())) continue;
    if (argument.is("keyword_argument")) {
      const Node name = argument.field("name");
      result.keywords.push_back(
          {std::string(textOf(name)), parse(argument.field("value")), spanOf(argument)});
    } else if (argument.is("dictionary_splat") && argument.namedChildren().size() == 1) {
      result.keywords.push_back({"", parse(argument.namedChildren()[0]), spanOf(argument)});
    } else if (std::ranges::any_of(result.keywords, [](const auto& k) { return k.name.empty(); })) {
      return syntaxError(argument, "no other argument but keywords can follow a `**`");
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

Expr ExprParser::dictionary(Node node) {
  if (isFixed()) return unsupported(node, "a dictionary has no place in a pragma or a type");
  ast::Dict result;
  for (const Node pair : node.namedChildren()) {
    if (pair.isComment()) continue;
    const bool isPair = pair.is("pair");
    const Node value = isPair ? pair.field("value") : pair.namedChildren()[0];
    if (!isPair && needsParentheses(value))
      return syntaxError(pair, "write parentheses around what stands behind the `**`");
    result.keys.push_back(isPair ? parse(pair.field("key")) : Expr());
    result.values.push_back(parse(value));
  }
  return make(spanOf(node), std::move(result));
}

/// `{a, b}` as `set((a, b))`
Expr ExprParser::set(Node node) {
  if (isFixed()) return unsupported(node, "a set has no place in a pragma or a type");
  return make(spanOf(node), ast::Call{make(spanOf(node), ast::Name{"set"}), {itemsOf(node)}, {}});
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

std::vector<ast::Parameter> ExprParser::parameters(Node function) {
  std::vector<ast::Parameter> found;
  std::set<std::string> names;
  for (const ParameterNode& parameter : parameterNodes(text_, function)) {
    if (!names.insert(parameter.name).second)
      diag_.report(DiagId::Syntax, spanOf(parameter.node),
                   fmt::format("two parameters are named `{}`", parameter.name));
    Expr value;
    if (parameter.defaultValue && tooDeepNode(parameter.defaultValue))
      reportTooDeep(spanOf(parameter.node), diag_);
    else if (parameter.defaultValue)
      value = parse(parameter.defaultValue);
    found.push_back({parameter.name, std::move(value), spanOf(parameter.node), parameter.kind});
  }
  return found;
}

Expr ExprParser::lambda(Node node) {
  if (isFixed()) return unsupported(node, "a function has no place in a pragma or a type");
  ast::Function function;
  function.name = "lambda";
  function.params = parameters(node);
  const Node list = node.field("parameters");
  for (const Node child : list ? list.namedChildren() : std::vector<Node>())
    if (child.is("dictionary_splat_pattern"))
      diag_.report(DiagId::Unsupported, spanOf(child), *unsupportedMessage("dictionary_splat_pattern"));
  function.nameSpan = function.span = spanOf(node);
  const auto outer = cells_;
  for (const ast::Parameter& p : function.params) cells_.erase(p.name);
  const Expr body = parse(node.field("body"));
  cells_ = outer;
  function.body = {ast::makeStmt(body->span, ast::Return{body})};
  return make(spanOf(node), ast::Lambda{std::make_shared<const ast::Function>(std::move(function))});
}

/// `:=` in a comprehension where Python has none: in what it runs over, and to its own names.
static Node misplacedWalrus(Node comprehension, std::string_view text) {
  const auto spelling = [&](Node n) { return text.substr(n.begin(), n.end() - n.begin()); };
  std::set<std::string_view> own;
  Node found;
  for (const Node part : comprehension.namedChildren()) {
    if (!part.is("for_in_clause")) continue;
    walk(part.field("left"), [&](Node n, size_t) {
      if (n.is("identifier")) own.insert(spelling(n));
      return true;
    });
    walk(part.field("right"), [&](Node n, size_t) {
      if (n.is("named_expression")) found = n;
      return !found;
    });
  }
  walk(comprehension, [&](Node n, size_t) {
    if (!found && n.is("named_expression") && own.count(spelling(n.field("name"))) > 0) found = n;
    return !found;
  });
  return found;
}

Expr ExprParser::comprehension(Node node) {
  if (isFixed()) return unsupported(node, "a comprehension has no place in a pragma or a type");
  if (const Node misplaced = misplacedWalrus(node, text_))
    return syntaxError(misplaced,
                       "a comprehension assigns neither to its own names nor in what it runs over");
  ast::Comprehension result;
  const auto outer = cells_;
  for (const Node part : node.namedChildren())
    if (part.is("for_in_clause"))
      walk(part.field("left"), [&](Node n, size_t) {
        if (n.is("identifier")) cells_.erase(std::string(textOf(n)));
        return true;
      });
  const bool isDict = node.is("dictionary_comprehension");
  const Node body = node.field("body");
  result.isList = node.is("list_comprehension");
  result.element =
      isDict ? make(spanOf(body), ast::Tuple{{parse(body.field("key")), parse(body.field("value"))}})
             : parse(body);
  for (const Node part : node.namedChildren()) {
    if (part.is("for_in_clause")) {
      if (part.hasToken(",") || part.fields("right").size() != 1 || part.field("right").is("lambda") ||
          part.field("right").is("conditional_expression"))
        return syntaxError(part, "what a comprehension runs over stands in parentheses if it is a tuple, a "
                                 "`lambda` or conditional");
      if (part.hasToken("async"))
        return unsupported(part, "`async for` is not translated; write an ordinary `for`");
      // `for i in a, b` is none of a comprehension.
      result.clauses.push_back({parseTarget(part.field("left")), parse(part.field("right")), {}});
    } else if (part.is("if_clause") && !result.clauses.empty()) {
      result.clauses.back().conditions.push_back(parse(part.namedChildren()[0]));
    }
  }
  cells_ = outer;
  const Expr made = make(spanOf(node), std::move(result));
  if (!isDict && !node.is("set_comprehension")) return made;
  return make(spanOf(node), ast::Call{make(spanOf(node), ast::Name{isDict ? "dict" : "set"}), {made}, {}});
}

/// Where the grammar takes more than Python does, or groups otherwise, it is to stand in parentheses.
Expr ExprParser::walrus(Node node) {
  if (isFixed()) return unsupported(node, "an assignment has no place in a pragma or a type");
  const Node parent = node.parent();
  if (!parent.is("parenthesized_expression") && !parent.is("if_statement") && !parent.is("elif_clause") &&
      !parent.is("tuple") && !parent.is("list") && !parent.is("set") && !parent.is("argument_list") &&
      !parent.is("subscript") && !parent.is("while_statement"))
    return syntaxError(node,
                       "an assignment inside an expression stands in parentheses, and so does a conditional "
                       "expression that it assigns");
  const Expr target = parse(node.field("name"));
  if (!target.is<ast::Name>())
    return unsupported(node,
                       "an assignment inside an expression to a name that is `nonlocal` elsewhere is not "
                       "translated; assign in a statement of its own");
  return make(spanOf(node), ast::Walrus{target, parse(node.field("value"))});
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
