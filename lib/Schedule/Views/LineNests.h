//===- LineNests.h - nests that update a matrix by a row and a column of it ---------------------------------===//
#pragma once
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include <optional>
#include <set>

namespace appyc::schedule {

/// An array that the nest updates: outer and inner index count one dimension each.
struct Updated {
  ir::Buffer array;
  std::vector<ir::Expr> own; ///< subscripts of the nest's own element
  size_t outer = 0, inner = 0;
  bool takesColumn = false,
       takesRow = false;        ///< elements A[i, k] behind which stands the inner loop; A[k, j]
  ir::Buffer column[2], row[2]; ///< as they are before and after

  std::vector<ir::Expr> at(const ir::Expr& i, const ir::Expr& j) const {
    std::vector<ir::Expr> index = own;
    index[outer] = i, index[inner] = j;
    return index;
  }
};

enum class Element { Own, Column, Row };

/// Two loops in order around statements that store into their own elements A[i, j] alone and read of the arrays that they store
/// into A[i, j], elements of one column A[i, ofColumn], of one row A[ofRow, j], or of several arrays alike.
/// Those of lines are read before an iteration stores into their array.
struct LineNest {
  ir::For outer, inner;
  ir::Stmt
      before; ///< of an iteration of the outer loop, before the inner one: sets scalars, may read the column
  std::set<Symbol> gone; ///< arrays of one element that are scalars in `before` and `inner`
  std::vector<Updated> updated;
  ir::Expr ofColumn, ofRow; ///< which the loops come by; empty where none is read

  const Updated* updatedBy(const Symbol& array) const;
  /// Which of its elements is read there, if one of these; the line's number goes to `line`.
  std::optional<Element> elementOf(const Updated& u, const ir::Load& l, ir::Expr* line = nullptr) const;
  /// Is it the same in all of its iterations, and known before?
  bool isFixed(const ir::Expr& e) const;
};
/// None where the loop holds something else, or has known few iterations.
std::optional<LineNest> lineNestOf(const ir::Function& function, const ir::For& loop,
                                   const analysis::Context& known);

} // namespace appyc::schedule
