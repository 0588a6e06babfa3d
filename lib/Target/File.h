//===- File.h - a module as one file --------------------------------------------------------------------===//
#pragma once
#include "appyc/Cxx/Nodes.h"
#include "appyc/Target/Target.h"
#include <string_view>

namespace appyc::target {

/// Stands in the file for the hash of its text.
inline constexpr std::string_view hashMark = "hash-of-the-text";

/// Head comment, the support code that is used, kernels and host programs, entries.
cxx::Unit lowerModule(const ir::Module&, const EmitOptions&, bool cuda);

} // namespace appyc::target
