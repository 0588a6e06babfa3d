//===- KeptSteps.h - nests of serial loops whose steps keep an element each, or some do -----------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace appyc::schedule {

///   for i: if isKept: kept, which stores at `counter`; counter = counter + 1
/// Each step sees what it would see alone. The nest that was read must live as long.
class KeptSteps {
public:
  explicit KeptSteps(const ir::Function& function) : function_(function) {}
  /// False where it is no such nest.
  bool reads(const ir::Stmt& nest);

  std::vector<const ir::For*> loops;
  std::vector<ir::Stmt> before; ///< scalars of a step that the condition wants, too
  ir::Expr isKept;              ///< none: each step keeps something
  std::vector<ir::Stmt> kept;   ///< scalars, and stores at the counter
  Symbol counter;

  ir::Expr position() const; ///< the number of the step
  /// What the scalars of a step are that it sets once.
  std::map<Symbol, ir::Expr> scalars() const;
  /// The first of the elements, if they follow each other in memory as the steps read them.
  std::optional<ir::Routine::Operand> elementsOf(const ir::Expr& value) const;

private:
  bool takesApart(std::vector<ir::Stmt> stores);
  bool isIndependent(const ir::Stmt& body) const;
  bool isReadOutside(const Symbol& name, const ir::Stmt& body) const;

  const ir::Function& function_;
};

} // namespace appyc::schedule
