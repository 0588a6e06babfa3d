//===- RowElements.h - iterations over rows that are carried, as those of a perfect nest over tables --------===//
#pragma once
#include "CarriedRows.h"
#include <map>

namespace appyc::schedule {

/// A loop over rows, taken apart.
struct RowParts {
  struct Row : CarriedRow {
    int64_t offset = 0;              ///< the inner loop stores current[j + offset]
    std::vector<ir::Stmt> inFront{}; ///< what stores into it before the inner loop
    bool isStored = false;           ///< is the element, at the place at hand
    bool isOptional = false;         ///< some step may leave it as it was
  };
  ir::For inner{};
  std::vector<ir::Stmt> before, after; ///< the inner loop, without what makes, fills and hands on rows
  std::vector<Row> rows;
  std::map<Symbol, Symbol> snapshots; ///< of rows as they are when an iteration begins, by name

  Row* rowOf(const Symbol& array);
  /// How far behind the inner loop's index it is, where that is a number.
  std::optional<int64_t> offsetOf(const ir::Expr& index) const;
};

/// What an iteration of the perfect nest does, where `found` counts the iterations and the rows. Its tables are made. Empty where
/// an element is read that no table has: what has been there two iterations ago, or is known only at run time.
std::vector<ir::Stmt> rowElements(RowParts& parts, CarriedRows& found, const ir::For& loop,
                                  const analysis::Context& known);

} // namespace appyc::schedule
