//===- Signatures.h - types of a function's parameters and results --------------------------------===//
#pragma once
#include "Dialects.h"
#include "Piece.h"
#include "TreeSitter.h"
#include "appyc/AST/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <string>
#include <vector>

namespace appyc::frontend {

/// One `name(types) -> types` from a comment or the command line, with its text not yet matched to a
/// function.
struct SignatureText {
  Piece name;
  Piece parameters; ///< between the parentheses
  std::optional<Piece> results;
  Piece whole;
};

/// Reads `[def] name(...) [-> ...]`. Nothing after an error, which is reported.
std::optional<SignatureText> readSignatureText(const Piece& text, Diagnostics& diag);

/// A comment `#appyc: def name(...)`, which may go on in the comment lines below it.
struct SignatureComment {
  Span span;
  std::string
      text; ///< what follows the colon; other characters of the comment are blanks, so that places are kept
};
/// All such comments in the file. Other words after `#appyc:` are reported.
std::vector<SignatureComment> collectSignatureComments(const Source& source, Node root, Diagnostics& diag);

/// Classes of the file, which parameters may be of.
using Classes = std::vector<ast::ClassRef>;

/// A parameter as the syntax tree has it.
struct ParameterNode {
  std::string name;
  Node node, type, defaultValue; ///< the last two may be empty
  ast::Parameter::Kind kind = ast::Parameter::Ordinary;
  /// Is the default a constant, or does it name one? A parameter left out of the signature is a constant then.
  bool isConstant = false;
};
/// Parameters of a function definition or a lambda, but for `/` and `*`.
std::vector<ParameterNode> parameterNodes(std::string_view text, Node function);

/// The type of a parameter `p: dict[str, float]` of which the function asks for constant keys alone (Dicts.cpp).
std::optional<ast::TypeSpec> dictOf(const Source& source, const ParameterNode& parameter,
                                    const Piece& annotation);

/// Matches a signature text to the function's parameters.
std::optional<ast::Signature> matchSignature(const SignatureText& text,
                                             const std::vector<ParameterNode>& parameters,
                                             const Classes& classes, Diagnostics& diag);

/// The signature given by the annotations. `isSignature` tells whether they are one: code of other kinds,
/// whose annotations are not types of arrays and numbers, is left alone. Nothing after an error, which is
/// reported.
std::optional<ast::Signature> annotatedSignature(const Source& source, Node function,
                                                 const std::vector<ParameterNode>& parameters,
                                                 const Classes& classes, bool& isSignature,
                                                 Diagnostics& diag);

/// The signature, and where parameters are None unless given, which the function asks about, those without them: None is
/// known in them.
std::vector<ast::Signature> withoutOptional(const Source& source, Node function,
                                            const std::vector<ParameterNode>& parameters,
                                            const ast::Signature& signature);

/// A comment that gives types, with the comment lines that it goes on in.
struct TypesComment {
  uint32_t begin;
  std::string text; ///< what follows the first words; other characters are blanks, so that places are kept
  decltype(Dialect::readTypes) read;
};
std::vector<TypesComment> collectTypesComments(const Source& source, Node root, Diagnostics& diag);
/// Other systems' types as a signature of the function. Nothing after an error, which is reported.
std::optional<ast::Signature> matchTypes(const GivenTypes& types, const std::string& name,
                                         const std::vector<ParameterNode>& parameters, Diagnostics& diag);

/// Why annotatedSignature() found none; isTyped of the result says whether another system's types are there.
ast::PassedOver passedOver(const Source& source, Node outer, Node function,
                           const std::vector<ParameterNode>& parameters, const Classes& classes);

} // namespace appyc::frontend
