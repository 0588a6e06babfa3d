//===- Refusals.h - what is said of arrays whose shapes do not fit ----------------------------------------===//
#pragma once
#include "Support.h"
#include "appyc/Cxx/Nodes.h"
#include <optional>
#include <string_view>
#include <vector>

namespace appyc::target {

/// The call that makes the message and gives back its status; nothing for other messages. `values` fill in the message's `%lld`.
std::optional<cxx::Expr> refusalOfShapes(Support& support, std::string_view status, std::string_view message,
                                         const std::vector<cxx::Expr>& values);

} // namespace appyc::target
