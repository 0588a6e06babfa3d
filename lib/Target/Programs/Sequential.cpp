//===- Sequential.cpp - a module of any level as plain loops --------------------------------------------===//
// A kernel is run by one worker of one lane: its loops stride over blocks, warps and threads, so any number
// of them computes the same. Barriers have nobody to wait for, a collective folds one value.
#include "Sequential.h"
#include "appyc/IR/Build.h"
#include "appyc/IR/Rewrite.h"
#include <algorithm>

namespace appyc::target {

using namespace ir;

namespace {

const Buffer& bufferNamed(const Function& f, const Symbol& name) {
  return *std::find_if(f.buffers.begin(), f.buffers.end(), [&](const Buffer& b) { return b.name == name; });
}

Stmt sequentialStatement(const Stmt& s, const Function& f) {
  if (const auto* loop = s.as<For>()) {
    For plain = *loop;
    plain.hints.mark = LoopMark::None;
    plain.order = Order::Serial;
    plain.reductions.clear();
    plain.mapping.bind = Bind::None;
    plain.mapping.oneEach = false;
    plain.mapping.firstBlock = 0;
    plain.mapping.vectorCopy = false;
    plain.mapping.unswitched = {};
    return makeStmt(s->span, std::move(plain));
  }
  if (const auto* store = s.as<Store>(); store && store->atomicOp) {
    const Expr old = load(bufferNamed(f, store->buffer), store->index);
    return makeStmt(s->span,
                    Store{store->buffer, store->index, combine(*store->atomicOp, old, store->value), {}});
  }
  if (const auto* alloc = s.as<Alloc>(); alloc && (alloc->shared || alloc->vector || alloc->row))
    return makeStmt(s->span, Alloc{alloc->buffer});
  if (const auto* fetch = s.as<Fetch>())
    return makeStmt(s->span, Assign{fetch->var, load(bufferNamed(f, fetch->buffer), {})});
  if (const auto* launch = s.as<Launch>()) return launch->body;
  if (s.is<Barrier>() || s.is<Collective>() || s.is<Signal>()) return block({});
  return {};
}

/// What the blocks of a kernel share out among them is one worker's.
Stmt allSides(const Stmt& s) {
  const auto* branch = s.as<If>();
  const auto* sides = branch && branch->otherwise ? branch->cond.as<Binary>() : nullptr;
  const auto* h = sides ? sides->lhs.as<Hardware>() : nullptr;
  return h && h->which == HardwareIndex::BlockX ? block({branch->then, branch->otherwise}) : Stmt();
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
    f.body = rewrite(
        rewrite(f.body, allSides), [&f](const Stmt& s) { return sequentialStatement(s, f); }, sequentialExpr);
  };
  for (Function& f : out.functions) {
    makeSequential(f);
    for (Version& v : f.versions) makeSequential(v.function);
  }
  return out;
}

} // namespace appyc::target
