//===- PanelPieces.cpp - what a step of a factorisation does, element by element ----------------------===//
#include "PanelPieces.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"

namespace appyc::schedule {
using namespace ir;

static bool isStart(const std::vector<Stmt>& list, size_t i) {
  const auto* start = list[i].as<Assign>();
  const auto* loop = i + 1 < list.size() ? list[i + 1].as<For>() : nullptr;
  return start && start->value.is<Const>() && loop && !loop->reductions.empty();
}

std::vector<Piece> piecesOf(const std::vector<Stmt>& list, const For& steps, const Expr& guard) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < list.size();) {
    Piece piece{{list[i]->span}, guard, nullptr, {}};
    std::optional<Recurrence> sum;
    if (const auto* branch = list[i].as<If>()) {
      if (guard || branch->otherwise || readsMemory(branch->cond)) return {};
      const std::vector<Piece> inside = piecesOf(statementsOf(branch->then), steps, branch->cond);
      if (inside.empty()) return {};
      pieces.insert(pieces.end(), inside.begin(), inside.end());
      ++i;
      continue;
    }
    if (isStart(list, i)) {
      size_t end = i + 2;
      while (end < list.size() && !list[end].is<For>() && !list[end].is<If>() && !isStart(list, end)) ++end;
      sum = recurrenceIn(
          {list.begin() + static_cast<std::ptrdiff_t>(i), list.begin() + static_cast<std::ptrdiff_t>(end)},
          steps);
      i = end;
    } else {
      piece.over = list[i].as<For>();
      if (!piece.over || piece.over->order != Order::Proven || !isPlainLoop(*piece.over) ||
          !piece.over->reductions.empty())
        return {};
      const auto distance = constantInt(piece.over->lo - var(steps.index));
      if (!distance || *distance < 0 || *distance > 1 || !equalIndex(piece.over->hi, steps.hi)) return {};
      sum = recurrenceIn(statementsOf(piece.over->body), steps);
      ++i;
    }
    if (!sum || sum->op != ReduceOp::Sum || !(isFloat(sum->type) || isComplex(sum->type))) return {};
    piece.sum = *sum;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

static std::optional<Line> lineOf(const Expr& e, const Piece& piece, const Symbol& step,
                                  const std::set<Symbol>& varying) {
  const Symbol indices[] = {piece.sum.earlier->index, step, piece.over ? piece.over->index : step};
  for (int rank = 0; rank < (piece.over ? 3 : 2); ++rank) {
    const Expr shift = e - var(indices[rank]);
    if (mentions(e, indices[rank]) && !readsMemory(shift) && !mentionsAny(shift, varying))
      return Line{rank, indices[rank], shift};
  }
  return {};
}

std::optional<Lines> linesOf(const std::vector<Expr>& index, const Piece& piece, const Symbol& step,
                             const std::set<Symbol>& varying) {
  Lines lines{};
  size_t count = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (!readsMemory(index[d]) && !mentionsAny(index[d], varying)) continue;
    const std::optional<Line> line = lineOf(index[d], piece, step, varying);
    if (!line || count == 2) return {};
    lines.line[count] = *line;
    lines.dims[count++] = d;
  }
  return count == 2 ? std::optional(lines) : std::nullopt;
}

static bool sameFactor(const Expr& a, const Expr& b) {
  const auto *x = a.as<Load>(), *y = b.as<Load>();
  return x && y && x->buffer == y->buffer && equalIndices(x->index, y->index);
}
bool sameTerm(const Expr& a, const Expr& b) {
  const auto *x = a.as<Binary>(), *y = b.as<Binary>();
  if (!x || !y || x->op != BinaryOp::Mul || y->op != BinaryOp::Mul) return false;
  return (sameFactor(x->lhs, y->lhs) && sameFactor(x->rhs, y->rhs)) ||
         (sameFactor(x->lhs, y->rhs) && sameFactor(x->rhs, y->lhs));
}

} // namespace appyc::schedule
