//===- PanelPieces.h - what a step of a factorisation does, element by element ------------------------===//
#pragma once
#include "Recurrences.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/IR/Dsl.h"
#include <map>

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

/// The matrices that the products of a panel read and its steps change, each as a tile on chip of which a cell is the
/// distances of its row and column from the panel's first.
class PanelTiles {
public:
  /// `panels`: the loop over the panels' first steps, `end`: behind the last step.
  PanelTiles(const ir::For& panels, ir::Expr end) : first_(ir::var(panels.index)), end_(std::move(end)) {}

  struct Tile {
    ir::Buffer matrix;
    /// Its subscripts; of the two that lines stand in what is added to the loops' indices.
    std::vector<ir::Expr> at;
    size_t dims[2];                                      ///< these
    bool below = false, above = false, diagonal = false; ///< which cells there are
    ir::Buffer copy{};                                   ///< on chip
  };
  /// False where some access to such a matrix is of no tile. `varying`: what changes in the steps.
  bool find(const ir::Function& function, const std::vector<Piece>& pieces, std::set<Symbol> varying);
  std::vector<Tile>& all() { return tiles_; }
  const std::vector<Tile>& all() const { return tiles_; }

  /// Is there a cell, and where is it in the matrix?
  ir::Expr exists(const Tile& tile, const ir::Expr& r, const ir::Expr& c) const;
  std::vector<ir::Expr> inMatrix(const Tile& tile, const ir::Expr& r, const ir::Expr& c) const;

  /// By index of the loops: its distance from the panel's first.
  using Places = std::map<Symbol, ir::Expr>;
  static Places placesOf(const Piece& piece, const ir::Expr& step, const ir::Expr& element,
                         const ir::Expr& earlier);
  /// What the piece reads and stores, there, on chip.
  ir::Expr onTiles(const ir::Expr& e, const Piece& piece, const Places& places) const;
  ir::Stmt onTiles(const ir::Stmt& s, const Piece& piece, const Places& places) const;

private:
  bool add(const ir::Buffer& matrix, const std::vector<ir::Expr>& index, const Piece& piece);
  template <class Tree> Tree moved(const Tree& tree, const Piece& piece, const Places& places) const;

  ir::Expr first_, end_;
  std::vector<Tile> tiles_;
  std::set<Symbol> varying_;
};

} // namespace appyc::schedule
