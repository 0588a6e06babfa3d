//===- Symbol.cpp - names as identities --------------------------------------------------------===//
#include "appyc/Support/Symbol.h"
#include <atomic>

namespace appyc {

Symbol::Symbol(std::string hint) : hint_(std::make_shared<const std::string>(std::move(hint))) {
  static std::atomic<uint32_t> last{0};
  id_ = ++last;
}

} // namespace appyc
