//===- Evaluation.h - straight code with what its scalars hold, under assumptions -----------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <map>
#include <set>
#include <vector>

namespace appyc::transform {

/// A comparison that is taken to hold or not to hold.
struct Assumption {
  ir::Expr comparison;
  bool holds;
};

/// Runs code once, symbolically: values of scalars are expressions over the scalars and arrays at the start.
/// Where arrays change in between (`acts`), values that were read from memory may be out of date.
class Evaluation {
public:
  Evaluation() = default;
  explicit Evaluation(std::vector<Assumption> assumptions) : assumptions_(std::move(assumptions)) {}

  /// The statement, simplified by the assumptions and by what is constant; perhaps an empty block.
  ir::Stmt run(const ir::Stmt&);

  /// The value of `scalar`, for one that the code may have changed.
  ir::Expr valueOf(const Symbol& scalar, ir::DType type) const;
  /// `e` by the values of its scalars, as far as they are known.
  ir::Expr resolved(const ir::Expr& e) const;
  /// Does it depend on nothing that could not be followed?
  bool isKnown(const ir::Expr& e) const;
  /// The scalar holds again what it held at the start.
  void restart(const Symbol& scalar) { values_.erase(scalar); }
  void assume(std::vector<Assumption> assumptions) { assumptions_ = std::move(assumptions); }

  bool acts = false; ///< the code has stored, raised, waited
  // In terms of what scalars hold at the start:
  std::vector<ir::Expr> comparisons; ///< that the code makes
  std::vector<ir::Expr> loads;       ///< elements that each run of it reads

private:
  ir::Expr simplified(const ir::Expr& e, bool always);
  ir::Expr rebuilt(const ir::Expr& e) const;
  ir::Stmt runIf(const ir::Stmt& s, const ir::If& branch);
  ir::Stmt runLoop(const ir::Stmt& s, const ir::For& loop);
  void forget(const ir::Stmt& s);
  void set(const Symbol& scalar, ir::Expr value);

  std::vector<Assumption> assumptions_;
  std::map<Symbol, ir::Expr> values_;
  std::set<Symbol> unknowns_; ///< stand for values that could not be followed
  bool conditional_ = false;
};

} // namespace appyc::transform
