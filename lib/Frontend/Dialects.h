//===- Dialects.h - notations of parallelism -------------------------------------------------------===//
// A dialect is one file in Dialects/ and one row of dialects(). It turns comments into the neutral directives of
// AST/Directive.h, and decorators and comments into types of parameters; where pragmas may stand is the same for all and
// is checked in Pragmas.cpp, and so is which types belong to which function (Frontend.cpp).
#pragma once
#include "Piece.h"
#include "TreeSitter.h"
#include "appyc/AST/Directive.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <optional>
#include <span>
#include <string_view>
#include <variant>

namespace appyc::frontend {

/// The comment is the dialect's but cannot be read; that has been reported.
struct BadDirective {};
/// A name for the statement below, by which a schedule finds it.
struct Label {
  std::string name;
};
using Directive = std::variant<BadDirective, ast::LoopDirective, ast::StatementDirective, Label>;

/// The types that a decorator or a comment gives to a function's parameters, in their order.
struct GivenTypes {
  std::vector<std::optional<ast::TypeSpec>> params; ///< nothing: what the default is
  std::optional<std::vector<ast::TypeSpec>> results;
  Span where;
  bool converts = false; ///< as of ast::Signature
};
/// A decorator, or a call, by its name in full: `numba.njit` for `@jit(...)` after `from numba import njit as jit`.
struct NamedCall {
  std::string path;
  Node call; ///< empty if it is a decorator without arguments
  const Source& source;
  Node decorator{}; ///< empty if it is none

  /// The argument of that name; empty if there is none.
  Node keyword(std::string_view name) const;
  Piece piece(Node node) const { return {source.text(node.span()), node.begin(), {}}; }
  /// What stands between the quotes; nothing if the node is no plain string.
  std::optional<Piece> string(Node node) const;
};

/// What of a notation there is; each may be null.
struct Dialect {
  std::string_view name;
  /// Reads a comment (from its `#` to the line end); nothing if it is not of this dialect.
  std::optional<Directive> (*readComment)(const Piece& comment, Diagnostics& diag) = nullptr;
  /// Types that a decorator gives; an overload each. Nothing if there are none.
  std::vector<GivenTypes> (*readDecorator)(const NamedCall& decorator, Diagnostics& diag) = nullptr;
  /// The words with which comments begin that give types, and their reader, which gets what follows these words.
  std::string_view typesComment = {};
  std::vector<std::pair<std::string, GivenTypes>> (*readTypes)(const Piece& text,
                                                               Diagnostics& diag) = nullptr;
  /// Reads a call that stands alone and speaks to compilers only: `parpy.label('N')`.
  std::optional<Directive> (*readStatement)(const NamedCall& call, Diagnostics& diag) = nullptr;
  /// What a `with` may name that changes nothing: `parpy.gpu`. Others of its module are errors.
  std::string_view context = {};
  /// What a decorator makes of a function; nothing if it is not of this dialect.
  std::optional<ast::FunctionDirective::Role> (*readRole)(const NamedCall& decorator,
                                                          Diagnostics& diag) = nullptr;
  /// Types in annotations that only this dialect writes; an overload each. Nothing if there are none.
  std::vector<GivenTypes> (*readAnnotations)(const Source& source, Node root, Node function,
                                             const std::vector<ast::Import>& imports,
                                             Diagnostics& diag) = nullptr;
  /// Names of the file that stand for sizes and types, and for no values.
  std::set<std::string> (*namesOfTypes)(const Source& source, Node root,
                                        const std::vector<ast::Import>& imports) = nullptr;
  /// Names that stand for types, other ones in each version of the function, and parameters of these types.
  std::vector<std::pair<std::string, std::string>> (*typesOfParameters)(
      const Source& source, Node root, Node function, const std::vector<ast::Import>& imports) = nullptr;
  /// Labels that nobody writes, of loops and of slices.
  std::vector<std::pair<Node, std::string>> (*impliedLabels)(
      const Source& source, Node root, const std::vector<ast::Import>& imports) = nullptr;
  /// The function of another language that a call declares, all but its name here; nothing if it is no such call.
  std::optional<ast::Function> (*readDeclared)(const NamedCall& call, Diagnostics& diag) = nullptr;
  /// What a decorator with a role says of code in other languages.
  void (*readLinks)(const NamedCall& decorator, ast::FunctionDirective& function,
                    Diagnostics& diag) = nullptr;
};

std::span<const Dialect> dialects();

/// APPy: `#pragma parallel for simd`, `#pragma :M=>parallel,block(64)`.
std::optional<Directive> readAppyPragma(const Piece& comment, Diagnostics& diag);
/// Numba: `@njit("f8(f8[:], i8)")`, `@jit([float64(float64[:, ::1]), void(int64)])`, `@njit((f8[:], i8))`.
std::vector<GivenTypes> readNumbaDecorator(const NamedCall& decorator, Diagnostics& diag);
/// The signatures that any of its decorators is given.
std::vector<GivenTypes> readNumbaSignatures(const NamedCall& decorator, Diagnostics& diag);
/// Those by which calls of a function in its own file convert numbers.
std::vector<ast::Signature> readConversions(const Source& source, Node outer, Node function,
                                            const std::vector<ast::Import>& imports);
/// Numba's CUDA: `@cuda.jit("void(f4[:], i4)")`, `@cuda.jit(device=True)`.
std::vector<GivenTypes> readCudaDecorator(const NamedCall& decorator, Diagnostics& diag);
std::optional<ast::FunctionDirective::Role> readCudaRole(const NamedCall& decorator, Diagnostics& diag);
/// `cuda.declare_device("add", "i4(i4, i4)", link="add.cu")`, `@cuda.jit(link=["add.o"])`.
std::optional<ast::Function> readCudaDeclared(const NamedCall& call, Diagnostics& diag);
void readCudaLinks(const NamedCall& decorator, ast::FunctionDirective& function, Diagnostics& diag);
/// Pythran: `#pythran export f(float64[:,:] or float32[:,:], int), g(float[])`.
std::vector<std::pair<std::string, GivenTypes>> readPythranTypes(const Piece& text, Diagnostics& diag);
/// ParPy: `parpy.label('N')`.
std::optional<Directive> readParpyStatement(const NamedCall& call, Diagnostics& diag);
/// `@parpy.external("add", parpy.CompileBackend.Cuda, parpy.Target.Device, header="add.h")`.
std::optional<ast::FunctionDirective::Role> readParpyRole(const NamedCall& decorator, Diagnostics& diag);
void readParpyLinks(const NamedCall& decorator, ast::FunctionDirective& function, Diagnostics& diag);
/// Else nobody looks through the file for ParPy's names, each function through all of it.
bool importsParpy(const std::vector<ast::Import>& imports);
/// `x: buffer(T, [M, N])`, and the labels that `range(N)` and `:N` have.
std::vector<GivenTypes> readParpyAnnotations(const Source& source, Node root, Node function,
                                             const std::vector<ast::Import>& imports, Diagnostics& diag);
std::set<std::string> namesOfParpyTypes(const Source& source, Node root,
                                        const std::vector<ast::Import>& imports);
std::vector<std::pair<std::string, std::string>>
typesOfParpyParameters(const Source& source, Node root, Node function,
                       const std::vector<ast::Import>& imports);
std::vector<std::pair<Node, std::string>> impliedParpyLabels(const Source& source, Node root,
                                                             const std::vector<ast::Import>& imports);
/// Pyccel: `@types('float[:,:]', 'int', results='float')`, `#$ header function f(float[:], int)`.
std::vector<GivenTypes> readPyccelDecorator(const NamedCall& decorator, Diagnostics& diag);
std::vector<std::pair<std::string, GivenTypes>> readPyccelTypes(const Piece& text, Diagnostics& diag);

} // namespace appyc::frontend
