//===- Refusals.h - what is said of arrays whose shapes do not fit ----------------------------------------===//
#pragma once
#include "Support.h"
#include "appyc/Cxx/Nodes.h"
#include "appyc/IR/Nodes.h"
#include <optional>
#include <string_view>
#include <vector>

namespace appyc::target {

/// The call that makes the message and gives back its status; nothing for other messages. `values` fill in the message's `%lld`.
std::optional<cxx::Expr> refusalOfShapes(Support& support, std::string_view status, std::string_view message,
                                         const std::vector<cxx::Expr>& values);
/// Whether `first`, written as `text`, need not be asked in front of `second`: it holds where that one does, and the function that
/// refuses to stretch says so where NumPy would not stretch either.
bool saysBoth(const ir::Require& first, const cxx::Stmt& text, const ir::Require& second,
              const cxx::Stmt& secondText);

} // namespace appyc::target
