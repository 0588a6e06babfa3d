//===- Rebindings.cpp - which statement gives a name of the file its last meaning -------------------===//
#include "Rebindings.h"

namespace appyc::frontend {

namespace {

/// Names in the left side of an assignment, but for those whose elements or attributes it stores into.
void addTargets(const Source& source, Node target, Node statement, std::map<std::string, Node>& out) {
  walk(target, [&](Node node, size_t) {
    if (node.is("identifier")) out[std::string(source.text(node.span()))] = statement;
    return !node.is("subscript") && !node.is("attribute");
  });
}

void addImported(const Source& source, Node name, bool isFrom, Node statement,
                 std::map<std::string, Node>& out) {
  const bool isAliased = name.is("aliased_import");
  const std::string full(source.text((isAliased ? name.field("alias") : name).span()));
  out[isFrom || isAliased ? full : full.substr(0, full.find('.'))] = statement;
}

} // namespace

std::map<std::string, Node> lastBindings(const Source& source, Node root) {
  std::map<std::string, Node> found;
  for (const Node statement : root.namedChildren()) {
    const Node inner = statement.is("decorated_definition") ? statement.field("definition") : statement;
    if (inner.is("function_definition") || inner.is("class_definition")) {
      addTargets(source, inner.field("name"), statement, found);
    } else if (inner.is("import_statement") || inner.is("import_from_statement")) {
      for (const Node name : inner.fields("name"))
        addImported(source, name, inner.is("import_from_statement"), statement, found);
    } else if (inner.is("expression_statement")) {
      for (Node part : inner.namedChildren())
        for (; part && (part.is("assignment") || part.is("augmented_assignment")); part = part.field("right"))
          addTargets(source, part.field("left"), statement, found);
    }
  }
  return found;
}

} // namespace appyc::frontend
