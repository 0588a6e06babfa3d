//===- Mapping.h - what is asked of a loop, and how it runs ------------------------------------------===//
#pragma once
#include "appyc/Support/Source.h"
#include "appyc/Support/Symbol.h"
#include "appyc/Support/Tree.h"
#include <variant>
#include <vector>

namespace appyc::ir {

struct ExprNode;
using Expr = Ref<ExprNode>;

/// What the user asked of a loop.
enum class LoopMark { None, Parallel, ParallelSimd, Simd, Sequential };
/// What appyc knows of a loop's order. Serial: in order. Proven/Assumed: iterations are independent (by proof
/// / by the user's word), but for `reductions`.
enum class Order { Serial, Proven, Assumed };
/// Group: the threads of a block that have one position along Y, a whole block or a power of two of lanes of a warp.
/// Cluster: all threads of a launch of one cluster, or of one block.
enum class Scope { Warp, Group, Block, Cluster, Grid };
/// Of the grid or the block.
enum class Axis { X, Y, Z };

/// What the user or a pass asked of a loop, and which of the source's un-annotated loops its iterations are.
struct Hints {
  LoopMark mark = LoopMark::None;
  int vectorLength = 0; ///< simd(n)/block(n); 0: open
  int warps = 0;        ///< num_warps(n); 0: open. Of a serial loop 1: one warp is enough for it
  Expr
      threads{}; ///< threads(n) of a schedule: so many share its iterations, a value of the host; empty: open
  std::vector<Span> origins{};
  bool resident = false; ///< of blocks that may wait for each other (Launch::Resident)
};

/// Whoever reaches the loop runs all of its iterations.
struct Serial {
  int unroll = 0; ///< iterations that the compiler is to write out at once; 1: all, they are few
};
/// One copy of elements side by side between memory and a vector, from 0 to Width: a single access.
struct VectorCopy {};
/// Lanes of the block, of the group or of the warp take turns.
struct PerLane {
  Scope scope;
  Axis axis = Axis::X; ///< of a block's lanes
  bool unroll = false; ///< few iterations of each lane
};
/// One iteration a block, the worker; blocks of the grid take turns.
struct PerBlock {
  Axis axis = Axis::X;
  bool once = false; ///< the grid has a block for each iteration, so that none has two
  /// What follows the body's assignment to this Bool is compiled apart for either value (loop unswitching).
  Symbol unswitched{};
};
/// One iteration a warp, the worker; warps of the whole grid take turns. Likewise threads.
struct PerWarp {
  Axis axis = Axis::X;
  int firstBlock = 0; ///< along X: blocks before it take no part
};
/// One iteration a group, the worker; the groups of the whole grid take turns. They stand along the block's Y.
struct PerGroup {
  Axis axis = Axis::X; ///< of the grid: X
};
struct PerThread {
  Axis axis = Axis::X;
  int firstBlock = 0;
};
/// Of the host program: its launches are recorded as a CUDA graph and replayed.
struct Recorded {};

/// How a loop runs: level Scheduled, but for Serial. IR/Loops.h has what passes ask of any of them.
struct Mapping : std::variant<Serial, VectorCopy, PerLane, PerBlock, PerWarp, PerGroup, PerThread, Recorded> {
  using variant::variant;
  /// One of `Ts`?
  template <class... Ts> bool is() const { return (std::holds_alternative<Ts>(*this) || ...); }
  /// As a T, or null.
  template <class T> const T* as() const { return std::get_if<T>(this); }
  template <class T> T* as() { return std::get_if<T>(this); }
};

} // namespace appyc::ir
