//===- RowBlocks.h - rows that sum over earlier rows, as blocks of rows -----------------------------------===//
#pragma once
#include "Recurrences.h"
#include "appyc/Cost/Device.h"
#include "appyc/Loops/Loops.h"
#include <map>

namespace appyc::schedule {

/// A loop of rows that sum over earlier ones (Recurrences.h), and what a block of them has on chip.
class RowBlocks {
public:
  static constexpr int64_t kMostRows = 2 * cost::Device::warp;
  static constexpr int kLanes = 512;

  RowBlocks(const ir::Function& f, const analysis::Context& known) : function_(f), known_(known) {}
  RowBlocks(const RowBlocks&) = delete;
  RowBlocks& operator=(const RowBlocks&) = delete;

  /// Has the loop this form, and may each row take from another one when that is done, until it runs itself?
  bool find(const ir::For& loop);

  /// A load by rows, by earlier rows, or both: of arrays that the loop does not write, or not before.
  struct Staged {
    ir::Load read;
    bool byRow = false, byColumn = false;
    ir::Buffer copy{}; ///< on chip
    bool isTile() const { return byRow && byColumn; }
  };

  Recurrence r;
  ir::Buffer sums;                 ///< what rows have taken so far, from the first one on
  std::map<size_t, Symbol> passed; ///< stores of r.rest whose value later rows take, with its name
  std::vector<Staged> staged;
  loops::EarlyDivisors divisors{[this](const ir::Expr& e) { return isEarly(e); }}; ///< of rows' results
  int64_t rows = kMostRows;                                                        ///< of a block
  /// So many rows keep their results in scalars until all are computed. They read nothing but what is on chip, and
  /// where they store does not depend on results: these may be none, or be computed again.
  int64_t group = 1;

  const Symbol blocks{"first"}; ///< the index of the loop over blocks: the first row of one
  const ir::Expr first = ir::var(blocks);

  ir::Expr sumOf(const ir::Expr& row) const { return ir::load(sums, {row - r.rows->lo}); }
  int64_t lanesOfRow() const { return kLanes / rows; }

  /// Arrays on chip for what is staged.
  void makeCopies(ir::Function& function, const ir::Builder& build, std::vector<ir::Stmt>& out);
  /// `e` with what is staged read there; row and column count from the block's first.
  ir::Expr onChip(const ir::Expr& e, const ir::Expr& row, const ir::Expr& column) const;

  /// A row of the block, counted from its first, and the scalars that hold what it computes.
  struct Row {
    ir::Expr at;
    std::map<Symbol, ir::Expr> scalars; ///< by the iteration's own
    std::map<Symbol, ir::Expr> results; ///< by array: what it stores for later rows
  };
  Row rowAt(const ir::Expr& at) const;
  /// `e`, a store of r.rest, of that row, with what is on chip.
  ir::Expr inRow(const ir::Expr& e, const Row& row) const;
  ir::Store storeOf(size_t i, const Row& row) const;
  /// `e` of a row and an earlier one.
  ir::Expr inRows(const ir::Expr& e, const ir::Expr& row, const ir::Expr& earlier) const;
  /// What row `at` of the block takes from an earlier one of it.
  ir::Expr termOf(const ir::Expr& at, const Row& earlier) const;

  /// What the rows behind the block take from the block before. A worker has the reads of several under way.
  ir::Stmt trailing(const ir::Builder& build) const;

private:
  bool mayBeEager() const;
  bool tellsRow(const ir::Expr& subscript) const;
  bool passesByRow() const;
  bool mayRunInBlocks() const;
  bool passesOn();
  void forwardPassed();
  bool isOwnElement(const ir::Load& read) const;
  void collect(const ir::Expr& e, bool isTerm);
  bool isStaged(const ir::Expr& read) const;
  bool isEarly(const ir::Expr& e) const;
  int64_t groupSize() const;
  int64_t bytesOnChip() const;
  bool fitsOnChip();

  const ir::Function& function_;
  const analysis::Context& known_;
};

} // namespace appyc::schedule
