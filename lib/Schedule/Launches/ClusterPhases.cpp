//===- ClusterPhases.cpp - kernels as parts of one that a cluster of blocks runs --------------------------===//
// A cluster has few threads, so that neighbours along several axes would mostly idle: nests count along one.
//   for i (grid.y): for j (grid.x): ...     =>  for p in [0, n * m) (grid.x): i = p / m; j = p % m; ...
//   for i (block):  for j (thread): ...     =>  for i (warp): for j (lane): ...
#include "ClusterPhases.h"
#include "Units.h"
#include "WorkerMapping.h"
#include "appyc/Cost/Device.h"
#include "appyc/IR/Loops.h"
#include "appyc/Loops/Loops.h"
#include <algorithm>

namespace appyc::schedule {
using namespace ir;

namespace {

bool isOfWorkers(const For& loop) { return loop.mapping.is<PerBlock, PerWarp>(); }

template <class... Mappings> bool contains(const Stmt& s) {
  return any<For>(s, [](const For& loop) { return loop.mapping.is<Mappings...>(); });
}

/// Does the body ask for nothing of the hardware but which lane is the first?
bool asksForFirstLaneOnly(const Stmt& body) {
  return !has<Hardware>(body) && !any<Only>(body, [](const Only& only) {
    return only.first != Only::LaneOfWarp && only.first != Only::ThreadOfBlock;
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

Stmt bound(Span span, For loop, Mapping mapping, Stmt body) {
  loop.mapping = std::move(mapping);
  loop.body = std::move(body);
  return makeStmt(span, std::move(loop));
}

/// One loop over the product of `nest`.
Stmt linear(Span span, const std::vector<For>& nest, const Mapping& mapping, const Stmt& body) {
  if (nest.size() == 1) return bound(span, nest[0], mapping, body);
  loops::Linear joint = loops::linearised({span}, nest, "position", 1);
  joint.indices.push_back(body);
  return bound(span, std::move(joint.loop), mapping, block(std::move(joint.indices)));
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
    if (contains<PerThread, PerBlock, PerWarp, PerLane>(chain.body))
      return fail("loops over threads stand in loops of a thread");
    std::set<Symbol> moving = chain.indices;
    if (chain.loops.size() > 1) moving.insert(changing.begin(), changing.end());
    if (loops::mayLinearise(chain.loops, moving)) {
      std::stable_partition(chain.loops.begin(), chain.loops.end(),
                            [](const For& l) { return axisOf(l) != Axis::X; });
      return linear(s->span, chain.loops, PerThread{}, chain.body);
    }
    // Rows of different lengths: a warp each, which need not divide.
    const For inner = chain.loops.back();
    chain.loops.pop_back();
    const bool isOpen =
        chain.loops.empty() || !loops::mayLinearise(chain.loops, chain.indices) || !tripCount(inner);
    if (isOpen) return fail("the bounds of a kernel's loops depend on each other");
    return linear(s->span, chain.loops, PerWarp{}, bound(s->span, inner, PerLane{Scope::Warp}, chain.body));
  }

  Stmt workers(const Stmt& s, const For& loop) const {
    const Chain chain = chainOf(loop, isOfWorkers);
    if (contains<PerThread, PerBlock, PerWarp>(chain.body) || !asksForFirstLaneOnly(chain.body))
      return fail("threads of a kernel's block do different things");
    if (!loops::mayLinearise(chain.loops, chain.indices))
      return fail("the bounds of a kernel's loops depend on each other");
    return linear(s->span, chain.loops, PerWarp{}, forWorker(chain.body, Scope::Warp));
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
    if (isBound(*loop)) return fail("a kernel is more than loops over threads, warps or blocks");
    const Stmt body = part(loop->body);
    return body ? bound(s->span, *loop, loop->mapping, body) : Stmt();
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
      any<For>(kernel.body, [](const For& loop) { return firstBlockOf(loop) > 0; }) ||
      any<Only>(kernel.body,
                [](const Only& only) {
                  return only.first == Only::BlockOfGrid || only.first == Only::ThreadOfGrid;
                }) ||
      any<Hardware>(kernel.body, [](const Hardware& h) { return h.which != HardwareIndex::ThreadX; });
  if (kernel.how == Launch::Resident) return phases.fail("a kernel has its own launch of all steps inside");
  if (has<Alloc>(kernel.body)) return phases.fail("a kernel has scratch of its own");
  if (differ) return phases.fail("blocks of a kernel do different things");
  if (contains<PerThread, PerBlock, PerWarp>(kernel.body)) return phases.part(kernel.body);
  if (!hasOneBlock(kernel) || kernel.shape.block[1] * kernel.shape.block[2] != 1)
    return phases.fail("a kernel is more than loops over threads, warps or blocks");
  return phases.ofOneBlock(kernel);
}

} // namespace appyc::schedule
