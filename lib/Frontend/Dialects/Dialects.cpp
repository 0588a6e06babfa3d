//===- Dialects.cpp - the table of dialects --------------------------------------------------------===//
#include "Dialects.h"
#include <array>

namespace appyc::frontend {

std::span<const Dialect> dialects() {
  static constexpr std::array table{
      Dialect{.name = "appy", .readComment = readAppyPragma},
      Dialect{.name = "numba", .readDecorator = readNumbaDecorator},
      Dialect{.name = "numba.cuda",
              .readDecorator = readCudaDecorator,
              .readRole = readCudaRole,
              .readDeclared = readCudaDeclared,
              .readLinks = readCudaLinks},
      Dialect{.name = "pythran", .typesComment = "pythran export", .readTypes = readPythranTypes},
      Dialect{.name = "pyccel",
              .readDecorator = readPyccelDecorator,
              .typesComment = "$ header function",
              .readTypes = readPyccelTypes},
      Dialect{.name = "parpy",
              .readStatement = readParpyStatement,
              .context = "parpy.gpu",
              .readRole = readParpyRole,
              .readAnnotations = readParpyAnnotations,
              .namesOfTypes = namesOfParpyTypes,
              .typesOfParameters = typesOfParpyParameters,
              .impliedLabels = impliedParpyLabels,
              .readLinks = readParpyLinks},
  };
  return table;
}

Node NamedCall::keyword(std::string_view name) const {
  if (!call) return {};
  for (const Node argument : call.field("arguments").namedChildren())
    if (argument.is("keyword_argument") && piece(argument.field("name")).text == name)
      return argument.field("value");
  return {};
}

std::optional<Piece> NamedCall::string(Node node) const {
  const Piece text = piece(node);
  const bool isPlain = node.is("string") && text.text.size() >= 2 &&
                       (text.text[0] == '"' || text.text[0] == '\'') &&
                       text.find("\\") == std::string_view::npos;
  return isPlain ? std::optional(text.sub(1, text.text.size() - 2)) : std::nullopt;
}

} // namespace appyc::frontend
