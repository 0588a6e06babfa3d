//===- OwnerComputes.cpp - all steps of a loop in one launch, whose blocks keep on chip what they own -------===//
#include "OwnedSteps.h"
#include "Units.h"
#include "appyc/Cost/Device.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/IR/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

//===--- the kernel --------------------------------------------------------------------------------------===//

/// An element that a producer stores is a scalar to those behind it, which need not wait until it is in memory.
std::vector<Stmt> withScalars(std::vector<Stmt> producers) {
  const std::set<Symbol> assigned = assignedVars(block(producers));
  for (size_t i = 0; i < producers.size(); ++i) {
    const auto* plain = producers[i].as<Store>();
    if (!plain || std::any_of(plain->index.begin(), plain->index.end(),
                              [&](const Expr& e) { return readsMemory(e) || mentionsAny(e, assigned); }))
      continue;
    const Store store = *plain;
    const loops::NamedStore named =
        loops::withName({producers[i]->span}, store, Symbol(store.buffer.hint() + "_element"));
    producers[i] = block({named.set, named.store});
    for (size_t k = i + 1; k < producers.size() && !storedBuffers(producers[k]).count(store.buffer); ++k)
      producers[k] = loops::forwarded(producers[k], store, named.value);
  }
  return producers;
}

class OwnerComputes {
public:
  OwnerComputes(Function& f, PassContext& c, const OwnedSteps& steps, const Stmt& s)
      : function_(f), ctx_(c), steps_(steps), owned_(steps.owned), loop_(s), build_{s->span} {}

  Stmt run() {
    const std::string choice =
        ctx_.choose(loop_->span, "launch", "auto", {"auto", "steps", "cluster", "block", "resident"});
    // A launch for each step takes no longer than to wait for a block, if it is one.
    const bool pays = !steps_.producers.empty();
    return choice == "resident" || (choice == "auto" && pays) ? resident() : Stmt();
  }

private:
  /// `s` with accesses to the block's own elements, those with the number `own`, on chip. Where others are read, these are
  /// elements of the step's slice, which has been published.
  Stmt withParts(const Stmt& s, const Expr& own) const {
    return loops::contracted(
        s, [&](const Symbol& array, const std::vector<Expr>& index) -> std::optional<loops::Element> {
          for (const Owned& o : owned_) {
            if (o.array.name != array) continue;
            if (equalIndex(index[o.dim], own)) return o.ofOwner(index);
            if (o.published) return o.ofAll(index);
          }
          return {};
        });
  }

  //===--- the kernel ---------------------------------------------------------------------------------===//

  using Place = loops::Element (Owned::*)(const std::vector<Expr>&) const;
  /// Copies the elements whose number is `slice`.
  Stmt copy(const Owned& o, const Expr& slice, Place to, Place from) const {
    return o.forSlice(build_, slice, [&](const std::vector<Expr>& at) {
      const loops::Element here = (o.*to)(at), there = (o.*from)(at);
      return Store{here.array, here.index, make(Load{o.array.type, there.array, there.index}), {}};
    });
  }

  /// What the owner of a step's slice does, and then what the others do.
  Stmt stepOf(const Symbol& slice, const Symbol& progress) const {
    std::vector<Stmt> made = withScalars(steps_.producers);
    for (Stmt& s : made) s = withParts(s, steps_.step());
    for (const Owned& o : owned_)
      if (o.published && o.isState) made.push_back(copy(o, steps_.step(), &Owned::ofAll, &Owned::ofOwner));
    made.push_back(build_.make(Signal{Signal::Post, progress, steps_.step()}));
    const Stmt wait = build_.make(Signal{Signal::Wait, progress, steps_.step()});
    const Stmt work = withOwnArrays(withParts(steps_.work.body, steps_.slice()), function_.buffers);
    const Expr self = var(slice), isOwner = eq(self, steps_.step());
    Expr hasWork = steps_.work.lo <= self;
    if (!equalIndex(steps_.work.hi, steps_.count())) hasWork = both(hasWork, self < steps_.work.hi);
    return block({build_.when(isOwner, std::move(made)),
                  makeStmt(steps_.work.body->span,
                           If{hasWork, block({wait, substitute(work, {{steps_.work.index, self}})}), {}})});
  }

  Stmt resident() {
    const Buffer progress{Symbol("progress"), DType::I64, {}};
    const Symbol slice(steps_.work.index.hint()), first("first"), end("end"), atOnce("at_once"), wave("wave");
    const Expr count = steps_.count(), most = var(atOnce);
    // No slice waits for a step behind its own: as many as run at once go through all of their steps, then the next ones.
    const bool inWaves = equalIndex(steps_.work.lo, steps_.step() + 1);
    const Expr from = inWaves ? var(first) : intConst(0);
    std::vector<Stmt> before, body, last;
    for (const Owned& o : owned_) {
      if (o.isState) body.push_back(made(o.part));
      if (o.published) before.push_back(made(o.slices));
      if (!o.isNew) body.push_back(copy(o, var(slice), &Owned::ofOwner, &Owned::inArray));
      if (o.stored) last.push_back(copy(o, var(slice), &Owned::inArray, &Owned::ofOwner));
    }
    before.push_back(made(progress));
    // Where there are steps of those before, the first one says that they are done; whoever posts a step has waited for its own.
    const Expr isFirst = both(eq(var(slice), from), from > steps_.loop.lo);
    if (inWaves)
      body.push_back(build_.when(isFirst, build_.make(Signal{Signal::Post, progress.name, from - 1})));
    body.push_back(build_.make(withBody(steps_.loop, stepOf(slice, progress.name))));
    body.insert(body.end(), last.begin(), last.end());

    For blocks = provenLoop(slice, from, inWaves ? var(end) : count, loops::asCopy(block(body)), threads());
    blocks.hints.resident = true;
    const Stmt kernel = build_.make(blocks);
    const Expr atMost = call(Intrinsic::ResidentBlocks, DType::I64,
                             {intConst(blocks.hints.vectorLength),
                              intConst(ctx_.device.threadsWith(kResidentRegisters)), bytesOnChip(kernel)});
    const std::string others = namesOf(false);
    ctx_.diag.report(DiagId::TimeLoop, loop_->span,
                     fmt::format("all steps in one launch where the device runs a block for each `{0}` at "
                                 "once{3}: it keeps {1} on "
                                 "chip{2}, and waits in each step for one other block",
                                 slice.hint(), namesOf(true), others.empty() ? "" : ", publishes " + others,
                                 inWaves ? ", and for as many as it does in turn" : ""));
    before.push_back(inWaves ? build_.inOrder(wave, intConst(0), ceilDiv(count, most),
                                              block({build_.assign(first, var(wave) * most),
                                                     build_.assign(end, minOf(from + most, count)), kernel}))
                             : kernel);
    return block({build_.assign(atOnce, atMost),
                  build_.when(inWaves ? most > 0 : count <= most, block(std::move(before)), loop_)});
  }

  /// A new array of the function.
  Stmt made(const Buffer& buffer) {
    function_.buffers.push_back(buffer);
    return build_.alloc(buffer);
  }

  /// Threads of a block, which no loop inside asks to be more.
  int threads() const {
    std::vector<const For*> loops{&steps_.work};
    each<For>(steps_.work.body, [&](const For& loop) {
      if (isParallel(loop)) loops.push_back(&loop);
    });
    return workerThreads(loops, steps_.work.body, {}, loop_->span, ctx_);
  }

  /// "its part of `A`", of those arrays that are state or of the others.
  std::string namesOf(bool state) const {
    std::string names;
    for (const Owned& o : owned_)
      if (o.isState == state)
        names += fmt::format("{}its part of `{}`", names.empty() ? "" : " and ", o.array.name.hint());
    return names;
  }

  Function& function_;
  PassContext& ctx_;
  const OwnedSteps& steps_;
  const std::vector<Owned>& owned_;
  const Stmt& loop_;
  Builder build_;
};

} // namespace

void ownerComputes(Function& f, PassContext& ctx) {
  const analysis::Liveness live(f);
  f.body = mapHostLoops(f, ctx, [&](const HostLoop& at) {
    const std::optional<OwnedSteps> steps = ownedStepsOf(at, f, live);
    return steps ? OwnerComputes(f, ctx, *steps, at.stmt).run() : Stmt();
  });
}

} // namespace appyc::schedule
