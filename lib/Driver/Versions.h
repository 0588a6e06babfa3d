//===- Versions.h - functions compiled once more for sizes that are equal -------------------------------===//
#pragma once
#include "appyc/AST/Nodes.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Nodes.h"
#include "appyc/Support/Diagnostics.h"
#include <functional>

namespace appyc::driver {

/// What is run by few calls is left short; by hardly any, also where a fold then has fewer threads.
enum class Calls { Most, Few, HardlyAny };
/// All passes on a module of level Tensor that are worth their length.
using Passes = std::function<ir::Module(ir::Module, Diagnostics&, Calls)>;

/// Sizes that the types leave open (`f64[:, :]`) may be equal without the compiler knowing it. Functions in
/// which some are likely to be (analysis::relatedSizes) are lowered once more with those taken as equal.
/// `tensor`: the module as first lowered, `done`: the same after all passes. Where a function's work is
/// arranged in another way for it, `done` gets it as a version for the calls where they are equal; a remark
/// says so, but not for a long one that the model does not take for much faster.
ir::Module addVersions(const ast::Module& tree, const ir::Module& tensor, ir::Module done,
                       const Passes& passes, const cost::Device& device, Diagnostics& diag);

} // namespace appyc::driver
