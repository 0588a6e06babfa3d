//===- ModuleScope.cpp - names that a file binds outside its functions ----------------------------===//
#include "ModuleScope.h"
#include "ParseExpr.h"
#include <algorithm>
#include <map>

namespace appyc::frontend {

namespace {

std::string textOf(const Source& source, Node node) { return std::string(source.text(node.span())); }

void addImport(const Source& source, Node name, const std::string& prefix, std::vector<ast::Import>& out) {
  if (name.is("aliased_import")) {
    out.push_back({textOf(source, name.field("alias")), prefix + textOf(source, name.field("name"))});
    return;
  }
  const std::string full = textOf(source, name);
  // `import a.b` binds `a` only.
  const std::string bound = prefix.empty() ? full.substr(0, full.find('.')) : full;
  out.push_back({bound, prefix + bound});
}

/// Names bound by an assignment's left side.
void collectTargets(const Source& source, Node target, std::map<std::string, int>& bindings) {
  walk(target, [&](Node node, size_t) {
    if (node.is("identifier")) ++bindings[textOf(source, node)];
    return !node.is("subscript") && !node.is("attribute");
  });
}

/// How often each name is bound outside functions, or declared `global` inside one.
std::map<std::string, int> countBindings(const Source& source, Node root) {
  std::map<std::string, int> bindings;
  bool insideFunction = false;
  uint32_t functionEnd = 0;
  walk(root, [&](Node node, size_t) {
    insideFunction = insideFunction && node.begin() < functionEnd;
    if (node.is("global_statement")) {
      for (const Node name : node.namedChildren()) bindings[textOf(source, name)] += 2;
    } else if (!insideFunction && (node.is("function_definition") || node.is("class_definition"))) {
      collectTargets(source, node.field("name"), bindings);
      insideFunction = true;
      functionEnd = node.end();
    } else if (!insideFunction) {
      if (node.is("assignment") || node.is("augmented_assignment") || node.is("for_statement"))
        collectTargets(source, node.field("left"), bindings);
      else if (node.is("named_expression"))
        collectTargets(source, node.field("name"), bindings);
    }
    return true;
  });
  return bindings;
}

/// With one sign at most.
bool isNumber(Node value) {
  if (value.is("unary_operator")) value = value.field("argument");
  return value.is("integer") || value.is("float") || value.is("true") || value.is("false");
}

} // namespace

std::vector<ast::Import> readImports(const Source& source, Node root) {
  std::vector<ast::Import> imports;
  for (const Node statement : root.namedChildren()) {
    if (statement.is("import_statement")) {
      for (const Node name : statement.fields("name")) addImport(source, name, {}, imports);
    } else if (statement.is("import_from_statement")) {
      const std::string module = textOf(source, statement.field("module_name"));
      const std::string prefix = module.ends_with('.') ? module : module + ".";
      for (const Node name : statement.fields("name")) addImport(source, name, prefix, imports);
      for (const Node part : statement.namedChildren())
        if (part.is("wildcard_import")) imports.push_back({"*", module});
    }
  }
  return imports;
}

std::vector<ast::Constant> readConstants(const Source& source, Node root, Diagnostics& diag) {
  std::vector<ast::Constant> constants;
  std::optional<std::map<std::string, int>> bindings;
  for (const Node statement : root.namedChildren()) {
    const std::vector<Node> parts = statement.namedChildren();
    if (!statement.is("expression_statement") || parts.size() != 1 || !parts[0].is("assignment")) continue;
    const Node name = parts[0].field("left"), value = parts[0].field("right");
    if (!name.is("identifier") || !value || !isNumber(value) || statement.hasError()) continue;
    if (!bindings) bindings = countBindings(source, root);
    if ((*bindings)[textOf(source, name)] == 1)
      constants.push_back({textOf(source, name), ExprParser(source.text(), diag).parse(value)});
  }
  return constants;
}

} // namespace appyc::frontend
