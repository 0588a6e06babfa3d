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
//
//   H200                     | predicted                                        | result
//   cholesky N=2000, f64     | 63 panels of 12 us for the product, 11 on the    | 2.47 ms
//                            | diagonal, 6 below: 10.4 to 2.0 ms (by hand 1.51) |
//   lu N=2000, f64           | two products, two kinds of rows below: 3 ms      | 4.4 ms
#include "HostLoops.h"
#include "PanelPieces.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kColumns = 32;                           ///< of a panel
constexpr int kLanes = 512, kThreads = cost::Device::warp; ///< of the block on the diagonal, of those behind

class Panels {
public:
  Panels(Function& f, PassContext& ctx, const Stmt& s, const For& steps, const analysis::Context& around)
      : function_(f), ctx_(ctx), build_{s->span}, steps_(steps), lo_(steps.lo), hi_(steps.hi),
        blocks_(serialLoop(Symbol("first"), lo_, hi_, intConst(kColumns), block({}))), known_(around) {
    first_ = var(blocks_.index);
    behind_ = first_ + kColumns;
  }

  /// An empty handle where the loop has another form.
  Stmt run() {
    pieces_ = piecesOf(statementsOf(steps_.body), steps_, {});
    if (pieces_.empty() ||
        std::none_of(pieces_.begin(), pieces_.end(), [](const Piece& p) { return p.over; }))
      return {};
    if (!scalarsAreOwn() || !mayBeSplit() || !takesProducts()) return {};
    if (!mayFollow() || !findTiles() || !fitsOnChip()) return {};
    std::vector<Stmt> out, body;
    for (size_t p = 0; p < pieces_.size(); ++p) {
      if (pieces_[p].sameAs) continue;
      function_.buffers.push_back(pieces_[p].sums);
      out.push_back(build_.alloc(pieces_[p].sums));
      body.push_back(products_[p]);
    }
    body.push_back(onDiagonal());
    for (const Piece& piece : pieces_)
      if (piece.over) body.push_back(follow(piece));
    For blocks = blocks_;
    blocks.body = block(std::move(body));
    out.push_back(build_.make(std::move(blocks)));
    ctx_.diag.report(
        DiagId::TimeLoop, build_.span,
        fmt::format("runs in panels of {} iterations: what they take from all before is a matrix "
                    "product, then one block runs their own elements, and all others follow",
                    kColumns));
    return block(std::move(out));
  }

private:
  //===--- what may be done -------------------------------------------------------------------------===//

  bool scalarsAreOwn() const {
    return std::all_of(pieces_.begin(), pieces_.end(),
                       [&](const Piece& p) { return schedule::scalarsAreOwn(p.sum, function_); });
  }

  Stmt guarded(const Piece& piece, const Expr& step, const Stmt& s) const {
    if (!piece.guard) return s;
    return piece.build.when(substitute(piece.guard, {{steps_.index, step}}), s);
  }

  /// May each product be added when its column is done? Then at any time until it is needed, too.
  bool mayBeSplit() const {
    std::vector<analysis::Placed> leaves;
    std::vector<size_t> rank;
    for (const Piece& piece : pieces_) {
      const Expr element = var(piece.over ? piece.over->index : steps_.index);
      const Buffer sums{Symbol("sums"), piece.sum.type, {hi_, hi_}};
      const std::vector<Expr> at{var(steps_.index) - lo_, element - lo_};
      Stmt take = piece.build.store(sums, at, combine(ReduceOp::Sum, load(sums, at), piece.sum.term));
      Stmt own = substitute(block(piece.sum.rest), {{piece.sum.total, load(sums, at)}});
      for (Stmt* s : {&take, &own}) {
        if (piece.over) {
          For all = *piece.over;
          all.body = *s;
          *s = piece.build.make(std::move(all));
        }
        *s = guarded(piece, var(steps_.index), *s);
      }
      leaves.push_back({take, {&steps_, piece.sum.earlier}, 1});
      rank.push_back(2 * pieces_.size() + leaves.size());
      leaves.push_back({own, {&steps_}, 0});
      rank.push_back(leaves.size());
    }
    return analysis::mayRunByTime(leaves, rank, known_);
  }

  //===--- the products -----------------------------------------------------------------------------===//

  /// The factor as a matrix along `line` (row or column by `asRow`) and k, from the panel's first line on.
  std::optional<Matrix> matrixOf(const Expr& factor, const Symbol& line, const Symbol& k,
                                 bool lineIsRow) const {
    const auto* l = factor.as<Load>();
    if (!l) return {};
    Matrix m{l->buffer, {}, -1, -1};
    for (size_t d = 0; d < l->index.size(); ++d) {
      const Expr& e = l->index[d];
      const auto along = [&](const Symbol& s) {
        const Expr rest = e - var(s);
        return mentions(e, s) && !readsMemory(rest) && !mentionsAny(rest, varying_);
      };
      int* place = along(line) ? (lineIsRow ? &m.row : &m.column)
                   : along(k)  ? (lineIsRow ? &m.column : &m.row)
                               : nullptr;
      if (place ? *place >= 0 : readsMemory(e) || mentionsAny(e, varying_)) return {};
      if (place) *place = static_cast<int>(d);
      m.at.push_back(substitute(e, {{line, first_}, {k, lo_}}));
    }
    return m.row >= 0 && m.column >= 0 ? std::optional(m) : std::nullopt;
  }

  /// sums[j, i] = sum(a(i, k) * b(k, j) for k < first)
  Stmt productOf(const Piece& piece, const Buffer& sums) {
    const auto* b = piece.sum.term.as<Binary>();
    if (!b || b->op != BinaryOp::Mul) return {};
    const Symbol &i = piece.over->index, &k = piece.sum.earlier->index;
    varying_ = {steps_.index, i, k};
    varying_.merge(assignedVars(function_.body));
    const bool first = mentions(b->lhs, i);
    const auto rows = matrixOf(first ? b->lhs : b->rhs, i, k, true);
    const auto columns = matrixOf(first ? b->rhs : b->lhs, steps_.index, k, false);
    if (!rows || !columns) return {};
    const DType type = piece.sum.type;
    MatMul product{type,
                   {sums.name, {intConst(0), first_ - lo_}, 1, 0},
                   *rows,
                   *columns,
                   hi_ - first_,
                   minOf(intConst(kColumns), hi_ - first_),
                   first_ - lo_,
                   constOf(type, 1),
                   constOf(type, 0),
                   {}};
    product.library = ctx_.library && isContiguous(*rows) && isContiguous(*columns);
    return piece.build.make(std::move(product));
  }

  /// Finds products for all pieces; a single element may be one of another piece's.
  bool takesProducts() {
    products_.resize(pieces_.size());
    std::set<Symbol> sizes = known_.sizes;
    const Expr count = analysis::atLeastZero(hi_ - lo_, sizes);
    for (size_t p = 0; p < pieces_.size(); ++p) {
      Piece& piece = pieces_[p];
      if (!piece.over) continue;
      piece.sums = {Symbol("sums"), piece.sum.type, {intConst(kColumns), count}};
      products_[p] = productOf(piece, piece.sums);
      if (!products_[p]) return false;
    }
    for (Piece& piece : pieces_) {
      if (piece.over) continue;
      for (size_t q = 0; q < pieces_.size(); ++q) {
        const Piece& other = pieces_[q];
        if (!other.over || other.sum.type != piece.sum.type) continue;
        const Expr same =
            substitute(other.sum.term, {{other.over->index, var(steps_.index)},
                                        {other.sum.earlier->index, var(piece.sum.earlier->index)}});
        if (sameTerm(same, piece.sum.term)) piece.sameAs = q, piece.sums = other.sums;
      }
      if (!piece.sameAs) return false;
    }
    return true;
  }

  //===--- what is on chip --------------------------------------------------------------------------===//

  /// The part of a matrix where a panel's rows and columns meet, by distance from the panel's first.
  struct Tile {
    Buffer matrix;
    std::vector<Expr>
        at;         ///< its subscripts; of the two that lines stand in what is added to the loops' indices
    size_t dims[2]; ///< these
    bool below = false, above = false, diagonal = false; ///< which cells there are
    Buffer copy{};
  };

  bool addToTile(const Symbol& buffer, const std::vector<Expr>& index, const Piece& piece) {
    const std::optional<Lines> lines = linesOf(index, piece, steps_.index, varying_);
    if (!lines) return false;
    const auto& [row, column] = lines->line;
    std::vector<Expr> at = index;
    at[lines->dims[0]] = row.shift, at[lines->dims[1]] = column.shift;
    auto tile =
        std::find_if(tiles_.begin(), tiles_.end(), [&](const Tile& t) { return t.matrix.name == buffer; });
    if (tile == tiles_.end()) {
      tiles_.push_back({function_.buffer(buffer), at, {lines->dims[0], lines->dims[1]}});
      tile = tiles_.end() - 1;
    }
    const bool meets = piece.over && row.rank != column.rank && row.rank + column.rank == 3 &&
                       equalIndex(piece.over->lo, var(steps_.index));
    (row.rank > column.rank ? tile->below : row.rank < column.rank ? tile->above : tile->diagonal) = true;
    tile->diagonal = tile->diagonal || meets;
    return std::equal(tile->dims, tile->dims + 2, lines->dims) && equalIndices(at, tile->at);
  }

  /// Finds the matrices that the products read and the steps change; false where some access is of no tile.
  bool findTiles() {
    std::set<Symbol> matrices;
    for (const Piece& piece : pieces_) {
      const std::set<Symbol> read = loadedBuffers(piece.sum.term);
      matrices.insert(read.begin(), read.end());
    }
    bool all = true;
    for (const Piece& piece : pieces_) {
      varying_.insert({steps_.index, piece.sum.earlier->index});
      if (piece.over) varying_.insert(piece.over->index);
    }
    const auto look = [&](const Expr& e, const Piece& piece) {
      visit(e, [&](const Expr& part) {
        const auto* l = part.as<Load>();
        if (l && matrices.count(l->buffer)) all = all && addToTile(l->buffer, l->index, piece);
        return true;
      });
    };
    for (const Piece& piece : pieces_) {
      look(piece.sum.term, piece);
      for (const Stmt& s : piece.sum.rest) {
        forEachExpr(s, [&](const Expr& e) { look(e, piece); });
        const auto* store = s.as<Store>();
        if (store && matrices.count(store->buffer))
          all = all && addToTile(store->buffer, store->index, piece);
      }
    }
    return all;
  }

  bool fitsOnChip() const {
    int64_t bytes = 0;
    for (const Tile& tile : tiles_) bytes += kColumns * (kColumns + 1) * byteSize(tile.matrix.type);
    for (const Piece& piece : pieces_)
      if (!piece.sameAs) bytes += kColumns * kColumns * byteSize(piece.sum.type);
    return bytes <= cost::Device::sharedForTiles;
  }

  const Tile* tileOf(const Symbol& buffer) const {
    for (const Tile& t : tiles_)
      if (t.matrix.name == buffer) return &t;
    return nullptr;
  }

  using Places = std::map<Symbol, Expr>; ///< by index of the loops: its distance from the panel's first

  std::vector<Expr> onTile(const std::vector<Expr>& index, const Piece& piece, const Places& places) const {
    const Lines lines = *linesOf(index, piece, steps_.index, varying_);
    return {places.at(lines.line[0].index), places.at(lines.line[1].index)};
  }
  Expr onTiles(const Expr& e, const Piece& piece, const Places& places) const {
    const Expr there = rewrite(e, [&](const Expr& part) -> Expr {
      const auto* l = part.as<Load>();
      const Tile* tile = l ? tileOf(l->buffer) : nullptr;
      return tile ? load(tile->copy, onTile(l->index, piece, places)) : Expr();
    });
    return substitute(there, fromFirst(places));
  }
  Places fromFirst(const Places& places) const {
    Places all;
    for (const auto& [index, place] : places) all.emplace(index, first_ + place);
    return all;
  }
  Places placesOf(const Piece& piece, const Expr& step, const Expr& element, const Expr& earlier) const {
    Places places{{steps_.index, step}, {piece.sum.earlier->index, earlier}};
    if (piece.over) places.emplace(piece.over->index, element);
    return places;
  }

  using OfCell = std::function<Stmt(const Expr& r, const Expr& c)>;
  Stmt forCells(const OfCell& body) const {
    return loops::forCells(build_, "cell", kColumns, kColumns, kLanes, body);
  }

  Expr exists(const Tile& tile, const Expr& r, const Expr& c) const {
    Expr inside = both(first_ + r < hi_, first_ + c < hi_);
    if (tile.below && tile.above) return inside;
    const Expr &low = tile.below ? c : r, &high = tile.below ? r : c;
    return both(tile.diagonal ? low <= high : low < high, first_ + high < hi_);
  }
  std::vector<Expr> inMatrix(const Tile& tile, const Expr& r, const Expr& c) const {
    std::vector<Expr> index = tile.at;
    index[tile.dims[0]] = first_ + r + tile.at[tile.dims[0]];
    index[tile.dims[1]] = first_ + c + tile.at[tile.dims[1]];
    return index;
  }

  //===--- the panel's own elements -----------------------------------------------------------------===//

  /// A step's rest with its sum, on chip.
  std::vector<Stmt> ownElement(const Piece& piece, const Expr& step, const Expr& element,
                               const Expr& sum) const {
    const Recurrence& r = piece.sum;
    const Symbol total(r.total.hint());
    const Places places = placesOf(piece, step, element, step);
    std::vector<Stmt> out{piece.build.assign(total, sum)};
    for (const Stmt& s : r.rest) {
      Stmt here = mapExprs(s, [&](const Expr& e) { return onTiles(e, piece, places); });
      if (const auto* store = s.as<Store>(); store && tileOf(store->buffer))
        here = makeStmt(s->span, Store{tileOf(store->buffer)->copy.name,
                                       onTile(store->index, piece, places),
                                       here.as<Store>()->value,
                                       {}});
      out.push_back(substitute(here, {{r.total, var(total, r.type)}}));
    }
    Stmt all = block(std::move(out));
    all = loops::withOwnScalars(all, assignedVars(block(r.rest)));
    return {all};
  }
  Expr started(const Recurrence& r, const Expr& sum) const {
    return equal(r.init, constOf(r.type, 0)) ? sum : combine(ReduceOp::Sum, r.init, sum);
  }

  Stmt stepOf(const Piece& piece, const Buffer& sums, const Expr& step, const Expr& count) const {
    if (!piece.over) {
      const Expr sum = started(piece.sum, load(sums, {step, step}));
      return guarded(piece, first_ + step, block(ownElement(piece, step, step, sum)));
    }
    const Symbol r("r");
    const bool fromNext = !equalIndex(piece.over->lo, var(steps_.index));
    const Expr sum = started(piece.sum, load(sums, {step, var(r)}));
    const Stmt one = block(ownElement(piece, step, var(r), sum));
    const Expr mine = both(binary(fromNext ? BinaryOp::Gt : BinaryOp::Ge, var(r), step), var(r) < count);
    return guarded(piece, first_ + step,
                   piece.build.inAnyOrder(r, intConst(0), intConst(kColumns), piece.build.when(mine, one)));
  }

  /// What a step's column gives to the sums of the panel's later steps.
  Stmt giveLater(const Piece& piece, const Buffer& sums, const Expr& step, const Expr& count) const {
    return forCells([&](const Expr& c, const Expr& r) {
      const Expr term = onTiles(piece.sum.term, piece, placesOf(piece, c, r, step));
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
    for (Tile& tile : tiles_)
      tile.copy = loops::tileOnChip(function_, build_, tile.matrix.name.hint() + "_tile", tile.matrix.type,
                                    kColumns, kColumns, out);
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (!pieces_[p].sameAs)
        here[p] = loops::onChip(function_, build_, "sums_here", pieces_[p].sum.type, {size, size}, out);
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (pieces_[p].sameAs) here[p] = here.at(*pieces_[p].sameAs);
    for (const Tile& tile : tiles_)
      out.push_back(forCells([&](const Expr& r, const Expr& c) {
        const Expr value =
            select(exists(tile, r, c), load(tile.matrix, inMatrix(tile, r, c)), constOf(tile.matrix.type, 0));
        return build_.store(tile.copy, {r, c}, value);
      }));
    for (size_t p = 0; p < pieces_.size(); ++p) {
      if (pieces_[p].sameAs) continue;
      out.push_back(forCells([&](const Expr& c, const Expr& r) {
        const Expr inside = both(first_ + c < hi_, first_ + r < hi_);
        const Expr value =
            select(inside, load(pieces_[p].sums, {c, first_ + r - lo_}), constOf(pieces_[p].sum.type, 0));
        return build_.store(here[p], {c, r}, value);
      }));
    }
    out.push_back(build_.assign(rows, minOf(size, hi_ - first_)));
    for (size_t p = 0; p < pieces_.size(); ++p) body.push_back(stepOf(pieces_[p], here[p], step, count));
    for (size_t p = 0; p < pieces_.size(); ++p)
      if (!pieces_[p].sameAs) body.push_back(giveLater(pieces_[p], here[p], step, count));
    out.push_back(build_.inOrder(s, intConst(0), count, block(std::move(body))));
    std::set<Symbol> stored;
    for (const Piece& piece : pieces_) stored.merge(storedBuffers(block(piece.sum.rest)));
    for (const Tile& tile : tiles_) {
      if (!stored.count(tile.matrix.name)) continue;
      out.push_back(forCells([&](const Expr& r, const Expr& c) {
        const Stmt back = build_.store(tile.matrix, inMatrix(tile, r, c), load(tile.copy, {r, c}));
        return build_.when(exists(tile, r, c), back);
      }));
    }
    return build_.inAnyOrder(Symbol("w"), intConst(0), intConst(1), block(std::move(out)));
  }

  //===--- elements behind the panel ----------------------------------------------------------------===//

  /// The piece's element in step `step`, with names of its own, as the text has it: what is asked about.
  Stmt elementOf(const Piece& piece, const Expr& step, const Expr& element) const {
    const Recurrence& r = piece.sum;
    const Symbol total(r.total.hint()), k(r.earlier->index.hint());
    std::map<Symbol, Expr> here{{steps_.index, step}, {r.total, var(total, r.type)}};
    if (piece.over) here.emplace(piece.over->index, element);
    const Expr sum = started(r, load(piece.sums, {step - first_, element - lo_}));
    const Expr term = substitute(substitute(r.term, here), {{r.earlier->index, var(k)}});
    const Stmt add = piece.build.assign(total, combine(ReduceOp::Sum, var(total, r.type), term));
    std::vector<Stmt> out{piece.build.assign(total, sum), piece.build.inOrder(k, first_, step, add)};
    out.push_back(loops::withOwnScalars(substitute(block(r.rest), here)));
    return block(std::move(out));
  }
  Stmt ofPanel(size_t p, const Expr& step) const {
    const Piece& piece = pieces_[p];
    if (!piece.over) return guarded(piece, step, elementOf(piece, step, step));
    const Symbol i(piece.over->index.hint());
    const Expr from = substitute(piece.over->lo, {{steps_.index, step}});
    const Stmt element = elementOf(piece, step, var(i));
    return guarded(piece, step, piece.build.inAnyOrder(i, from, minOf(behind_, hi_), element));
  }

  /// May elements behind the panel wait for the panel, and then go through its steps each by itself?
  bool mayFollow() const {
    analysis::Context context = known_;
    context.loops.push_back(&blocks_);
    std::vector<For> here, behind; ///< the steps of each piece: elements of the panel, elements behind it
    for (size_t p = 0; p < pieces_.size(); ++p) {
      const Symbol j(steps_.index.hint()), i("i"), step(steps_.index.hint()), row("i");
      const Piece& piece = pieces_[p];
      here.push_back(serialLoop(j, first_, behind_, intConst(1), ofPanel(p, var(j))));
      behind.push_back(serialLoop(j, first_, behind_, intConst(1), block({})));
      if (!piece.over) continue;
      behind.back().body =
          piece.build.inAnyOrder(i, behind_, hi_, guarded(piece, var(j), elementOf(piece, var(j), var(i))));
      const Stmt one = guarded(piece, var(step), elementOf(piece, var(step), var(row)));
      const For rows = provenLoop(row, behind_, hi_, piece.build.inOrder(step, first_, behind_, one));
      if (analysis::judgeParallel(rows, context, {}).answer != analysis::Answer::Proven) return false;
    }
    for (size_t p = 0; p < pieces_.size(); ++p)
      for (size_t q = 0; q < pieces_.size(); ++q)
        if (analysis::leadsTo(behind[p], here[q], context, p < q) ||
            (p < q && analysis::leadsTo(behind[q], behind[p], context, false)))
          return false;
    return true;
  }

  /// All steps of the elements behind the panel, one a thread, which keeps its sums.
  Stmt follow(const Piece& piece) {
    const Recurrence& r = piece.sum;
    const Symbol i(piece.over->index.hint()), s("s"), c("c"), fill("c"), total(r.total.hint());
    std::vector<Stmt> out, steps;
    const auto unrolled = [&](const Symbol& index, const Stmt& body) {
      For loop = serialLoop(index, intConst(0), intConst(kColumns), intConst(1), body);
      loop.mapping = Serial{.unroll = !isComplex(r.type)}; // whose divisions are long
      return piece.build.make(std::move(loop));
    };
    const Buffer row = loops::onChip(function_, build_, "sums_here", r.type, {intConst(kColumns)}, out);
    out.push_back(
        unrolled(fill, piece.build.store(row, {var(fill)}, load(piece.sums, {var(fill), var(i) - lo_}))));
    const Expr step = first_ + var(s);
    const std::map<Symbol, Expr> here{
        {steps_.index, step}, {piece.over->index, var(i)}, {r.total, var(total, r.type)}};
    steps.push_back(piece.build.assign(total, started(r, load(row, {var(s)}))));
    Expr term = r.term;
    const auto isRead = [&](const Stmt& part) {
      return part.is<Store>() && loadedBuffers(r.term).count(part.as<Store>()->buffer) > 0;
    };
    const auto last = std::find_if(r.rest.rbegin(), r.rest.rend(), isRead);
    for (const Stmt& given : r.rest) {
      const Stmt own = substitute(given, here);
      if (piece.guard || last == r.rest.rend() || &given != &*last) { // guarded: not stored in every step
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
    const Stmt own = guarded(piece, step, block(std::move(steps)));
    const Stmt later = unrolled(c, piece.build.when(var(s) < var(c), more));
    out.push_back(unrolled(s, block({own, later})));
    const Stmt all = loops::withOwnScalars(block(std::move(out)), assignedVars(block(r.rest)));
    return piece.build.inAnyOrder(i, behind_, hi_, all, kThreads);
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
  std::vector<Tile> tiles_;
  std::set<Symbol> varying_;
};

bool suits(const Function& f, const For& loop) {
  return constantTrip(loop).value_or(INT64_MAX) > 4 * kColumns && analysis::hasKnownBounds(f, loop);
}

} // namespace

Module blockPanels(const Module& module, PassContext& ctx) {
  if (!ctx.autoParallel) return module;
  return eachFunction(module, [&](Function& f) {
    f.body = mapHostLoops(f, ctx, [&](const HostLoop& at) {
      return suits(f, at.loop()) ? Panels(f, ctx, at.stmt, at.loop(), at.around).run() : Stmt();
    });
  });
}

} // namespace appyc::schedule
