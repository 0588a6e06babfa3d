//===- Tensors.h - what PyTorch calls its types and numbers ---------------------------------------------===//
#pragma once
#include "Value.h"

namespace appyc::sema {

/// `torch.float32`, `torch.pi`: by the name behind `torch.`.
std::optional<Value> torchConstant(const std::string& name);
/// What PyTorch makes of Python's numbers alone: float32, int64, bool.
Value asTensor(const Value& v);

} // namespace appyc::sema
