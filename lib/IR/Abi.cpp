//===- Abi.cpp - the C interface of a function -----------------------------------------------------===//
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Print.h"
#include "appyc/IR/Rewrite.h"
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace appyc::ir {

Status statusNamed(std::string_view exception) {
  static constexpr std::pair<std::string_view, Status> names[] = {
      {"ValueError", Status::ValueError},   {"IndexError", Status::IndexError},
      {"TypeError", Status::TypeError},     {"ZeroDivisionError", Status::ZeroDivisionError},
      {"MemoryError", Status::MemoryError}, {"RuntimeError", Status::RuntimeError}};
  for (const auto& [known, status] : names)
    if (known == exception) return status;
  return Status::RuntimeError;
}

//===--- identifiers ------------------------------------------------------------------------------------===//

/// Keywords of C, C++ and Python, names that CUDA gives a meaning in a kernel, macros of the standard headers
/// that generated code includes, and the main program.
static constexpr std::string_view kReserved =
    " alignas alignof and and_eq asm atomic_cancel atomic_commit atomic_noexcept auto bitand bitor bool "
    "break case catch "
    "char char8_t char16_t char32_t class co_await co_return co_yield compl concept const const_cast "
    "consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
    "false float for "
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq "
    "private protected "
    "public reflexpr register reinterpret_cast requires restrict return short signed sizeof static "
    "static_assert "
    "static_cast struct switch synchronized template this thread_local throw true try typedef typeid "
    "typename typeof union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq "
    "False None True as assert async await def del elif except finally from global import in is lambda "
    "nonlocal pass raise "
    "with yield "
    "threadIdx blockIdx blockDim gridDim warpSize dim3 "
    "NULL NAN INFINITY EOF BUFSIZ errno stdin stdout stderr unix linux main std min max "
    "M_E M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_LN2 M_LN10 M_LOG2E M_LOG10E M_SQRT2 M_SQRT1_2 "
    "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ";

static bool isReserved(const std::string& text) {
  static const std::set<std::string, std::less<>> reserved = [] {
    std::set<std::string, std::less<>> words;
    for (size_t at = 1, end; (end = kReserved.find(' ', at)) != std::string_view::npos; at = end + 1)
      words.emplace(kReserved.substr(at, end - at));
      // Generated code calls these unqualified: a variable of the name would hide them.
#define INTRINSIC(Name, numpy, arity, result, code) words.emplace(code);
#include "appyc/IR/Intrinsics.def"
#undef INTRINSIC
    return words;
  }();
  return reserved.count(text) != 0;
}

std::string uniqueIdentifier(const std::string& hint, std::set<std::string>& taken) {
  std::string base;
  for (char c : hint) {
    bool legal = std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128;
    base += legal ? c : '_';
  }
  if (base.find_first_not_of('_') == std::string::npos || std::isdigit(static_cast<unsigned char>(base[0])))
    base = "v" + base;
  std::string candidate = base;
  for (int n = 1; isReserved(candidate) || !taken.insert(candidate).second; ++n)
    candidate = fmt::format("{}_{}", base, n);
  return candidate;
}

//===--- parameters -------------------------------------------------------------------------------------===//

std::vector<CParam> entryParams(const Function& f, bool cuda) {
  std::vector<CParam> result;
  std::set<std::string> taken;
  auto push = [&](CParam::Role role, DType type, const Symbol& symbol, const std::string& hint) {
    result.push_back({role, type, symbol, uniqueIdentifier(hint, taken)});
  };
  for (const Param& p : f.params) {
    CParam::Role array = p.written ? CParam::ArrayInOut : CParam::ArrayIn;
    push(p.isArray ? array : CParam::Scalar, p.type, p.name, p.name.hint());
  }
  for (const Size& s : f.sizes) push(CParam::Size, DType::I64, s.name, s.name.hint());
  for (const Result& r : f.results) {
    if (r.kind == Result::Array)
      push(CParam::ResultArray, r.type, r.name, r.name.hint());
    else if (r.kind == Result::Scalar) // the variable itself keeps its name inside the entry
      push(CParam::ResultScalar, r.type, r.name, r.name.hint() + "_out");
  }
  if (cuda) {
    push(CParam::Workspace, DType::U8, {}, "workspace");
    push(CParam::Stream, DType::U64, {}, "stream");
  }
  return result;
}

std::vector<CParam> workspaceParams(const Function& f) {
  std::vector<CParam> result;
  std::vector<CParam> all = entryParams(f, true);
  for (CParam::Role role : {CParam::Size, CParam::Scalar})
    for (const CParam& p : all)
      if (p.role == role) result.push_back(p);
  return result;
}

bool mayNeedWorkspace(const Function& f) {
  bool allocates = false;
  visit(f.body, [&](const Stmt& s) { return !(allocates |= s.is<Alloc>() && !s.as<Alloc>()->shared); });
  return allocates || std::any_of(f.versions.begin(), f.versions.end(),
                                  [](const Version& v) { return mayNeedWorkspace(v.function); });
}

//===--- hash -------------------------------------------------------------------------------------------===//

/// Extents by name: what the wrapper checks and allocates by.
static std::string extentText(const std::vector<Expr>& extents) {
  std::string text;
  for (const Expr& e : extents) text += print(e) + ",";
  return text;
}

/// All that a caller relies on, one item a line.
static std::string interfaceText(const Function& f, bool cuda) {
  std::string text = fmt::format("{} {} {}\n", f.name, f.entry, f.returnsTuple);
  for (const CParam& p : entryParams(f, cuda))
    text += fmt::format("{} {} {}\n", static_cast<int>(p.role), name(p.type), p.name);
  for (const Param& p : f.params)
    text += fmt::format("param {} {} [{}]\n", p.isArray, p.weak, extentText(p.extents));
  for (const Size& s : f.sizes) text += fmt::format("size {} {}\n", s.param, s.axis);
  for (const Result& r : f.results)
    text += fmt::format("result {} {} [{}]\n", static_cast<int>(r.kind),
                        r.kind == Result::Parameter ? r.name.hint() : "", extentText(r.extents));
  return text;
}

std::string abiHash(const Module& m, bool cuda) {
  std::string text = cuda ? "cuda\n" : "cpu\n";
  for (const Function& f : m.functions) text += interfaceText(f, cuda);
  uint64_t hash = 0xcbf29ce484222325u; // FNV-1a, 64 bits
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

} // namespace appyc::ir
