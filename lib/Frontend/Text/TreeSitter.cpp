//===- TreeSitter.cpp - the concrete syntax tree --------------------------------------------------===//
#include "TreeSitter.h"
#include "appyc/Support/InternalError.h"

extern "C" const TSLanguage* tree_sitter_python(); // NOLINT(readability-identifier-naming): the library's

namespace appyc::frontend {

namespace {
/// One pass over the children; asking for the n-th child would take n steps each time.
template <class Visit> void eachChild(TSNode parent, Visit visit) {
  TSTreeCursor cursor = ts_tree_cursor_new(parent);
  if (ts_tree_cursor_goto_first_child(&cursor)) {
    do {
      const Node child(ts_tree_cursor_current_node(&cursor));
      // `line_continuation` is the only other named extra of the grammar.
      if (!child.isComment() && !child.is("line_continuation"))
        visit(child, ts_tree_cursor_current_field_name(&cursor));
    } while (ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
}
} // namespace

Node Node::field(std::string_view name) const {
  return *this ? Node(ts_node_child_by_field_name(raw_, name.data(), static_cast<uint32_t>(name.size())))
               : Node();
}

std::vector<Node> Node::fields(std::string_view name) const {
  std::vector<Node> found;
  eachChild(raw_, [&](Node child, const char* field) {
    if (field && field == name && child.isNamed()) found.push_back(child);
  });
  return found;
}

std::vector<Node> Node::namedChildren() const {
  std::vector<Node> found;
  eachChild(raw_, [&](Node child, const char*) {
    if (child.isNamed()) found.push_back(child);
  });
  return found;
}

std::vector<Node> Node::children() const {
  std::vector<Node> found;
  eachChild(raw_, [&](Node child, const char*) { found.push_back(child); });
  return found;
}

bool Node::hasToken(std::string_view token) const {
  bool found = false;
  eachChild(raw_, [&](Node child, const char*) { found = found || (!child.isNamed() && child.is(token)); });
  return found;
}

SyntaxTree::SyntaxTree(std::string_view text, std::optional<Span> part) {
  TSParser* parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_python()))
    internalError("the Python grammar does not fit the tree-sitter library");
  if (part && part->begin == part->end) text = {}; // to the library, no range is all
  const TSRange range{{0, 0}, {UINT32_MAX, UINT32_MAX}, part ? part->begin : 0, part ? part->end : 0};
  if (part && !text.empty()) ts_parser_set_included_ranges(parser, &range, 1);
  tree_ = ts_parser_parse_string(parser, nullptr, text.data(), static_cast<uint32_t>(text.size()));
  ts_parser_delete(parser);
  if (!tree_) internalError("tree-sitter gave no tree");
}

void walk(Node top, const std::function<bool(Node, size_t depth)>& visit) {
  TSTreeCursor cursor = ts_tree_cursor_new(top.raw());
  size_t depth = 0;
  for (bool done = false; !done;) {
    if (visit(Node(ts_tree_cursor_current_node(&cursor)), depth) &&
        ts_tree_cursor_goto_first_child(&cursor)) {
      ++depth;
      continue;
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      done = !ts_tree_cursor_goto_parent(&cursor);
      if (done) break;
      --depth;
    }
  }
  ts_tree_cursor_delete(&cursor);
}

} // namespace appyc::frontend
