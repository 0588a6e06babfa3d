//===- Summary.h - what each function became, for --remarks=summary ---------------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Diagnostics.h"

namespace appyc::driver {

/// Reports of each function, as a remark with notes: its kernels and launches, the bytes they move and the time that takes, the loops
/// that are serial and why. What was said before is asked for the last.
void summarise(const ast::Module&, const ir::Module&, const cost::Device&, Diagnostics&);

/// Where a function stands, of which a module's functions hold but the name's place.
Span extentOf(const ast::Module&, const ir::Function&);

} // namespace appyc::driver
