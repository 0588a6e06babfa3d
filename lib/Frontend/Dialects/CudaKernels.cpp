//===- CudaKernels.cpp - kernels and device functions of Numba's ------------------------------------------===//
//   @cuda.jit                       of a kernel whose types stand elsewhere, or that the file launches
//   @cuda.jit("void(f4[:], i4)")    with types, as of @jit
//   @cuda.jit(device=True)          a function that kernels call
// Source: Numba's documentation of CUDA; NumbaPro's names are the same.
#include "Dialects.h"
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

bool isCudaJit(const NamedCall& decorator) { return decorator.path == "numba.cuda.jit"; }

Node keyword(const NamedCall& decorator, std::string_view name) {
  if (!decorator.call) return {};
  for (const Node argument : decorator.call.field("arguments").namedChildren())
    if (argument.is("keyword_argument") && decorator.piece(argument.field("name")).text == name)
      return argument.field("value");
  return {};
}

} // namespace

std::optional<ast::FunctionDirective::Role> readCudaRole(const NamedCall& decorator, Diagnostics& diag) {
  if (!isCudaJit(decorator)) return std::nullopt;
  if (const Node link = keyword(decorator, "link"))
    diag.report(DiagId::BadDirective, link.span(),
                "code of other languages is not linked with kernels here; write the function in Python, with "
                "`@cuda.jit(device=True)`");
  const Node device = keyword(decorator, "device");
  return device.is("true") ? ast::FunctionDirective::Device : ast::FunctionDirective::Kernel;
}

std::vector<GivenTypes> readCudaDecorator(const NamedCall& decorator, Diagnostics& diag) {
  if (!isCudaJit(decorator) || !decorator.call || keyword(decorator, "device").is("true")) return {};
  std::vector<GivenTypes> all = readNumbaSignatures(decorator, diag);
  for (const GivenTypes& types : all)
    if (types.results && !types.results->empty())
      diag.report(DiagId::BadSignature, types.where,
                  "a kernel returns nothing: its signature is `void(...)`");
  return all;
}

} // namespace appyc::frontend
