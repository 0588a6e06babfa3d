//===- TreeSitter.h - the concrete syntax tree ----------------------------------------------------===//
// The only file that knows tree-sitter; private to Frontend.
#pragma once
#include "appyc/Support/Source.h"
#include <functional>
#include <optional>
#include <string_view>
#include <tree_sitter/api.h>
#include <vector>

namespace appyc::frontend {

/// Handle to a node of a SyntaxTree, valid as long as the tree. Comments never count as children.
class Node {
public:
  Node() : raw_{} {}
  explicit Node(TSNode raw) : raw_(raw) {}
  explicit operator bool() const { return raw_.id != nullptr && !ts_node_is_null(raw_); }

  /// Name of the grammar rule or, for an anonymous node, the token itself.
  std::string_view kind() const { return ts_node_type(raw_); }
  bool is(std::string_view name) const { return *this && kind() == name; }
  Span span() const { return {ts_node_start_byte(raw_), ts_node_end_byte(raw_)}; }
  uint32_t begin() const { return ts_node_start_byte(raw_); }
  uint32_t end() const { return ts_node_end_byte(raw_); }

  bool isNamed() const { return ts_node_is_named(raw_); }
  bool isComment() const { return kind() == "comment"; }
  bool isError() const { return ts_node_is_error(raw_); }
  bool isMissing() const { return ts_node_is_missing(raw_); }
  /// Whether the node or any below is an error.
  bool hasError() const { return ts_node_has_error(raw_); }

  Node parent() const { return Node(ts_node_parent(raw_)); }
  /// The child in field `name`; empty if there is none.
  Node field(std::string_view name) const;
  /// All children in field `name`.
  std::vector<Node> fields(std::string_view name) const;
  std::vector<Node> namedChildren() const;
  /// Named children and tokens.
  std::vector<Node> children() const;
  bool hasToken(std::string_view token) const;
  TSNode raw() const { return raw_; }

private:
  TSNode raw_;
};

/// Parse of a text, or of a part of it that begins a line. Faulty texts give a tree, too, with error nodes.
class SyntaxTree {
public:
  explicit SyntaxTree(std::string_view text, std::optional<Span> part = {});
  ~SyntaxTree() { ts_tree_delete(tree_); }
  SyntaxTree(const SyntaxTree&) = delete;
  SyntaxTree& operator=(const SyntaxTree&) = delete;
  Node root() const { return Node(ts_tree_root_node(tree_)); }

private:
  TSTree* tree_;
};

/// Visits `top` and all below it in source order, comments and tokens included, without recursion.
/// `visit` returns whether to go below the node; depth 0 is `top`.
void walk(Node top, const std::function<bool(Node, size_t depth)>& visit);

} // namespace appyc::frontend
