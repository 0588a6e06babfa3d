//===- ProgramTime.h - how long a whole function takes ----------------------------------------------------===//
#pragma once
#include "appyc/Cost/Device.h"
#include "appyc/IR/Nodes.h"
#include <optional>

namespace appyc::cost {

/// Nanoseconds of a call, at the least and at the most: they part where the model does not know which branch is taken.
/// `isKnown`: of each kernel it is known what it does.
struct ProgramTime {
  double least = 0, most = 0;
  bool isKnown = true;
};
/// Of a scheduled function; its sizes and scalars are all `size`. A loop whose length data decide counts once.
ProgramTime timeOf(const ir::Function& function, const Device& device, int64_t size = 1000);

/// The number that an expression is where all its variables are `size`; nothing where it is made of more than arithmetic.
std::optional<double> valueAt(const ir::Expr& e, int64_t size);

} // namespace appyc::cost
