//===- Passes.h - mapping, kernels, barriers, memory --------------------------------------------------===//
// In which order they run, and why: lib/Target/Targets.cpp, which `appyc --list-passes` prints.
// Choices follow from the program, the annotations and trip counts, never from the device: same input, same bits.
#pragma once
#include "appyc/IR/Pass.h"

namespace appyc::schedule {

/// Loop -> Loop (cuda, cpu). Two serial loops that update a matrix in place by elements of one row and one column of it, as
/// all-pairs shortest paths do: that row and that column first, as they are before and after, then all elements in
/// parallel, each from the values that it meets in order. Done where nothing else leads from element to element.
void snapshotLines(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Two serial loops whose iterations wait for neighbours in the rows before and in their own (edit distances,
/// Gauss-Seidel) run by diagonals of tiles, and in a tile by diagonals of elements.
void blockWavefronts(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop whose iterations each sum over all earlier ones, as a triangular solve
/// does, runs in blocks of 64, or of 32 where the operands of 64 do not fit on chip: one worker adds what a
/// block's iterations take from the block before, and runs them with their operands on chip, by the lanes of
/// one warp, some at a time in scalars; all rows behind the block add what they take from the block before, in
/// parallel, and need not wait for it. The blocks' terms keep their order. Done where dependences allow each
/// term to be added when the earlier iteration is done. Divisions by what is known before are prepared
/// (Intrinsic::DivideBy); a block that meets one that cannot be is run again without. Done in all loops of the host
/// (HostLoops.h). No-op for loops with branches, or with known few iterations.
void blockRecurrences(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop whose iterations compute elements from sums of products over all earlier
/// iterations, as a left-looking factorisation does, runs in panels of 32: what a panel takes from the
/// iterations before it is a matrix product; then one block runs its own elements, and all elements behind it
/// follow in parallel. Sums are split where the panel begins. Elements of a range that has nothing to do with the steps, as many
/// right sides of a solve, all follow. Done in all loops of the host (HostLoops.h), of which block-recurrences and this pass
/// also take those whose steps change all elements behind them (DelayedUpdates.h). No-op for
/// elements in another range, or where dependences lead from elements behind to those of the panel.
void blockPanels(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop that in step k updates all of a square of elements, each from itself,
/// from what its row has in column k and what its column has in row k, takes 32 steps in one pass over
/// memory: first the tile where the block's rows and columns meet, then the other tiles on them, which keep
/// what row and column held at each step; then all other elements. Every element goes through the same
/// values. So for two loops in order, whose elements behind the step's column and row read what these have become: both are
/// kept. Blocked all-pairs shortest paths (Venkataraman et al., JEA 2003), with the steps' own values, so
/// for any function. Done in all loops of the host (HostLoops.h). No-op with annotated sizes, or known few iterations.
void blockUpdates(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A nest that makes a matrix, and a loop that sums its columns, become one: threads go
/// down the columns, make each element and add it before it leaves the registers. Done where dependences stay
/// inside a column, each element is made no later than it is read, and what stands between the two touches neither.
///   for i: for j: A[i, j] = f(i, j)              for j: s = 0
///   for j: s = 0; for i: s += y[i] * A[i, j]  =>        for i: A[i, j] = f(i, j); s += y[i] * A[i, j]
void fuseColumns(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial nest of loops, in which each step, or each for which a condition holds, puts elements
/// behind what earlier ones have put into arrays: the conditions of all steps first, then the places of those that keep
/// something, then the elements, each in parallel. Stream compaction. Done where no step sees what another one does.
///   for i: if a[i] > 0: found[n] = b[i]; n = n + 1
void compactInParallel(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). The same where a step appends as often as its code finds something: how often it does is counted by a
/// parallel loop without what it stores, a scan of that tells the places, and the steps run in parallel.
///   for i: for j in [0, i): if f(i, j): found[n] = j; n = n + 1
void countPlaces(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Steps over segments whose ends memory tells, which touch elements that the data choose, as one sequence.
///   for r: for e in [p[r], p[r + 1]): y[j[e]] += x[r]  =>  for k: r = owner[k]; e = ..; y[j[e]] += x[r]
void flattenSegments(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Steps that read elements which the data choose and count them up or down, as one thread has to: what each
/// finds follows from how many steps before have the same element, which a sort of the steps by element tells.
///   for i: out[next[k[i]]] = x[i]; next[k[i]] += 1
void takeTurns(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Steps that share nothing but elements at one subscript, which the data choose: sorted by it, those of one
/// element run in order in one thread.
///   for i: if d[i] < best[k[i]]: best[k[i]] = d[i]; who[k[i]] = i
void stepsByKey(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop over one parallel nest of which no iteration needs another one's runs inside of it.
///   for i: parallel for j: x[i, j] = f(x[i - 1, j])  =>  parallel for j: for i: x[i, j] = f(x[i - 1, j])
void stepsInside(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop that carries folds from step to step, in scalars or in the elements that it stores:
/// what each step folds in first, then the folds up to each step by a routine, then the rest of the steps, each in
/// parallel. Sums, extremes, and what of truth values `and` and `or` give; products of integers. Done where nothing else
/// leads from step to step, and in a parallel loop over rows, which the host takes apart where they are few and long. No-op
/// with known few iterations, and in other loops of kernels.
///   for i: s = s + a[i]; out[i] = s
void scanInParallel(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A long serial loop from step to step of which only numbers lead runs in chunks, from guesses that are
/// corrected until each chunk starts from what the one before ends with, to the last bit; where they do not settle, from what the
/// steps before make when they are put together, if they can be; else in order.
///   for i: y = w * y + x[i]; out[i] = y
void settleRecurrences(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Serial loops whose steps read what the one a distance before has stored become that many chains.
void splitChains(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). Steps of a serial loop that store elements of their own and read those of steps which the data name run in one
/// launch, in resident blocks, and wait for those alone.
///   for i: x[i] = f(x[p[i]])
void awaitSteps(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial nest of loops that updates elements which the data choose: keys and values of all steps are
/// stored, in parallel, the values are folded by key (FoldByKey of Routines.def), and each element takes its fold. Done where
/// nothing else in the nest touches what is updated, and its steps are free to run in any order but for that.
///   for i: h[k[i]] = h[k[i]] + w[i]
void foldByKey(ir::Function&, ir::PassContext&);
/// Stores to elements that the data choose, of which the last one stays, are made by all threads (ScatterLast.cpp).
void scatterLast(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A serial loop whose steps update slices of arrays, in parallel, each from itself and from what
/// was made of the step's own slice, becomes one kernel with a block for each slice: the slice's owner, in all steps,
/// which keeps it on chip. What all read of a step is made by the owner of the step's slice, who posts the step; the
/// others wait for that alone. Slices that have no room take turns. Owner-computes rule (Callahan and Kennedy, 1988), fan-out as in column-oriented
/// factorisations (George et al., 1988). All blocks run at once: where the device cannot, as the host finds, the loop
/// stays as it is. Done where dependences lead from one slice to another only through posted steps.
///   for k:                                     for w in [0, N):  # resident blocks
///     q[:, k] = f(A[:, k])                       own = A[:, w]
///     for j in [k + 1, N):                 =>    for k: if w == k: q[:, k] = f(own); post(k)
///       A[:, j] = g(A[:, j], q[:, k])                   if w > k: wait(k); own = g(own, q[:, k])
///                                                A[:, w] = own
void ownerComputes(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). In loops of the host, a parallel loop whose iterations will be blocks (or warps) takes in
/// the statements before it that make what all of them read: sums over a vector, scalars, elements of a vector.
/// Each block computes the sums and scalars itself, and elements where it reads them; one iteration more, in
/// front, stores what was stored. Redundant computation instead of launches. Done where dependences show that no
/// block reads what another one writes, and where no loop taken in is longer than one of the block's own.
///   s = 0; for i: s = s + a[i]                 for j in [lo - 1, hi): s = 0; for i: s = s + a[i]
///   for i: q[i] = a[i] / s                =>     if j == lo - 1: for i: q[i] = a[i] / s
///   for j in [lo, hi): for i: ... q[i]           else: for i: ... a[i] / s
void recomputeProducers(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A nest over rows and columns whose folds read along rows of one array and rows of another runs in
/// tiles, which have what they read on chip; where the host finds rows, columns and steps enough.
///   for i: for j: for k: s[i, j] = s[i, j] op f(X[i, k], Y[j, k])
void tileContractions(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A parallel loop whose iterations fold, and then fold in each of their columns, becomes two: the
/// second with a thread for each element.
void distributeFolds(ir::Function&, ir::PassContext&);

/// Loop -> Loop. An outermost parallel loop that reduces becomes partial results of chunks, their number
/// fixed by the trip count, and an ordered fold of them. Left whole, for one block (cuda): loops of few
/// iterations, and rows that grow or shrink with a serial loop around. On cuda, a parallel loop whose threads
/// each reduce over a long column is split likewise. Needs judged loops (order, reductions).
void tileReductions(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A loop that updates few elements which the data choose: blocks do so on chip first.
void privatizeUpdates(ir::Function&, ir::PassContext&);

/// Loop -> Loop (cuda). A branch in a loop of the host by what the device has computed: its kernels ask, and the host does not wait.
void pushConditions(ir::Function&, ir::PassContext&);

/// Loop -> Scheduled (cuda). Host scalars that kernels compute for later statements move into rank-0 device
/// buffers; the host fetches them where its control flow, extents or results need the value. Afterwards no
/// kernel-to-be assigns a scalar that is read outside it, and no host expression reads memory.
void placeScalars(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A scalar of a kernel that is set once, to what another one is, goes by that one's name where
/// that one does not change behind it.
void dropCopies(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Scalars of the host program that are set once, to one value, become one.
void shareNumbers(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Where what a worker's lanes share, or what neighbouring threads take, is as long as
/// the call's sizes say, the host chooses the block's shape: several short rows a block, more rows of narrow arrays.
void fitThreads(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Every parallel nest becomes one Launch: threads along the coalesced axis,
/// or warps or blocks whose lanes share the inner loops, with collectives for their reductions. A run of
/// neighbouring statements that touch memory without a parallel loop worth a launch becomes one Launch of one
/// worker: one block if it has loops to share, else one thread. Host control flow stays on the host. All
/// loops over grid and lanes are strided, so any grid size is right; but a loop over blocks of which there
/// are few whatever the sizes has a block each (For::once). Kernels may still contain Alloc.
void mapKernels(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A serial loop of the host whose kernels sweep over arrays of one shape (one
/// or two dimensions), at constant distances, takes several steps in one pass over memory: a block copies a
/// tile and a halo on chip, repeats there what other blocks compute of its halo, and stores the
/// cells that are its own into a second copy. The halo is what the subscripts prove to be enough. Overlapped
/// tiling (Krishnamoorthy et al., PLDI 2007). A thread keeps a strip of cells in registers, shared memory has
/// what others read; tiles that meet no edge are compiled apart (For::apart). Done where the cost model sees a
/// gain; a remark says what it
/// sees.
///   for t: B[i] = f(A[i-1..i+1]); A[i] = f(B[i-1..i+1])
///   => for each 2*T steps: launch(A -> A_next, T steps); launch(A_next -> A, T steps)
void tileTime(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A barrier between two accesses of a worker exactly where a dependence
/// crosses lanes, and between two folds of a block that go through the same shared memory. Iterations over
/// workers share only scratch.
void placeBarriers(ir::Function&, ir::PassContext&);

/// Loop (cpu) or Scheduled -> Scheduled. Temporaries whose extents can be bounded at entry move to the
/// function's top (one workspace); those of a kernel get a dimension for each loop over blocks, warps or
/// threads around them. Afterwards no Launch contains Alloc, or there is an error at the array. On the cpu,
/// arrays made inside parallel loops stay there.
void planMemory(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). In loops of the host, neighbouring kernels of threads alone become one
/// where neither writes an array that the other touches and both count threads along the same axes: a launch
/// less a step. Any grid is right for either, so the larger one is taken. A kernel of one block and one of warps
/// or threads behind it, where neither touches an element that the other writes, run side by side: the first
/// block runs the one, all others the other. Needs planned memory.
void mergeKernels(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A kernel of one block that folds few numbers, as they are left by the chunks of a
/// sum, into scalars goes into the next kernel that reads those, if that one consists of threads alone: each of its
/// blocks, 1024 at most, folds them, and the first one stores the scalars. Under a branch of the host that kernel's
/// other side keeps the launch.
void repeatFolds(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A serial loop of the host whose iterations only launch kernels, and do little,
/// becomes one launch: the loop runs in a kernel of one block, or of one cluster of 16 blocks, its kernels stand in
/// it one behind the other, with barriers of all blocks where one touches an array that another writes. A barrier
/// takes less than a launch. Where sizes are open, the host counts the elements that a step touches, and keeps the
/// launches where they are many. Devices without clusters run one block; the results are the same.
///   for t: launch(f); launch(g)  =>  launch[cluster]: for t: f; barrier; g; barrier
/// No-op for loops with other loops of the host inside, and for kernels with scratch of their own.
void clusterLoops(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A kernel that sets all of an array to zero, outside of loops of the host, becomes a call of the
/// runtime, which needs no kernel. In loops launches hide their start behind each other, which this would end.
///   launch: for i, j: A[i, j] = 0  =>  clear(A, M * N)
void clearArrays(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Lanes that fold the last axes of arrays go through them as through one (CollapseAxes.cpp).
void collapseAxes(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Threads of a loop that stands for two ask for neither index where elements follow each other
/// (JointAxes.cpp).
void jointAxes(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). In kernels of threads over two or three dimensions that update nothing in
/// place, a thread makes several elements: eight along a dimension in which neighbours share loads, which then
/// stay in registers, else two along the second fastest, so that more loads are on their way. Not in time
/// loops, whose arrays come from the cache.
void rowsPerThread(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A loop that a thread runs alone, over straight code that updates an array in
/// place, takes four iterations at a time, whose loads come before their stores: no compiler moves a load
/// across the store of another element that it does not know to be another. Results stay the same to the bit.
void unrollUpdates(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). In kernels of resident blocks, which wait for memory in each step, a lane takes four
/// iterations of a loop at a time, so that it waits once for what they load. Results stay the same to the bit. Needs
/// placed barriers: lanes keep meeting the elements that they meet.
void batchLanes(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Loops that threads or lanes share, and in which every access is of an element
/// of its own, side by side with the next iteration's, or of one that is the same for all, take up to 16 bytes
/// of elements at once: with one load or store where the host finds rows whole and arrays aligned, one element
/// at a time else. Where memory is what a kernel waits for, and not in time loops. Sums over lanes are grouped
/// otherwise; all else stays the same to the bit. Needs placed barriers: lanes keep meeting the elements that
/// they meet.
void vectorizeLanes(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Kernels with vectors whose lanes go through one row several times get a second
/// body for rows that fit into the lanes' registers: each element is loaded once. Results stay the same to the
/// bit. Needs vectorize-lanes.
void keepRows(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Loops that workers share, of a step that is no small constant, count their iterations by one.
void countSteps(ir::Function&, ir::PassContext&);
/// Loop -> Loop (cuda). Parallel loops whose steps the call tells count their iterations, before they are mapped.
void countOpenSteps(ir::Function&, ir::PassContext&);

/// Scheduled -> the same. Warns of kernels of one thread or block, outside of host loops or in them, whose loops may
/// have more than 10^4 iterations, and of host loops that read a scalar back each time round, other than to end.
void warnSerialWork(ir::Function&, ir::PassContext&);
/// Scheduled -> Scheduled (cuda). Kernels of one thread with many steps are done by the host, outside of its loops and branches,
/// where their arrays have few elements a step.
void runByHost(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). A serial loop of the host program is bound to graphs where its body only
/// launches kernels, under scalars and branches of each iteration's own: launches from a graph cost 1.1 us,
/// from the host 3.1 us (H200). Not where the launches change with a loop around. Three launches and more in a row,
/// outside of loops, become a graph as a loop of one iteration does (isRow): the host starts it in the time of one.
/// Needs planned memory; changes no kernel.
void recordGraphs(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). In loops and recorded rows of the host, a kernel may be started while the one before
/// it in the stream still runs (programmatic dependent launch, compute capability 9.0): its blocks take their places as
/// that one's leave theirs, and wait, before all else, until it has ended and what it wrote is there. So kernels see
/// memory in the order of the stream, as each waits for the one before, which has waited too. All launches of such a
/// kernel are made so. Launches of clusters, kernels of the support code and of libraries are launched as before, and
/// wait as before. No kernel lets the next one start before its blocks have ended: threads that wait would take the
/// place of those that work.
///   for t: launch(f); launch(g)  =>  for t: launch[overlaps](wait; f); launch[overlaps](wait; g)
void overlapLaunches(ir::Function&, ir::PassContext&);

/// Scheduled -> Scheduled (cuda). Each kernel becomes an object of its function, of which there is one however often it
/// is launched; its launches say what stands for its parameters. Needs all that work on bodies in place.
///   launch f[..]: A[i] = x  =>  launch f[..](A, x)    kernel f(A, x): A[i] = x
void outlineKernels(ir::Function&, ir::PassContext&);
/// Behind it: kernels of functions that have several are called after the arrays that they write, `gemm_C` of gemm. That does not
/// depend on what else there is, but where several write the same.
void nameByArrays(ir::Module&);
ir::Function
withKernels(const ir::Function&); ///< the same for one function; nothing to do where it has been done
/// Gives kernels that are objects other names, in their launches, too.
void renameKernels(ir::Function&, const std::map<std::string, std::string>& names);

} // namespace appyc::schedule
