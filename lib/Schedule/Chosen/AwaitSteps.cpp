//===- AwaitSteps.cpp - steps that wait for those which the data name, side by side ---------------------------===//
//   for i in [lo, hi):                        for b in [0, blocks that run at once):
//     x[i] = f(x[p[i]], ..)            =>       for c in range(b, chunks of steps, blocks):
//                                                 for i in chunk c:
//                                                   at = p[i];  if at is of a chunk before: wait for its step
//                                                   x[i] = f(at <= i ? x[at] : x_before[at], ..);  post step i
// So are sparse triangular solves, depths in trees, longest paths, values of expressions: which steps wait for which is not asked
// beforehand, as in the doacross loops of R. Cytron (1986) and the solves without levels of W. Liu et al. (2016). The first of the
// steps that are open waits for none, and its block is at it: blocks take their chunks in ascending order.
//   10^6 steps, an H200, ms                        | one thread | awaited
//   depths, parents anywhere before                |        154 |    3.1
//   depths in a heap                               |         63 |   0.45
//   depths, each parent right before               |         58 |    233   which is why these are counted first
//   sums and products, operands anywhere before    |        299 |    6.3
//   lower triangular solve, 8 a row, anywhere      |      2,312 |    2.0
//     of a square grid, in rows                    |        774 |    204   4,224 steps are on their way at once: four rows
//     8 a row, of the 64 before                    |      1,727 |    606
//     each of the one before                       |        594 |  1,377
//   two sweeps of Gauss and Seidel, 8 a row        |      4,163 |    2.7
// Predicted were 1.5 us for a step that waits. Blocks that ask by ld.acquire empty the caches of others: half of the time where all
// wait for one. Posting each step, or each chunk, is slower than eight at once by a tenth to a half.
#include "AskedSteps.h"
#include "HostLoops.h"
#include "Units.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Upward.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"

namespace appyc::schedule {
using namespace ir;

namespace {

constexpr int64_t kFew = 256; ///< steps, of which one thread makes as many as soon
constexpr int kLanes = 32;
/// Of a chunk, where a step has no loop: a step that waits for the one before it finds it in its own block.
constexpr int64_t kChunk = 32;
constexpr int64_t kPosted = 8; ///< steps of a chunk that are posted at once
/// Steps before one: where half of all ask for these, one thread does as soon. Of steps with loops only the one right before.
constexpr int64_t kNear = 1024;

class Awaited {
public:
  Awaited(Function& f, AskedSteps& steps, Span span)
      : function_(f), steps_(steps), loop_(steps.loop()), build_{span} {}

  /// Of steps that one thread or block makes; where all blocks share one, it is for them.
  bool pays() {
    if (needsHost(loop_.body)) return false;
    size_ = has<For>(loop_.body) || has<While>(loop_.body) ? 1 : kChunk;
    return constantTrip(loop_).value_or(kFew) >= kFew && (size_ == 1 || steps_.asksWithoutAsking());
  }

  std::vector<Stmt> apart(const cost::Device& device) {
    const Expr count = loop_.hi - loop_.lo, chunks = ceilDiv(count, intConst(size_));
    std::vector<Stmt> side;
    steps_.copyWhatIsReadLater(function_, side);
    progress_ = loops::newArray(function_, build_, {Symbol("progress"), DType::I64, {chunks}}, side);
    const Symbol worker("b"), atOnce("at_once"), near("near"), open("open");
    const Expr most = var(atOnce), stride = maxOf(most, 1);
    const Stmt chunksOfOne =
        size_ == 1 ? build_.make(serialLoop(loop_.index, loop_.lo + var(worker), loop_.hi, stride, ofStep()))
                   : build_.make(serialLoop(chunk_, var(worker), chunks, stride, ofChunk()));
    For workers = provenLoop(worker, intConst(0), minOf(most, chunks), loops::asCopy(chunksOfOne), kLanes);
    workers.hints.resident = true;
    side.push_back(build_.make(std::move(workers)));

    const Expr atMost =
        call(Intrinsic::ResidentBlocks, DType::I64,
             {intConst(kLanes), intConst(device.threadsWith(kResidentRegisters)), intConst(0)});
    const Expr pays = both(most > 0, count >= kFew);
    const Stmt inOrder = build_.make(loop_);
    const Stmt counting = stepsWithNear(near);
    if (!counting) return {build_.assign(atOnce, atMost), build_.when(pays, block(std::move(side)), inOrder)};
    side.push_back(build_.assign(open, intConst(0)));
    const Stmt apart = build_.when(var(near) * 2 < count, std::move(side));
    return {build_.assign(atOnce, atMost), build_.assign(open, intConst(1)),
            build_.when(pays, {build_.assign(near, intConst(0)), counting, apart}),
            build_.when(var(open) > 0, inOrder)};
  }

private:
  Stmt ofStep() const {
    const Expr step = var(loop_.index);
    return block({waiting(), signal(Signal::Post, step)});
  }
  Stmt ofChunk() const {
    const Expr step = var(loop_.index), end = minOf(var(first_) + kChunk, loop_.hi);
    const Expr isPosted = either(eq(mod(step + 1 - var(first_), kPosted), 0), eq(step + 1, end));
    const Stmt ofStep = block({waiting(), build_.when(isPosted, signal(Signal::Post, step))});
    return block({build_.assign(first_, loop_.lo + var(chunk_) * kChunk),
                  build_.inOrder(loop_.index, var(first_), end, ofStep)});
  }

  /// How many steps ask for one of those right before, whatever they are told; empty where that cannot be counted.
  Stmt stepsWithNear(const Symbol& near) const {
    const Symbol isNear("is_near");
    const Expr self = var(loop_.index);
    const std::set<Symbol> stored = storedBuffers(loop_.body);
    const Stmt asked = steps_.asking([&](const Expr& at) {
      return build_.when(both(at >= self - (size_ == 1 ? 1 : kNear), at < self),
                         build_.assign(isNear, intConst(1)));
    });
    const Stmt alone = without(loopsInOrder(asked, [](const For&) { return true; }), [&](const Stmt& s) {
      const auto* branch = s.as<If>();
      return s.is<Store>() || (branch && intersect(loadedBuffers(branch->cond), stored));
    });
    const Stmt body = withoutIdleScalars(alone, {isNear});
    if (!assignedVars(body).count(isNear) || intersect(loadedBuffers(body), stored) ||
        any<While>(body, [](const While& w) { return !isCounted(w); }))
      return {};
    For steps = provenLoop(
        loop_.index, loop_.lo, loop_.hi,
        block({build_.assign(isNear, intConst(0)), body, build_.assign(near, var(near) + var(isNear))}));
    steps.reductions = {{near, DType::I64, ReduceOp::Sum}};
    return loops::asCopy(build_.make(std::move(steps)), {near});
  }
  /// while k < n and ..: k = k + 1; ..
  static bool isCounted(const While& w) {
    const Expr first = conjunctsOf(w.cond).front();
    const auto* below = first.as<Binary>();
    const auto* k = below && below->op == BinaryOp::Lt ? below->lhs.as<Var>() : nullptr;
    if (!k || readsMemory(below->rhs) || mentionsAny(below->rhs, assignedVars(w.body))) return false;
    return std::ranges::any_of(statementsOf(w.body), [&](const Stmt& s) {
      const auto* set = s.as<Assign>();
      return set && set->var == k->name && equalIndex(set->value, below->lhs + 1);
    });
  }

  /// The step, which waits for all of chunks before.
  Stmt waiting() const {
    const Expr end = size_ == 1 ? var(loop_.index) : var(first_); // of them
    const Stmt step = steps_.asking([&](const Expr& at) {
      return build_.when(both(loop_.lo <= at, at < end), signal(Signal::Wait, at));
    });
    return loopsInOrder(step,
                        [](const For& inner) { return has<Signal>(inner.body); }); // all lanes wait together
  }
  template <class Which> static Stmt loopsInOrder(const Stmt& step, const Which& which) {
    return replace<For>(step, [&](const For& inner, const Stmt& s) -> Stmt {
      if (!which(inner)) return {};
      For inOrder = inner;
      inOrder.order = Order::Serial;
      inOrder.reductions.clear();
      return makeStmt(s->span, std::move(inOrder));
    });
  }
  /// Of a step to, or from, the counter of its chunk.
  Stmt signal(Signal::Kind kind, const Expr& step) const {
    const bool isOwn = kind == Signal::Post && size_ != 1;
    return build_.make(
        Signal{kind, progress_.name, step, {isOwn ? var(chunk_) : floorDiv(step - loop_.lo, size_)}});
  }

  Function& function_;
  AskedSteps& steps_;
  const For& loop_;
  Builder build_;
  Buffer progress_;
  Symbol chunk_{"chunk"}, first_{"first"}; ///< the chunk that a block is at, and its first step
  int64_t size_ = 1;
};

class AwaitedSteps : public HostPass {
public:
  using HostPass::HostPass;

  Stmt replaced(const Stmt& s, const For&) override {
    const Stmt up = loopsUpward(s);
    AskedSteps asked(function_, *up.as<For>(), s->span, known_, live_.after(s));
    Awaited steps(function_, asked, s->span);
    if (!asked.reads() || !steps.pays()) return {};
    ctx_.diag.dropIn(s->span, {DiagId::KeptSerial});
    note(DiagId::Parallelised, s,
         "steps of `{}` that need others which the data name run side by side, and wait for those alone",
         up.as<For>()->index.hint());
    return block(steps.apart(ctx_.device));
  }
};

} // namespace

void awaitSteps(Function& f, PassContext& ctx) { f.body = AwaitedSteps(f, ctx).visit(f.body); }

} // namespace appyc::schedule
