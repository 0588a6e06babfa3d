//===- HostLoops.h - the loops of the host program, wherever they stand -------------------------------===//
#pragma once
#include "appyc/Loops/FunctionPass.h"
#include <functional>
#include <vector>

namespace appyc::schedule {

/// A pass over the loops that the host runs, or launches: what stands in a parallel one, or in a kernel's serial one, is a thread's.
struct HostPass : loops::LoopPass {
  using LoopPass::LoopPass;
  bool enters(const ir::Stmt&) const override;
};

/// A pass over serial loops of the host program that long ones gain from. What one thread does altogether, as nothing in it is
/// parallel, is the host's where loops in it are long:
///   for t: L  =>  if L is long: for t (host): chunked(L)
///                 else: for t (one thread): L
struct LongLoopsPass : HostPass {
  using HostPass::HostPass;
  bool enters(const ir::Stmt&) const override;
  ir::Stmt replaced(const ir::Stmt& s, const ir::For& loop) final;

protected:
  /// What a loop becomes; an empty handle: it stays.
  virtual ir::Stmt chunked(const ir::Stmt& s, const ir::For& loop) = 0;
};

/// What a list of statements of the host program becomes. `around`: the loops that it stands in.
using ListStrategy =
    std::function<std::vector<ir::Stmt>(const std::vector<ir::Stmt>& list, const analysis::Context& around)>;
/// A serial loop of the host program, or some of its statements.
struct HostLoop {
  ir::Stmt stmt;     ///< it runs up, as do all loops in it
  ir::Stmt original; ///< the whole loop, as it stands in the function
  const analysis::Context& around;

  const ir::For& loop() const { return *stmt.as<ir::For>(); }
};
/// What it becomes; an empty handle: it stays, and those inside are looked at.
using LoopStrategy = std::function<ir::Stmt(const HostLoop&)>;

/// The function's body with `strategy` applied to each list of statements that the host runs, outer ones first: under
/// branches, in serial loops. Not in loops that the text wants in order: these are kernels. So are parallel loops, but
/// where `strategy` finds something in one, the host runs it where it has few iterations:
///   for b (parallel): L  =>  if few: for b (host): strategy(L)
///                            else: for b (parallel): L
/// `turns`: and where there are many, a loop in order that stands alone in a parallel one goes around it, if `strategy` finds
/// something then:
///   for b (parallel): for i: L  =>  strategy(for i: for b (parallel): L)
ir::Stmt mapHostLists(ir::Function&, ir::PassContext&, const ListStrategy& strategy, bool turns = false);
/// The same, to each serial loop in steps of 1 of which nothing is asked, or to that part of its statements which shares
/// nothing that changes with the others:
///   for i: A; B; A'  =>  strategy(for i: A; A'), for i: B
ir::Stmt mapHostLoops(ir::Function&, ir::PassContext&, const LoopStrategy& strategy, bool turns = false);

/// A serial loop, of level Loop or Scheduled, as several over some of its statements each: of those in different loops none
/// writes what another one touches. None where there is one such loop, or where a statement does more than compute.
std::vector<ir::Stmt> independentParts(const ir::Stmt& loop);

} // namespace appyc::schedule
