//===- PrivatizeUpdates.cpp - few elements that many threads update: each block has its own first ---------------===//
//   for i: atomic counts[k[i]] += 1   =>   for c in range(chunks):           # a block each
//                                            own[256]; for z: own[z] = 0     # on chip
//                                            for i in chunk c: atomic own[k[i]] += 1
//                                            for z: if own[z] != 0: atomic counts[z] += own[z]
// Threads wait for each other where they update one element, much longer in memory than on chip. Of integers alone, whose
// sums have one value in any order.
// Where the number of elements is open, the host asks whether they are few.
//   the grey levels of 1080 x 1920 points, an H100: 430 us of atomic updates in memory; predicted 20, measured 10
#include "HostLoops.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kMostElements = 2048, kMostBytes = 16384; ///< of all targets
constexpr int64_t kFewPoints = 16384;                       ///< which a few hundred threads update in no time
constexpr int64_t kPointsOfChunk = 2048;
constexpr int kLanesOfCounters = 256;

class PrivateUpdates {
public:
  PrivateUpdates(Function& f, const Stmt& s, const std::set<Symbol>& assigned)
      : function_(f), nest_(loops::perfectNest(s, isOfNest)), assigned_(assigned) {}

  bool applies() {
    if (nest_.loops.empty() || nest_.loops.size() > 2 || !consistsOf<Block, Assign, If, Store>(nest_.body) ||
        !std::ranges::all_of(nest_.loops,
                             [&](const For* l) { return isHostValue(l->lo) && isHostValue(l->hi); }))
      return false;
    bool suits = true;
    each<Store>(nest_.body, [&](const Store& store) {
      if (store.atomicOp) suits &= mayBeOwn(store);
    });
    const auto known = constantInt(loops::pointsOf(nest_.loops));
    return suits && !ops_.empty() && (!known || *known >= kFewPoints) && elements_ <= kMostElements &&
           bytes_ <= kMostBytes &&
           std::ranges::none_of(ops_, [&](const auto& target) { return isTouchedOtherwise(target.first); });
  }

  bool asksForSizes() const { return bool(fits_); }
  /// The nest in chunks, where the host finds the targets to have few elements.
  Stmt run(const Stmt& nest, int64_t mostChunks, int64_t few) const {
    const Stmt all = inChunks(nest->span, mostChunks);
    return fits_ ? makeStmt(nest->span,
                            If{both(fits_, loops::pointsOf(nest_.loops) >= few), loops::asCopy(all), nest})
                 : all;
  }

private:
  Stmt inChunks(Span span, int64_t mostChunks) const {
    const Builder build{span};
    std::vector<Stmt> out, body, last;
    const For& loop = *nest_.loops.front();
    const Expr count = loops::once(build, "count", maxOf(tripCount(loop), 0), out);
    const Expr wanted =
        minOf(ceilDiv(loops::pointsOf(nest_.loops), intConst(kPointsOfChunk)), maxOf(count, 1));
    const Expr chunks = loops::once(build, "chunks", maxOf(minOf(wanted, mostChunks), 1), out);
    const Expr size = loops::once(build, "chunk", ceilDiv(count, chunks), out);
    std::map<Symbol, Symbol> own;
    for (const auto& [target, op] : ops_) {
      const Buffer buffer = *function_.findBuffer(target);
      const Expr nothing = identity(op, buffer.type);
      const Expr most = intConst(constantInt(buffer.extents[0]).value_or(kMostElements));
      const Buffer mine = loops::onChip(function_, build, target.hint() + "_own", buffer.type, {most}, body);
      own.emplace(target, mine.name);
      const Symbol z("z"), behind("z");
      const Expr gathered = load(mine, {var(behind)});
      body.push_back(
          build.inAnyOrder(z, intConst(0), buffer.extents[0], build.store(mine, {var(z)}, nothing)));
      last.push_back(build.inAnyOrder(
          behind, intConst(0), buffer.extents[0],
          build.when(ne(gathered, nothing), build.make(Store{target, {var(behind)}, gathered, op}))));
    }
    const Symbol c("c");
    For part = loops::chunkOf(loop, var(c), size, count);
    part.body = loops::contracted(part.body, [&](const Symbol& array, const std::vector<Expr>& at) {
      const auto mine = own.find(array);
      return mine == own.end() ? std::nullopt : std::optional(loops::Element{mine->second, at});
    });
    part.hints.origins.clear();
    body.push_back(build.make(std::move(part)));
    body.insert(body.end(), last.begin(), last.end());
    For all = provenLoop(c, intConst(0), chunks, block(std::move(body)), kLanesOfCounters);
    all.hints.origins = loop.hints.origins;
    out.push_back(build.make(std::move(all)));
    return block(std::move(out));
  }

  static bool isOfNest(const For& loop, const std::vector<const For*>& around) {
    return isParallel(loop) && isUnmarked(loop) && loop.reductions.empty() && isConst(loop.step, 1) &&
           std::ranges::none_of(around, [&](const For* l) {
             return mentions(loop.lo, l->index) || mentions(loop.hi, l->index);
           });
  }
  bool isHostValue(const Expr& e) const { return !readsMemory(e) && !mentionsAny(e, assigned_); }
  bool mayBeOwn(const Store& store) {
    const Buffer* target = function_.findBuffer(store.buffer);
    if (!target || target->extents.size() != 1 || !isInteger(target->type) || isBool(target->type))
      return false;
    const Expr& extent = target->extents[0];
    const auto count = constantInt(extent);
    if (!count && !isHostValue(extent)) return false;
    const auto [known, isNew] = ops_.emplace(store.buffer, *store.atomicOp);
    const int64_t most = count.value_or(kMostElements);
    if (isNew) elements_ += most, bytes_ += most * byteSize(target->type);
    if (isNew && !count) fits_ = both(fits_, extent <= kMostElements);
    return known->second == *store.atomicOp;
  }
  bool isTouchedOtherwise(const Symbol& target) const {
    return any<Load>(nest_.body, [&](const Load& l) { return l.buffer == target; }) ||
           any<Store>(nest_.body, [&](const Store& s) { return s.buffer == target && !s.atomicOp; });
  }

  Function& function_;
  loops::Nest nest_;
  const std::set<Symbol>& assigned_;
  std::map<Symbol, ReduceOp> ops_;
  int64_t elements_ = 0, bytes_ = 0;
  Expr fits_{}; ///< of sizes that are open
};

/// Of the host program: what stands in a parallel loop is one worker's.
struct Privatization : HostPass {
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For& loop) override {
    if (!isParallel(loop)) return {};
    PrivateUpdates updates(function_, s, assigned_);
    if (!updates.applies() || (updates.asksForSizes() && !ctx_.versions)) return {};
    note(DiagId::Parallelised, s, "blocks collect their updates on chip, and then add them to the array");
    const int64_t few = updates.asksForSizes()
                            ? ctx_.choose(s->span, "keys", kFewPoints, {1, 1 << 12, kFewPoints, 1 << 20})
                            : kFewPoints;
    return updates.run(s, ctx_.device.blocksAtOnce(), few);
  }

private:
  const std::set<Symbol> assigned_ = assignedVars(function_.body);
};

} // namespace

void privatizeUpdates(Function& f, PassContext& ctx) { f.body = Privatization(f, ctx).visit(f.body); }

} // namespace appyc::schedule
