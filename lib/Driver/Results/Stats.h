//===- Stats.h - what a scheduled module consists of, as numbers --------------------------------------===//
#pragma once
#include "appyc/Cost/Device.h"
#include "appyc/IR/Nodes.h"
#include <string>

namespace appyc::driver {

/// `key: value` lines for each function and its kernels: for tests that count instead of spelling,
/// and the time that a launch of each kernel is predicted to take.
std::string stats(const ir::Module&, const cost::Device&);

} // namespace appyc::driver
