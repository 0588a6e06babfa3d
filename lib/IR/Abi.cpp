//===- Abi.cpp - the C interface of a function -----------------------------------------------------===//
#include "appyc/IR/Abi.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Walk.h"
#include <algorithm>
#include <array>

namespace appyc::ir {

static constexpr std::array<std::string_view, 24> kStatuses = {
    "Ok",
#define EXCEPTION(name) #name,
#include "appyc/IR/Exceptions.def"
#undef EXCEPTION
};

bool isException(std::string_view name) {
#define EXCEPTION(own)                                                                                       \
  if (name == #own) return true;
#define NUMPY_EXCEPTION(other)
#include "appyc/IR/Exceptions.def"
#undef EXCEPTION
  return false;
}

Status statusNamed(std::string_view exception) {
  const auto* found = std::find(kStatuses.begin() + 1, kStatuses.end(), exception);
  return found == kStatuses.end() ? Status::RuntimeError : static_cast<Status>(found - kStatuses.begin());
}

std::string_view nameOf(Status status) { return kStatuses.at(static_cast<size_t>(status)); }

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

std::span<const Param> Function::passed() const {
  const auto last = std::ranges::find_if(params, [](const Param& p) { return p.drawn != Param::No; });
  return {params.begin(), last};
}

bool hasPackedEntry(const Function& f) {
  constexpr size_t kMany = 16;
  const std::vector<CParam> all = entryParams(f, true);
  return all.size() > kMany && std::ranges::all_of(all, [](const CParam& p) {
           return (p.role != CParam::Scalar && p.role != CParam::ResultScalar) || isInteger(p.type);
         });
}

std::vector<CParam> workspaceParams(const Function& f) {
  std::vector<CParam> result;
  std::vector<CParam> all = entryParams(f, true);
  for (CParam::Role role : {CParam::Size, CParam::Scalar})
    for (const CParam& p : all)
      if (p.role == role) result.push_back(p);
  return result;
}

bool isGivenBack(const Function& f, const Param& param) {
  return std::ranges::any_of(f.results, [&](const Result& r) {
    return (r.name == param.name && r.kind != Result::Array && r.kind != Result::Scalar) ||
           std::ranges::find(r.among, param.name) != r.among.end();
  });
}

bool mayNeedWorkspace(const Function& f) {
  const bool allocates = any<Alloc>(f.body, [](const Alloc& a) { return !a.shared; });
  return allocates || std::any_of(f.versions.begin(), f.versions.end(),
                                  [](const Version& v) { return mayNeedWorkspace(v.function); });
}

bool keepsPlans(const Function& f) {
  bool keeps = false;
  visit(f.body, [&](const Stmt& s) {
    const auto* routine = s.as<Routine>();
    return !(keeps |= routine && info(routine->name).keepsPlans);
  });
  return keeps || std::any_of(f.versions.begin(), f.versions.end(),
                              [](const Version& v) { return keepsPlans(v.function); });
}

bool keepsPlans(const Module& m) {
  return std::ranges::any_of(m.functions, [](const Function& f) { return keepsPlans(f); });
}

bool isSamePrint(const Print& a, const Print& b) {
  return a.pieces == b.pieces && std::ranges::equal(a.values, b.values, [](const Expr& x, const Expr& y) {
           return typeOf(x) == typeOf(y);
         });
}

static void addPrints(const Function& f, std::vector<Print>& found) {
  visit(f.body, [&](const Stmt& s) {
    const auto* print = s.as<Print>();
    if (print && std::ranges::none_of(found, [&](const Print& p) { return isSamePrint(p, *print); }))
      found.push_back(*print);
    return true;
  });
  for (const Version& v : f.versions) addPrints(v.function, found);
}

std::vector<Print> printsOf(const Module& m) {
  std::vector<Print> found;
  for (const Function& f : m.functions) addPrints(f, found);
  return found;
}

} // namespace appyc::ir
