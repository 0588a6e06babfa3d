//===- CudaKernels.cpp - kernels and device functions of Numba's ------------------------------------------===//
//   @cuda.jit                       of a kernel whose types stand elsewhere, or that the file launches
//   @cuda.jit("void(f4[:], i4)")    with types, as of @jit
//   @cuda.jit(device=True)          a function that kernels call
//   @cuda.jit(link=["add.cu"])      with what is linked with it
//   add = cuda.declare_device("add", "i4(i4, i4)", link="add.cu")    a function of such a file
// Source: Numba's documentation of CUDA; NumbaPro's names are the same.
#include "Dialects.h"
#include "Numba.h"
#include "Signatures.h"
#include <fmt/format.h>

namespace appyc::frontend {

namespace {

bool isCudaJit(const NamedCall& decorator) { return decorator.path == "numba.cuda.jit"; }

} // namespace

std::optional<ast::FunctionDirective::Role> readCudaRole(const NamedCall& decorator, Diagnostics&) {
  if (!isCudaJit(decorator)) return std::nullopt;
  const Node device = decorator.keyword("device");
  return device.is("true") ? ast::FunctionDirective::Device : ast::FunctionDirective::Kernel;
}

std::vector<GivenTypes> readCudaDecorator(const NamedCall& decorator, Diagnostics& diag) {
  if (!isCudaJit(decorator) || !decorator.call || decorator.keyword("device").is("true")) return {};
  std::vector<GivenTypes> all = readNumbaSignatures(decorator, diag);
  for (const GivenTypes& types : all)
    if (types.results && !types.results->empty())
      diag.report(DiagId::BadSignature, types.where,
                  "a kernel returns nothing: its signature is `void(...)`");
  return all;
}

//===--- code of other languages ------------------------------------------------------------------------===//

static std::vector<ast::FunctionDirective::Link> readLink(const NamedCall& call, Diagnostics& diag) {
  const Node given = call.keyword("link");
  if (!given) return {};
  std::vector<ast::FunctionDirective::Link> links;
  for (const Node one :
       given.is("list") || given.is("tuple") ? given.namedChildren() : std::vector<Node>{given}) {
    if (const std::optional<Piece> text = call.string(one))
      links.push_back({std::string(text->text), one.span()});
    else
      diag.report(DiagId::BadDirective, one.span(),
                  "`link=` names files as texts, which stand on the build line: `link=[\"add.cu\"]`");
  }
  return links;
}

/// The signature of a device function says nothing that its calls do not; but it has to fit.
static void checkDeviceSignature(const NamedCall& decorator, Diagnostics& diag) {
  const Node function = functionOfDefinition(decorator.source, decorator.decorator.is("decorator")
                                                                   ? decorator.decorator.parent()
                                                                   : decorator.decorator.parent().parent());
  const size_t count = parameterNodes(decorator.source.text(), function).size();
  for (const GivenTypes& types : readNumbaSignatures(decorator, diag))
    if (types.params.size() != count)
      diag.report(DiagId::BadSignature, types.where,
                  fmt::format("the signature has {} parameter{}, `{}` has {}", types.params.size(),
                              types.params.size() == 1 ? "" : "s",
                              decorator.source.text(function.field("name").span()), count));
}

void readCudaLinks(const NamedCall& decorator, ast::FunctionDirective& function, Diagnostics& diag) {
  if (!isCudaJit(decorator)) return;
  function.links = readLink(decorator, diag);
  if (function.role == ast::FunctionDirective::Device && decorator.call)
    checkDeviceSignature(decorator, diag);
}

std::optional<ast::Function> readCudaDeclared(const NamedCall& call, Diagnostics& diag) {
  if (call.path != "numba.cuda.declare_device") return std::nullopt;
  std::vector<Node> given;
  for (const Node argument : call.call.field("arguments").namedChildren())
    if (!argument.is("keyword_argument")) given.push_back(argument);
  for (const char* name : {"name", "sig"})
    if (const Node argument = call.keyword(name)) given.push_back(argument);
  ast::Function out;
  out.directive.role = ast::FunctionDirective::Linked;
  out.directive.links = readLink(call, diag);
  const std::optional<Piece> name = given.size() == 2 ? call.string(given[0]) : std::nullopt;
  if (!name) {
    diag.report(DiagId::BadSignature, call.call.span(),
                "a function of another language is declared by its name there and its types: "
                "`cuda.declare_device(\"add\", \"i4(i4, i4)\")`");
    return out;
  }
  out.directive.linkedName = std::string(name->text);
  const std::optional<Piece> text = call.string(given[1]);
  const std::optional<GivenTypes> types =
      readNumbaSignature(text ? *text : call.piece(given[1]), text.has_value(), call.source, given[1], diag);
  if (!types) return out;
  ast::Signature signature;
  signature.where = types->where;
  signature.declaresResults = true;
  if (types->results) signature.results = *types->results;
  const auto isNumber = [](const ast::TypeSpec& t) {
    return !t.isArray && t.dtype != "bool" && !t.dtype.starts_with("c");
  };
  bool isGood = signature.results.size() == 1 && isNumber(signature.results[0]);
  for (const std::optional<ast::TypeSpec>& type : types->params) {
    isGood &= type && isNumber(*type);
    out.params.push_back(
        {fmt::format("x{}", out.params.size()), {}, call.call.span(), ast::Parameter::PositionalOnly});
    signature.params.push_back(type);
  }
  if (!isGood)
    diag.report(DiagId::BadSignature, types->where,
                "a function of another language takes real numbers here, and gives one: "
                "`cuda.declare_device(\"add\", \"i4(i4, i4)\")`; pass elements of arrays one by one");
  else
    out.signatures.push_back(std::move(signature));
  return out;
}

} // namespace appyc::frontend
