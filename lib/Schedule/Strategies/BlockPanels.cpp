//===- BlockPanels.cpp - sums of products over all earlier columns, a panel of columns at a time ---------===//
//   for j in [lo, hi):                              for first in [lo, hi) step 32:
//     total = sum(X[j, k] * Y[j, k] for k < j)        S[j, i] = sum(X[i, k] * Y[j, k] for k < first): a product
//     R(j, total)                                =>   for j in first + [0, 32):  # one block: rows of the panel
//     for i in (j, hi):                                 R(j, S[j, j] + sum(.. for k in [first, j)))
//       total = sum(X[i, k] * Y[j, k] for k < j)        for i in (j, first + 32): Q(i, j, S[j, i] + ..)
//       Q(i, j, total)                                for i in [first + 32, hi):  # in parallel, a thread each
//                                                       for j in first + [0, 32): Q(i, j, S[j, i] + ..)
// Left-looking factorisations (Dongarra, Gustavson, Karp, SIAM Review 1984) of any kind: a column is a matrix
// product over those before the panel. Accepted only where each product may be added when column k is done
// (analysis::mayRunByTime), where nothing leads from the rows below to those of the panel or to each other.
//   H200                     | predicted                                        | result
//   cholesky N=2000, f64     | 63 panels of 12 + 11 + 6 us: 2.0 (by hand 1.51)  | 2.47, 2.13 ms
//   lu N=2000, f64           | two products, two kinds of rows below: 3 ms      | 4.4, 3.3 ms
#include "DelayedUpdates.h"
#include "HostLoops.h"
#include "PanelTiles.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kColumns = 32;                                ///< of a panel
constexpr int kPanelLanes = 512, kThreads = cost::Device::warp; ///< on the diagonal, of the blocks behind

class Panels {
public:
  Panels(Function& f, PassContext& ctx, const Stmt& s, const analysis::Context& around)
      : function_(f), ctx_(ctx), build_{s->span}, steps_(*s.as<For>()), lo_(steps_.lo), hi_(steps_.hi),
        blocks_(serialLoop(Symbol("first"), lo_, hi_, intConst(kColumns), block({}))),
        first_(var(blocks_.index)), behind_(first_ + kColumns), known_(around), tiles_(blocks_, hi_) {}

  /// An empty handle where the loop has another form.
  Stmt run() {
    pieces_ = piecesOf(statementsOf(steps_.body), steps_, {});
    if (std::ranges::none_of(pieces_, &Piece::over)) return {};
    varying_ = assignedVars(function_.body);
    varying_.insert(steps_.index);
    for (const Piece& piece : pieces_) {
      if (!scalarsAreOwn(piece.sum, function_)) return {};
      varying_.insert(piece.sum.earlier->index);
      if (piece.over) varying_.insert(piece.over->index);
    }
    if (!maySplit(pieces_, known_) || !takesProducts() || !mayFollow(pieces_, blocks_, known_) ||
        !fitsOnChip())
      return {};
    std::vector<Stmt> out, body;
    for (size_t p = 0; p < pieces_.size(); ++p) {
      if (pieces_[p].sameAs) continue;
      function_.buffers.push_back(pieces_[p].sums);
      out.push_back(build_.alloc(pieces_[p].sums));
      body.push_back(products_[p]);
    }
    if (!std::ranges::all_of(pieces_, &Piece::isFree)) body.push_back(onDiagonal());
    for (const Piece& piece : pieces_)
      if (piece.over) body.push_back(follow(piece));
    out.push_back(build_.make(withBody(blocks_, block(std::move(body)))));
    constexpr const char* how =
        "runs in panels of {} iterations: what they take from all before is a matrix product, then "
        "one block runs their own elements, and all others follow";
    ctx_.diag.report(DiagId::TimeLoop, build_.span, fmt::format(how, kColumns));
    return block(std::move(out));
  }

private:
  //===--- the products -----------------------------------------------------------------------------===//

  /// Finds products for all pieces, of which several may need the same. A single element needs another piece's.
  bool takesProducts() {
    products_.resize(pieces_.size());
    for (size_t p = 0; p < pieces_.size(); ++p) {
      Piece& piece = pieces_[p];
      if (!piece.over || findSame(piece, p)) continue;
      const Expr elements = piece.isFree ? piece.over->hi - piece.over->lo : hi_ - lo_;
      piece.sums = {Symbol("sums"),
                    piece.sum.type,
                    {intConst(kColumns), analysis::atLeastZero(elements, known_.sizes)}};
      std::optional<MatMul> product = productOf(piece, blocks_, varying_);
      if (!product) return false;
      product->library = ctx_.library && isContiguous(product->a) && isContiguous(product->b);
      products_[p] = piece.build.make(std::move(*product));
    }
    return std::ranges::all_of(pieces_,
                               [&](Piece& piece) { return piece.over || findSame(piece, pieces_.size()); });
  }
  /// Are there sums of the same products among the pieces before number `end`?
  bool findSame(Piece& piece, size_t end) const {
    const Expr element = var(piece.over ? piece.over->index : steps_.index);
    for (size_t q = 0; q < end; ++q) {
      const Piece& other = pieces_[q];
      if (!other.over || other.isFree || piece.isFree || other.sameAs || other.sum.type != piece.sum.type)
        continue;
      const Expr same =
          substitute(other.sum.term, {{other.over->index, element},
                                      {other.sum.earlier->index, var(piece.sum.earlier->index)}});
      if (sameTerm(same, piece.sum.term)) piece.sameAs = q, piece.sums = other.sums;
    }
    return piece.sameAs.has_value();
  }

  /// Has the block on the diagonal sums for it?
  bool isHere(size_t p) const { return !pieces_[p].sameAs && !pieces_[p].isFree; }
  bool fitsOnChip() {
    if (!tiles_.find(function_, pieces_, varying_)) return false;
    int64_t bytes = 0;
    for (const PanelTiles::Tile& tile : tiles_.all())
      bytes += kColumns * (kColumns + 1) * byteSize(tile.matrix.type);
    for (const Piece& piece : pieces_)
      if (!piece.sameAs && !piece.isFree) bytes += kColumns * kColumns * byteSize(piece.sum.type);
    return bytes <= cost::Device::sharedForTiles;
  }

  //===--- the panel's own elements -----------------------------------------------------------------===//

  /// A step's rest with its sum, on chip.
  Stmt ownElement(const Piece& piece, const Expr& step, const Expr& element, const Expr& sum) const {
    const Stmt rest = block(piece.sum.rest);
    const Symbol total(piece.sum.total.hint());
    const Stmt own = substitute(tiles_.onTiles(rest, piece, PanelTiles::placesOf(piece, step, element, step)),
                                {{piece.sum.total, var(total, piece.sum.type)}});
    return loops::withOwnScalars(block({piece.build.assign(total, sum), own}), assignedVars(rest));
  }

  Stmt stepOf(const Piece& piece, const Buffer& sums, const Expr& step, const Expr& count) const {
    if (!piece.over) {
      const Expr sum = piece.started(load(sums, {step, step}));
      return piece.guarded(first_ + step, ownElement(piece, step, step, sum));
    }
    const Symbol r("r");
    const bool fromNext = !equalIndex(piece.over->lo, var(steps_.index));
    const Expr sum = piece.started(load(sums, {step, var(r)}));
    const Stmt one = ownElement(piece, step, var(r), sum);
    const Expr mine = both(fromNext ? var(r) > step : var(r) >= step, var(r) < count);
    return piece.guarded(first_ + step, piece.build.inAnyOrder(r, intConst(0), intConst(kColumns),
                                                               piece.build.when(mine, one)));
  }

  /// What a step's column gives to the sums of the panel's later steps.
  Stmt giveLater(const Piece& piece, const Buffer& sums, const Expr& step, const Expr& count) const {
    return loops::forCells(
        build_, "cell", kColumns, kColumns, kPanelLanes, [&](const Expr& c, const Expr& r) {
          const Expr term = tiles_.onTiles(piece.sum.term, piece, PanelTiles::placesOf(piece, c, r, step));
          const Expr more = combine(ReduceOp::Sum, load(sums, {c, r}), term);
          const Expr later = both(both(step < c, r >= c), r < count);
          return piece.build.when(later, piece.build.store(sums, {c, r}, more));
        });
  }

  /// The panel's own rows, in order, by one block with all of them on chip.
  Stmt onDiagonal() {
    std::vector<Stmt> out, body;
    const Symbol s("s"), rows("rows");
    const Expr size = intConst(kColumns), count = var(rows), step = var(s);
    std::map<size_t, Buffer> here; ///< by piece
    for (PanelTiles::Tile& tile : tiles_.all())
      tile.copy = loops::tileOnChip(function_, build_, tile.matrix.name.hint() + "_tile", tile.matrix.type,
                                    kColumns, kColumns, out);
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (isHere(p))
        here[p] = loops::onChip(function_, build_, "sums_here", pieces_[p].sum.type, {size, size}, out);
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (pieces_[p].sameAs) here[p] = here.at(*pieces_[p].sameAs);
    for (const PanelTiles::Tile& tile : tiles_.all())
      out.push_back(loops::staged(
          build_, tile.copy, kColumns, kColumns, kPanelLanes,
          [&](auto& r, auto& c) { return tiles_.exists(tile, r, c); },
          [&](auto& r, auto& c) { return load(tile.matrix, tiles_.inMatrix(tile, r, c)); }));
    for (size_t p = 0; p < pieces_.size(); ++p) {
      const Buffer& sums = pieces_[p].sums;
      if (isHere(p))
        out.push_back(loops::staged(
            build_, here[p], kColumns, kColumns, kPanelLanes,
            [&](auto& c, auto& r) { return both(first_ + c < hi_, first_ + r < hi_); },
            [&](auto& c, auto& r) {
              return load(sums, {c, first_ + r - lo_});
            }));
    }
    out.push_back(build_.assign(rows, minOf(size, hi_ - first_)));
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (!pieces_[p].isFree) body.push_back(stepOf(pieces_[p], here[p], step, count));
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (isHere(p)) body.push_back(giveLater(pieces_[p], here[p], step, count));
    out.push_back(build_.inOrder(s, intConst(0), count, block(std::move(body))));
    std::set<Symbol> stored;
    for (const Piece& piece : pieces_)
      if (!piece.isFree) stored.merge(storedBuffers(block(piece.sum.rest)));
    for (const PanelTiles::Tile& tile : tiles_.all())
      if (stored.count(tile.matrix.name))
        out.push_back(loops::givenBack(
            build_, tile.copy, kColumns, kColumns, kPanelLanes,
            [&](auto& r, auto& c) { return tiles_.exists(tile, r, c); }, tile.matrix,
            [&](auto& r, auto& c) { return tiles_.inMatrix(tile, r, c); }));
    return build_.inAnyOrder(Symbol("w"), intConst(0), intConst(1), block(std::move(out)));
  }

  //===--- elements behind the panel ----------------------------------------------------------------===//

  /// All steps of the elements behind the panel, one a thread, which keeps its sums.
  Stmt follow(const Piece& piece) {
    const Recurrence& r = piece.sum;
    std::vector<Stmt> out, steps;
    const Symbol i(piece.over->index.hint()), s("s"), c("c"), fill("c"), total(r.total.hint());
    const auto unrolled = [&](const Symbol& index, const Stmt& body) {
      For loop = serialLoop(index, intConst(0), intConst(kColumns), intConst(1), body);
      loop.mapping = Serial{.unroll = !isComplex(r.type)}; // whose divisions are long
      return piece.build.make(std::move(loop));
    };
    const auto inRegisters = [&](const std::string& hint, DType type) {
      return loops::onChip(function_, build_, hint, type, {intConst(kColumns)}, out);
    };
    const Buffer row = inRegisters("sums_here", r.type);
    const auto exists = [&](const Expr& in) { return piece.isFree ? first_ + in < hi_ : Expr(); };
    const Expr step = first_ + var(s);
    const std::map<Symbol, Expr> here{
        {steps_.index, step}, {piece.over->index, var(i)}, {r.total, var(total, r.type)}};
    std::vector<Stmt> rest = r.rest, fills;
    const auto known = [&](const Buffer& own, const Expr& value) {
      const Expr zero = constOf(own.type, 0),
                 all = piece.isFree ? select(exists(var(fill)), value, zero) : value;
      fills.push_back(piece.build.store(own, {var(fill)}, all));
    };
    known(row, load(piece.sums, {var(fill), var(i) - piece.from()}));
    for (const Load& read : earlyReads(piece)) {
      const Buffer own = inRegisters(read.buffer.hint() + "_here", read.type);
      known(own, substitute(make(read), {{steps_.index, first_ + var(fill)}, {piece.over->index, var(i)}}));
      rest.front() = replace<Load>(rest.front(), [&](const Load& l) {
        return l.buffer == read.buffer && equalIndices(l.index, read.index) ? load(own, {var(s)}) : Expr();
      });
    }
    out.push_back(unrolled(fill, block(std::move(fills))));
    steps.push_back(piece.build.assign(total, piece.started(load(row, {var(s)}))));
    Expr term = r.term;
    const auto isRead = [&](const Stmt& part) {
      return part.is<Store>() && loadedBuffers(r.term).count(part.as<Store>()->buffer) > 0;
    };
    const auto last = std::find_if(rest.rbegin(), rest.rend(), isRead);
    for (const Stmt& given : rest) {
      const Stmt own = substitute(given, here);
      if (piece.guard || last == rest.rend() || &given != &*last) { // guarded: not stored in every step
        steps.push_back(own);
        continue;
      }
      const loops::NamedStore named = loops::withName(piece.build, *own.as<Store>(), Symbol("value"));
      steps.insert(steps.end(), {named.set, named.store});
      const Stmt earlier = substitute(given, {{steps_.index, var(r.earlier->index)}});
      term = loops::forwarded(term, *earlier.as<Store>(), named.value);
    }
    term = substitute(
        term, {{steps_.index, first_ + var(c)}, {piece.over->index, var(i)}, {r.earlier->index, step}});
    const Stmt more = piece.build.store(row, {var(c)}, combine(ReduceOp::Sum, load(row, {var(c)}), term));
    const Stmt own = piece.build.when(exists(var(s)), piece.guarded(step, block(std::move(steps))));
    const Stmt later = unrolled(c, piece.build.when(both(var(s) < var(c), exists(var(c))), more));
    out.push_back(unrolled(s, block({own, later})));
    const Stmt all = loops::withOwnScalars(block(std::move(out)), assignedVars(block(r.rest)));
    return piece.build.inAnyOrder(i, piece.isFree ? piece.over->lo : behind_, piece.over->hi, all, kThreads);
  }

  Function& function_;
  PassContext& ctx_;
  Builder build_;
  const For& steps_;
  Expr lo_, hi_;
  For blocks_;
  Expr first_, behind_; ///< the panel's columns, [first, behind)
  analysis::Context known_;
  std::vector<Piece> pieces_;
  std::vector<Stmt> products_; ///< by piece
  PanelTiles tiles_;
  std::set<Symbol> varying_;
};

bool suits(const Function& f, const For& loop) {
  return constantTrip(loop).value_or(INT64_MAX) > 4 * kColumns && analysis::hasKnownBounds(f, loop);
}

} // namespace

void blockPanels(Function& f, PassContext& ctx) {
  const auto inPanels = [&](const HostLoop& at) -> Stmt {
    if (!suits(f, at.loop())) return {};
    return orWithDelayedUpdates(f, ctx, at,
                                [&](const Stmt& steps) { return Panels(f, ctx, steps, at.around).run(); });
  };
  f.body = mapHostLoops(f, ctx, inPanels, ctx.cuda); // turned: many right sides, one after the other
}

} // namespace appyc::schedule
