//===- Reachable.cpp - which functions of a file are translated ---------------------------------------------===//
#include "ModuleReader.h"
#include "Syntax.h"
#include <functional>

namespace appyc::frontend {

/// Names of the exported functions and of all that they call, or else mention.
std::set<std::string> ModuleReader::reachable(bool byMention) const {
  std::set<std::string> found;
  std::vector<const Definition*> work;
  const auto add = [&](const Definition* definition) {
    if (found.insert(definition->name).second) work.push_back(definition);
  };
  for (const auto& [name, definition] : lastNamed_)
    if (definition->exported || definition->isUfunc) add(definition);
  std::map<std::string_view, Node>
      assigned; // names of the top level, until what they are computed from is looked at
  for (const Node node : byMention ? topLevel_ : std::vector<Node>()) {
    const std::vector<Node> parts =
        node.is("expression_statement") ? node.namedChildren() : std::vector<Node>();
    if (parts.size() == 1 && parts[0].is("assignment") && parts[0].field("right"))
      walk(parts[0].field("left"), [&](Node name, size_t) {
        if (name.is("identifier")) assigned[source_.text(name.span())] = parts[0].field("right");
        return true;
      });
  }
  const std::function<void(Node)> addNamed = [&](Node node) {
    if (!node.is("identifier")) return;
    if (const auto called = lastNamed_.find(source_.text(node.span())); called != lastNamed_.end())
      return add(called->second);
    if (const auto value = assigned.find(source_.text(node.span())); value != assigned.end())
      walk(assigned.extract(value).mapped(), [&](Node part, size_t) { return addNamed(part), true; });
  };
  for (const Node node : byMention ? topLevel_ : std::vector<Node>()) { // methods, whoever calls them
    const Node definition = node.is("decorated_definition") ? node.field("definition") : node;
    if (definition.is("class_definition"))
      walk(definition, [&](Node inside, size_t) { return addNamed(inside), true; });
  }
  while (!work.empty()) {
    const Definition* definition = work.back();
    work.pop_back();
    walk(definition->function.field("body"), [&](Node node, size_t) {
      const Node callee = node.is("call") ? node.field("function") : Node();
      addNamed(byMention ? node : callee);
      if (callee.is("subscript")) addNamed(callee.field("value"));  // `kernel[grid, block](...)`
      if (callee.is("attribute")) addNamed(callee.field("object")); // `kernel.forall(n)`
      return true;
    });
  }
  return found;
}

} // namespace appyc::frontend
