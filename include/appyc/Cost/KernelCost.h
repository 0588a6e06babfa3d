//===- KernelCost.h - how a parallel nest should be spread over threads -----------------------------===//
#pragma once
#include "appyc/IR/Pass.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace appyc::cost {

/// A parallel nest: perfectly nested loops whose iterations are all independent, and what stands in the
/// innermost.
struct Nest {
  std::vector<const ir::For*> loops; ///< outside in, at least one
  ir::Stmt body;
  Span span;
};
Nest nestOf(const ir::Stmt& parallelLoop);

/// Is there a loop for which a worker of many lanes is worth while? Not one of few iterations.
bool containsLaneLoop(const ir::Stmt& s);

/// Loops of a worker whose iterations its lanes share, by statement.
using LaneLoops = std::set<const ir::StmtNode*>;

struct NestMapping {
  enum Kind {
    Threads, ///< one thread an iteration
    Warps,   ///< one warp an iteration
    Blocks   ///< one block an iteration
  } kind = Threads;
  size_t xLoop = 0; ///< Threads: the loop along x, whose neighbours access neighbouring elements
  int threads = 0;  ///< of a block
  LaneLoops lanes;
  std::string why;
  // Where a schedule says how many threads there are:
  std::vector<ir::Expr>
      counts{};     ///< for each loop: threads along x, blocks along others; empty where it says none
  ir::Expr block{}; ///< instead of `threads`, which is the most, if the call tells
};

/// What a schedule asks of a loop: threads(n), rounded up to warps, in blocks of no more than tpb.
ir::Expr askedBlock(const ir::For& loop);

/// The mapping that a schedule's counts ask for, if there are any. Those of the innermost loops are threads of a block, or of
/// several; those around are blocks.
std::optional<NestMapping> askedMapping(const Nest& nest, const ir::PassContext& ctx);

/// The mapping with the least memory traffic. What counts for an access in the innermost code, as 32-byte
/// sectors a lane: neighbouring elements 1, the same element in all lanes 0.5, anything else 8. A loop of
/// unknown length counts 64 times. One loop of workers alone rarely fills the machine, so leaving lanes idle
/// there costs a factor. The user's marks come first, then the schedule file's `workers` and `lanes`.
NestMapping chooseMapping(const Nest& nest, const ir::PassContext& ctx);

/// Another mapping, and the condition, on what the host knows, under which it is better.
struct OtherMapping {
  NestMapping mapping;
  ir::Expr when;
  std::string why;
  int64_t extents = 0; ///< of the arrays that are made in the nest, at most; 0: as they are
};
/// One that the call's sizes may ask for instead of `mapping`, if the user has said nothing of the kind:
/// - a thread for each iteration instead of a warp whose lanes share one loop, whose length depends on data, where the arrays
///   that the loop goes through have few elements for each iteration;
/// - a thread for each iteration, where the nest is `outermost`: there are enough to fill the device, and neighbours read side by
///   side, or the same, as lanes would;
/// - a block for each iteration instead of a thread, where these are few and fold long rows;
/// - lanes over the loops around those that they share, which have so few iterations that lanes idle, or wait for each other, at
///   each of them; a thread for each iteration, with the arrays that it makes, where the loops around are serial.
std::optional<OtherMapping> otherMapping(const Nest& nest, const NestMapping& mapping,
                                         const std::vector<ir::Buffer>& buffers, bool outermost,
                                         const ir::PassContext& ctx);

/// Lane loops for the body of a worker that exists anyway. `small`: loops of a few iterations count as well.
LaneLoops chooseLaneLoops(const ir::Stmt& body, bool small);

/// Threads of a block worker: the user's for one of `loops` or the lane loops in `body`, else what the
/// schedule file says of the statement at `span`, else the default; a multiple of 32.
int workerThreads(const std::vector<const ir::For*>& loops, const ir::Stmt& body, const LaneLoops& lanes,
                  Span span, const ir::PassContext& ctx);
/// Threads of a block that are worth trying where the choice is free.
inline const std::vector<int64_t> kOpenLanes{32, 64, 128, 256, 512, 1024};

} // namespace appyc::cost
