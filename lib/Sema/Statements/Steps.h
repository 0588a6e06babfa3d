//===- Steps.h - what a loop runs over -------------------------------------------------------------------===//
#pragma once
#include "Lowering.h"

namespace appyc::sema {

/// How many steps there are, and what each gives.
struct Lowering::Steps {
  Expr count;
  std::function<Value(const Expr&)> item;
  bool isWrittenOut = false; ///< items of a tuple: of any kinds
  bool isOfDict = false;     ///< items are what they are when their turn comes
  bool isEndless = false;    ///< of itertools.count and its kind: others say when to stop
};

} // namespace appyc::sema
