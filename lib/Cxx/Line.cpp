//===- Line.cpp - one logical line of output, broken where it is too long ------------------------------===//
#include "Line.h"

namespace appyc::cxx {

void Line::text(std::string_view piece) {
  if (pieces_.empty()) pieces_.emplace_back();
  pieces_.back().text += piece;
}

void Line::breakable(int depth, bool space) { pieces_.push_back({"", depth, space}); }

std::string Line::flat() const {
  std::string all;
  for (const Piece& p : pieces_) all += (p.space ? " " : "") + p.text;
  return all;
}

size_t Line::fill(size_t first, size_t room) const {
  size_t used = pieces_[first].text.size();
  size_t best = pieces_.size(); // the piece that begins the next line
  bool fits = used <= room;
  for (size_t i = first + 1; i < pieces_.size(); ++i) {
    if (best == pieces_.size() || (fits && pieces_[i].depth <= pieces_[best].depth)) best = i;
    used += pieces_[i].space + pieces_[i].text.size();
    fits = fits && used <= room;
    if (!fits) return best;
  }
  return pieces_.size();
}

std::string Line::wrap(int indent, int width) const {
  std::string all;
  int column = indent;
  for (size_t first = 0; first < pieces_.size();) {
    const size_t next = fill(first, static_cast<size_t>(width > column ? width - column : 1));
    all.append(static_cast<size_t>(column), ' ');
    for (size_t i = first; i < next; ++i) all += (i > first && pieces_[i].space ? " " : "") + pieces_[i].text;
    all += '\n';
    first = next;
    column = indent + 4;
  }
  return all;
}

} // namespace appyc::cxx
