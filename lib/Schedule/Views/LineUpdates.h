//===- LineUpdates.h - steps that update a square by a row and a column of it ------------------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include <optional>
#include <set>

namespace appyc::schedule {

/// A step of a serial loop over k:
///   c[:], r[:] = A[:, k], A[k, :]
///   A[i, j] = f(A[i, j], c[i], r[j])   for all i, j that k goes through
/// or `inOrder`, as loops do it: elements behind column k read what its elements have become, and those below row k likewise.
///   for i: for j: A[i, j] = f(A[i, j], A[i, k], A[k, j])
/// What these become takes nothing but themselves and A[k, k].
struct LineUpdate {
  const ir::For* time = nullptr;
  Symbol row, column; ///< the indices of the nest over A
  ir::Buffer array;
  std::vector<ir::Expr> index; ///< what is written: A[.., row + rowShift, .., column + columnShift, ..]
  size_t rowDim = 0, columnDim = 0;
  ir::Expr rowShift, columnShift;
  /// The subscript of a step's own row and column, over the time's index, or down from a constant.
  ir::Expr step;
  ir::Expr own, ofColumn, ofRow; ///< what stands in `value` for A[i, j], A[i, k], A[k, j]
  bool hasColumn = false, hasRow = false;
  ir::Expr value; ///< f
  bool inOrder = false;
  bool columnIsEarly = false; ///< A[i, k] is read before the row's own elements change
  std::set<Symbol> gone{};    ///< arrays that `value` has no more

  /// The subscript of the row and the column of step `t`.
  ir::Expr lineAt(const ir::Expr& t) const { return ir::substitute(step, {{time->index, t}}); }
  /// f in the cell of two lines, all by their steps, and what it is in order: from the lines as they are before the step.
  ir::Expr valueAt(const ir::Expr& atRow, const ir::Expr& atColumn, const ir::Expr& t, const ir::Expr& isNow,
                   const ir::Expr& inColumn, const ir::Expr& inRow) const;
  ir::Expr valueInOrder(const ir::Expr& atRow, const ir::Expr& atColumn, const ir::Expr& t,
                        const ir::Expr& isNow, const ir::Expr& inColumn, const ir::Expr& inRow,
                        const ir::Expr& corner, const ir::Builder&, std::vector<ir::Stmt>& out) const;
  bool runsDown() const { return ir::mentions(step - ir::var(time->index), time->index); }
};
/// None where the loop's body is something else.
std::optional<LineUpdate> lineUpdateOf(const ir::Function& function, const ir::For& time,
                                       const analysis::Context& around);

} // namespace appyc::schedule
