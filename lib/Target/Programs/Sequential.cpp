//===- Sequential.cpp - a module of any level as plain loops --------------------------------------------===//
// A kernel is run by one worker of one lane: its loops stride over blocks, warps and threads, so any number
// of them computes the same. Barriers have nobody to wait for, a collective folds one value.
#include "Sequential.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Kernels.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"

namespace appyc::target {

using namespace ir;

namespace {

Stmt sequentialStatement(const Stmt& s, const Function& f) {
  if (const auto* loop = s.as<For>()) {
    For plain = *loop;
    plain.hints.mark = LoopMark::None;
    plain.order = Order::Serial;
    plain.reductions.clear();
    plain.mapping = Serial{.unroll = isUnrolled(*loop) ? 1 : 0};
    return makeStmt(s->span, std::move(plain));
  }
  if (const auto* store = s.as<Store>(); store && store->atomicOp) {
    const Expr old = load(f.buffer(store->buffer), store->index);
    return makeStmt(s->span,
                    Store{store->buffer, store->index, combine(*store->atomicOp, old, store->value), {}});
  }
  if (const auto* alloc = s.as<Alloc>(); alloc && (alloc->shared || alloc->vector || alloc->row))
    return makeStmt(s->span, Alloc{alloc->buffer});
  if (const auto* fetch = s.as<Fetch>())
    return makeStmt(s->span, Assign{fetch->var, load(f.buffer(fetch->buffer), {})});
  if (const auto* launch = s.as<Launch>()) return launch->body; // none of one that stays an object
  if (const auto* only = s.as<Only>())
    return block({only->body, only->others}); // the one worker is the first
  if (s.is<Barrier>() || s.is<Collective>() || s.is<Signal>()) return block({});
  return {};
}

Expr sequentialExpr(const Expr& e) {
  const auto* call = e.as<Call>();
  if (call && call->fn == Intrinsic::ResidentBlocks)
    return intConst(0); // one block alone would wait for ever
  const auto* h = e.as<Hardware>();
  if (!h) return {};
  const bool count = h->which >= HardwareIndex::BlockDimX; // and the width of vectors
  return intConst(count ? 1 : 0);
}

} // namespace

Module asSequential(const Module& module) {
  Module out = module;
  out.level = Level::Loop;
  const auto makeSequential = [](Function& f) {
    f = withMadeBodiesInPlace(f);
    f.body = rewrite(
        f.body, [&f](const Stmt& s) { return sequentialStatement(s, f); }, sequentialExpr);
  };
  for (Function& f : out.functions) {
    makeSequential(f);
    for (Version& v : f.versions) makeSequential(v.function);
  }
  return out;
}

} // namespace appyc::target
