//===- ClearArrays.cpp - kernels that zero whole arrays are the runtime's -----------------------------------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

/// All bytes are 0: not those of -0.0.
bool isZero(const Expr& e) { return e.is<Const>() && equal(e, constOf(typeOf(e), 0)); }

/// The array that the kernel sets to 0, all of it, and nothing else.
const Buffer* clearedBy(const Function& f, const Launch& launch) {
  constexpr int usualThreads = 256; // another number was asked for: so was a kernel
  const auto& threads = launch.shape.block;
  if (threads[0] * threads[1] * threads[2] != usualThreads || hasAskedThreads(launch.body)) return nullptr;
  const auto [loops, inside] = loops::perfectNest(launch.body);
  const auto counts = [](const For* loop) {
    return loop->reductions.empty() && constantInt(loop->lo) == 0 && constantInt(loop->step) == 1;
  };
  const auto* store = std::ranges::all_of(loops, counts) ? inside.as<Store>() : nullptr;
  const Buffer* array = store ? f.findBuffer(store->buffer) : nullptr;
  if (!array || array->onChip || store->atomicOp || !isZero(store->value) ||
      loops.size() != store->index.size())
    return nullptr;
  for (size_t axis = 0; axis < store->index.size(); ++axis) {
    const auto* index = store->index[axis].as<Var>();
    const auto isOf = [&](const For* loop) {
      return index && loop->index == index->name && equal(loop->hi, array->extents[axis]);
    };
    if (std::ranges::count_if(loops, isOf) != 1) return nullptr;
  }
  return loops.empty() ? nullptr : array; // a number alone is another kernel's business
}

Stmt cleared(const Function& f, const Stmt& s) {
  if (s.is<For>() || s.is<While>()) return s; // launches of a loop hide their start behind each other
  const auto* launch = s.as<Launch>();
  if (!launch) return mapChildren(s, [&](const Stmt& child) { return child ? cleared(f, child) : child; });
  const Buffer* array = launch->body ? clearedBy(f, *launch) : nullptr;
  if (!array) return s;
  Expr count = intConst(1);
  for (const Expr& extent : array->extents) count = mul(count, extent);
  Routine clear{
      RoutineName::Clear, {{array->name, std::vector<Expr>(array->extents.size(), intConst(0))}}, {count}};
  return makeStmt(s->span, std::move(clear));
}

} // namespace

void clearArrays(Function& f, PassContext&) { f.body = cleared(f, f.body); }

} // namespace appyc::schedule
