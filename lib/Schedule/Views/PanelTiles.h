//===- PanelTiles.h - a panel's matrices as tiles on chip ---------------------------------------------===//
#pragma once
#include "PanelPieces.h"
#include <map>

namespace appyc::schedule {

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
