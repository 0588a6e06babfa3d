//===- OwnFunctions.h - functions of the user's that expressions call, in a generated file ----------------===//
#pragma once
#include "appyc/Cxx/Nodes.h"
#include "appyc/IR/Nodes.h"
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace appyc::target {

/// Where code runs.
struct Sides {
  bool onHost = true, onDevice = false;
};

/// Of another language: it has no body.
bool isLinked(const ir::Function&);

class OwnFunctions {
public:
  /// Those of other languages, which have no definitions here.
  std::vector<ir::FunctionRef> linked() const;
  /// Gives every function that the module's expressions call (ir::Apply) a name that is not among `taken`, and adds it there.
  void name(const ir::Module&, std::set<std::string>& taken);
  /// The name of one that is called on `sides`.
  const std::string& called(const ir::FunctionRef&, const Sides& sides);
  /// Those that have been called, each behind those that it calls itself.
  std::vector<cxx::Decl> definitions(
      const std::function<cxx::Decl(const ir::Function&, const std::string& name, const Sides&)>& lower);

private:
  struct Named {
    ir::FunctionRef function;
    std::string name;
    Sides sides{false, false};
  };
  std::vector<Named> all_; ///< in the order of calledFunctions()
};

} // namespace appyc::target
