//===- PanelPieces.h - what a step of a factorisation does, element by element ------------------------===//
#pragma once
#include "Recurrences.h"
#include "appyc/IR/Dsl.h"

namespace appyc::schedule {

/// What a step does: for one element, or for each of a loop `over` from the step's own index on, or the next.
struct Piece {
  ir::Builder build; ///< of its statements
  ir::Expr guard;    ///< over the step's index; empty: always
  const ir::For* over = nullptr;
  Recurrence sum;
  ir::Buffer sums{};              ///< S[step - first, element - lo]
  std::optional<size_t> sameAs{}; ///< the piece whose sums hold this one's
};

/// The pieces that the statements of a serial loop consist of; none when there is something else.
std::vector<Piece> piecesOf(const std::vector<ir::Stmt>& body, const ir::For& steps,
                            const ir::Expr& guard = {});
/// Which index of the loops a subscript is, plus a shift.
struct Line {
  int rank; ///< 0: of the earlier steps, 1: the step's, 2: the element's
  Symbol index;
  ir::Expr shift;
};
/// The two lines that meet in an element, whose other subscripts are the same in all steps.
struct Lines {
  Line line[2];
  size_t dims[2];
};
/// None where it is no such element. `step`: the index of the steps; `varying`: what changes in them.
std::optional<Lines> linesOf(const std::vector<ir::Expr>& index, const Piece& piece, const Symbol& step,
                             const std::set<Symbol>& varying);
/// Are these products of the same two elements?
bool sameTerm(const ir::Expr& a, const ir::Expr& b);

} // namespace appyc::schedule
