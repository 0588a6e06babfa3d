//===- Stats.h - what a scheduled module consists of, as numbers --------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <string>

namespace appyc::driver {

/// `key: value` lines for each function and its kernels: for tests that count instead of spelling.
std::string stats(const ir::Module&);

} // namespace appyc::driver
