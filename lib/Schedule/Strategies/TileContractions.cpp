//===- TileContractions.cpp - folds over rows of two arrays share what they read, on chip ------------------===//
//   for i: for j: s = 0                                     =>   for tiles of 64 x 32 (a block each):
//                 for k: s = s + square(X[i, k] - Y[j, k])         for k in steps of 16:
//                 d[i, j] = sqrt(s)                                  X_tile, Y_tile = X[tile, k:+16], Y[tile, k:+16]
//                                                                    a lane's 4 x 2 cells: s += square(X_tile - Y_tile)
//                                                                  d[i, j] = sqrt(s) of a lane's cells
// Distances, largest products, agreements: what a product of matrices is, with other operators (those of products are
// cuBLAS's, or find-products'). A cell's terms are folded in their order by one lane.
//
//   an H100, f64: ms                             | a group of lanes a cell | predicted | result
//   4000 x 4000 distances of 64 numbers          | 2.14                    | 0.35      | 0.23 (H200)
//   10^6 points to 32 centres, the nearest       | 1.78                    | 0.4       | 0.24 (H200)
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kLanesOfTile = 256, kAcross = 16;    ///< lanes of a block; of them side by side along j
constexpr int64_t kRowsOfLane = 4, kColumnsOfLane = 2; ///< cells of a lane
constexpr int64_t kTileRows = kLanesOfTile / kAcross * kRowsOfLane, kTileColumns = kAcross * kColumnsOfLane,
                  kTileSteps = 16;
constexpr int64_t kLeastRows = 64, kLeastColumns = 16, kLeastDepth = 2;
constexpr size_t kMostStaged = 4;
constexpr int64_t kFewBlocks =
    4; ///< of tiles a block for every fourth multiprocessor is enough, as each does so much less

bool isTileable(const For& loop) { return isPlain(loop) && isConst(loop.step, 1); }

/// What is read along k by the rows of a tile, or by its columns.
struct Operand {
  const Load* load;
  bool ofRows;
  Buffer tile; ///< [step, row or column]
};

class Contraction {
public:
  Contraction(Function& f, const Stmt& s, const std::set<Symbol>& assigned)
      : function_(f), nest_(s), build_{s->span}, assigned_(assigned),
        loops_(loops::perfectNest(s, [](const For& loop, const auto&) { return isTileable(loop); })) {}

  bool applies(const PassContext& ctx) {
    if (loops_.loops.size() < 2 || !findFold()) return false;
    i_ = loops_.loops[loops_.loops.size() - 2], j_ = loops_.loops.back();
    for (const For* loop : {i_, j_, k_})
      if (!isHostValue(loop->lo) || !isHostValue(loop->hi)) return false;
    if (!findOperands()) return false;
    const Expr rows = tripCount(*i_), columns = tripCount(*j_);
    const int64_t tiles =
        ctx.choose(nest_->span, "tiles", ctx.device.multiprocessors / kFewBlocks, {1, 8, 33, 132, 1 << 28});
    pays_ = both(
        both(rows >= kLeastRows, columns >= kLeastColumns),
        both(tripCount(*k_) >= kLeastDepth, rows * columns >= intConst(tiles * kTileRows * kTileColumns)));
    const auto pays = constantBool(pays_);
    return pays.value_or(ctx.versions);
  }

  Stmt run() {
    const Symbol top("i_tile"), left("j_tile"), first("k_first");
    top_ = i_->lo + var(top) * kTileRows, left_ = j_->lo + var(left) * kTileColumns, first_ = var(first);
    std::vector<Stmt> body, step;
    for (Operand& operand : operands_) stage(operand, body, step);
    for (const Reduction& r : k_->reductions) {
      Buffer own{Symbol(r.var.hint() + "_own"),
                 r.type,
                 {intConst(kLanesOfTile), intConst(kRowsOfLane * kColumnsOfLane)},
                 true,
                 1};
      function_.buffers.push_back(own);
      body.push_back(build_.alloc(own));
      own_.push_back(std::move(own));
    }
    std::vector<Stmt> start;
    for (size_t r = 0; r < own_.size(); ++r)
      start.push_back(build_.store(own_[r], cell(), identity(k_->reductions[r].op, own_[r].type)));
    body.push_back(forOwnCells(block(std::move(start))));
    step.push_back(advance());
    body.push_back(
        build_.make(serialLoop(first, k_->lo, k_->hi, intConst(kTileSteps), block(std::move(step)))));
    body.push_back(finish());
    const auto tiles = [](const Expr& count, int64_t size) { return ceilDiv(count, intConst(size)); };
    Stmt all = build_.inAnyOrder(
        top, intConst(0), tiles(tripCount(*i_), kTileRows),
        build_.inAnyOrder(left, intConst(0), tiles(tripCount(*j_), kTileColumns), block(std::move(body))));
    std::vector<const For*> around = loops_.loops;
    around.resize(around.size() - 2);
    all = loops::nestAround(build_, around, std::move(all), [](For& loop) { loop.hints.origins.clear(); });
    return constantBool(pays_) ? all : build_.make(If{pays_, loops::asCopy(all), nest_});
  }

private:
  bool isHostValue(const Expr& e) const {
    return e && !readsMemory(e) && !mentionsAny(e, assigned_) &&
           std::ranges::none_of(loops_.loops, [&](const For* l) { return mentions(e, l->index); });
  }

  /// One fold at the top of the body, and straight code around it.
  bool findFold() {
    const std::vector<Stmt> body = statementsOf(loops_.body);
    for (const Stmt& s : body) {
      const auto* loop = s.as<For>();
      if (loop && k_) return false;
      if (loop)
        k_ = loop;
      else if (s.is<Assign>() || s.is<Store>())
        (k_ ? after_ : before_).push_back(s);
      else
        return false;
    }
    if (!k_ || !isParallel(*k_) || !isUnmarked(*k_) || k_->reductions.empty() || !isConst(k_->step, 1) ||
        !consistsOf<Block, Assign>(k_->body))
      return false;
    std::set<Symbol> read = analysis::exposedScalars(k_->body);
    const std::set<Symbol> set = assignedVars(block(before_));
    for (const Reduction& r : k_->reductions) {
      if (!set.count(r.var)) return false;
      read.erase(r.var);
    }
    return !intersect(read, set) && !intersect(storedBuffers(loops_.body), loadedBuffers(k_->body));
  }

  /// What the fold reads depends on k and a row, or on k and a column; what does not depend on k stays.
  bool findOperands() {
    bool good = true, ofRows = false, ofColumns = false;
    each<Load>(k_->body, [&](const Load& load) {
      const auto names = [&](const For* loop) {
        return std::ranges::any_of(load.index, [&](const Expr& e) { return mentions(e, loop->index); });
      };
      const std::set<Symbol> own = assignedVars(k_->body);
      good &= std::ranges::none_of(load.index,
                                   [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, own); });
      const bool isOfRow = names(i_), isOfColumn = names(j_);
      if (!names(k_)) return;
      good &= isOfRow != isOfColumn;
      ofRows |= isOfRow, ofColumns |= isOfColumn;
      if (!find(load)) operands_.push_back({&load, isOfRow, {}});
    });
    return good && ofRows && ofColumns && operands_.size() <= kMostStaged;
  }
  const Operand* find(const Load& load) const {
    for (const Operand& o : operands_)
      if (o.load->buffer == load.buffer && equalIndices(o.load->index, load.index)) return &o;
    return nullptr;
  }

  /// The operand's piece of the tile's rows or columns, and of the next steps; what does not exist is the last there is.
  void stage(Operand& operand, std::vector<Stmt>& body, std::vector<Stmt>& step) {
    const int64_t lines = operand.ofRows ? kTileRows : kTileColumns;
    operand.tile =
        loops::tileOnChip(function_, build_, operand.load->buffer.hint() + "_tile",
                          function_.findBuffer(operand.load->buffer)->type, kTileSteps, lines, body);
    const For& line = operand.ofRows ? *i_ : *j_;
    const auto copy = [&](const Expr& k, const Expr& at) {
      const std::map<Symbol, Expr> there{
          {line.index, minOf((operand.ofRows ? top_ : left_) + at, line.hi - 1)},
          {k_->index, minOf(first_ + k, k_->hi - 1)}};
      std::vector<Expr> index = operand.load->index;
      for (Expr& e : index) e = substitute(e, there);
      return build_.store(operand.tile, {k, at}, load(*function_.findBuffer(operand.load->buffer), index));
    };
    // Lanes go along memory.
    const bool stepsAreNeighbours = mentions(operand.load->index.back(), k_->index);
    step.push_back(stepsAreNeighbours
                       ? loops::forCells(build_, "cell", lines, kTileSteps, kLanesOfTile,
                                         [&](auto& at, auto& k) { return copy(k, at); })
                       : loops::forCells(build_, "cell", kTileSteps, lines, kLanesOfTile, copy));
  }

  //===--- a lane's cells ------------------------------------------------------------------------------===//

  std::vector<Expr> cell() const { return {var(lane_), var(r_) * kColumnsOfLane + var(c_)}; }
  Expr rowInTile() const { return floorDiv(var(lane_), kAcross) + var(r_) * (kLanesOfTile / kAcross); }
  Expr columnInTile() const { return mod(var(lane_), kAcross) + var(c_) * kAcross; }
  Stmt forCellsOf(const Stmt& each) const {
    return loops::unrolled(build_, r_, kRowsOfLane, loops::unrolled(build_, c_, kColumnsOfLane, each));
  }
  Stmt forLanes(const Stmt& body) const {
    return loops::unrolledInAnyOrder(build_, lane_, intConst(kLanesOfTile), body, kLanesOfTile);
  }
  Stmt forOwnCells(const Stmt& each) const { return forLanes(forCellsOf(each)); }

  /// The fold's next steps, in order, of all cells.
  Stmt advance() const {
    const Symbol k("k");
    std::vector<Stmt> all;
    for (size_t r = 0; r < own_.size(); ++r)
      all.push_back(build_.assign(k_->reductions[r].var, load(own_[r], cell())));
    all.push_back(replace<Load>(k_->body, [&](const Load& read) {
      const Operand* o = find(read);
      return o ? load(o->tile, {var(k), o->ofRows ? rowInTile() : columnInTile()}) : Expr();
    }));
    for (size_t r = 0; r < own_.size(); ++r)
      all.push_back(build_.store(own_[r], cell(), var(k_->reductions[r].var, own_[r].type)));
    const Stmt each = substitute(
        loops::withOwnScalars(block(std::move(all))),
        {{i_->index, top_ + rowInTile()}, {j_->index, left_ + columnInTile()}, {k_->index, first_ + var(k)}});
    return forLanes(
        build_.inOrder(k, intConst(0), minOf(intConst(kTileSteps), k_->hi - first_), forCellsOf(each)));
  }

  Stmt finish() const {
    std::vector<Stmt> all = before_;
    for (size_t r = 0; r < own_.size(); ++r) {
      const auto& [name, type, op] = k_->reductions[r];
      all.push_back(build_.assign(name, combine(op, var(name, type), load(own_[r], cell()))));
    }
    all.insert(all.end(), after_.begin(), after_.end());
    const Expr i = top_ + rowInTile(), j = left_ + columnInTile();
    const Stmt each =
        substitute(loops::withOwnScalars(block(std::move(all))), {{i_->index, i}, {j_->index, j}});
    return forOwnCells(build_.when(both(i < i_->hi, j < j_->hi), each));
  }

  Function& function_;
  const Stmt& nest_;
  const Builder build_;
  const std::set<Symbol>& assigned_;
  loops::Nest loops_;
  const For *i_ = nullptr, *j_ = nullptr, *k_ = nullptr; ///< rows, columns, the fold
  std::vector<Stmt> before_, after_;                     ///< the fold, in a cell
  std::vector<Operand> operands_;
  Expr pays_, top_, left_, first_;
  std::vector<Buffer> own_; ///< [lane, cell], of each reduction
  const Symbol lane_{"lane"}, r_{"r"}, c_{"c"};
};

struct ContractionTiling : loops::LoopPass {
  using LoopPass::LoopPass;

  bool enters(const Stmt& s) const override { return !s.is<For>() || !isParallel(*s.as<For>()); }
  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isParallel(loop)) return {};
    Contraction contraction(function_, s, assigned_);
    if (!contraction.applies(ctx_)) return {};
    note(DiagId::Parallelised, s,
         "tiles of {} x {} elements read their rows and columns into shared memory, where all of the tile's "
         "folds find them",
         kTileRows, kTileColumns);
    return contraction.run();
  }

private:
  const std::set<Symbol> assigned_ = assignedVars(function_.body);
};

} // namespace

void tileContractions(Function& f, PassContext& ctx) { f.body = ContractionTiling(f, ctx).visit(f.body); }

} // namespace appyc::schedule
