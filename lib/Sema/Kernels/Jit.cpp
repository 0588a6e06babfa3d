//===- Jit.cpp - Numba's decorators as calls --------------------------------------------------------------===//
//   kernel = cuda.jit(body)          square = cuda.jit(device=True)(lambda x: x * x)          f = njit(g, parallel=True)
#include "Arguments.h"
#include "Lowering.h"
#include <fmt/format.h>

namespace appyc::sema {

/// The function as the decorator marks it; without one, what takes it.
Value Lowering::callJit(const Bound& b) {
  const bool isOfCuda = b.row->path == "numba.cuda.jit";
  const Value* given = b.given(isOfCuda ? "func_or_sig" : "signature_or_function");
  const std::string option = isOfCuda ? "device" : "parallel";
  const Value asked = b[option];
  const std::optional<int64_t> isAsked = constantArgument(asked);
  if (!isAsked) return error(DiagId::TypeMismatch, b.where, fmt::format("`{}` is True or False", option));
  if (!given || (given->as<StringValue>() && isOfCuda && *isAsked)) // whose types its calls tell
    return partialOf({{Value{Callable{b.row->path}}}, {{option, asked}}, b.where});
  const auto* f = given->as<UserFunction>();
  if (!f || !f->file || (!isOfCuda && f->function->directive.role != ast::FunctionDirective::Plain)) {
    if (given->isError()) return Value{};
    return error(DiagId::Unsupported, b.where,
                 fmt::format("`{}` takes a function of the file here, and no signature: write `@{}` with it "
                             "above the function's `def`",
                             b.display(), b.display()));
  }
  const auto role = !isOfCuda  ? ast::FunctionDirective::Plain
                    : *isAsked ? ast::FunctionDirective::Device
                               : ast::FunctionDirective::Kernel;
  const bool isSerial = !isOfCuda && *isAsked == 0;
  std::shared_ptr<const ast::Function>& made = decorated_[{f->function, role * 2 + isSerial}];
  if (!made) {
    ast::Function copy = *f->function;
    copy.directive.role = role;
    copy.directive.serialRanges = isSerial;
    made = std::make_shared<const ast::Function>(std::move(copy));
  }
  UserFunction out = *f;
  out.function = made.get();
  return Value{out};
}

} // namespace appyc::sema
