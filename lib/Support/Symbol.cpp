//===- Symbol.cpp - names as identities --------------------------------------------------------===//
#include "appyc/Support/Symbol.h"
#include <deque>

namespace appyc {

Symbol::Symbol(std::string hint) {
  static std::deque<std::string> hints; // stay where they are
  hint_ = &hints.emplace_back(std::move(hint));
  id_ = static_cast<uint32_t>(hints.size());
}

} // namespace appyc
