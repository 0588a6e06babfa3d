//===- Evident.h - types of expressions that are evident from a file's text -------------------------===//
#pragma once
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace appyc::frontend {

/// What is known of a value before anything runs. The default is: nothing.
struct Evident {
  enum Kind { Unknown, Number, Array, Tuple, List, Dict, Dtype, Generator, Text, None } kind = Unknown;
  std::string dtype{};          ///< "f64"; of a number, an array, a dtype
  bool weak = false;            ///< Python's own number
  size_t rank = 0;              ///< of an array
  std::vector<Evident> items{}; ///< of a tuple, list or dict; of a comprehension the one that stands for all
  std::vector<std::string> keys{}; ///< of a dict, which are texts

  explicit operator bool() const { return kind != Unknown; }
  bool isPlain() const { return kind == Number || kind == Array; }
  friend bool operator==(const Evident&, const Evident&) = default;
  static Evident number(std::string dtype, bool weak = false) { return {Number, std::move(dtype), weak}; }
  static Evident array(std::string dtype, size_t rank) { return {Array, std::move(dtype), false, rank}; }
};

/// Where a name gets a value.
struct NameBinding {
  enum Kind { Value, Item, Augmented, Other } kind = Other; ///< Item: of a `for`
  Node value, statement;
  std::vector<size_t> path{}; ///< which item of a tuple it is
  uint32_t from = 0;          ///< where it holds
};

/// The names of a file's top level, or of one call of a function.
struct EvidentScope {
  std::map<std::string, std::vector<NameBinding>, std::less<>> bindings{};
  std::map<std::string, Evident, std::less<>> parameters{};
  std::map<std::string, std::string, std::less<>> imports{}; ///< "np": "numpy"
  const EvidentScope* outer = nullptr;
};

/// Finds the types of expressions by a few rules: literals, creation of arrays, arithmetic, names bound before, calls of
/// the file's functions that return such. What the rules do not cover is unknown.
class EvidentTypes {
public:
  using Functions = std::map<std::string, Node, std::less<>>; ///< the `def`s of the file's top level
  EvidentTypes(const Source& source, Functions functions)
      : source_(source), functions_(std::move(functions)) {}

  /// Names that `body` binds, functions inside it left out.
  EvidentScope scopeOf(Node body, const EvidentScope* outer) const;
  /// What `parameters` of a function are when it is called so.
  void bindDefaults(Node function, EvidentScope& scope);
  Evident typeOf(const ast::Expr& e, const EvidentScope& scope);
  ast::Expr parse(Node node) const;
  /// "numpy.zeros" of `np.zeros`; empty for what is no path.
  std::string pathOf(const ast::Expr& e, const EvidentScope& scope) const;

private:
  Evident nameType(const ast::Expr& e, const ast::Name& name, const EvidentScope& scope);
  Evident bound(const NameBinding& binding, const EvidentScope& scope);
  Evident attribute(const ast::Attribute& a, const ast::Expr& e, const EvidentScope& scope);
  Evident subscript(const ast::Subscript& s, const EvidentScope& scope);
  Evident onDevice(const ast::Call& c, std::string_view name, const EvidentScope& scope);
  Evident call(const ast::Call& c, const EvidentScope& scope);
  Evident method(const ast::Call& c, const Evident& base, const std::string& name, const EvidentScope& scope);
  Evident creation(const ast::Call& c, std::string_view name, const EvidentScope& scope);
  Evident made(const ast::Call& c, std::string_view name, const EvidentScope& scope);
  Evident madeByMethod(const ast::Call& c, const Evident& base, std::string_view name,
                       const EvidentScope& scope);
  Evident draw(const ast::Call& c, std::string_view name, bool isLegacy, const EvidentScope& scope);
  Evident returned(Node function, const ast::Call& c, const EvidentScope& scope);
  Evident dictItems(const ast::Dict& d, const EvidentScope& scope);
  Evident listItems(const std::vector<ast::Expr>& items, const EvidentScope& scope);
  std::string dtypeArgument(const ast::Call& c, size_t position, std::string otherwise,
                            const EvidentScope& scope);
  std::optional<size_t> rankOfShape(const ast::Expr& shape, const EvidentScope& scope);
  Evident argument(const ast::Call& c, size_t position, std::string_view name, const EvidentScope& scope);

  const Source& source_;
  Functions functions_;
  int depth_ = 0; ///< of names and calls followed
};

/// np.array of lists in each other; of other values themselves.
Evident arrayOf(const Evident& value);
/// The keyword's value; null where it is not given.
const ast::Expr* keyword(const ast::Call& c, std::string_view name);
Evident ofRank(std::string dtype, size_t rank); ///< a number where it has no axes
/// What NumPy makes of numbers where it makes floats of them, but for those narrower than 64 bits.
std::string inFloats(const std::string& dtype);
/// The type of an operator's result.
Evident evidentBinary(ast::BinaryOp op, const Evident& lhs, const Evident& rhs);

} // namespace appyc::frontend
