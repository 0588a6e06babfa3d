//===- Liveness.h - which scalars a later statement still reads -------------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <set>
#include <unordered_map>

namespace appyc::analysis {

/// Scalars live before and after each statement of a function. A statement that stands in several places has
/// the union. Found when first asked: most passes have no question.
class Liveness {
public:
  explicit Liveness(const ir::Function& function);
  /// Of statements that stand in for others, behind which `after` is live.
  Liveness(ir::Stmt body, std::set<Symbol> after) : body_(std::move(body)), results_(std::move(after)) {}
  const std::set<Symbol>& before(const ir::Stmt& s) const;
  const std::set<Symbol>& after(const ir::Stmt& s) const;

private:
  using Set = std::set<Symbol>;
  struct Effect {
    Set reads, gives;
  };
  void find() const;
  Set walk(const ir::Stmt& s, const Set& after) const;
  const Effect& effectOf(const ir::Stmt& s) const;
  void walkLoop(const ir::Stmt& body, const Symbol& index, Set& live) const;
  Set walkParts(const ir::Stmt& s, Set after) const;
  static void add(Set& to, const Set& more);
  const Set& readBy(const ir::Stmt& s) const;
  ir::Stmt body_;
  mutable bool isFound_ = false; ///< done when first asked
  Set results_;
  mutable std::unordered_map<const ir::StmtNode*, Effect> effects_;
  mutable std::unordered_map<const ir::StmtNode*, Set> before_, after_, reads_;
};

} // namespace appyc::analysis
