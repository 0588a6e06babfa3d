//===- Recurrences.h - iterations that fold over all earlier ones -----------------------------------===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <set>
#include <vector>

namespace appyc::schedule {

/// Statements of iteration `i` of a serial loop over [lo, hi):
///   total = init
///   for k in [lo, i): total = total op e(i, k)
///   rest, which reads `total`
/// A few iterations before the first may have terms, too: earlier->lo is in front of rows->lo by a number then, at most kMostAhead.
/// Terms that are put to a start that is no number, or taken from one, are summed up alone, and `rest` does the same with the sum. A
/// term under a branch is one that chooses.
/// The text's own loop may count the earlier ones otherwise, as range(i + 1, n) does in a solve from the last
/// row up.
struct Recurrence {
  const ir::For* rows = nullptr;    ///< the serial loop
  const ir::For* earlier = nullptr; ///< the loop over k, of `loop`
  ir::Stmt loop;
  Symbol total;
  ir::DType type = ir::DType::F64;
  ir::ReduceOp op = ir::ReduceOp::Sum;
  ir::Expr init, term; ///< e(i, k)
  std::vector<ir::Stmt> rest;
  std::set<Symbol> parts{}; ///< scalars of the text's loop that `term` has no more
};

bool isPlainLoop(const ir::For& loop); ///< in steps of 1, nothing asked of it
/// Does it choose between values, so that not all it reads need be there?
bool chooses(const ir::Expr& e);
bool chooses(const ir::Stmt& s); ///< in some expression; branches are no part of it
constexpr int64_t kMostAhead = 2;
/// None where the statements are of no such form, or where branches decide what `rest` reads and stores.
std::optional<Recurrence> recurrenceIn(const std::vector<ir::Stmt>& body, const ir::For& rows);
/// Are the earlier ones those of the loop alone, and is all that terms read there?
bool isPlain(const Recurrence& r);

/// The same with the earlier iterations taken in reverse.
Recurrence reversed(const Recurrence& r);
/// The same with the terms of iterations before the first in what each begins with.
Recurrence startedAtRows(const Recurrence& r);
/// What the iteration assigns, nobody else in the function reads.
bool scalarsAreOwn(const Recurrence& r, const ir::Function& function);

} // namespace appyc::schedule
