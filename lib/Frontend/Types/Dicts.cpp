//===- Dicts.cpp - parameters that are dicts of one kind of values ------------------------------------------===//
//   def model(y: f64[N], p: dict[str, float]):      class dict(TypedDict):
//     return y * p["growth"] - loss(y, p)     =>      growth: float
//   def loss(y, p): return p["rate"] * y              rate: float
// The keys are those that the function asks for, and those that it hands the dict on to.
#include "Signatures.h"
#include "Types.h"
#include <algorithm>

namespace appyc::frontend {

namespace {
bool isSameNode(Node a, Node b) { return a && b && a.begin() == b.begin() && a.end() == b.end(); }

Node enclosing(Node node, std::string_view kind) {
  while (node && !node.is(kind)) node = node.parent();
  return node;
}

class Keys {
public:
  explicit Keys(const Source& source) : source_(source) {}
  std::vector<std::string> found;

  /// Adds what the function asks of its parameter; false where it does anything else with it.
  bool collect(Node function, const std::string& name, int depth = 0) {
    constexpr int kDeepest = 8;
    bool isAll = depth < kDeepest;
    walk(function.field("body"), [&](Node node, size_t) {
      if (node.is("identifier") && source_.text(node.span()) == name) isAll = isAll && isAsked(node, depth);
      return isAll;
    });
    return isAll;
  }

private:
  bool isAsked(Node node, int depth) {
    const Node around = node.parent();
    if (around.is("attribute") && isSameNode(around.field("attribute"), node)) return true; // another name
    if (around.is("keyword_argument") && isSameNode(around.field("name"), node)) return true;
    if (around.is("subscript") && isSameNode(around.field("value"), node)) return addKey(around);
    if (around.is("argument_list")) return isHandedOn(around, node, {}, depth);
    return around.is("keyword_argument") &&
           isHandedOn(around.parent(), node, std::string(source_.text(around.field("name").span())), depth);
  }

  bool addKey(Node item) {
    const std::vector<Node> index = item.fields("subscript");
    const std::string_view text =
        index.size() == 1 && index[0].is("string") ? source_.text(index[0].span()) : std::string_view();
    const bool isPlain = text.size() > 2 && (text[0] == '"' || text[0] == '\'') &&
                         text.substr(1, text.size() - 2).find_first_of("\"'\\") == std::string_view::npos;
    const Node around = item.parent(); // which may set it, and then it need not be there before
    const bool isTarget = around.is("assignment") || around.is("for_statement") || around.is("for_in_clause");
    const bool isSet = isTarget && isSameNode(around.field("left"), item);
    if (!isPlain || isSet || around.is("delete_statement") || around.is("pattern_list")) return false;
    const std::string key(text.substr(1, text.size() - 2));
    if (std::ranges::find(found, key) == found.end()) found.push_back(key);
    return true;
  }

  /// To a function of the file, whose parameter is found by its place or its name.
  bool isHandedOn(Node arguments, Node given, const std::string& keyword, int depth) {
    const Node call = arguments.parent(), callee = call.is("call") ? call.field("function") : Node();
    if (!callee.is("identifier")) return false;
    for (Node top : enclosing(call, "module").namedChildren()) {
      if (top.is("decorated_definition")) top = top.field("definition");
      if (!top.is("function_definition") ||
          source_.text(top.field("name").span()) != source_.text(callee.span()))
        continue;
      const std::vector<ParameterNode> parameters = parameterNodes(source_.text(), top);
      size_t place = 0;
      for (const Node argument : arguments.namedChildren()) {
        if (argument.is("list_splat") || argument.is("dictionary_splat")) return false;
        if (isSameNode(argument, given)) break;
        ++place;
      }
      for (size_t k = 0; k < parameters.size(); ++k)
        if (keyword.empty() ? k == place : parameters[k].name == keyword)
          return collect(top, parameters[k].name, depth + 1);
    }
    return false;
  }

  const Source& source_;
};
} // namespace

std::optional<ast::TypeSpec> dictOf(const Source& source, const ParameterNode& parameter,
                                    const Piece& annotation) {
  const size_t bracket = annotation.text.find('[');
  if (bracket == std::string_view::npos || !annotation.text.ends_with(']') ||
      adviceOnDicts(annotation.text).empty())
    return {};
  const std::vector<Piece> parts =
      annotation.sub(bracket + 1, annotation.text.size() - bracket - 2).split(',');
  if (parts.size() != 2 || parts[0].trimmed().text != "str") return {};
  Diagnostics unheard;
  const Piece value = parts[1].trimmed();
  const std::optional<ast::TypeSpec> type = readType(value, unheard);
  const Node function = enclosing(parameter.node, "function_definition");
  Keys keys(source);
  if (!type || !function || !keys.collect(function, parameter.name) || keys.found.empty()) return {};
  ast::Class dict;
  dict.name = "dict", dict.kind = ast::Class::TypedDict, dict.where = annotation.span();
  for (const std::string& key : keys.found)
    dict.fields.push_back({key, {}, annotation.span(), type, std::string(value.text)});
  ast::TypeSpec spec;
  spec.where = annotation.span();
  spec.record = std::make_shared<const ast::Class>(std::move(dict));
  return spec;
}

} // namespace appyc::frontend
