//===- Abi.cpp - the C interface of a function -----------------------------------------------------===//
#include "appyc/IR/Abi.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <array>

namespace appyc::ir {

Status statusNamed(std::string_view exception) {
  static constexpr std::pair<std::string_view, Status> names[] = {
      {"ValueError", Status::ValueError},
      {"IndexError", Status::IndexError},
      {"TypeError", Status::TypeError},
      {"ZeroDivisionError", Status::ZeroDivisionError},
      {"MemoryError", Status::MemoryError},
      {"RuntimeError", Status::RuntimeError},
      {"OverflowError", Status::OverflowError},
      {"UnboundLocalError", Status::UnboundLocalError},
      {"NotImplementedError", Status::NotImplementedError}};
  for (const auto& [known, status] : names)
    if (known == exception) return status;
  return Status::RuntimeError;
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
    else if (r.kind == Result::Scalar ||
             r.kind == Result::Place) // the variable itself keeps its name inside the entry
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

} // namespace appyc::ir
