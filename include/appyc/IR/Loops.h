//===- Loops.h - what a loop's node alone tells: its order, its iterations, what stands right in it -----===//
#pragma once
#include "appyc/IR/Nodes.h"
#include <optional>
#include <vector>

namespace appyc::ir {

/// Iterations may run in any order (up to reductions) and the user did not ask for order.
bool isParallel(const For& loop);
bool hasOwnSize(const For& loop);    ///< the user says how many lanes or threads it has
bool isUnmarked(const For& loop);    ///< the user asks nothing of it: no mark, no lanes
bool isPlain(const For& loop);       ///< parallel and unmarked, and folds nothing
bool isSerial(const For& loop);      ///< in order, though nobody has asked for that
bool isPlainSerial(const For& loop); ///< in order and unmarked, in steps of 1
/// ceil((hi - lo) / step) as I64, which may come out negative for an empty loop; an empty handle when the step is no
/// constant.
Expr tripCount(const For& loop);
std::optional<int64_t> constantTrip(const For& loop); ///< never negative
/// Does a schedule say how many threads run a loop in it? Then kernels and their blocks stay as they are.
bool hasAskedThreads(const Stmt& s);
/// The launch of a kernel that stands in place and whose threads are for passes to choose; null for all else.
const Launch* openKernel(const Stmt& s);

/// An index statement, or one that folds, as a nest of loops whose iterations may run in any order; null for all else.
Stmt asLoops(const Stmt& s);

//===--- its mapping --------------------------------------------------------------------------------===//

bool isRow(const For&);                   ///< launches in a row that are recorded, as one iteration: no loop
bool isBound(const For&);                 ///< its iterations are shared among lanes or workers, or recorded
bool isOfThreads(const For&);             ///< a thread of the grid for each iteration
bool isUnrolled(const For&);              ///< the compiler is to write its few iterations out
std::optional<Axis> axisOf(const For&);   ///< that lanes or workers are counted along
std::optional<Scope> lanesOf(const For&); ///< whose lanes take turns, if lanes do
int firstBlockOf(const For&);             ///< blocks before it take no part
/// Threads side by side take iterations side by side: lanes, or threads of the grid, along X.
bool isAlongLanes(const For&);

} // namespace appyc::ir
