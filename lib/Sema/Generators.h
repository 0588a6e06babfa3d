//===- Generators.h - loops over generators of the file ---------------------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include <optional>
#include <string>

namespace appyc::sema {

/// A generator's own text: without the list that the frontend has added.
struct Generator {
  const ast::Function* function = nullptr;
  std::string yielded;
  ast::Body body;

  /// What the statement yields; null: it is another one.
  const ast::Expr* valueOf(const ast::Stmt& s) const;
  bool yields(const ast::Body& statements) const;
  /// Has it statements that are not put elsewhere, `yield from` and `return` among them?
  bool isOther(const ast::Body& statements) const;
};
std::optional<Generator> generatorOf(const ast::Function& fn);

/// The module with the text of its generators in the loops that run over them, where that is known to be right.
ast::Module withGeneratorsInPlace(const ast::Module& module);

/// The module, in which functions give one value after the other of generators that never end and that names stand for
/// (Steppers.cpp).
ast::Module withSteppers(const ast::Module& module);

/// The module with places in lists where iterators have names (Iterators.cpp).
ast::Module withIterators(const ast::Module& module);

} // namespace appyc::sema
