//===- Called.h - what stands in the functions that an expression calls -----------------------------------===//
// For passes that count what an expression takes: as much as if the functions' bodies stood in it.
#pragma once
#include "appyc/IR/Nodes.h"
#include <functional>

namespace appyc::ir {

/// Calls `fn` with each part of the body of the called function, and of those that it calls itself. False where the function
/// has loops or calls itself: then nobody knows how much it takes.
bool visitBody(const Apply&, const std::function<void(const Expr&)>& fn);
/// Calls `fn` with each part of the expression that it does not say to pass over, and with those of the functions that these
/// call; only of a call of which nothing is known with the call itself.
void visitThrough(const Expr&, const std::function<bool(const Expr&)>& fn);

/// Does it call a function that has loops, or calls itself?
bool callsLoop(const Expr&);

} // namespace appyc::ir
