//===- KernelNames.cpp - kernels are called after the arrays that they write ------------------------------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Names.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

/// `C`, `R_square`: what the caller sees of what the kernel writes, else what it hands on to other kernels.
std::string arraysOf(const Function& f, const Kernel& kernel) {
  constexpr size_t most = 3;
  std::set<Symbol> caller;
  for (const Param& p : f.params) caller.insert(p.name);
  for (const Result& r : f.results) caller.insert(r.name);
  std::vector<std::string> seen, others;
  const std::set<Symbol> stored = storedBuffers(kernel.body);
  for (const Symbol& p : kernel.params) {
    if (!stored.count(p)) continue;
    std::string name = p.hint();
    if (constexpr std::string_view end = "_device"; name.ends_with(end)) name.erase(name.size() - end.size());
    std::vector<std::string>& to = caller.count(p) ? seen : others;
    if (std::ranges::count(to, name) == 0) to.push_back(name);
  }
  if (seen.empty()) seen = std::move(others);
  if (seen.size() > most) seen.resize(most);
  return seen.empty() ? "kernel" : fmt::format("{}", fmt::join(seen, "_"));
}

/// All functions and their versions.
template <class Visit> void eachOf(Module& m, const Visit& visit) {
  for (Function& f : m.functions) {
    visit(f);
    for (Version& v : f.versions) visit(v.function);
  }
}

constexpr std::string_view ofRows = "_of_rows"; // the other form of a kernel, which keeps rows

} // namespace

void renameKernels(Function& f, const std::map<std::string, std::string>& names) {
  const auto rename = [&](std::string& name) {
    if (const auto found = names.find(name); found != names.end()) name = found->second;
  };
  for (Kernel& kernel : f.kernels) rename(kernel.name);
  f.body = rewrite(f.body, [&](const Stmt& s) -> Stmt {
    const auto* launch = s.as<Launch>();
    if (!launch || launch->body) return {};
    Launch renamed = *launch;
    rename(renamed.name);
    rename(renamed.vectors.rows.name);
    return makeStmt(s->span, std::move(renamed));
  });
}

void nameByArrays(Module& m) {
  std::set<std::string> taken;
  eachOf(m, [&](const Function& f) {
    for (const char* suffix : {"", "_host", "_workspace", "_shapes"}) taken.insert(f.entry + suffix);
    for (const Kernel& kernel : f.kernels)
      if (kernel.isGiven) taken.insert(kernel.name);
  });
  eachOf(m, [&](Function& f) {
    const auto isOwn = [](const Kernel& k) { return !k.isGiven && !k.name.ends_with(ofRows); };
    const bool isAlone = std::ranges::count_if(f.kernels, isOwn) == 1; // it is what the function computes
    std::map<std::string, std::string> names;
    for (const Kernel& kernel : f.kernels) {
      if (!isOwn(kernel)) continue;
      const std::string what = isAlone ? "kernel" : arraysOf(f, kernel);
      const std::string name = uniqueIdentifier(fmt::format("{}_{}", f.entry, what), taken);
      names[kernel.name] = name;
      names[kernel.name + std::string(ofRows)] = name + std::string(ofRows);
      taken.insert(name + std::string(ofRows));
    }
    renameKernels(f, names);
  });
}

} // namespace appyc::schedule
