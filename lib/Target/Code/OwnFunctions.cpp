//===- OwnFunctions.cpp - functions of the user's that expressions call, in a generated file --------------===//
#include "OwnFunctions.h"
#include "Support.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Names.h"
#include "appyc/IR/Walk.h"
#include "appyc/Support/InternalError.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::target {

bool isLinked(const ir::Function& f) { return ir::statementsOf(f.body).empty(); }

std::vector<ir::FunctionRef> OwnFunctions::linked() const {
  std::vector<ir::FunctionRef> found;
  for (const Named& n : all_)
    if (isLinked(*n.function)) found.push_back(n.function);
  return found;
}

void OwnFunctions::name(const ir::Module& m, std::set<std::string>& taken) {
  const auto isFree = [](const std::string& name) {
    return !Support::definedNames().count(name) && !ir::isReserved(name, ir::Reserved::Code);
  };
  for (const ir::FunctionRef& f : ir::calledFunctions(m)) {
    if (isLinked(*f)) {
      taken.insert(f->name);
      all_.push_back({f, f->name});
      continue;
    }
    std::string name;
    do name = ir::uniqueIdentifier(f->name, taken);
    while (!isFree(name));
    all_.push_back({f, name});
  }
}

const std::string& OwnFunctions::called(const ir::FunctionRef& f, const Sides& sides) {
  const auto named =
      std::ranges::find_if(all_, [&](const Named& n) { return ir::sameFunction(n.function, f); });
  if (named == all_.end()) internalError(fmt::format("the function `{}` has no name", f->name));
  named->sides.onHost |= sides.onHost;
  named->sides.onDevice |= sides.onDevice;
  return named->name;
}

std::vector<cxx::Decl> OwnFunctions::definitions(
    const std::function<cxx::Decl(const ir::Function&, const std::string& name, const Sides&)>& lower) {
  std::vector<cxx::Decl> found;
  for (auto n = all_.rbegin(); n != all_.rend(); ++n) // callers first: they tell where the others run
    if (!isLinked(*n->function) && (n->sides.onHost || n->sides.onDevice))
      found.push_back(lower(*n->function, n->name, n->sides));
  std::ranges::reverse(found);
  return found;
}

} // namespace appyc::target
