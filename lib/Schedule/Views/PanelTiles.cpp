//===- PanelTiles.cpp - a panel's matrices as tiles on chip -------------------------------------------===//
#include "PanelTiles.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

bool PanelTiles::add(const Buffer& matrix, const std::vector<Expr>& index, const Piece& piece) {
  const std::optional<Lines> lines = linesOf(index, piece, varying_);
  if (!lines) return false;
  const auto& [row, column] = lines->line;
  std::vector<Expr> at = index;
  at[lines->dims[0]] = row.shift, at[lines->dims[1]] = column.shift;
  auto tile =
      std::find_if(tiles_.begin(), tiles_.end(), [&](const Tile& t) { return t.matrix.name == matrix.name; });
  if (tile == tiles_.end()) {
    tiles_.push_back({matrix, at, {lines->dims[0], lines->dims[1]}});
    tile = tiles_.end() - 1;
  }
  const bool meets = piece.over && row.rank != column.rank && row.rank + column.rank == 3 &&
                     equalIndex(piece.over->lo, var(piece.step()));
  (row.rank > column.rank ? tile->below : row.rank < column.rank ? tile->above : tile->diagonal) = true;
  tile->diagonal = tile->diagonal || meets;
  return std::equal(tile->dims, tile->dims + 2, lines->dims) && equalIndices(at, tile->at);
}

bool PanelTiles::find(const Function& function, const std::vector<Piece>& pieces, std::set<Symbol> varying) {
  varying_ = std::move(varying);
  std::set<Symbol> matrices;
  for (const Piece& piece : pieces)
    if (!piece.isFree) matrices.merge(loadedBuffers(piece.sum.term));
  bool all = true;
  const auto look = [&](const Symbol& array, const std::vector<Expr>& index, const Piece& piece) {
    if (matrices.count(array)) all = all && add(function.buffer(array), index, piece);
  };
  for (const Piece& piece : pieces) {
    if (piece.isFree) continue;
    const auto read = [&](const Load& l) { look(l.buffer, l.index, piece); };
    each<Load>(piece.sum.term, read);
    for (const Stmt& s : piece.sum.rest) {
      each<Load>(s, read);
      if (const auto* store = s.as<Store>()) look(store->buffer, store->index, piece);
    }
  }
  return all;
}

Expr PanelTiles::exists(const Tile& tile, const Expr& r, const Expr& c) const {
  Expr inside = both(first_ + r < end_, first_ + c < end_);
  if (tile.below && tile.above) return inside;
  const Expr &low = tile.below ? c : r, &high = tile.below ? r : c;
  return both(tile.diagonal ? low <= high : low < high, first_ + high < end_);
}

std::vector<Expr> PanelTiles::inMatrix(const Tile& tile, const Expr& r, const Expr& c) const {
  std::vector<Expr> index = tile.at;
  index[tile.dims[0]] = first_ + r + tile.at[tile.dims[0]];
  index[tile.dims[1]] = first_ + c + tile.at[tile.dims[1]];
  return index;
}

PanelTiles::Places PanelTiles::placesOf(const Piece& piece, const Expr& step, const Expr& element,
                                        const Expr& earlier) {
  Places places{{piece.step(), step}, {piece.sum.earlier->index, earlier}};
  if (piece.over) places.emplace(piece.over->index, element);
  return places;
}

template <class Tree>
Tree PanelTiles::moved(const Tree& tree, const Piece& piece, const Places& places) const {
  const auto onChip = [&](const Symbol& array, const std::vector<Expr>& index) {
    const auto tile =
        std::find_if(tiles_.begin(), tiles_.end(), [&](const Tile& t) { return t.matrix.name == array; });
    if (tile == tiles_.end()) return std::optional<loops::Element>();
    const Lines lines = *linesOf(index, piece, varying_);
    return std::optional<loops::Element>(
        {tile->copy.name, {places.at(lines.line[0].index), places.at(lines.line[1].index)}});
  };
  Places fromFirst;
  for (const auto& [index, place] : places) fromFirst.emplace(index, first_ + place);
  return substitute(loops::contracted(tree, onChip), fromFirst);
}

Expr PanelTiles::onTiles(const Expr& e, const Piece& piece, const Places& places) const {
  return moved(e, piece, places);
}
Stmt PanelTiles::onTiles(const Stmt& s, const Piece& piece, const Places& places) const {
  return moved(s, piece, places);
}

} // namespace appyc::schedule
