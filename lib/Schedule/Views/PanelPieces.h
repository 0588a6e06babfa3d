//===- PanelPieces.h - what a step of a factorisation does, element by element ------------------------===//
#pragma once
#include "Recurrences.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"

namespace appyc::schedule {

/// What a step does: for one element, or for each of a loop `over`: from the step's own index on, or the next, or, where it
/// `isFree`, over elements that have nothing to do with steps, as right sides of a solve have.
struct Piece {
  ir::Builder build; ///< of its statements
  ir::Expr guard;    ///< over the step's index; empty: always
  const ir::For* over = nullptr;
  bool isFree = false;
  Recurrence sum;
  ir::Buffer sums{};              ///< S[step - first, element - from]
  std::optional<size_t> sameAs{}; ///< the piece whose sums hold this one's

  const Symbol& step() const { return sum.rows->index; }
  const ir::Expr& from() const { return isFree ? over->lo : sum.rows->lo; } ///< the first of all elements
  /// `s` where the piece is run in step `at`.
  ir::Stmt guarded(const ir::Expr& at, const ir::Stmt& s) const;
  /// What the total is when `taken` has been added to it.
  ir::Expr started(const ir::Expr& taken) const;
};

/// What the first statement of a step reads that no other step changes, of elements that all steps have: it may be read before
/// them, all at once. Two at most, in registers.
std::vector<ir::Load> earlyReads(const Piece& piece);

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
/// None where it is no such element. `varying`: what changes in the steps.
std::optional<Lines> linesOf(const std::vector<ir::Expr>& index, const Piece& piece,
                             const std::set<Symbol>& varying);
/// Are these products of the same two elements?
bool sameTerm(const ir::Expr& a, const ir::Expr& b);

/// What the piece's elements take from all steps before the panel: sums[j, i] = sum(a(i, k) * b(k, j) for k < first), of
/// piece.sums. `panels`: the loop over the panels' first steps.
std::optional<ir::MatMul> productOf(const Piece& piece, const ir::For& panels,
                                    const std::set<Symbol>& varying);
/// May each product be added when its column is done? Then at any time until it is needed, too.
bool maySplit(const std::vector<Piece>& pieces, const analysis::Context& known);
/// May elements behind a panel wait for the panel, and then go through its steps each by itself?
bool mayFollow(const std::vector<Piece>& pieces, const ir::For& panels, const analysis::Context& known);

} // namespace appyc::schedule
