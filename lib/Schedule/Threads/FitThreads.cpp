//===- FitThreads.cpp - the shape of blocks follows the sizes of the call ------------------------------===//
// One kernel for short rows and long ones, narrow arrays and wide ones: the host sets the block's shape.
//   for i per block: for k per lane of 128   =>   lanes = 128 if n > 128 else power_of_two(ceil(n / 4))
//                                                 for i per group of 128 / lanes in a block: for k per lane of `lanes`
//   for c, i per thread of (256, 1)          =>   columns = min(n, 256), of (columns, 256 / columns)
//
// | an H100, kernels and host together: ms                  | fixed | fitted | predicted | memory alone |
// | rows of 10, 1e7 of them, times a vector                  | 3.57  | 0.32   | 0.4       | 0.22         |
// | softmax of rows of 7; of 64, f64                         | 5.74; 0.73 | 0.77; 0.31 | 0.8 | 0.54; 0.27 |
// | columns of 1e7, 10 of them, summed; of 1e6, 128          | 42.7; 4.57 | 0.43; 0.39 | 0.4 | 0.2; 0.26 |
// | softmax of 64 columns of 1e6, f32 (fuse-loops, as well)  | 338   | 0.46   | 0.5       | 0.13         |
// | rows of 8000 times a vector                              | 0.41  | 0.37   | the same  | 0.26         |
#include "LaneVectors.h"
#include "Units.h"
#include "WorkerMapping.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Called.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <optional>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int kElementsOfLane = 4; ///< of a short row, as LanesOfRow has it
constexpr size_t kMostSteps = 8;   ///< from how long a row is to what the host knows
constexpr int kShortRow = kElementsOfLane * cost::Device::warp;
constexpr int64_t kFewColumns = 2 * cost::Device::warp,
                  kMostPlanes = 64; ///< a block has no more threads along z

Expr powerOfTwo(Expr n) {
  if (const auto known = constantInt(n))
    return intConst(int64_t(std::bit_ceil(uint64_t(std::max<int64_t>(*known, 1)))));
  return call(Intrinsic::PowerOfTwo, DType::I64, {std::move(n)});
}

class Fitting {
public:
  Fitting(const Launch& kernel, const cost::Device& device) : kernel_(kernel), device_(device) {}

  /// The launch behind what the host sets for it, or nothing where its shape stays.
  Stmt made(Span span) {
    if (kernel_.how != Launch::Plain || kernel_.shape.threads[0] || kernel_.shape.threadsAtOnce > 0 ||
        kernel_.shape.block[2] != 1 ||
        any<For>(kernel_.body, [](const For& l) { return firstBlockOf(l) > 0; }) || asksForPosition())
      return {};
    if (any<For>(kernel_.body, hasOwnSize)) return {};
    const Builder build{span};
    if (any<For>(kernel_.body, [](const For& loop) { return loop.mapping.is<PerThread>(); })) {
      const Stmt columns = byColumns(build);
      return columns ? columns : byDevice(build);
    }
    return byRows(build);
  }

  std::string remark{};

private:
  bool asksForPosition() const {
    return any<Hardware>(kernel_.body, [](const Hardware& h) { return h.which < HardwareIndex::Width; });
  }
  bool isHostValue(const Expr& e) const {
    return e && !readsMemory(e) && !mentionsAny(e, assignedVars(kernel_.body)) &&
           !mentionsAny(e, loopIndices(kernel_.body));
  }
  /// The same of the worker in the middle, with what it computes first in place of its scalars; empty where memory is asked.
  Expr inMiddle(Expr e) const {
    std::map<Symbol, Expr> values = onlyValues(kernel_.body);
    for (const Axis axis : {Axis::X, Axis::Y})
      for (const For* worker : along(axis))
        if (const Expr count = tripCount(*worker); count && isHostValue(count) && isConst(worker->step, 1))
          values[worker->index] = worker->lo + floorDiv(count, intConst(2));
    for (size_t k = 0; k < kMostSteps && !isHostValue(e); ++k) e = substitute(e, values);
    return isHostValue(e) ? e : Expr();
  }
  /// Loops over an axis of the grid.
  std::vector<const For*> along(Axis axis) const {
    std::vector<const For*> loops;
    visit(kernel_.body, [&](const Stmt& s) {
      const auto* loop = s.as<For>();
      if (loop && loop->mapping.is<PerThread, PerBlock, PerWarp>() && axisOf(*loop) == axis)
        loops.push_back(loop);
      return true;
    });
    return loops;
  }
  static Stmt launched(const Builder& build, std::vector<Stmt> before, Launch launch) {
    launch.shape.threads[2] = intConst(1);
    before.push_back(build.make(std::move(launch)));
    return block(std::move(before));
  }
  static Expr blocks(const Expr& count, const Expr& perBlock) {
    return clampBlocks(ceilDiv(count, perBlock));
  }

  //===--- workers with lanes --------------------------------------------------------------------------===//

  /// The last of several chunks is as long as what is left, the first one is whole.
  Expr lengthOf(const Expr& hi) const {
    const auto* least = hi.as<Binary>();
    const bool isChunk = least && least->op == BinaryOp::Min && isHostValue(least->lhs);
    if (!isChunk) return inMiddle(hi);
    std::map<Symbol, Expr> first;
    for (const For* worker : along(Axis::Y)) first[worker->index] = worker->lo;
    return minOf(least->lhs, inMiddle(substitute(least->rhs, first)));
  }

  /// All that the worker's lanes do together is shared loops, folds, barriers and one lane's work; if so, the length of those
  /// loops that run most often, which are the ones in most others: of a distance to each of several centres its terms.
  Expr lengthOfRows(Scope scope) {
    bool fits = true;
    size_t deepest = 0;
    Expr length;
    std::vector<const For*> around;
    const std::function<void(const Stmt&)> look = [&](const Stmt& s) {
      const auto* alloc = s.as<Alloc>();
      const auto* only = s.as<Only>();
      const auto* loop = s.as<For>();
      const auto* fold = s.as<Collective>();
      const auto* barrier = s.as<Barrier>();
      fits &= !s.is<Signal>() && !s.is<Exchange>() && !s.is<Fence>() && (!alloc || alloc->vector) &&
              (!only || only->first == firstLaneOf(scope)) && (!fold || fold->scope == scope) &&
              (!barrier || barrier->scope == scope);
      if (const auto* own = loop ? loop->mapping.as<PerLane>() : nullptr) {
        fits &= own->scope == scope && own->axis == Axis::X && !own->unroll && isConst(loop->lo, 0) &&
                (isConst(loop->step, 1) || loop->step.is<Hardware>());
        const Expr hi = fits ? lengthOf(loop->hi) : Expr();
        fits &= bool(hi);
        if (!hi) return;
        if (!length || around.size() > deepest) {
          deepest = around.size();
          length = hi;
          lanes_ = loop;
        } else if (around.size() == deepest && !equalIndex(length, hi)) {
          length = maxOf(length, hi);
        }
      }
      if (!fits) return;
      if (loop) around.push_back(loop);
      forEachChild(s, look);
      if (loop) around.pop_back();
    };
    look(kernel_.body);
    return fits && length && !constantInt(length) ? length : Expr();
  }

  Stmt byRows(const Builder& build) {
    const std::vector<const For*> workers = along(Axis::X);
    if (workers.size() != 1 || !workers[0]->mapping.is<PerBlock, PerWarp>()) return {};
    const auto* ofBlock = workers[0]->mapping.as<PerBlock>();
    const Scope scope = ofBlock ? Scope::Block : Scope::Warp;
    const int64_t threads = kernel_.shape.block[0], most = ofBlock ? threads : cost::Device::warp;
    const Expr count = tripCount(*workers[0]);
    if ((ofBlock && (ofBlock->once || ofBlock->unswitched)) || workers[0]->hints.resident ||
        threads < kShortRow || !isHostValue(count))
      return {};
    const Expr length = lengthOfRows(scope);
    if (!length) return {};
    std::vector<Stmt> before;
    Launch own = kernel_;
    own.shape.threads[0] =
        build.let("lanes", call(Intrinsic::LanesOfRow, DType::I64, {length, count, intConst(most)}), before);
    own.shape.threads[1] = floorDiv(intConst(threads), own.shape.threads[0]);
    own.shape.grid[0] = blocks(count, own.shape.threads[1]);
    own.body =
        replace<For>(forWorker(kernel_.body, Scope::Group), [&](const For& loop, const Stmt& s) -> Stmt {
          if (loop.index != workers[0]->index) return {};
          For rows = loop;
          rows.mapping = PerGroup{};
          return makeStmt(s->span, std::move(rows));
        });
    remark = fmt::format(
        "rows of up to {} elements of `{}` share a block: lanes for each are chosen by their length",
        kShortRow, lanes_->index.hint());
    return launched(build, std::move(before), std::move(own));
  }

  //===--- threads -------------------------------------------------------------------------------------===//

  /// Nothing that threads do together.
  bool hasThreadsApart() const {
    return !anyStmt(kernel_.body, [](const Stmt& s) {
      const auto* alloc = s.as<Alloc>();
      return s.is<Barrier>() || s.is<Collective>() || (alloc && !alloc->vector);
    });
  }

  /// Along x as many threads as there are elements, where these are few: neighbours in memory are neighbours in a warp then. The
  /// others take more rows, and planes.
  Stmt byColumns(const Builder& build) {
    const std::vector<const For*> columns = along(Axis::X), rows = along(Axis::Y), planes = along(Axis::Z);
    if (columns.size() != 1 || rows.size() != 1 || planes.size() > 1 || !hasThreadsApart()) return {};
    const bool isWide = columns[0]->step.is<Hardware>(); // a thread takes a vector at once
    const Expr across = isWide ? columns[0]->hi - columns[0]->lo : tripCount(*columns[0]),
               down = tripCount(*rows[0]), deep = planes.empty() ? intConst(1) : tripCount(*planes[0]);
    if (!isHostValue(across) || !isHostValue(down) || !isHostValue(deep)) return {};
    const auto& block = kernel_.shape.block;
    const int64_t threads = int64_t{block[0]} * block[1], most = std::min(kFewColumns, threads);
    const auto few = constantInt(across);
    if (few > most) return {};
    const Expr taken = isWide ? takenAtOnce(across, kernel_.vectors.width) : across;
    // What a thread does in a moment is done by idle neighbours along a row, too; without rows there are no neighbours.
    const bool isShort = !any<For>(kernel_.body, [](const For& loop) {
      return loop.mapping.is<Serial>() && !isUnrolled(loop);
    }) && !anyExpr(kernel_.body, callsLoop);
    const Expr exist = maxOf(taken, 1);
    std::vector<Stmt> before;
    Launch own = kernel_;
    const auto set = [&](size_t axis, const Expr& count, const Expr& all) {
      static constexpr const char* names[] = {"columns", "rows", "planes"};
      const bool isPlain = constantInt(count) || (axis == 1 && planes.empty()); // what the columns leave
      own.shape.threads[axis] = isPlain ? count : build.let(names[axis], count, before);
      own.shape.grid[axis] = blocks(all, own.shape.threads[axis]);
      return own.shape.threads[axis];
    };
    const Expr x =
        set(0,
            few                              ? exist
            : isShort && most == kFewColumns ? call(Intrinsic::ColumnsOfBlock, DType::I64,
                                                    {taken, down, intConst(threads), intConst(block[1])})
                                             : minOf(exist, block[0]),
            across);
    const Expr beside = floorDiv(intConst(threads), x);
    const Expr y = set(1, planes.empty() ? beside : minOf(maxOf(down, 1), beside), down);
    set(2, planes.empty() ? intConst(1) : minOf(floorDiv(beside, y), kMostPlanes), deep);
    const bool isFixed =
        std::ranges::all_of(own.shape.threads, [](const Expr& e) { return bool(constantInt(e)); });
    if (isFixed) {
      for (size_t axis = 0; axis < 3; ++axis) {
        own.shape.block[axis] = int(*constantInt(own.shape.threads[axis]));
        own.shape.threads[axis] = {};
      }
      if (std::ranges::equal(own.shape.block, block)) return {};
    }
    remark = fmt::format("threads of a block along `{}` as there are elements, where these are few; the "
                         "others take more of `{}`",
                         columns[0]->index.hint(), rows[0]->index.hint());
    before.push_back(build.make(std::move(own)));
    return ir::block(std::move(before));
  }

  /// Threads that go through loops: blocks so small that there is one for each multiprocessor, as long as there are warps for
  /// that. What a warp loads from many lines takes its multiprocessor's time.
  ///   4096 rows of 4096, a recurrence along each, an H200: 16 multiprocessors; predicted 6 times as fast on 128
  Stmt byDevice(const Builder& build) {
    const std::vector<const For*> all = along(Axis::X);
    const int64_t threads = kernel_.shape.block[0], least = cost::Device::warp;
    if (all.size() != 1 || !along(Axis::Y).empty() || !along(Axis::Z).empty() ||
        kernel_.shape.block[1] != 1 || threads <= least || all[0]->step.is<Hardware>() || !hasThreadsApart())
      return {};
    const bool loops = any<For>(kernel_.body, [](const For& loop) {
      return loop.mapping.is<Serial>() && !isUnrolled(loop) && !constantTrip(loop);
    });
    const Expr count = tripCount(*all[0]);
    if (!loops || !isHostValue(count) || constantInt(count)) return {};
    std::vector<Stmt> before;
    Launch own = kernel_;
    const Expr each = powerOfTwo(ceilDiv(count, intConst(device_.multiprocessors)));
    own.shape.threads[0] = build.let("threads", minOf(maxOf(each, least), threads), before);
    own.shape.threads[1] = intConst(1);
    own.shape.grid[0] = blocks(count, own.shape.threads[0]);
    remark = fmt::format("blocks of as few threads along `{}` as give each multiprocessor one, down to {}",
                         all[0]->index.hint(), least);
    return launched(build, std::move(before), std::move(own));
  }

  const Launch& kernel_;
  const cost::Device& device_;
  const For* lanes_ = nullptr; ///< of the rows' loops
};

Stmt fitted(const Stmt& s, PassContext& ctx) {
  const auto* launch = s.as<Launch>();
  if (!launch) return mapChildren(s, [&](const Stmt& child) { return child ? fitted(child, ctx) : child; });
  if (!launch->body) return s;
  Fitting fitting(*launch, ctx.device);
  const Stmt fits = fitting.made(s->span);
  if (!fits || ctx.choose(s->span, "fit", "true", {"true", "false"}) != "true") return s;
  ctx.diag.report(DiagId::Parallelised, s->span, fitting.remark);
  return fits;
}

} // namespace

void fitThreads(Function& f, PassContext& ctx) { f.body = fitted(f.body, ctx); }

} // namespace appyc::schedule
