//===- PanelPieces.cpp - what a step of a factorisation does, element by element ----------------------===//
#include "PanelPieces.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

static bool isStart(const std::vector<Stmt>& list, size_t i) {
  const auto* start = list[i].as<Assign>();
  const auto* loop = i + 1 < list.size() ? list[i + 1].as<For>() : nullptr;
  return start && loop && !loop->reductions.empty();
}

static bool staysIn(const For& steps, const Expr& bound) {
  return !readsMemory(bound) && !mentions(bound, steps.index) &&
         !mentionsAny(bound, assignedVars(steps.body));
}

std::vector<Piece> piecesOf(const std::vector<Stmt>& list, const For& steps, const Expr& guard) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < list.size();) {
    Piece piece{{list[i]->span}, guard, nullptr, false, {}};
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
      piece.isFree = staysIn(steps, piece.over->lo) && staysIn(steps, piece.over->hi);
      if (!piece.isFree &&
          (!distance || *distance < 0 || *distance > 1 || !equalIndex(piece.over->hi, steps.hi)))
        return {};
      sum = recurrenceIn(statementsOf(piece.over->body), steps);
      ++i;
    }
    if (!sum || !isPlain(*sum) || sum->op != ReduceOp::Sum || !(isFloat(sum->type) || isComplex(sum->type)))
      return {};
    piece.sum = *sum;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

static std::optional<Line> lineOf(const Expr& e, const Piece& piece, const std::set<Symbol>& varying) {
  const Symbol indices[] = {piece.sum.earlier->index, piece.step(),
                            piece.over ? piece.over->index : piece.step()};
  for (int rank = 0; rank < (piece.over ? 3 : 2); ++rank)
    if (const Expr shift = analysis::shiftFrom(e, indices[rank], varying))
      return Line{rank, indices[rank], shift};
  return {};
}

std::optional<Lines> linesOf(const std::vector<Expr>& index, const Piece& piece,
                             const std::set<Symbol>& varying) {
  Lines lines{};
  size_t count = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (!readsMemory(index[d]) && !mentionsAny(index[d], varying)) continue;
    const std::optional<Line> line = lineOf(index[d], piece, varying);
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

Stmt Piece::guarded(const Expr& at, const Stmt& s) const {
  return guard ? build.when(substitute(guard, {{step(), at}}), s) : s;
}

Expr Piece::started(const Expr& taken) const {
  return equal(sum.init, constOf(sum.type, 0)) ? taken : combine(ReduceOp::Sum, sum.init, taken);
}

std::vector<Load> earlyReads(const Piece& piece) {
  constexpr size_t kMost = 2;
  std::vector<Load> reads;
  const std::vector<Stmt>& rest = piece.sum.rest;
  const auto isOwn = [&](const Load& l, const Stmt& s) {
    const auto* store = s.as<Store>();
    return !store || store->buffer != l.buffer || equalIndices(store->index, l.index);
  };
  const auto isFixed = [&](const Expr& e) {
    return !readsMemory(e) && !mentionsAny(e, assignedVars(block(rest)));
  };
  // In each step of another element.
  const auto movesByStep = [&](const Expr& e) { return bool(analysis::shiftFrom(e, piece.step(), {})); };
  if (piece.guard || rest.empty()) return reads;
  each<Load>(rest.front(), [&](const Load& l) {
    const bool known = std::ranges::any_of(reads, [&](const Load& r) { return equal(make(r), make(l)); });
    if (!known && reads.size() < kMost && std::ranges::all_of(l.index, isFixed) &&
        std::ranges::any_of(l.index, movesByStep) &&
        std::ranges::all_of(rest, [&](const Stmt& s) { return isOwn(l, s); }))
      reads.push_back(l);
  });
  return reads;
}

/// The factor as a matrix along `line` (row or column by `lineIsRow`) and k, from line `first` on.
static std::optional<Matrix> matrixOf(const Expr& factor, const Symbol& line, const Piece& piece,
                                      bool lineIsRow, const Expr& first, const std::set<Symbol>& varying) {
  const Symbol& k = piece.sum.earlier->index;
  const auto* l = factor.as<Load>();
  if (!l) return {};
  Matrix m{l->buffer, {}, -1, -1};
  for (size_t d = 0; d < l->index.size(); ++d) {
    const Expr& e = l->index[d];
    int* place = analysis::shiftFrom(e, line, varying) ? (lineIsRow ? &m.row : &m.column)
                 : analysis::shiftFrom(e, k, varying)  ? (lineIsRow ? &m.column : &m.row)
                                                       : nullptr;
    if (place ? *place >= 0 : readsMemory(e) || mentionsAny(e, varying)) return {};
    if (place) *place = static_cast<int>(d);
    m.at.push_back(substitute(e, {{line, first}, {k, piece.sum.rows->lo}}));
  }
  return m.row >= 0 && m.column >= 0 ? std::optional(m) : std::nullopt;
}

std::optional<MatMul> productOf(const Piece& piece, const For& panels, const std::set<Symbol>& varying) {
  const auto* b = piece.sum.term.as<Binary>();
  if (!b || b->op != BinaryOp::Mul) return {};
  const Expr first = var(panels.index), &lo = panels.lo, left = panels.hi - first;
  const Expr &element = piece.isFree ? piece.over->lo : first,
             count = piece.isFree ? piece.over->hi - element : left;
  const Symbol& i = piece.over->index;
  const bool isFirst = mentions(b->lhs, i);
  const auto rows = matrixOf(isFirst ? b->lhs : b->rhs, i, piece, true, element, varying);
  const auto columns = matrixOf(isFirst ? b->rhs : b->lhs, piece.step(), piece, false, first, varying);
  if (!rows || !columns) return {};
  const DType type = piece.sum.type;
  const Matrix sums{piece.sums.name, {intConst(0), element - piece.from()}, 1, 0};
  return MatMul{type,
                sums,
                *rows,
                *columns,
                count,
                minOf(panels.step, left),
                first - lo,
                constOf(type, 1),
                constOf(type, 0),
                {}};
}

//===--- what may be done -------------------------------------------------------------------------------===//

bool maySplit(const std::vector<Piece>& pieces, const analysis::Context& known) {
  const For& steps = *pieces.front().sum.rows;
  std::vector<analysis::Placed> leaves;
  std::vector<size_t> rank;
  for (const Piece& piece : pieces) {
    const Expr element = var(piece.over ? piece.over->index : steps.index);
    const Buffer sums{Symbol("sums"), piece.sum.type, {steps.hi, steps.hi}};
    const std::vector<Expr> at{var(steps.index) - steps.lo, element - steps.lo};
    Stmt take = piece.build.store(sums, at, combine(ReduceOp::Sum, load(sums, at), piece.sum.term));
    Stmt own = substitute(block(piece.sum.rest), {{piece.sum.total, load(sums, at)}});
    for (Stmt* s : {&take, &own}) {
      if (piece.over) {
        *s = piece.build.make(withBody(*piece.over, *s));
      }
      *s = piece.guarded(var(steps.index), *s);
    }
    leaves.push_back({take, {&steps, piece.sum.earlier}, 1});
    rank.push_back(2 * pieces.size() + leaves.size());
    leaves.push_back({own, {&steps}, 0});
    rank.push_back(leaves.size());
  }
  return analysis::mayRunByTime(leaves, rank, known);
}

/// The piece's element in step `step`, with names of its own, as the text has it: what is asked about.
static Stmt elementOf(const Piece& piece, const Expr& first, const Expr& step, const Expr& element) {
  const Recurrence& r = piece.sum;
  const Symbol total(r.total.hint()), k(r.earlier->index.hint());
  std::map<Symbol, Expr> here{{piece.step(), step}, {r.total, var(total, r.type)}};
  if (piece.over) here.emplace(piece.over->index, element);
  const Expr sum = piece.started(load(piece.sums, {step - first, element - piece.from()}));
  const Expr term = substitute(substitute(r.term, here), {{r.earlier->index, var(k)}});
  const Stmt add = piece.build.assign(total, combine(ReduceOp::Sum, var(total, r.type), term));
  std::vector<Stmt> out{piece.build.assign(total, sum), piece.build.inOrder(k, first, step, add)};
  out.push_back(loops::withOwnScalars(substitute(block(r.rest), here)));
  return block(std::move(out));
}
/// The piece's elements of the panel, in step `step`.
static Stmt ofPanel(const Piece& piece, const Expr& first, const Expr& behind, const Expr& step) {
  if (piece.isFree) return block({});
  if (!piece.over) return piece.guarded(step, elementOf(piece, first, step, step));
  const Symbol i(piece.over->index.hint());
  const Expr from = substitute(piece.over->lo, {{piece.step(), step}});
  const Stmt element = elementOf(piece, first, step, var(i));
  return piece.guarded(step, piece.build.inAnyOrder(i, from, minOf(behind, piece.sum.rows->hi), element));
}

bool mayFollow(const std::vector<Piece>& pieces, const For& panels, const analysis::Context& known) {
  const For& steps = *pieces.front().sum.rows;
  const Expr first = var(panels.index), behindIt = first + panels.step;
  analysis::Context context = known;
  context.loops.push_back(&panels);
  std::vector<For> here, behind; ///< the steps of each piece: elements of the panel, elements behind it
  for (size_t p = 0; p < pieces.size(); ++p) {
    const Symbol j(steps.index.hint()), i("i"), step(steps.index.hint()), row("i");
    const Piece& piece = pieces[p];
    here.push_back(serialLoop(j, first, behindIt, intConst(1), ofPanel(piece, first, behindIt, var(j))));
    behind.push_back(serialLoop(j, first, behindIt, intConst(1), block({})));
    if (!piece.over) continue;
    const Expr &from = piece.isFree ? piece.over->lo : behindIt, &to = piece.over->hi;
    behind.back().body =
        piece.build.inAnyOrder(i, from, to, piece.guarded(var(j), elementOf(piece, first, var(j), var(i))));
    const Stmt one = piece.guarded(var(step), elementOf(piece, first, var(step), var(row)));
    const For rows = provenLoop(row, from, to, piece.build.inOrder(step, first, behindIt, one));
    if (!analysis::judgeParallel(rows, context, {}).isProven()) return false;
  }
  for (size_t p = 0; p < pieces.size(); ++p)
    for (size_t q = 0; q < pieces.size(); ++q)
      if (analysis::leadsTo(behind[p], here[q], context, p < q) ||
          (p < q && analysis::leadsTo(behind[q], behind[p], context, false)))
        return false;
  return true;
}

} // namespace appyc::schedule
