//===- ScanLoops.h - serial loops whose steps carry folds ----------------------------------------------===//
#pragma once
#include "ScanSteps.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Loops.h"
#include <set>
#include <vector>

namespace appyc::schedule {

/// A serial loop with step 1 of which scalars carry values from step to step; the body's statements may be replaced.
class ScanLoop {
public:
  /// A thread does `fewSteps` while several kernels would still be starting.
  ScanLoop(const ir::Function& function, const analysis::Context& known, int64_t fewSteps)
      : function_(function), known_(known), fewSteps_(fewSteps) {}

  int64_t fewSteps() const { return fewSteps_; }
  enum class Branches {
    Kept,
    Split ///< what the step hands on is given in a statement each, with the condition in its value
  };
  /// Reads the loop. Elements that a step stores and the next one loads become scalars, which are `starts` before it. False
  /// where it is none that could be taken apart, or known to have few steps.
  bool reads(const ir::For& loop, Branches branches = Branches::Split);

  Symbol index;
  ir::Expr lo, hi;
  std::vector<ir::Stmt> body, starts;

  ir::Expr position() const; ///< the number of the step
  ir::For steps() const;     ///< the loop, serial
  /// Does it store into the array?
  bool stores(const Symbol& buffer) const;
  /// One element after the other along the last axis?
  bool isRow(const std::vector<ir::Expr>& element) const;
  std::vector<ir::Expr> elementAt(const std::vector<ir::Expr>& element, const ir::Expr& i) const;

  /// The one assignment to a scalar that carries a fold, and what makes its operand, which no other such scalar does and
  /// nothing that the step stores before.
  struct Carried {
    Symbol scalar;
    size_t at; ///< in `body`
    ir::ReduceOp op;
    std::vector<ir::Stmt> before; ///< what the operand needs of the step
    ir::Expr operand;
  };
  /// Scalars that carry values from step to step, but for those that only collect.
  std::set<Symbol> carried() const;
  std::optional<Carried> carriedBy(const Symbol& scalar) const;
  /// Does a step multiply it, a float?
  bool multiplies(const Symbol& scalar) const;

private:
  std::optional<std::pair<size_t, ir::Expr>> assignedTo(const Symbol& scalar) const;
  ir::Stmt storeOfChoice(const ir::Stmt& s) const;
  void elementsToScalars();
  void branchesToChoices();
  bool isRead(const Symbol& scalar) const;
  bool isInRange(const ir::Expr& e) const;
  bool isSetOnce(const ir::Expr& value) const;

  const ir::Function& function_;
  const analysis::Context& known_;
  int64_t fewSteps_;
};

} // namespace appyc::schedule
