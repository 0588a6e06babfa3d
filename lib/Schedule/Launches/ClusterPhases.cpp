//===- ClusterPhases.cpp - kernels as parts of one that a cluster of blocks runs --------------------------===//
// A cluster has few threads, so that neighbours along several axes would mostly idle: nests count along one.
//   for i (grid.y): for j (grid.x): ...     =>  for p in [0, n * m) (grid.x): i = p / m; j = p % m; ...
//   for i (block):  for j (thread): ...     =>  for i (warp): for j (lane): ...
#include "ClusterPhases.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

bool isOfThreads(const For& loop) { return loop.mapping.bind == Bind::Global; }
bool isOfWorkers(const For& loop) {
  return loop.mapping.bind == Bind::Grid || loop.mapping.bind == Bind::Warp;
}
bool isOfLanes(const For& loop) {
  return loop.mapping.bind == Bind::Thread || loop.mapping.bind == Bind::Lane;
}

bool contains(const Stmt& s, bool (*isLoop)(const For&)) { return any<For>(s, isLoop); }

/// Does the body ask for nothing of the hardware but which lane is the first?
bool asksForFirstLaneOnly(const Stmt& body) {
  return !has<Hardware>(body) && !any<Only>(body, [](const Only& only) {
    return only.first != Only::LaneOfWarp && only.first != Only::ThreadOfBlock;
  });
}

/// The body of a block's iteration for a warp.
Stmt forWarp(const Stmt& body) {
  return rewrite(body, [](const Stmt& s) -> Stmt {
    if (s.is<Barrier>()) return makeStmt(s->span, Barrier{Scope::Warp});
    if (const auto* fold = s.as<Collective>())
      return makeStmt(s->span, Collective{fold->var, fold->type, fold->op, Scope::Warp});
    if (const auto* only = s.as<Only>()) return makeStmt(s->span, Only{Only::LaneOfWarp, only->body});
    const auto* loop = s.as<For>();
    if (!loop || loop->mapping.bind != Bind::Thread) return {};
    For lanes = *loop;
    lanes.mapping.bind = Bind::Lane;
    return makeStmt(s->span, std::move(lanes));
  });
}

/// Perfectly nested loops over threads or workers; assignments between them stand in front of `body`.
struct Chain {
  std::vector<For> loops; ///< outside in
  Stmt body;
  std::set<Symbol> indices;
};

Chain chainOf(const For& outermost, bool (*isPart)(const For&)) {
  Chain chain;
  std::vector<Stmt> assigned;
  for (const For* loop = &outermost; loop;) {
    chain.loops.push_back(*loop);
    chain.indices.insert(loop->index);
    chain.body = loop->body;
    const std::vector<Stmt> inside = statementsOf(loop->body);
    const auto* next = inside.empty() ? nullptr : inside.back().as<For>();
    loop = next && isPart(*next) &&
                   std::all_of(inside.begin(), inside.end() - 1, [](const Stmt& s) { return s.is<Assign>(); })
               ? next
               : nullptr;
    if (loop) assigned.insert(assigned.end(), inside.begin(), inside.end() - 1);
  }
  const std::vector<Stmt> inside = statementsOf(chain.body);
  chain.indices.merge(assignedVars(block(assigned)));
  assigned.insert(assigned.end(), inside.begin(), inside.end());
  chain.body = block(std::move(assigned));
  return chain;
}

Stmt bound(Span span, For loop, Bind bind, Stmt body) {
  loop.mapping.bind = bind;
  loop.mapping.axis = Axis::X;
  loop.mapping.oneEach = false;
  loop.body = std::move(body);
  return makeStmt(span, std::move(loop));
}

/// One loop over the product of `nest`.
Stmt linear(Span span, const std::vector<For>& nest, Bind bind, const Stmt& body) {
  if (nest.size() == 1) return bound(span, nest[0], bind, body);
  loops::Linear joint = loops::linearised({span}, nest, "position", 1);
  joint.indices.push_back(body);
  return bound(span, std::move(joint.loop), bind, block(std::move(joint.indices)));
}

struct Phases {
  const std::set<Symbol>& changing;
  std::string& why;

  Stmt fail(const char* reason) const {
    why = reason;
    return {};
  }

  Stmt threads(const Stmt& s, const For& loop) const {
    Chain chain = chainOf(loop, isOfThreads);
    if (contains(chain.body, isOfThreads) || contains(chain.body, isOfWorkers) ||
        contains(chain.body, isOfLanes))
      return fail("loops over threads stand in loops of a thread");
    std::set<Symbol> moving = chain.indices;
    if (chain.loops.size() > 1) moving.insert(changing.begin(), changing.end());
    if (loops::mayLinearise(chain.loops, moving)) {
      std::stable_partition(chain.loops.begin(), chain.loops.end(),
                            [](const For& l) { return l.mapping.axis != Axis::X; });
      return linear(s->span, chain.loops, Bind::Global, chain.body);
    }
    // Rows of different lengths: a warp each, which need not divide.
    const For inner = chain.loops.back();
    chain.loops.pop_back();
    const bool isOpen =
        chain.loops.empty() || !loops::mayLinearise(chain.loops, chain.indices) || !tripCount(inner);
    if (isOpen) return fail("the bounds of a kernel's loops depend on each other");
    return linear(s->span, chain.loops, Bind::Warp, bound(s->span, inner, Bind::Lane, chain.body));
  }

  Stmt workers(const Stmt& s, const For& loop) const {
    const Chain chain = chainOf(loop, isOfWorkers);
    if (contains(chain.body, isOfThreads) || contains(chain.body, isOfWorkers) ||
        !asksForFirstLaneOnly(chain.body))
      return fail("threads of a kernel's block do different things");
    if (!loops::mayLinearise(chain.loops, chain.indices))
      return fail("the bounds of a kernel's loops depend on each other");
    return linear(s->span, chain.loops, Bind::Warp, forWarp(chain.body));
  }

  /// A part of a kernel of many blocks, that all of them reach.
  Stmt part(const Stmt& s) const {
    if (s.is<Block>() || s.is<If>()) {
      bool good = true;
      const Stmt all = mapChildren(s, [&](const Stmt& child) {
        const Stmt mapped = child ? part(child) : child;
        good &= !child || mapped;
        return mapped ? mapped : child;
      });
      return good ? all : Stmt();
    }
    if (s.is<Assign>()) return s;
    const auto* loop = s.as<For>();
    if (!loop) return fail("a kernel is more than loops over threads, warps or blocks");
    if (isOfThreads(*loop)) return threads(s, *loop);
    if (isOfWorkers(*loop)) return workers(s, *loop);
    if (loop->mapping.bind != Bind::None)
      return fail("a kernel is more than loops over threads, warps or blocks");
    const Stmt body = part(loop->body);
    return body ? bound(s->span, *loop, Bind::None, body) : Stmt();
  }

  Stmt ofOneBlock(const Launch& kernel) const {
    const Only::First first = kernel.shape.block[0] == 1 ? Only::ThreadOfGrid : Only::BlockOfGrid;
    return makeStmt(kernel.body->span, Only{first, kernel.body});
  }
};

} // namespace

Stmt phaseOf(const Launch& kernel, const std::set<Symbol>& changing, std::string& why) {
  const Phases phases{changing, why};
  const bool differ =
      any<For>(kernel.body, [](const For& loop) { return loop.mapping.firstBlock > 0; }) ||
      any<Only>(kernel.body,
                [](const Only& only) {
                  return only.first == Only::BlockOfGrid || only.first == Only::ThreadOfGrid;
                }) ||
      any<Hardware>(kernel.body, [](const Hardware& h) { return h.which != HardwareIndex::ThreadX; });
  if (kernel.how == Launch::Resident) return phases.fail("a kernel has its own launch of all steps inside");
  if (has<Alloc>(kernel.body)) return phases.fail("a kernel has scratch of its own");
  if (differ) return phases.fail("blocks of a kernel do different things");
  if (contains(kernel.body, isOfThreads) || contains(kernel.body, isOfWorkers))
    return phases.part(kernel.body);
  const bool single = std::all_of(std::begin(kernel.shape.grid), std::end(kernel.shape.grid),
                                  [](const Expr& e) { return !e || isConst(e, 1); });
  if (!single || kernel.shape.block[1] * kernel.shape.block[2] != 1)
    return phases.fail("a kernel is more than loops over threads, warps or blocks");
  return phases.ofOneBlock(kernel);
}

} // namespace appyc::schedule
