//===- MergeKernels.cpp - neighbouring kernels of a time loop that need not wait for each other --------===//
#include "Units.h"
#include "appyc/Analysis/Dependence.h"
#include "appyc/Analysis/Effects.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Walk.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace ir;

namespace {

/// Registers: the first block takes longer than the others, and may have enough to keep what it reads ahead, as
/// far as that leaves room for the others. Compilers save them unasked.
constexpr int kRegistersBesideFirst = 128;

/// A kernel of threads alone, whose blocks may be of any shape and number.
const Launch* plainKernel(const Stmt& s) {
  const Launch* launch = openKernel(s);
  if (!launch) return nullptr;
  const auto isOther = [](const Stmt& part) {
    const auto* loop = part.as<For>();
    return part.is<Barrier>() || part.is<Collective>() || part.is<Alloc>() ||
           (loop && isBound(*loop) && !isOfThreads(*loop));
  };
  return !anyStmt(launch->body, isOther) && any<For>(launch->body, isOfThreads) ? launch : nullptr;
}

/// The axes of the grid that its threads are counted along.
std::set<Axis> axesOf(const Launch& launch) {
  std::set<Axis> axes;
  each<For>(launch.body, [&](const For& loop) {
    if (isOfThreads(loop)) axes.insert(*axisOf(loop));
  });
  return axes;
}

/// A loop along x alone would be run by each of the threads along y.
bool shareThreads(const Launch& a, const Launch& b) { return axesOf(a) == axesOf(b); }

/// What others see of a kernel: its scalars are its own.
analysis::Effects ofMemory(const Stmt& kernel) {
  return {loadedBuffers(kernel), storedBuffers(kernel), true};
}

bool independent(const Launch& a, const Launch& b) {
  return !analysis::mayConflict(ofMemory(a.body), ofMemory(b.body));
}

/// The body of a kernel of one block, without the loop over blocks; empty where there may be several.
Stmt ofOneBlock(const Launch& launch) {
  for (const Expr& size : launch.shape.grid)
    if (!isConst(size, 1)) return {};
  const auto* loop = launch.body.as<For>();
  const auto* blocks = loop ? loop->mapping.as<PerBlock>() : nullptr;
  if (!blocks) return {};
  const bool single = blocks->once && isConst(loop->hi - loop->lo, 1) && !loop->body.is<For>();
  return single ? substitute(loop->body, {{loop->index, loop->lo}}) : Stmt();
}

bool isShared(const For& loop) { return loop.mapping.is<PerWarp, PerThread>(); }

/// A kernel of warps or threads, in blocks of any shape and number, all along x.
bool isAlongX(const Launch& launch) {
  const auto isOther = [](const For& loop) {
    return isShared(loop) ? axisOf(loop) != Axis::X : isBound(loop) && lanesOf(loop) != Scope::Warp;
  };
  return isConst(launch.shape.grid[1], 1) && isConst(launch.shape.grid[2], 1) && !has<Alloc>(launch.body) &&
         !any<For>(launch.body, isOther) && any<For>(launch.body, isShared);
}

Stmt withoutFirstBlock(const Stmt& body) {
  return replace<For>(body, [](const For& loop, const Stmt& s) -> Stmt {
    if (!isShared(loop)) return {};
    For shifted = loop;
    if (auto* warps = shifted.mapping.as<PerWarp>()) ++warps->firstBlock;
    if (auto* threads = shifted.mapping.as<PerThread>()) ++threads->firstBlock;
    return makeStmt(s->span, std::move(shifted));
  });
}

struct Merging {
  PassContext& ctx;
  analysis::Context known{};

  Stmt visit(const Stmt& s, bool isRepeated) {
    if (s.is<Launch>()) return s;
    const bool inside = isRepeated || s.is<For>() || s.is<While>();
    Stmt out = mapChildren(s, [&](const Stmt& child) { return visit(child, inside); });
    const auto* list = out.as<Block>();
    return list && isRepeated ? merged(out, *list) : out;
  }

  /// One launch for a kernel of one block and the kernel behind it, whose blocks need not wait for that one.
  Stmt besideFirst(const Stmt& first, const Stmt& second) {
    const Launch *a = openKernel(first), *b = openKernel(second);
    if (!a || !b || a->name == b->name || a->shape.block[0] < b->shape.block[0] ||
        a->shape.block[0] % b->shape.block[0] != 0 ||
        a->shape.block[1] * a->shape.block[2] * b->shape.block[1] * b->shape.block[2] != 1)
      return {};
    const Stmt alone = ofOneBlock(*a);
    if (!alone || !isAlongX(*b) || analysis::touchSame(alone, b->body, known)) return {};
    ctx.diag.report(
        DiagId::Fused, second->span,
        "runs beside the kernel of one block before it, in one launch: neither needs the other one's result");
    Launch joint = *a;
    joint.shape.grid[0] = ceilDiv(b->shape.grid[0], intConst(a->shape.block[0] / b->shape.block[0])) + 1;
    joint.body = makeStmt(first->span, Only{Only::BlockOfGrid, alone, withoutFirstBlock(b->body)});
    joint.shape.threadsAtOnce = ctx.device.threadsWith(kRegistersBesideFirst);
    return makeStmt(first->span, std::move(joint));
  }

  Stmt merged(const Stmt& s, const Block& list) {
    std::vector<Stmt> out;
    for (const Stmt& next : list.body) {
      if (const Stmt joint = out.empty() ? Stmt() : besideFirst(out.back(), next)) {
        out.back() = joint;
        continue;
      }
      const Launch *a = out.empty() ? nullptr : plainKernel(out.back()), *b = plainKernel(next);
      if (!a || !b || a->name == b->name || !shareThreads(*a, *b) || !independent(*a, *b)) {
        out.push_back(next);
        continue;
      }
      if (!(out.back()->span == next->span))
        ctx.diag.report(DiagId::Fused, next->span,
                        "runs in the kernel of the statement before: neither needs the other one's result");
      Launch joint = *a;
      for (int axis = 0; axis < 3; ++axis) {
        joint.shape.grid[axis] = equal(a->shape.grid[axis], b->shape.grid[axis])
                                     ? a->shape.grid[axis]
                                     : maxOf(a->shape.grid[axis], b->shape.grid[axis]);
        joint.shape.block[axis] = std::max(a->shape.block[axis], b->shape.block[axis]);
      }
      for (int axis = 0; joint.shape.block[0] * joint.shape.block[1] * joint.shape.block[2] > 256;)
        joint.shape.block[axis] > (axis == 0 ? cost::Device::warp : 1) ? joint.shape.block[axis] /= 2
                                                                       : ++axis;
      joint.body = block({a->body, b->body});
      out.back() = makeStmt(out.back()->span, std::move(joint));
    }
    return out.size() == list.body.size() ? s : makeStmt(s->span, Block{std::move(out)});
  }
};

} // namespace

void mergeKernels(Function& f, PassContext& ctx) {
  replaceBody(f, Merging{ctx, analysis::contextOf(f)}.visit(f.body, false));
}

} // namespace appyc::schedule
