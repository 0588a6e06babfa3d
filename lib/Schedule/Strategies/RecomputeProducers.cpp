//===- RecomputeProducers.cpp - what all blocks of a kernel read is computed by each of them ------------===//
//   for t:                                   for t:
//     s = 0                                    for j in [lo - 1, hi):             # a block each
//     for i: s = s + a[i] * a[i]                 s = 0
//     for i: q[i] = a[i] / s           =>        for i: s = s + a[i] * a[i]
//     for j in [lo, hi):                         if j == lo - 1: for i: q[i] = a[i] / s
//       for i: ... q[i] ...                      else:           for i: ... a[i] / s ...
// The producers were kernels of their own, whose launches take longer than their work. One block more stores what
// they store, so that no block reads what another one of the launch writes.
#include "JoinProducers.h"
#include "Units.h"
#include "appyc/Analysis/Bounds.h"
#include "appyc/Cost/KernelCost.h"
#include "appyc/Cost/Model.h"
#include "appyc/IR/Dsl.h"
#include "appyc/IR/Loops.h"
#include "appyc/IR/Rewrite.h"
#include "appyc/IR/Walk.h"
#include "appyc/Loops/FunctionPass.h"
#include "appyc/Schedule/Passes.h"
#include <algorithm>
#include <fmt/format.h>

namespace appyc::schedule {
using namespace cost;
using namespace ir;

namespace {

/// How many statements touch each array.
std::map<Symbol, int> usesIn(const Stmt& body) {
  std::map<Symbol, int> uses;
  visit(body, [&](const Stmt& s) {
    std::set<Symbol> touched;
    if (s.is<For>() || s.is<While>() || s.is<If>() || s.is<Block>()) {
      forEachExpr(s, [&](const Expr& e) { touched.merge(loadedBuffers(e)); });
    } else {
      touched = loadedBuffers(s);
      touched.merge(storedBuffers(s));
    }
    for (const Symbol& b : touched) ++uses[b];
    return true;
  });
  return uses;
}

class Recomputing : loops::FunctionPass {
public:
  using FunctionPass::FunctionPass;

  Stmt visit(const Stmt& s, bool isRepeated) {
    if (isRepeated && s.is<Block>()) return visitList(s);
    const auto* loop = s.as<For>();
    if (loop && (isParallel(*loop) || loop->hints.mark == LoopMark::Sequential)) return s;
    const bool inside = isRepeated || loop || s.is<While>();
    return FunctionPass::inside(s, [&](const Stmt& child) { return visit(child, inside); });
  }

private:
  Stmt visitList(const Stmt& s) {
    const std::vector<Stmt> list = statementsOf(s);
    std::vector<Stmt> out;
    for (const Stmt& next : list) {
      if (isConsumer(next))
        append(next, out);
      else
        out.push_back(visit(next, true));
    }
    return out == list ? s : makeStmt(s->span, Block{std::move(out)});
  }

  /// A loop whose iterations are workers of many lanes.
  bool isConsumer(const Stmt& s) const {
    const auto* loop = s.as<For>();
    if (!loop || !isParallel(*loop) || !loop->reductions.empty() || !needsHost(s) ||
        constantInt(loop->step).value_or(0) < 1 || readsMemory(loop->lo) || readsMemory(loop->hi))
      return false;
    bool plain = true;
    ir::visit(loop->body, [&](const Stmt& part) { return plain = plain && !part.is<Alloc>(); });
    return plain && isOfWorkers(s);
  }
  bool isOfWorkers(const Stmt& s) const {
    const Nest nest = nestOf(s);
    return nest.loops.size() == 1 && chooseMapping(nest, ctx_).kind != NestMapping::Threads;
  }

  /// Where in `list` what `consumer` reads begins to be made, among the producers that stand at its end.
  static std::vector<size_t> startsIn(const std::vector<Stmt>& list, const Stmt& consumer) {
    std::vector<size_t> found;
    std::set<Symbol> scalars = analysis::exposedScalars(consumer), buffers = loadedBuffers(consumer);
    for (size_t i = list.size(); i-- > 0;) {
      if (list[i].is<Alloc>()) continue;
      if (!isProducer(list[i])) break;
      if (!intersect(assignedVars(list[i]), scalars) && !intersect(storedBuffers(list[i]), buffers)) continue;
      scalars.merge(analysis::exposedScalars(list[i]));
      buffers.merge(loadedBuffers(list[i]));
      found.push_back(i);
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  /// Temporaries that nothing but these statements touches.
  std::set<Symbol> ownOf(const std::vector<Stmt>& producers, const Stmt& consumer) const {
    std::set<Symbol> own;
    for (const auto& [buffer, count] : usesIn(block({block(producers), consumer})))
      if (!interface_.count(buffer) && uses_.at(buffer) == count) own.insert(buffer);
    return own;
  }

  /// Where that is open, twice as many as other blocks have: what they repeat makes them longer, and mostly they wait
  /// for memory (gramschmidt, 240 x 200 on an H200: 0.72 ms instead of 0.78).
  Stmt withMoreLanes(const Stmt& joint) const {
    For loop = *joint.as<For>();
    if (hasOwnSize(loop) || chooseMapping(nestOf(joint), ctx_).kind != NestMapping::Blocks) return joint;
    loop.hints.vectorLength = static_cast<int>(ctx_.choose(
        joint->span, "lanes", std::min(2 * ctx_.vectorLength, cost::Device::threadsOfBlock), kOpenLanes));
    return makeStmt(joint->span, std::move(loop));
  }

  /// Whether all blocks together repeat little, for the host to test; an empty handle where they never do, or the host
  /// cannot know.
  Expr littleWork(const JointLoop& joint) const {
    const int64_t saved = cost::elementsInGraphLaunches(ctx_.device, 3);
    const int64_t little = ctx_.choose(joint.loop->span, "repeat", saved,
                                       {1, 1 << 20, 1 << 22, 1 << 23, 1 << 24, 1 << 26, 1 << 28});
    const auto [work, most] = joint.repeated.inAll(tripCount(*joint.loop.as<For>()), little);
    const Expr bound = analysis::upperBound(work, known_.loops);
    if (bound && constantInt(bound).value_or(INT64_MAX) <= most) return boolConst(true);
    const bool isKnown = !constantInt(work) && !readsMemory(work) && !mentionsAny(work, assigned_);
    return isKnown ? work <= most : Expr();
  }

  /// Appends the consumer to `out`, with the producers at its end as far as they can be taken in.
  void append(const Stmt& consumer, std::vector<Stmt>& out) const {
    const char* obstacle = "";
    for (const size_t at : startsIn(out, consumer)) {
      std::vector<Stmt> allocs, producers;
      for (size_t i = at; i < out.size(); ++i) (out[i].is<Alloc>() ? allocs : producers).push_back(out[i]);
      const Stmt all = block(producers);
      if (loadedBuffers(all).empty() || intersect(assignedVars(all), live_.after(consumer))) continue;
      JointLoop joint = joinProducers(producers, consumer, ownOf(producers, consumer), known_);
      const bool possible = joint.loop && isOfWorkers(joint.loop);
      const Expr isLittle = possible ? littleWork(joint) : Expr();
      if (isLittle) return appendJoint(joint, isLittle, at, consumer, out);
      if (!*obstacle) obstacle = possible ? "all blocks together would repeat too much" : joint.obstacle;
    }
    if (*obstacle)
      ctx_.diag.report(DiagId::TimeLoop, consumer->span,
                       fmt::format("what stands before loop `{}` stays in kernels of its own: {}",
                                   consumer.as<For>()->index.hint(), obstacle));
    out.push_back(consumer);
  }

  /// Puts the joint loop in the place of the producers from `at` on, and the consumer; these run where the host finds
  /// that `isLittle` is false.
  void appendJoint(const JointLoop& joint, const Expr& isLittle, size_t at, const Stmt& consumer,
                   std::vector<Stmt>& out) const {
    const bool always = isLittle.is<Const>();
    std::vector<Stmt> apart(out.begin() + static_cast<long>(at), out.end());
    apart.push_back(consumer);
    out.resize(at);
    for (const Stmt& s : apart) {
      const auto* alloc = s.as<Alloc>();
      if (alloc && !(always && joint.dropped.count(alloc->buffer.name))) out.push_back(s);
    }
    std::erase_if(apart, [](const Stmt& s) { return s.is<Alloc>(); });
    ctx_.diag.report(DiagId::Fused, apart.front()->span,
                     fmt::format("every iteration of loop `{}` computes this itself, in one launch{}",
                                 consumer.as<For>()->index.hint(),
                                 always ? "" : ", where that is little work"));
    const Stmt loop = withMoreLanes(joint.loop);
    out.push_back(always ? loop : makeStmt(consumer->span, If{isLittle, loop, block(std::move(apart))}));
  }

  std::map<Symbol, int> uses_ = usesIn(function_.body);            ///< of each array, in the function
  const std::set<Symbol> assigned_ = assignedVars(function_.body); ///< all that the function gives a value
  const std::set<Symbol> interface_ = interfaceOf(function_);      ///< the caller sees these arrays
};

} // namespace

void recomputeProducers(Function& f, PassContext& ctx) { f.body = Recomputing(f, ctx).visit(f.body, false); }

} // namespace appyc::schedule
