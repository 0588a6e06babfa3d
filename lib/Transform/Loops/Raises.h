//===- Raises.h - where a call may end, with what has been stored so far ----------------------------------===//
#pragma once
#include "appyc/IR/Rewrite.h"

namespace appyc::transform {

/// Does a check stand in the statement, or what prints, which may raise?
bool mayRaise(const ir::Stmt& s);

} // namespace appyc::transform
