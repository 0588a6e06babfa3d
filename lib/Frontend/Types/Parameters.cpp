//===- Parameters.cpp - a function's parameters, and whether their defaults are constants ---------------===//
#include "ParseExpr.h"
#include "Signatures.h"
#include <algorithm>

namespace appyc::frontend {

static bool isConstant(std::string_view text, Node value);

/// `float("inf")`, `np.sqrt(2)`: a number, the same as often as it is computed.
static bool isNumberOfConstants(std::string_view text, Node call) {
  constexpr std::string_view numbers[] = {"float",   "int",     "complex", "bool",    "sqrt",  "log",
                                          "exp",     "sin",     "cos",     "tan",     "abs",   "radians",
                                          "degrees", "deg2rad", "rad2deg", "float64", "int64", "complex128"};
  const Node function = call.field("function"), arguments = call.field("arguments");
  const Node name = function && function.is("attribute") ? function.field("attribute") : function;
  return name && arguments && arguments.is("argument_list") &&
         std::ranges::find(numbers, text.substr(name.begin(), name.end() - name.begin())) !=
             std::end(numbers) &&
         std::ranges::all_of(arguments.namedChildren(), [&](Node n) { return isConstant(text, n); });
}

static bool isConstant(std::string_view text, Node value) {
  if (!value || tooDeepNode(value)) return false;
  if (value.is("call")) return isNumberOfConstants(text, value);
  if (value.is("unary_operator") || value.is("binary_operator") || value.is("tuple") ||
      value.is("parenthesized_expression"))
    return std::ranges::all_of(value.namedChildren(), [&](Node n) { return isConstant(text, n); });
  return value.is("integer") || value.is("float") || value.is("true") || value.is("false") ||
         value.is("none") || value.is("string") || value.is("identifier") || value.is("attribute");
}

std::vector<ParameterNode> parameterNodes(std::string_view text, Node function) {
  std::vector<ParameterNode> found;
  using enum ast::Parameter::Kind;
  ast::Parameter::Kind kind = Ordinary;
  const Node list = function.field("parameters");
  for (const Node node : list ? list.namedChildren() : std::vector<Node>()) {
    if (node.is("positional_separator"))
      for (ParameterNode& before : found) before.kind = PositionalOnly;
    ParameterNode parameter{{}, node, node.field("type"), node.field("value"), kind};
    Node name = node;
    if (node.is("typed_parameter") && !node.namedChildren().empty())
      name = node.namedChildren()[0];
    else if (node.is("default_parameter") || node.is("typed_default_parameter"))
      name = node.field("name");
    if ((name.is("list_splat_pattern") || name.is("dictionary_splat_pattern")) &&
        !name.namedChildren().empty()) {
      parameter.kind = name.is("list_splat_pattern") ? Rest : Others;
      name = name.namedChildren()[0];
    }
    if (node.is("keyword_separator") || parameter.kind == Rest) kind = KeywordOnly;
    if (!name.is("identifier")) continue; // `*`, `/`
    parameter.name = std::string(text.substr(name.begin(), name.end() - name.begin()));
    parameter.isConstant = isConstant(text, parameter.defaultValue);
    found.push_back(std::move(parameter));
  }
  return found;
}

} // namespace appyc::frontend
