//===- Passes.h - ir to ir, whatever the target ---------------------------------------------------------===//
// Each pass has a file of its own name; its contract stands at its declaration.
#pragma once
#include "appyc/IR/Pass.h"

namespace appyc::transform {

/// Tensor -> Tensor. An index statement that may read what it writes at another point gets a temporary, so
/// that the right side is read before the left is written (NumPy's rule). Statements that are proven free get
/// `noOverlap`.
///   A[1:] = A[:-1]   =>   t[:] = A[:-1]; A[1:] = t[:]
/// Where only slices that do not move along all dimensions are in the way, those are kept.
///   A[:, :] = A + A[k]   =>   t[:] = A[k]; A[:, :] = A + t[:]
void bufferOverlaps(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. A fold that has been computed before, and of which nothing has changed since, is read from where it is: an
/// array of such folds, a scalar, or a scalar that is made for folds of two statements.
///   m[i] = sum(x[i, :]) / n; t[i] = sum(x[i, :]) / n; v[i] = x[i, 0] - t[i]   =>   m[i] = ..; v[i] = x[i, 0] - m[i]
void shareFolds(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. What a routine has made of arrays that hold the same is read from where it is.
///   call sort_row(in x, out s); .. ; call sort_row(in x, out t); a = t[0]   =>   call sort_row(in x, out s); .. ; a = s[0]
void shareRoutines(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. A fold over whole arrays that a loop does not change is a scalar in front of it.
///   for i: y[i] = x[i] - sum(x[:]) / n   =>   total = sum(x[:]); for i: y[i] = x[i] - total / n
void hoistFolds(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. A temporary that is written whole by one statement and read by later statements of the
/// same block is replaced by its value where that repeats no reduction and nothing it reads changes in
/// between; unread ones disappear. One whose first reader copies it, element by element, is made there, and
/// its other readers, right behind the first, read it there.
///   t[j] = f(j); A[i, j] = t[j]; A[j, i] = t[j]   =>   A[i, j] = f(j); A[j, i] = A[i, j]
void forwardTemporaries(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor (cuda). A loop of independent iterations over statements of arrays, products of matrices among them, becomes
/// an axis of these statements.
void batchProducts(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. Sums of products over two matrices, `@` or loops, become MatMul: into the target itself
/// where that is a matrix, scalars and a scaled target folded in, triangular bounds as limits; else into a
/// temporary that the statement reads. Loops are taken apart for it where dependences allow. No-op where the
/// target feeds its own sum, in loops whose iterations are independent, and where a size is known to be
/// below 16.
void findProducts(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor (cuda, with libraries). Neighbouring float products whose sums are limited by what concerns one
/// operand alone, as triangular ones are, and that share the other operand and the target become one product of the
/// library: of a matrix that has their elements within the limits, and zeros. Where the shared operand is not finite,
/// which is tested on the device, loops over the sums themselves store the result: 0 * nan is nan. No-op in loops.
///   C += tril(A, -1) @ B; C += triu(A.T, 1) @ B  =>  C += (tril(A, -1) + triu(A.T, 1)) @ B
void maskOperands(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. An index statement or product all of whose elements later statements of its block store again, before
/// anything reads them, is left out.
///   C[:] = 0; C[0] = x; C[1:] = y   =>   C[0] = x; C[1:] = y
void dropDeadStores(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. What each path of a branch makes whole, to be copied into one array behind it, is made there.
///   if c: t = x; else: t = g   then   g[:] = t   =>   if c: g[:] = x
void dropChosenCopies(ir::Function&, ir::PassContext&);

/// Tensor -> Tensor. Of an array that a block makes as a copy of another one, changes in part and copies back, only what was
/// changed is copied back, and nothing there.
///   v = u; v[1:-1] = f(u); u[:] = v   =>   v[1:-1] = f(u); u[1:-1] = v[1:-1]
void dropRoundTrips(ir::Function&, ir::PassContext&);

/// Tensor -> Loop. Index statements become loop nests, outermost dimension first; Reduce becomes a loop with
/// an accumulator; reductions over the same range in one statement share a loop. All domain loops are
/// Order::Proven.
void lowerToLoops(ir::Function&, ir::PassContext&);

/// Loop -> Loop. After a check of the function that two sizes are equal, the later one in the order of the
/// parameters is called by the other's name, so that loops over them have one range. Arrays keep the extents
/// that they were declared with. Checks that follow from those before them fall away.
void unifySizes(ir::Function&, ir::PassContext&);

/// Loop -> Loop. A temporary that one nest fills by a few operations an element is not stored: later nests of
/// the block, which may read it at several places, compute the value there again. Kept: what is read in
/// deeper loops than fill it, what a reduction gives or a function (but those of f32 on a GPU), and what would
/// make a statement's work exceed a round trip through memory.
///   t[:] = a[1:] - a[:-1]; b[:] = t[1:] * t[:-1]   =>   b[i] = (a[i+2] - a[i+1]) * (a[i+1] - a[i])
void recomputeTemporaries(ir::Function&, ir::PassContext&);

/// Loop -> Loop. Of rows that are sorted, in place of which nothing but the first or the last few elements are read, no more is put
/// in order than these: argsort(d, axis=1)[:, :k], sort(a)[-k:].sum(). How many they are is the host's to know.
void selectEnds(ir::Function&, ir::PassContext&);

/// Loop -> Loop. `X[c] = X[c] op e` in a loop where X[c] is invariant becomes a scalar that is stored after
/// the loop.
void hoistAccumulators(ir::Function&, ir::PassContext&);

/// Loop -> Loop. A loop over what a mask has selected (`for i in np.flatnonzero(m)`, folds of `a[m]`) runs over all, under the mask,
/// where the selected are listed for such loops alone and none of them changes what they are selected by.
void runWhereSelected(ir::Function&, ir::PassContext&);

/// Loop -> Loop. In a block of statements, an element just stored is not loaded again, and a store that the
/// next store to the element overwrites unseen is dropped. No-op for stored values other than constants and
/// variables.
void forwardStores(ir::Function&, ir::PassContext&);

/// Loop -> Loop. Judges every loop (analysis::judgeParallel), sets order and reductions; a refuted annotation
/// is an error with its witness; a conditional one becomes two versions; un-annotated loops are made parallel
/// when proven (autoParallel).
void proveParallel(ir::Function&, ir::PassContext&);

/// Loop -> Loop. With --sanitize=races: a nest with an assumed loop runs in order, by one worker, and keeps for
/// each element that iterations might share which of them touched it first; the first two in the program's order
/// that compete are raised. Needs prove-parallel's verdicts; arrays of
/// proven loops are not touched. After S. Savage et al., Eraser (1997), by order in place of locks.
void checkRaces(ir::Function&, ir::PassContext&);

/// Loop -> Loop. With --sanitize=memory: of arrays that are not filled whole by their first use, which elements have
/// been written is kept, and asked before each load. Element by element as valgrind's memcheck (Seward and Nethercote,
/// 2005).
void checkMemory(ir::Function&, ir::PassContext&);

/// Loop -> Loop. Loops with checks in them become serial, so that the first fault in the program's order is the one
/// raised. For a device, which cannot raise, such nests note the fault and do nothing more; the host asks behind each.
/// Nests that hold parallel loops without checks stay the host's. No-op without --sanitize.
void orderChecks(ir::Function&, ir::PassContext&);

/// Loop -> Loop. Checks over sizes and scalars that pass wherever they are reached fall away: by the branch that they stand
/// in, by checks in front of them.
void dropProven(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Checks that are the same in all iterations stand before their loop (HoistChecks.cpp).
void hoistChecks(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Loops that store into the caller's arrays run in any order up to what fails first, which is found before.
///   for i: require a[i] > 0; x[i] = f(a[i])  =>  first = min(i: not a[i] > 0); for i < first: x[i] = f(a[i]); if first < n: require ..
void findFailures(ir::Function&, ir::PassContext&);

/// Loop -> Loop. A serial loop over statements and serial loops runs by the inner index instead, where no
/// dependence is turned round by that and the outer index becomes parallel: row-wise factorisations become
/// column-wise ones. Needs prove-parallel's verdicts. No-op where autoParallel is off, and for annotated
/// loops.
void interchangeLoops(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Steps that take turns by a remainder are written out (UnrollPeriods.cpp).
void unrollPeriods(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Scalars that are made for others, to which they are copied, are made as these (CoalesceCopies.cpp).
void coalesceCopies(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Loops from run to run of equal neighbours are loops over the runs (FindRuns.cpp).
void findRuns(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Places that serial loops move on through arrays are searched for, where these ascend (SearchAhead.cpp).
void searchAhead(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Recurrences whose first steps have none before them are two loops (SplitStarts.cpp).
void splitStarts(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). What a recurrence finds beside what it asks for is found behind it (OutputsBehind.cpp).
void outputsBehind(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Scalars that loops count up are sums over the iterations before (CloseCounters.cpp).
void closeCounters(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Scalars that keep what the last iteration has read are read again (DropCarriedCopies.cpp).
void dropCarriedCopies(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Flags that a loop raises are folds (CollectFlags.cpp).
void collectFlags(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Loops that lower elements until none is lowered any more run in any order (RelaxUpdates.cpp).
void relaxUpdates(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Loops that set elements to one value, where they are not set yet, run in any order (SetOnce.cpp).
void setOnce(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Loops over strips, and over what is in one, are one loop (JoinStrips.cpp).
void joinStrips(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). A nest that updates several arrays is one for each of them (SplitNests.cpp).
void splitNests(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Loops over elements instead of loops whose iterations update the same ones (GatherUpdates.cpp).
void gatherUpdates(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Steps that update elements of their neighbours have a loop for each update (DistributeUpdates.cpp).
void distributeUpdates(ir::Function&, ir::PassContext&);
/// Loop -> Loop. What steps add to all elements of an array runs element by element (CollectColumns.cpp).
void collectColumns(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Pairs that update an element of each are gone through twice (SplitUpdates.cpp).
void splitUpdates(ir::Function&, ir::PassContext&);
/// Loop -> Loop. Scratch arrays that every iteration of a loop writes before it reads are its own (PrivatizeArrays.cpp).
void privatizeArrays(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Rows that a loop sorts one by one are sorted all at once (BatchSorts.cpp).
void batchSorts(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Sizes that each iteration of a parallel loop finds for its arrays are found before it (SizeArrays.cpp).
void sizeArrays(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Folds over what later iterations write stand before their loop (FoldsFirst.cpp).
void foldsFirst(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). A serial loop that reads what it has yet to write becomes two parallel ones (BufferLoops.cpp).
void bufferLoops(ir::Function&, ir::PassContext&);
/// Loop -> Loop. The first or last iteration of a loop, where it alone takes another branch, by itself (SplitRanges.cpp).
void splitRanges(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A parallel loop of which each iteration goes over matrices, statement by statement, becomes a loop for each.
void distributeMatrices(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop that keeps the best of what its iterations find, and what goes with it: the best is a fold,
/// and the iteration that has it runs again. No-op where autoParallel is off.
void findBest(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Two to four columns of a parallel loop whose folds compute the same function or quotient: one fold for all.
void jamFolds(ir::Function&, ir::PassContext&);

/// Loop -> Loop. A sweep that stores each element of an array, with updates behind it of parts of what it stored: one sweep.
void joinUpdates(ir::Function&, ir::PassContext&);

/// Loop -> Loop. Neighbouring parallel loops over one range become one where all dependences stay inside an
/// iteration and they share an array.
void fuseLoops(ir::Function&, ir::PassContext&);

/// Loop -> Loop. In a parallel loop over b, a loop over points i that does nothing where lo(b) <= x(i) < hi(b)
/// does not hold goes through the points of b only: they are grouped before. For any mask of two comparisons,
/// closed or open, or of one `==`, however it is spelt; edges and points are expressions of b or of i. The
/// grouping (FindGroups of Routines.def) tests at the call that the masks are apart; where they are not, and where there are
/// few points or iterations, the loop goes through all points. A fold of floats adds what it skipped, +0.0,
/// where that may change the sign of its zero.
///   for b: for i: s[b] += x[i] if lo[b] <= w[i] < hi[b] else 0
///   => find_groups of w by lo, hi: keys, apart; order_by_key: order, start
///      for b: if apart: for k in [start[b], start[b + 1]): s[b] += x[order[k]]
///             else:     as before
/// On cuda, where the body only folds, the points stay where they are: parts of them are folded by group, and b folds
/// its group's results of all parts:
///   => find_groups of w by lo, hi: keys, apart; fold_by_key<sum> of x: parts
///      for b: if apart: for t in [0, T): s[b] += parts[t, b]
///             else:     as before
/// In a parallel loop of up to eight iterations, too, which the host then runs one by one.
/// Needs judged loops. No-op where sizes depend on what the device computes, and in other loops of a kernel.
void groupMasks(ir::Function&, ir::PassContext&);

/// Expressions in canonical form (IR/Simplify.h); branches, checks and loops that the constants in them decide are gone.
///   if True: a[i] = x + 0   =>   a[i] = x
void simplify(ir::Function&, ir::PassContext&);

/// Level Tensor, no pass: the function for calls at which `elsewhere` (Bool, over sizes and scalar parameters)
/// does not hold, without the statements that none of these runs. What is checked stays, with what the caller sees of
/// what stands before it.
ir::Function dropExcluded(const ir::Function&, const ir::Expr& elsewhere);

} // namespace appyc::transform
