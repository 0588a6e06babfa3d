//===- Unattended.h - while loops whose steps need nothing from the host ---------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <set>

namespace appyc::schedule {

/// Arrays decide how often the loop runs, and each step is the same launches: the device can go on by itself. The scalars
/// that the host would count on, which live on the device then; nothing where the host has to attend. `after`: scalars
/// that are read behind the loop.
std::optional<std::set<Symbol>> scalarsIfUnattended(const ir::While& loop,
                                                    const std::set<Symbol>& deviceScalars,
                                                    const std::set<Symbol>& after);

} // namespace appyc::schedule
