//===- KernelNames.h - kernels are called after the arrays that they write ---------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"

namespace appyc::schedule {

/// Kernels of functions that have several: `gemm_C` writes the array C of gemm. That does not depend on what else there
/// is, but where several write the same.
ir::Module nameByArrays(ir::Module);

} // namespace appyc::schedule
