//===- Tables.h - tables of constants in a generated file -----------------------------------------------===//
// A table is a function of its index, which the host's code and kernels can both call.
#pragma once
#include "appyc/Cxx/Nodes.h"
#include "appyc/IR/Nodes.h"
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace appyc::target {

class Tables {
public:
  explicit Tables(bool cuda) : cuda_(cuda) {}
  /// Gives every table of the module a name that is not among `taken`, and adds it there.
  void name(const ir::Module&, std::set<std::string>& taken);
  /// The function of the table, of C++'s `type`; `value` writes its constants when it is asked for the first time.
  std::string function(const ir::Table&, const std::string& type,
                       const std::function<cxx::Expr(const ir::Const&)>& value);
  /// The functions asked for.
  const std::vector<cxx::Decl>& functions() const { return functions_; }

private:
  struct Named {
    const ir::Table* table;
    std::string name;
    bool defined = false;
  };

  bool cuda_;
  std::vector<Named> all_;
  std::vector<cxx::Decl> functions_;
};

} // namespace appyc::target
