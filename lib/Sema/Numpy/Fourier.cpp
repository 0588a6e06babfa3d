//===- Fourier.cpp - rows transformed by a library or the support code -------------------------------------===//
//   _transform_rows(a, -1)   =>   call transform_rows(inout a, rows, length, -1)
// Along the last axis, in place, not scaled. NumPy's functions stand upon it in Python (numpy_library/fft.py).
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/Support/InternalError.h"

namespace appyc::sema {

Value Lowering::callTransformRows(const Bound& b) {
  const auto* a = b["rows"].as<Array>();
  const std::optional<int64_t> sign = constantArgument(b["sign"]);
  if (!a || !a->view || !a->view->whole || a->shape.empty() || !ir::isComplex(a->type) || !sign)
    internalError("rows to transform that are no memory of complex numbers");
  if (!hasAllThreads("a Fourier transform", b.where)) return Value{};
  ir::Routine call{ir::RoutineName::TransformRows, {}, rowsAndLength(*a)};
  call.operands.push_back({a->view->buffer.name, Indices(a->shape.size(), ir::intConst(0))});
  call.numbers.push_back(ir::intConst(*sign));
  emit(std::move(call));
  return Value{NoneValue{}};
}

} // namespace appyc::sema
