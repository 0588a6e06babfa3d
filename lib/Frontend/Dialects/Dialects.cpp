//===- Dialects.cpp - the table of dialects --------------------------------------------------------===//
#include "Dialects.h"
#include <array>

namespace appyc::frontend {

std::span<const Dialect> dialects() {
  static constexpr std::array table{
      Dialect{"appy", readAppyPragma, nullptr, {}, nullptr, nullptr, {}, nullptr},
      Dialect{"numba", nullptr, readNumbaDecorator, {}, nullptr, nullptr, {}, nullptr},
      Dialect{"numba.cuda", nullptr, readCudaDecorator, {}, nullptr, nullptr, {}, readCudaRole},
      Dialect{"pythran", nullptr, nullptr, "pythran export", readPythranTypes, nullptr, {}, nullptr},
      Dialect{
          "pyccel", nullptr, readPyccelDecorator, "$ header function", readPyccelTypes, nullptr, {}, nullptr},
      Dialect{"parpy", nullptr, nullptr, {}, nullptr, readParpyStatement, "parpy.gpu", nullptr},
  };
  return table;
}

std::optional<Piece> NamedCall::string(Node node) const {
  const Piece text = piece(node);
  const bool isPlain = node.is("string") && text.text.size() >= 2 &&
                       (text.text[0] == '"' || text.text[0] == '\'') &&
                       text.find("\\") == std::string_view::npos;
  return isPlain ? std::optional(text.sub(1, text.text.size() - 2)) : std::nullopt;
}

} // namespace appyc::frontend
