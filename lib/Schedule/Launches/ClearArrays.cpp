//===- ClearArrays.cpp - kernels that zero whole arrays are the runtime's -----------------------------------===//
#include "appyc/IR/Build.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/Loops.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <set>

namespace appyc::schedule {
using namespace ir;

namespace {

/// All bytes are 0: not those of -0.0.
bool isZero(const Expr& e) { return e.is<Const>() && equal(e, constOf(typeOf(e), 0)); }

/// Loops around one statement. The first one may stand for several, whose indices it finds first.
struct Sweep {
  explicit Sweep(const Stmt& s) : inside(s) {
    while (const auto* loop = inside.as<For>()) {
      isPlain =
          isPlain && loop->reductions.empty() && constantInt(loop->lo) == 0 && constantInt(loop->step) == 1;
      points = mul(points, loop->hi);
      std::vector<Stmt> body = statementsOf(loop->body);
      const auto first = std::ranges::find_if(body, [](const Stmt& part) { return !part.is<Assign>(); });
      if (first == body.begin()) indices.insert(loop->index);
      for (auto at = body.begin(); at != first; ++at) {
        isPlain = isPlain && indexOf(loop->index, *at);
        indices.insert(at->as<Assign>()->var);
      }
      inside = block({first, body.end()});
    }
  }

  Stmt inside;
  std::set<Symbol> indices;
  Expr points = intConst(1);
  bool isPlain = true;

private:
  static bool indexOf(const Symbol& product, const Stmt& s) {
    const auto* part = s.as<Assign>()->value.as<Binary>();
    return part && (part->op == BinaryOp::FloorDiv || part->op == BinaryOp::Mod) &&
           mentions(part->lhs, product);
  }
};

/// Of a product of counts that may be negative ones, which is for no element then.
Expr extentsOf(const Expr& product) {
  return rewrite(product, [](const Expr& e) -> Expr {
    const auto* b = e.as<Binary>();
    return b && b->op == BinaryOp::Max && isConst(b->rhs, 0) ? b->lhs : Expr();
  });
}

/// The array that the kernel sets to 0, all of it, and nothing else.
const Buffer* clearedBy(const Function& f, const Launch& launch) {
  constexpr int usualThreads = 256; // another number was asked for: so was a kernel
  const auto& threads = launch.shape.block;
  if (threads[0] * threads[1] * threads[2] != usualThreads || hasAskedThreads(launch.body)) return nullptr;
  const Sweep sweep(launch.body);
  const auto* store = sweep.isPlain ? sweep.inside.as<Store>() : nullptr;
  const Buffer* array = store ? f.findBuffer(store->buffer) : nullptr;
  if (!array || array->onChip || store->atomicOp || !isZero(store->value) || sweep.indices.empty() ||
      store->index.size() != sweep.indices.size()) // a number alone is another kernel's business
    return nullptr;
  std::set<Symbol> left = sweep.indices;
  for (const Expr& e : store->index)
    if (const auto* index = e.as<Var>(); !index || left.erase(index->name) == 0) return nullptr;
  // Each index has an axis of its own, and they have as many points as the array has elements.
  return equalIndex(extentsOf(sweep.points), extentsOf(elementCount(*array))) ? array : nullptr;
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
