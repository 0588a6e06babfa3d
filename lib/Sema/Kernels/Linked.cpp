//===- Linked.cpp - functions of other languages -----------------------------------------------------------===//
// In the ir such a function is one without a body. That of a header (`parpy.external`) takes numbers and gives one, as the user's own do.
// Numba's convention is `int f(T* result, A a, B b)`, which returns 0 where nothing is wrong: another status is noted in an
// array of the launch's, which the host reads behind it.
#include "Arguments.h"
#include "Lowering.h"
#include "appyc/IR/Dsl.h"

namespace appyc::sema {

static ir::Param parameter(const std::string& name, DType type) {
  ir::Param p;
  p.name = Symbol(name);
  p.type = type;
  return p;
}

Value Lowering::callElsewhere(const UserFunction& called, const std::vector<std::vector<Value>>& args,
                              Span where) {
  const ast::Function& fn = *called.function;
  const bool isLinked = fn.directive.role == ast::FunctionDirective::Linked;
  if (fn.directive.linkedName.empty() || (isLinked && fn.signatures.empty())) return Value{}; // reported
  const bool isTyped = fn.signatures.size() == 1 && fn.signatures[0].results.size() == 1 &&
                       !fn.signatures[0].results[0].isArray;
  if (!isTyped)
    return error(
        DiagId::BadSignature, fn.nameSpan,
        fmt::format(
            "of `{0}` the types are needed, as its code is elsewhere: `def {0}(a: F32, b: F32) -> F32`",
            fn.name));
  if (isLinked && !kernel_)
    return error(
        DiagId::Unsupported, where,
        fmt::format("`{}` runs on the device: it is called in kernels, and in the functions that these call",
                    fn.name));
  const ast::Signature& types = fn.signatures.front();
  ir::Function external;
  external.name = fn.directive.linkedName;
  external.span = fn.nameSpan;
  external.body = ir::block({});
  std::vector<Expr> given;
  for (size_t k = 0; k < fn.params.size(); ++k) {
    const Value v = args[k].empty() ? evalDefault(fn.params[k], called.file) : onlyValue(args[k][0]);
    const ast::TypeSpec* type = types.params[k] ? &*types.params[k] : nullptr;
    if (!v.as<Scalar>() || !type || type->isArray)
      return v.isError()
                 ? Value{}
                 : error(DiagId::TypeMismatch, where,
                         fmt::format("`{}` takes numbers, whose types its declaration gives, and `{}` is {}",
                                     fn.name, fn.params[k].name, describe(v)));
    const DType own = *ir::dtypeNamed(type->dtype);
    const Value cast = castTo(v, own, where);
    if (!cast.as<Scalar>()) return Value{};
    external.params.push_back(parameter(fn.params[k].name, own));
    given.push_back(ir::cast(own, cast.as<Scalar>()->e));
  }
  if (isLinked) return callLinked(fn, std::move(external), std::move(given));
  ir::Result result;
  result.name = Symbol("result");
  result.type = *ir::dtypeNamed(types.results[0].dtype);
  external.results.push_back(result);
  ir::Apply apply{result.type, std::make_shared<const ir::Function>(std::move(external)), std::move(given)};
  return Value{Scalar{ir::make(std::move(apply)), types.results[0].weak}};
}

/// By way of a place for the result, at once and in its turn: such a function may do more than to compute.
Value Lowering::callLinked(const ast::Function& fn, ir::Function external, std::vector<Expr> args) {
  const ast::TypeSpec& declared = fn.signatures.front().results[0];
  const DType type = *ir::dtypeNamed(declared.dtype);
  const Expr first = ir::intConst(0);
  const Array room = newBuffer("result", type, {ir::intConst(1)});
  const Symbol result = room.view->buffer.name;
  kernel_->ofThread.insert(result);
  emit(ir::IndexStmt{{}, result, {first}, ir::constOf(type, 0), {}});
  ir::Param place = parameter("result", type);
  place.isArray = place.written = true;
  place.extents = {ir::intConst(1)};
  external.params.insert(external.params.begin(), place);
  ir::Result status;
  status.name = Symbol("status");
  status.type = DType::I32;
  external.results.push_back(status);
  args.insert(args.begin(), ir::make(ir::Load{type, result, {first}}));
  const Expr returned =
      materialize(ir::make(ir::Apply{DType::I32, std::make_shared<const ir::Function>(std::move(external)),
                                     std::move(args)}),
                  "returned");
  kernel_->callsLinked = true;
  const Stmts note = collect([&] {
    emit(ir::Atomic{
        ir::AtomicOp::Exchange, kernel_->status, {first}, returned, {}, Symbol("old"), DType::I32});
  });
  emit(ir::If{ir::binary(ir::BinaryOp::Ne, returned, ir::constOf(DType::I32, 0)), ir::block(note), {}});
  return Value{Scalar{materialize(ir::make(ir::Load{type, result, {first}}), fn.name), declared.weak}};
}

/// The array in which threads note what they got, before the launch.
void Lowering::makeStatus(const Symbol& status) {
  const ir::Buffer buffer{status, DType::I32, {ir::intConst(1)}};
  out_.buffers.push_back(buffer);
  emit(ir::Alloc{buffer});
  emit(ir::IndexStmt{{}, status, {ir::intConst(0)}, ir::constOf(DType::I32, 0), {}});
}

void Lowering::checkStatus(const Symbol& status, const std::string& kernel, Span where) {
  const Expr noted = materialize(ir::make(ir::Load{DType::I32, status, {ir::intConst(0)}}), "returned");
  statement_ = where;
  emit(ir::Require{ir::binary(ir::BinaryOp::Eq, noted, ir::constOf(DType::I32, 0)),
                   "RuntimeError",
                   fmt::format("a function that `{}` is linked with returned %lld", kernel),
                   {ir::cast(DType::I64, noted)}});
}

} // namespace appyc::sema
