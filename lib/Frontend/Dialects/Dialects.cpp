//===- Dialects.cpp - the table of dialects --------------------------------------------------------===//
#include "Dialects.h"
#include <array>

namespace appyc::frontend {

std::span<const Dialect> dialects() {
  static constexpr std::array table{
      Dialect{"appy", readAppyPragma},
  };
  return table;
}

} // namespace appyc::frontend
