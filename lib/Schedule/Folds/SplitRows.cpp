//===- SplitRows.cpp - more workers for few long rows --------------------------------------------------===//
//   for i: m = -inf                                    =>   if few rows, and long ones:
//          for j: m = max(m, x[i, j])                         for i: for c: m = -inf
//          for j: y[i, j] = x[i, j] - m                                     for j in chunk c: m = max(m, x[i, j])
//                                                                           partial[i, c] = m
//                                                             for i: m = -inf; for c: m = max(m, partial[i, c])
//                                                                    m_each[i] = m
//                                                             for i: for j: y[i, j] = x[i, j] - m_each[i]
//                                                           else the nest as it is
//   for i: s = 0                                       =>   chunks = .. if few rows, and long ones, else 1
//          for j: s = s + x[i, j]                           for c: for i: s = 0; for j in chunk c: s = s + x[i, j]
//          y[i] = f(s)                                             if chunks > 1: partial[i, c] = s  else: y[i] = f(s)
//                                                           if chunks > 1: for i: s = 0; for c: s = s + partial[i, c]
//                                                                                 y[i] = f(s)
// A worker a row leaves the machine idle where there are fewer rows than workers; each step of the body becomes a nest of
// its own, in which many have part of a row. The rows' order is free, so that one step may run for all before the next.
//   an H200: a row of 10^8 elements, softmax: 563 to 0.99 ms (predicted 1.2); 100 rows of 10^6, summed: 1.58 to 0.34;
//   50 lags of 10^6 by loops, whose rows differ in length: 1.46 to 0.088 (a thread each chunk 2.2: neighbours are too few)
#include "SplitReductions.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Simplify.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

constexpr int64_t kLongRow = 16384;  ///< elements, from which the launches more are a small part
constexpr int64_t kLanesAlone = 128; ///< of a block that has the rows' only fold
constexpr int64_t kMany = 64,
                  kUnit = 8; ///< rows; chunks are a multiple of it, so that lanes may take vectors

class RowSplit {
public:
  RowSplit(Function& f, const Stmt& n, const PassContext& ctx)
      : function_(f), nest_(n), ctx_(ctx), build_{n->span}, loops_(nestOf(n).loops),
        body_(statementsOf(loops_.back()->body)), workers_(ctx.device.blocksAtOnce()) {}

  bool applies(const std::set<Symbol>& hostIndices) {
    for (const For* loop : loops_)
      if (!isUnmarked(*loop) || !isHostValue(tripCount(*loop)) || !isHostValue(loop->lo)) return false;
    const For* longest = nullptr;
    for (const Stmt& s : body_) {
      const auto* loop = s.as<For>();
      if (!loop && !s.is<Assign>() && !s.is<Store>()) return false;
      if (!loop) continue;
      // What is inside keeps its order, so that it must not be long itself.
      if (!isParallel(*loop) || !isUnmarked(*loop) || has<Alloc>(loop->body) ||
          !isHostValue(lengthOf(*loop)) || !isHostValue(loop->lo))
        return false;
      if (!loop->reductions.empty() && !constantTrip(*loop)) longest = loop;
    }
    if (!longest || !hasOwnRows(*longest)) return false;
    if (mentionsAny(tripCount(*longest), hostIndices) || mentionsAny(loops::pointsOf(loops_), hostIndices) ||
        chooseMapping(nestOf(nest_), ctx_).kind == NestMapping::Threads)
      return false;
    const Expr byDefault = condition(*longest, kLongRow);
    const auto holds = constantBool(byDefault);
    if (holds == false || (!holds && !ctx_.versions) || !analysis::Facts(function_).mayHold(byDefault))
      return false; // square matrices are not long
    const int64_t least = ctx_.choose(nest_->span, "rows", kLongRow, {1, 4096, kLongRow, 1 << 16, 1 << 28});
    condition_ = condition(*longest, least);
    elements_ = std::min(kElementsOfChunk, least); // where shorter rows are asked to be cut, they are
    return true;
  }

  Stmt run() {
    ctx_.diag.report(DiagId::Parallelised, nest_->span,
                     "where there are few rows, and long ones, many workers share each, and what they find "
                     "is folded in order");
    if (hasOneFold()) return inOneNest();
    for (size_t at = 0; at < body_.size(); ++at) {
      const auto* loop = body_[at].as<For>();
      if (!loop) {
        scalarStep(body_[at]);
        continue;
      }
      finishRows(at);
      if (loop->reductions.empty()) {
        emit(build_.make(withBody(*loop, block(withValues(loop->body)))));
      } else {
        foldInChunks(*loop);
      }
    }
    finishRows(body_.size());
    const Stmt split = loops::asCopy(block(std::move(out_)));
    return constantBool(condition_) ? split : build_.make(If{condition_, split, nest_});
  }

private:
  bool isHostValue(const Expr& e) const {
    return e && !readsMemory(e) && !mentionsAny(e, assigned_) &&
           std::none_of(loops_.begin(), loops_.end(), [&](const For* l) { return mentions(e, l->index); });
  }
  /// Iterations of a loop in a row, the longest of which counts.
  Expr lengthOf(const For& loop) const {
    const Expr count = tripCount(loop);
    return count ? analysis::upperBound(count, loops_) : Expr();
  }
  Expr condition(const For& fold, int64_t length) const {
    return both(loops::pointsOf(loops_) * 2 <= workers_,
                intConst(length) <= lengthOf(fold) * pointsInside(fold, assigned_));
  }
  /// Has each row of several loops elements of its own, or are they few, as of `J.T @ J`? Folds over rows of two arrays are many.
  bool hasOwnRows(const For& fold) const {
    const auto isOwn = [&](const Load& load) {
      return std::ranges::all_of(loops_, [&](const For* loop) { return mentions(make(load), loop->index); });
    };
    return constantInt(loops::pointsOf(loops_)).value_or(kMany) < kMany || loops_.size() == 1 ||
           any<Load>(fold.body, isOwn);
  }
  /// Is the fold all that goes through a row's elements, where one kernel does for few rows and for many, as lanes share them?
  bool hasOneFold() const {
    const auto isLoop = [](const Stmt& s) { return s.is<For>(); };
    const auto fold = std::ranges::find_if(body_, isLoop);
    const Nest nest = nestOf(nest_);
    return !otherMapping(nest, chooseMapping(nest, ctx_), function_.buffers, true, ctx_) &&
           consistsOf<Block, Assign>(block({body_.begin(), fold})) && !constantBool(condition_) &&
           loops_.size() == 1 && std::ranges::count_if(body_, isLoop) == 1 &&
           isConst(fold->as<For>()->step, 1) && isConst(pointsInside(*fold->as<For>(), assigned_), 1);
  }
  /// Where rows are many there is one chunk, whose workers do what is behind the fold.
  Stmt inOneNest() {
    size_t at = 0;
    while (!body_[at].is<For>()) ++at;
    const For& fold = *body_[at].as<For>();
    const Expr total = analysis::atLeastZero(lengthOf(fold), analysis::contextOf(function_).sizes);
    const Chunks& all = chunksOf(total, intConst(1));
    const Symbol c("c"), again("c");
    const Expr start = var(c) * all.size;
    For part = fold;
    part.index = Symbol(fold.index.hint());
    part.body = substitute(fold.body, {{fold.index, fold.lo + start + var(part.index)}});
    part.lo = intConst(0);
    part.hi = minOf(all.size, tripCount(fold) - start);
    part.hints.mark = LoopMark::Simd; // neighbours of few rows are no threads of a kernel
    std::vector<Stmt> first = loops::privatize(build_, part, ""), folds, last;
    for (size_t r = 0; r < part.reductions.size(); ++r) {
      const auto& [name, type, op] = fold.reductions[r];
      // points * chunks < points + workers, which are twice as many
      const Buffer partials = arrayOfRows(name.hint() + "_partial", type, 3);
      const auto element = [&](const Symbol& chunk) {
        return std::vector<Expr>{loops::positionIn(loops_) * all.count + var(chunk)};
      };
      last.push_back(build_.store(partials, element(c), var(part.reductions[r].var, type)));
      For folded =
          provenLoop(again, intConst(0), all.count,
                     build_.assign(name, combine(op, var(name, type), load(partials, element(again)))));
      folded.reductions = {fold.reductions[r]};
      folds.push_back(build_.make(std::move(folded)));
    }
    std::vector<Stmt> second = body_;
    second[at] = block(std::move(folds));
    const std::vector<Stmt> around = aroundFold(build_, body_, at, part);
    const auto behind = around.begin() + std::ptrdiff_t(at);
    first.insert(first.begin(), around.begin(), behind);
    first.push_back(build_.make(std::move(part)));
    first.push_back(build_.make(If{all.count > 1, block(std::move(last)), block({behind, around.end()})}));
    For outer = serialLoop(c, intConst(0), all.count, intConst(1),
                           loops::nestAround(build_, loops_, block(std::move(first))));
    outer.order = Order::Proven;
    out_.push_back(build_.make(std::move(outer)));
    out_.push_back(build_.when(all.count > 1,
                               loops::asCopy(loops::nestAround(build_, loops_, block(std::move(second))))));
    return block(std::move(out_));
  }
  /// A new array with `perRow` elements for each row of those that are few.
  Buffer arrayOfRows(const std::string& hint, DType type, int64_t perRow) {
    const Buffer made{Symbol(hint), type, {intConst(perRow * workers_)}};
    function_.buffers.push_back(made);
    out_.push_back(build_.alloc(made));
    return made;
  }
  /// Runs for all rows, in nests of the rows' loops.
  void emit(Stmt body) { out_.push_back(loops::nestAround(build_, loops_, std::move(body))); }

  /// The statements, behind those that set what they read of earlier steps.
  std::vector<Stmt> withValues(const Stmt& body) const {
    std::vector<Stmt> all;
    for (const Symbol& name : analysis::exposedScalars(body))
      if (const auto known = values_.find(name); known != values_.end())
        all.push_back(build_.assign(name, known->second));
    for (const Stmt& s : statementsOf(body)) all.push_back(s);
    return all;
  }

  /// What a row computes without its elements is computed again where it is read.
  void scalarStep(const Stmt& s) {
    const auto* set = s.as<Assign>();
    const bool isOwn = set && !mentionsAny(block(rows_), {set->var});
    if (isOwn && !readsMemory(set->value) && !mentionsAny(set->value, assigned_))
      values_[set->var] = set->value;
    else
      rows_.push_back(s);
  }

  /// The scalars' steps until here are a nest, and what later ones read is kept by the row.
  void finishRows(size_t next) {
    if (rows_.empty()) return;
    const std::vector<Stmt> later(body_.begin() + static_cast<std::ptrdiff_t>(next), body_.end());
    const std::set<Symbol> read = analysis::exposedScalars(block(later));
    std::vector<Stmt> all = withValues(block(rows_));
    for (const auto& [name, type] : assignedTypes(block(rows_))) {
      if (!read.count(name)) continue;
      const Buffer each = arrayOfRows(name.hint() + "_each", type, 1);
      all.push_back(build_.store(each, {loops::positionIn(loops_)}, var(name, type)));
      values_[name] = load(each, {loops::positionIn(loops_)});
    }
    emit(block(std::move(all)));
    rows_.clear();
  }

  struct Chunks {
    Expr total, inside, count, size;
  };
  /// Those of rows of so many iterations, each with points inside.
  const Chunks& chunksOf(const Expr& total, const Expr& inside) {
    for (const Chunks& known : chunks_)
      if (equal(known.total, total) && equal(known.inside, inside)) return known;
    const bool isFlat = isConst(inside, 1);
    const int64_t workers = hasOneFold() ? ctx_.device.threadsAtOnce() / kLanesAlone : workers_;
    Expr wanted = minOf(ceilDiv(intConst(workers), loops::pointsOf(loops_)),
                        ceilDiv(total * inside, intConst(elements_)));
    if (!isFlat) wanted = minOf(wanted, total);
    wanted = maxOf(wanted, 1);
    if (hasOneFold()) wanted = select(condition_, wanted, intConst(1));
    const Expr count = loops::once(build_, "chunks", wanted, out_);
    const Expr each = ceilDiv(total, count);
    const Expr size = isFlat ? loops::once(build_, "units", ceilDiv(each, intConst(kUnit)), out_) * kUnit
                             : loops::once(build_, "chunk", each, out_);
    chunks_.push_back({total, inside, count, size});
    return chunks_.back();
  }

  void foldInChunks(const For& loop) {
    const std::set<Symbol> sizes = analysis::contextOf(function_).sizes;
    const Chunks& all = chunksOf(analysis::atLeastZero(lengthOf(loop), sizes), pointsInside(loop, assigned_));
    const Expr chunks = all.count;
    const Symbol c("c"), again("c");
    For part = loops::chunkOf(loop, var(c), all.size, analysis::atLeastZero(tripCount(loop), sizes));
    if (isConst(all.inside, 1))
      part.hints.mark = LoopMark::Simd; // neighbours of few rows are no threads of a kernel
    std::vector<Stmt> first = loops::privatize(build_, part, "_chunk"), last;
    for (size_t r = 0; r < part.reductions.size(); ++r) {
      const auto& [name, type, op] = loop.reductions[r];
      // points * chunks < points + workers
      const Buffer partials = arrayOfRows(name.hint() + "_partial", type, 2);
      const auto element = [&](const Symbol& chunk) {
        return std::vector<Expr>{loops::positionIn(loops_) * chunks + var(chunk)};
      };
      last.push_back(build_.store(partials, element(c), var(part.reductions[r].var, type)));
      For folded =
          serialLoop(again, intConst(0), chunks, intConst(1),
                     build_.assign(name, combine(op, var(name, type), load(partials, element(again)))));
      folded.order = Order::Proven;
      folded.reductions = {loop.reductions[r]};
      rows_.push_back(build_.make(std::move(folded)));
    }
    first.push_back(build_.make(std::move(part)));
    first.insert(first.end(), last.begin(), last.end());
    For outer = serialLoop(c, intConst(0), chunks, intConst(1), block(withValues(block(std::move(first)))));
    outer.order = Order::Proven;
    outer.hints.vectorLength = kLanesOfChunk;
    emit(build_.make(std::move(outer)));
  }

  Function& function_;
  const Stmt& nest_;
  const PassContext& ctx_;
  const Builder build_;
  std::vector<const For*> loops_; ///< the rows'
  std::vector<Stmt> body_;
  int64_t workers_; ///< blocks at once
  const std::set<Symbol> assigned_ = assignedVars(function_.body);
  Expr condition_{};
  int64_t elements_ = kElementsOfChunk;
  std::vector<Stmt> out_,
      rows_; ///< the steps that are done; those of the next nest without a loop over elements
  std::vector<Chunks> chunks_;
  std::map<Symbol, Expr> values_{}; ///< of the rows' scalars that later steps read
};

} // namespace

Stmt splitRows(const Stmt& nest, Function& function, const std::set<Symbol>& hostIndices,
               const PassContext& ctx) {
  RowSplit split(function, nest, ctx);
  return split.applies(hostIndices) ? split.run() : nest;
}

} // namespace appyc::schedule
