//===- ScanSteps.h - assignments that are steps of a scan ----------------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>

namespace appyc::schedule {

/// `v = v op operand`, where steps may be grouped in any way: exactly so, or a float sum, which may be reordered.
struct ScanStep {
  ir::ReduceOp op; ///< Sum, Prod, Min or Max
  ir::Expr operand;
  bool mayBeSkipped = false; ///< the operand is not evaluated where `and` and `or` are decided by v
};

/// The step that the assignment of `value` to `v` is, if it is one; the operand is free of v.
std::optional<ScanStep> scanStep(const ir::Expr& value, const Symbol& v);

/// Is it a step that multiplies v, a float, `v * a` or `v * a + b`: a scan of products, which keep their order?
bool multipliesFloat(const ir::Expr& value, const Symbol& v);

} // namespace appyc::schedule
