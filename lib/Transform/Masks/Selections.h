//===- Selections.h - loops that list the points for which a mask holds -----------------------------------===//
//   for i in range(N): if mask(i): found[count] = i; count = count + 1
#pragma once
#include "appyc/IR/Dsl.h"
#include <map>
#include <optional>
#include <set>

namespace appyc::transform {

/// What an array holds of the point that a place of it stands for: over the points' indices and its further subscripts.
struct Item {
  std::vector<Symbol> inner;
  ir::Expr value;
};

/// A loop that lists the points for which a mask holds.
struct Selection {
  std::vector<const ir::For*> nest;
  ir::Expr mask;
  Symbol count;
  std::set<Symbol> numbers; ///< that say how many there are
  std::map<Symbol, Item> items;

  std::set<Symbol> reads() const;   ///< arrays that decide what is selected, and what is kept of it
  std::set<Symbol> scalars() const; ///< the same of scalars
};

/// Nothing for other statements.
std::optional<Selection> selectionOf(const ir::Stmt& s);
/// A selection by the mask of one before it in the list goes, with its lists: that one's serve for both. Has any gone?
bool joinSelections(std::vector<ir::Stmt>& body, ir::Function& function);

} // namespace appyc::transform
