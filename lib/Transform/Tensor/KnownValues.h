//===- KnownValues.h - values that are the same, and where they are known -------------------------------===//
#pragma once
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace appyc::transform {

/// Names for indices that nothing else has: what differs by indices alone is equal, in the sense of ir::equal.
class IndexNames {
public:
  Symbol operator[](size_t n);
  /// All folds' indices by the names from `first` on.
  ir::Expr canonical(const ir::Expr&, size_t first = 0);

private:
  std::vector<Symbol> names_;
};

/// The folds of a statement that are computed whatever the values are, and once for all of its elements.
std::vector<ir::Expr> foldsOf(const ir::Stmt&);
/// Of an index statement, else none.
std::vector<ir::Range> domainOf(const ir::Stmt&);

/// Arrays, scalars and indices that it gives values.
std::set<Symbol> changedBy(const ir::Stmt&);
/// May the value be another one where these have changed?
bool dependsOn(const ir::Expr& value, const std::set<Symbol>& changed);

/// How many statements give each array and scalar values.
std::map<Symbol, int> writersIn(const ir::Stmt&);
bool isLeaf(const ir::Stmt&); ///< neither a list nor a loop nor a branch
/// Loads of the array, and statements that store into it.
int usesOf(const ir::Stmt&, const Symbol& array);

/// Statements in the order in which they run, with what is known before each: nothing that a loop around changes, and behind
/// branches and loops nothing that they do.
template <class Known> class InOrder {
public:
  virtual ~InOrder() = default;
  ir::Stmt visit(const ir::Stmt& s) {
    if (!s) return s;
    const auto* list = s.as<ir::Block>();
    return ir::block(inOrder(list ? list->body : std::vector<ir::Stmt>{s}));
  }

protected:
  std::vector<Known> known_;

  /// What is done about list[at], a leaf, and known behind it; it may go, and others may come in front of it.
  virtual void leaf(std::vector<ir::Stmt>& list, size_t& at) = 0;
  virtual void branch(std::vector<ir::Stmt>&, size_t&) {} ///< before what an If holds
  virtual bool endsBy(const Known&, const std::set<Symbol>& changed) const = 0;
  void forget(const std::set<Symbol>& changed) {
    std::erase_if(known_, [&](const Known& k) { return endsBy(k, changed); });
  }

private:
  std::vector<ir::Stmt> inOrder(std::vector<ir::Stmt> list) {
    for (size_t at = 0; at < list.size(); ++at) {
      if (isLeaf(list[at])) {
        leaf(list, at);
        continue;
      }
      if (list[at].template is<ir::If>()) branch(list, at);
      const ir::Stmt s = list[at];
      if (s.is<ir::For>() || s.is<ir::While>()) forget(changedBy(s));
      list[at] = ir::mapChildren(s, [&](const ir::Stmt& child) {
        const std::vector<Known> around = known_;
        const ir::Stmt inner = visit(child);
        known_ = around;
        return inner;
      });
      forget(changedBy(s));
    }
    return list;
  }
};

} // namespace appyc::transform
