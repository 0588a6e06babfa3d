//===- File.h - a module as one file --------------------------------------------------------------------===//
#pragma once
#include "appyc/Cxx/Nodes.h"
#include "appyc/Target/Target.h"

namespace appyc::target {

/// Head comment, the support code that is used, kernels and host programs, entries.
cxx::Unit lowerModule(const ir::Module&, const EmitOptions&, bool cuda);

} // namespace appyc::target
