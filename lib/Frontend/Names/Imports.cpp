//===- Imports.cpp - what import statements bind, and which modules they need -----------------------===//
#include "Imports.h"
#include "Syntax.h"
#include "appyc/Frontend/Frontend.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::frontend {

namespace {
/// "helpers" of `from .helpers import f` in a package's module; as written where the dots lead out of all packages.
std::string absolute(const SourceFile& file, const std::string& written) {
  const size_t dots = std::min(written.find_first_not_of('.'), written.size());
  if (dots == 0) return written;
  std::string package = file.module;
  for (size_t up = file.isPackage ? 1 : 0; up < dots; ++up) {
    if (package.empty() && up > 0) return written;
    const size_t dot = package.rfind('.');
    package = dot == std::string::npos ? "" : package.substr(0, dot);
  }
  if (package.empty() && !file.module.empty()) return written; // a module that is in no package
  const std::string rest = written.substr(dots);
  return package.empty() || rest.empty() ? package + rest : package + "." + rest;
}

/// The module behind `from`.
std::string moduleNamed(const Source& source, Node statement) {
  const Node module = statement.field("module_name");
  return absolute(source.fileAt(module.begin()), textOf(source, module));
}

void addImport(const Source& source, Node name, const std::string& prefix, std::vector<ast::Import>& out) {
  if (name.is("aliased_import")) {
    out.push_back(
        {textOf(source, name.field("alias")), prefix + textOf(source, name.field("name")), name.span()});
    return;
  }
  const std::string full = textOf(source, name);
  // `import a.b` binds `a` only.
  const std::string bound = prefix.empty() ? full.substr(0, full.find('.')) : full;
  out.push_back({bound, prefix + bound, name.span()});
}

bool isImport(Node node) { return node.is("import_statement") || node.is("import_from_statement"); }
} // namespace

std::vector<ast::Import> importsOf(const Source& source, Node statement) {
  std::vector<ast::Import> imports;
  if (statement.is("import_statement")) {
    for (const Node name : statement.fields("name")) addImport(source, name, {}, imports);
  } else if (statement.is("import_from_statement")) {
    const std::string module = moduleNamed(source, statement);
    const std::string prefix = module.empty() || module.ends_with('.') ? module : module + ".";
    for (const Node name : statement.fields("name")) addImport(source, name, prefix, imports);
    for (const Node part : statement.namedChildren())
      if (part.is("wildcard_import")) imports.push_back({"*", module, part.span()});
  }
  return imports;
}

std::vector<ast::Import> readImports(const Source& source, Node root) {
  std::vector<ast::Import> imports;
  for (const Node statement : root.namedChildren())
    for (ast::Import& i : importsOf(source, statement)) imports.push_back(std::move(i));
  return imports;
}

std::string nameInFull(std::string name, const std::vector<ast::Import>& imports) {
  const size_t dot = std::min(name.find('.'), name.size());
  const std::string head = name.substr(0, dot), rest = name.substr(dot);
  std::string path = name;
  const auto isOfAll = [](const ast::Import& i) {
    return i.as == "*" && (i.what == "numba" || i.what == "numbapro" || i.what == "parpy.operators");
  };
  if (const auto import = std::ranges::find(imports, head, &ast::Import::as); import != imports.end())
    path = import->what + rest;
  else if (const auto all = std::ranges::find_if(imports, isOfAll); all != imports.end())
    path = all->what + "." + name;
  for (const auto& [module, other] :
       {std::pair("numbapro.", "numba."), std::pair("parpy.operators.", "parpy.")})
    if (path.starts_with(module)) return other + path.substr(std::string_view(module).size());
  return path;
}

std::vector<std::string> importedModules(const Source& source, const SourceFile& file) {
  std::vector<std::string> found;
  const SyntaxTree tree(source.text(), file.where);
  walk(tree.root(), [&](Node node, size_t) {
    if (node.is("import_statement"))
      for (const Node name : node.fields("name"))
        found.push_back(textOf(source, name.is("aliased_import") ? name.field("name") : name));
    if (node.is("import_from_statement")) {
      found.push_back(moduleNamed(source, node));
      for (const ast::Import& i : importsOf(source, node))
        if (i.as != "*") found.push_back(i.what); // a module of a package, perhaps
    }
    return !isImport(node);
  });
  return found;
}

std::set<std::string> boundNames(const Source& source, Node root) {
  std::set<std::string> names;
  const auto addTargets = [&](Node target) {
    walk(target, [&](Node node, size_t) {
      if (node.is("identifier")) names.insert(textOf(source, node));
      return !node.is("subscript") && !node.is("attribute");
    });
  };
  walk(root, [&](Node node, size_t) {
    const bool isDefinition = node.is("function_definition") || node.is("class_definition");
    if (isDefinition || node.is("named_expression")) addTargets(node.field("name"));
    if (node.is("assignment") || node.is("augmented_assignment") || node.is("for_statement"))
      addTargets(node.field("left"));
    if (node.is("as_pattern_target")) addTargets(node);
    for (const ast::Import& i : importsOf(source, node)) names.insert(i.as);
    return !isDefinition;
  });
  return names;
}

bool mayBindMore(const Source& source, Node root) {
  bool found = false;
  walk(root, [&](Node node, size_t) {
    const std::string name = node.is("identifier") ? textOf(source, node) : "";
    found |= node.is("wildcard_import") || node.is("global_statement") || name == "__getattr__" ||
             name == "globals" || name == "exec" || name == "setattr" || name == "vars" || name == "locals";
    return !found;
  });
  return found;
}

} // namespace appyc::frontend
